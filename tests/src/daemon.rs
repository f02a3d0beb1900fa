//! A daemon in the foreground, as a child that ends with the test.

use std::fs;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use rustix::process::{Pid, Signal};

use crate::{Client, Sandbox, until};

/// A running daemon. Dropping it kills it.
#[derive(Debug)]
pub struct Daemon {
    child: Child,
    socket: PathBuf,
    log: PathBuf,
}

impl Daemon {
    /// Starts `ask daemon --foreground` and waits until its socket answers.
    #[must_use]
    pub fn start(sandbox: &Sandbox) -> Self {
        Self::start_command(sandbox, sandbox.command(&["daemon", "--foreground"]))
    }

    /// Starts a command that becomes a daemon in this sandbox, and waits until its socket answers.
    ///
    /// # Panics
    /// When it ends or stays silent; the message holds what it wrote to stderr.
    #[must_use]
    pub fn start_command(sandbox: &Sandbox, mut command: Command) -> Self {
        let log = sandbox.path("daemon.stderr");
        let stderr = fs::File::create(&log).expect("a log file");
        let child = command.stdout(Stdio::null()).stderr(stderr).spawn().expect("the daemon's program");
        let mut daemon = Self { child, socket: sandbox.socket(), log };
        until("the daemon's socket", || {
            if let Some(status) = daemon.child.try_wait().expect("the daemon's status") {
                panic!("the daemon ended with {status}: {}", daemon.stderr());
            }
            UnixStream::connect(&daemon.socket).ok()
        });
        daemon
    }

    /// The daemon's process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where it listens.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// What it wrote to stderr so far.
    #[must_use]
    pub fn stderr(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// A new connection in one role; a frontend is one that no person works with.
    pub async fn client(&self, role: &str) -> Client {
        Client::connect(&self.socket, role).await
    }

    /// Ends it as a power cut would.
    pub fn kill(mut self) {
        self.signal(Signal::KILL);
        self.child.wait().expect("the daemon's status");
    }

    /// Asks it to end, as `kill` does, and waits until it has.
    #[must_use]
    pub fn terminate(mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.wait_for_exit()
    }

    /// Waits until it ends by itself.
    #[must_use]
    pub fn wait_for_exit(&mut self) -> ExitStatus {
        until("the daemon's end", || self.child.try_wait().expect("the daemon's status"))
    }

    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw).expect("a process id");
        rustix::process::kill_process(pid, signal).expect("the daemon takes the signal");
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
