//! Running the program that is the daemon, and what it says when it cannot start.

use std::path::Path;
use std::process::{ExitStatus, Stdio};

use askd_wire::place::{PLACE_TAKEN, Place};
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

use crate::error::ConnectError;
use crate::options::Launch;

/// Most bytes of a failed start's explanation that are relayed.
const SAID_MAX: u64 = 64 * 1024;

/// A daemon that was started and may not be ready yet.
#[derive(Debug)]
pub(crate) struct Starting {
    child: Child,
    said: JoinHandle<Vec<u8>>,
}

/// What became of it so far.
#[derive(Debug)]
pub(crate) enum Progress {
    /// It runs, or has detached itself.
    Underway,
    /// Another daemon holds the place.
    Taken,
    /// It ended with an explanation.
    Failed(String),
}

/// Runs `<program> daemon`. It detaches itself once it holds the lock, so faults up to there are its exit.
///
/// # Errors
/// [`ConnectError::Spawn`] when the program cannot be run at all.
pub(crate) fn spawn(launch: &Launch, place: &Place) -> Result<Starting, ConnectError> {
    let failed = |error: std::io::Error| ConnectError::Spawn {
        program: launch.program.clone(),
        why: error.to_string(),
    };
    let mut command = Command::new(&launch.program);
    // The flag by which the daemon runs detached right away, instead of starting another process for it.
    command.arg("daemon").arg("--detached");
    if place.socket_given {
        // The daemon's working directory is another one.
        command.arg("--socket").arg(std::path::absolute(&place.socket).map_err(failed)?);
    }
    let mut child = command
        .env_clear()
        .envs(launch.allowed_environment())
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let stderr = child.stderr.take();
    let said = tokio::spawn(async move {
        let mut text = Vec::new();
        if let Some(stderr) = stderr {
            // What was read before a fault is what there is to tell.
            let _ = stderr.take(SAID_MAX).read_to_end(&mut text).await;
        }
        text
    });
    Ok(Starting { child, said })
}

impl Starting {
    /// Looks at it without waiting for its end.
    pub(crate) async fn progress(&mut self) -> Progress {
        let status = match self.child.try_wait() {
            Ok(Some(status)) => status,
            Ok(None) => return Progress::Underway,
            Err(error) => return Progress::Failed(error.to_string()),
        };
        if status.success() {
            return Progress::Underway;
        }
        if status.code() == Some(i32::from(PLACE_TAKEN)) {
            return Progress::Taken;
        }
        let said = (&mut self.said).await.unwrap_or_default();
        Progress::Failed(explanation(&said, status))
    }
}

fn explanation(said: &[u8], status: ExitStatus) -> String {
    let text = String::from_utf8_lossy(said);
    let text = text.trim();
    if text.is_empty() {
        return format!(
            "It ended with {status} and said nothing. Run `ask daemon --foreground` to see what it does."
        );
    }
    askd_form::safe_text::block(text).into_owned()
}

/// Takes the lock of whoever is starting a daemon, so that a crowd of clients starts one and not twenty.
/// None when somebody else holds it, or when it cannot be had at all, which the daemon will explain.
pub(crate) fn try_start_lock(state: &Path) -> StartLock {
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    if std::fs::DirBuilder::new().recursive(true).mode(0o700).create(state).is_err() {
        return StartLock::Unavailable;
    }
    let file = std::fs::OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(state.join("start.lock"));
    let Ok(file) = file else { return StartLock::Unavailable };
    match file.try_lock() {
        Ok(()) => StartLock::Mine(file),
        Err(std::fs::TryLockError::WouldBlock) => StartLock::Busy,
        Err(std::fs::TryLockError::Error(_)) => StartLock::Unavailable,
    }
}

/// Who may start a daemon now.
#[derive(Debug)]
pub(crate) enum StartLock {
    /// This process, while it holds the file.
    Mine(#[expect(dead_code, reason = "held for its lock")] std::fs::File),
    /// Another one.
    Busy,
    /// Nobody can tell.
    Unavailable,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_crowd_starts_and_the_next_after_it() {
        let temp = tempfile::tempdir().unwrap();
        let state = temp.path().join("state");
        let mine = try_start_lock(&state);
        assert!(matches!(mine, StartLock::Mine(_)));
        assert!(matches!(try_start_lock(&state), StartLock::Busy));
        drop(mine);
        assert!(matches!(try_start_lock(&state), StartLock::Mine(_)));
        assert!(matches!(try_start_lock(Path::new("/dev/null/state")), StartLock::Unavailable));
    }
}
