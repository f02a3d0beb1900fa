//! How the daemon gets into the background: the program starts itself again with a clean environment,
//! waits until that one listens, and passes its faults on.
//!
//! The new process keeps the caller's stderr until it listens, so that whatever goes wrong before is
//! read by the one who asked; a byte on its stdout says that it does.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read as _, Write as _};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use askd_wire::place::{PLACE_TAKEN, daemon_keeps};
use rustix::process::setsid;
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};

use super::error::StartError;
use super::process::Process;

/// The flag by which the new process knows what it is.
pub(crate) const FLAG: &str = "--detached";

const READY: &[u8] = b"ready\n";

/// Starts the daemon in the background and waits until it listens.
///
/// # Errors
/// [`StartError::System`] when it cannot be started at all. Its own faults are on stderr already, and
/// its exit status is given.
pub(crate) fn start(process: &Process) -> Result<ExitCode, StartError> {
    let failed = |source| StartError::System { what: "starting in the background", source };
    let mut child = Command::new(&process.executable)
        .args(&process.arguments)
        .arg(FLAG)
        .env_clear()
        .envs(kept(&process.env))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let mut said = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(READY.len() as u64).read_to_end(&mut said).map_err(failed)?;
    }
    if said == READY {
        return Ok(ExitCode::SUCCESS);
    }
    let status = child.wait().map_err(failed)?;
    match status.code().map(u8::try_from) {
        Some(Ok(PLACE_TAKEN)) => Ok(ExitCode::FAILURE),
        Some(Ok(code)) if code != 0 => Ok(ExitCode::from(code)),
        _ => Err(failed(io::Error::other(format!("it ended before it was ready ({status})")))),
    }
}

/// Makes this process nobody's child: a session of its own, in a directory that is in no one's way.
///
/// # Errors
/// [`StartError::System`].
pub(crate) fn leave_session() -> Result<(), StartError> {
    // Fails only in a process that leads a group already, which then has no terminal either.
    let _ = setsid();
    std::env::set_current_dir("/")
        .map_err(|source| StartError::System { what: "changing to the root directory", source })
}

/// Turns stdin, stdout and stderr to the log, and tells the starter that the daemon listens.
///
/// # Errors
/// [`StartError::System`].
pub(crate) fn report_ready(log: &Path) -> Result<(), StartError> {
    let turn = || -> io::Result<()> {
        let log = crate::log::open_file(log)?;
        dup2_stdin(std::fs::File::open("/dev/null")?)?;
        dup2_stderr(&log)?;
        // The starter may be gone; the daemon is no less ready.
        let _ = io::stdout().write_all(READY).and_then(|()| io::stdout().flush());
        dup2_stdout(&log)?;
        Ok(())
    };
    turn().map_err(|source| StartError::System { what: "opening the log", source })
}

fn kept(env: &[(OsString, OsString)]) -> impl Iterator<Item = (&OsStr, &OsStr)> {
    env.iter()
        .filter(|(name, _)| daemon_keeps(name))
        .map(|(name, value)| (name.as_os_str(), value.as_os_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_kept_by_a_list() {
        let given = [
            "HOME",
            "PATH",
            "LANG",
            "LC_ALL",
            "XDG_RUNTIME_DIR",
            "DISPLAY",
            "WAYLAND_DISPLAY",
            "ASKD_LOG",
            "DBUS_SESSION_BUS_ADDRESS",
            "ASKD_AGENT",
            "AI_AGENT",
            "CLAUDECODE",
            "CODEX_SANDBOX",
            "HOMEPAGE",
            "OPENAI_API_KEY",
            "NOTIFY_SOCKET",
            "LISTEN_FDS",
            "PWD",
        ];
        let env: Vec<_> = given.iter().map(|name| (OsString::from(name), OsString::from("v"))).collect();
        let names: Vec<_> = kept(&env).map(|(name, _)| name.to_str().unwrap()).collect();
        assert_eq!(names, given[..9]);
    }
}
