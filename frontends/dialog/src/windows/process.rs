//! A program that shows one window: fed, waited for, and ended with everything it has started.

use std::io;
use std::path::Path;
use std::pin::Pin;
use std::process::{ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, Command};

/// More is no answer (protocol §1).
const OUTPUT_MAX: u64 = 1024 * 1024;

/// What a program left.
#[derive(Debug)]
pub(super) struct Finished {
    pub(super) status: ExitStatus,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

type Outcome = Pin<Box<dyn Future<Output = io::Result<Finished>> + Send>>;

/// A running program. Dropping it ends it.
pub(super) struct Process {
    /// Its process group, as long as it has not been waited for.
    group: Option<Pid>,
    outcome: Outcome,
}

impl Process {
    /// Starts a program in a process group of its own, so that whatever it starts can be ended with it.
    pub(super) fn start(
        program: &Path,
        args: &[String],
        env: &[(&str, &str)],
        input: String,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(args).envs(env.iter().copied()).process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn()?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Ok(Self { group, outcome: Box::pin(outcome(child, input)) })
    }

    /// Waits for its end. Safe to cancel; not to be called again after it.
    pub(super) async fn finished(&mut self) -> io::Result<Finished> {
        let finished = self.outcome.as_mut().await;
        self.group = None;
        finished
    }

    /// Ends it and waits until it has.
    pub(super) async fn end(mut self) {
        self.kill();
        // However it ended, it has.
        let _ = self.outcome.as_mut().await;
        self.group = None;
    }

    fn kill(&self) {
        if let Some(group) = self.group {
            // One that has ended by itself needs no ending.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

async fn outcome(mut child: Child, input: String) -> io::Result<Finished> {
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let write = async {
        if let Some(mut stdin) = stdin {
            // A window that is closed before it has read everything is no fault.
            let _ = stdin.write_all(input.as_bytes()).await;
        }
    };
    let (stdout, stderr, ()) = tokio::join!(text(stdout), text(stderr), write);
    let status = child.wait().await?;
    Ok(Finished { status, stdout, stderr })
}

async fn text(from: Option<impl AsyncReadExt + Unpin>) -> String {
    let mut bytes = Vec::new();
    if let Some(from) = from {
        // What came before an error is all there is.
        let _ = from.take(OUTPUT_MAX).read_to_end(&mut bytes).await;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
