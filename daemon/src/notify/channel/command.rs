//! The command channel: a line of the settings file run by `sh`, told what waits through its environment.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Command;

use super::super::attempts::Fault;
use super::super::surroundings::Surroundings;
use super::super::text::Text;

/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(5);

/// What a command is told about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Event {
    /// Questions wait.
    Waiting,
    /// Somebody tries the channels.
    Test,
}

impl Event {
    fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Test => "test",
        }
    }
}

/// A command's process group, which ends with whoever waits for it.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        if let Some(group) = self.0 {
            // There is nobody left in it when the command cleaned up after itself.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Runs the command to its end. Whatever it started ends with it.
pub(in super::super) async fn run(
    surroundings: &Surroundings,
    line: &str,
    event: Event,
    text: &Text,
) -> Result<(), Fault> {
    // Agent text stands in the environment, never in the line: the shell must not read it.
    let mut command = Command::new("sh");
    command
        .args(["-c", line])
        .env_clear()
        .envs(surroundings.passed_on())
        .env("ASK_NOTIFY_EVENT", event.name())
        .env("ASK_NOTIFY_TITLE", text.title)
        .env("ASK_NOTIFY_MESSAGE", &text.message)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0);
    if let Some(home) = surroundings.variable("HOME") {
        command.current_dir(home);
    }
    let mut child =
        command.spawn().map_err(|error| Fault::failed(format!("sh could not be started: {error}")))?;
    let group = child.id().and_then(|pid| i32::try_from(pid).ok()).and_then(Pid::from_raw);
    let group = Group(group);
    let ended = tokio::time::timeout(LIMIT, child.wait()).await;
    drop(group);
    match ended {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(Fault::failed(format!("the command ended with {status}"))),
        Ok(Err(error)) => Err(Fault::failed(format!("the command could not be waited for: {error}"))),
        Err(_) => {
            // Ended by the group's signal; taken off the process table.
            let _ = child.wait().await;
            Err(Fault::failed(format!(
                "the command was still running after {} seconds and was ended",
                LIMIT.as_secs()
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn surroundings() -> Surroundings {
        let path = std::env::var_os("PATH").expect("PATH");
        let environment = HashMap::from([
            ("PATH".to_owned(), path),
            ("API_TOKEN".to_owned(), "secret".into()),
            ("AI_AGENT".to_owned(), "1".into()),
        ]);
        Surroundings { environment, ..Surroundings::default() }
    }

    #[tokio::test]
    async fn it_is_told_through_the_environment() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("out");
        let text = Text::plain("a\"; touch /tmp/no; $(id) `id`");
        let line = format!("env > {}", file.display());
        run(&surroundings(), &line, Event::Test, &text).await.unwrap();
        let told = std::fs::read_to_string(&file).unwrap();
        assert!(told.contains("ASK_NOTIFY_EVENT=test\n"), "{told}");
        assert!(told.contains("ASK_NOTIFY_TITLE=pi ask\n"), "{told}");
        assert!(told.contains("ASK_NOTIFY_MESSAGE=a\"; touch /tmp/no; $(id) `id`\n"), "{told}");
        assert!(!told.contains("API_TOKEN") && !told.contains("AI_AGENT"), "{told}");
    }

    #[tokio::test]
    async fn a_failure_is_told_by_its_status() {
        let fault = run(&surroundings(), "exit 3", Event::Test, &Text::plain("x")).await.unwrap_err();
        assert!(fault.to_string().contains("exit status: 3"), "{fault}");
    }

    #[tokio::test]
    async fn what_it_started_ends_with_it() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("pid");
        let line = format!("sleep 600 & echo $! > {}", file.display());
        run(&surroundings(), &line, Event::Test, &Text::plain("x")).await.unwrap();
        let pid = std::fs::read_to_string(&file).unwrap();
        let gone = || match std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())) {
            // An orphan that has ended may wait for whoever adopted it to look.
            Ok(stat) => stat.contains(") Z "),
            Err(_) => true,
        };
        let deadline = tokio::time::Instant::now() + Duration::from_secs(10);
        while !gone() {
            assert!(tokio::time::Instant::now() < deadline, "the command's child still runs");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn one_that_does_not_end_is_ended() {
        let started = tokio::time::Instant::now();
        let fault = run(&surroundings(), "sleep 600", Event::Test, &Text::plain("x")).await.unwrap_err();
        assert!(fault.to_string().contains("still running after 5 seconds"), "{fault}");
        assert!(started.elapsed() >= LIMIT);
    }
}
