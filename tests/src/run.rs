//! Running a command to its end, with input and a deadline.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;

use serde_json::Value;

use crate::until;
use crate::wait::SOON;

/// A command that has ended.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Its exit status; none when a signal ended it.
    pub code: Option<i32>,
    /// What it wrote to stdout.
    pub stdout: String,
    /// What it wrote to stderr.
    pub stderr: String,
}

impl Finished {
    /// The one JSON value on stdout.
    ///
    /// # Panics
    /// When there is none, or anything else beside it.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|e| panic!("stdout is no JSON value: {e}: {self:?}"))
    }

    /// The JSON values on stdout, one a line.
    #[must_use]
    pub fn json_lines(&self) -> Vec<Value> {
        let parse = |line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The same, after checking the exit status.
    pub fn expect(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "exit status; {self:?}");
        self
    }
}

/// A command that runs, with everything it writes being kept.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdout: Collected,
    stderr: Collected,
}

/// What comes out of a pipe, and a sign of its end.
#[derive(Debug)]
struct Collected {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: mpsc::Receiver<()>,
}

/// Starts a command and feeds it `input`; its stdin ends after it.
#[must_use]
pub fn start(mut command: Command, input: &str) -> Running {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let mut stdin = child.stdin.take().expect("stdin");
    let input = input.to_owned();
    // A program may end without reading: then writing fails, and that is no fault of its own.
    thread::spawn(move || stdin.write_all(input.as_bytes()));
    let stdout = collect(child.stdout.take().expect("stdout"));
    let stderr = collect(child.stderr.take().expect("stderr"));
    Running { child, stdout, stderr }
}

/// Runs a command to its end.
#[must_use]
pub fn run(command: Command, input: &str) -> Finished {
    start(command, input).finish()
}

fn collect(mut from: impl Read + Send + 'static) -> Collected {
    let (ends, ended) = mpsc::channel();
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&bytes);
    thread::spawn(move || {
        let mut buffer = [0; 8192];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            lock(&into).extend_from_slice(&buffer[..length]);
        }
        ends.send(())
    });
    Collected { bytes, ended }
}

fn lock(bytes: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Collected {
    fn so_far(&self) -> String {
        String::from_utf8_lossy(&lock(&self.bytes)).into_owned()
    }

    /// Everything, with a deadline of its own: a daemon that kept the caller's pipes open would hang scripts.
    fn whole(&self) -> String {
        self.ended.recv_timeout(SOON).expect("its pipes are closed when the command has ended");
        self.so_far()
    }
}

impl Running {
    /// Its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.pid()).ok().and_then(rustix::process::Pid::from_raw).expect("a pid");
        rustix::process::kill_process(pid, signal).expect("the process takes the signal");
    }

    /// What it has written to stdout so far.
    #[must_use]
    pub fn stdout_so_far(&self) -> String {
        self.stdout.so_far()
    }

    /// Whether it has ended.
    #[must_use]
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("its status").is_some()
    }

    /// Waits until it has ended, and kills it when it does not.
    #[must_use]
    pub fn finish(mut self) -> Finished {
        let status = until("a command to end", || self.child.try_wait().expect("its status"));
        let (stdout, stderr) = (self.stdout.whole(), self.stderr.whole());
        Finished { code: status.code(), stdout, stderr }
    }
}

impl crate::Sandbox {
    /// Runs `ask` with arguments and no input.
    #[must_use]
    pub fn run(&self, args: &[&str]) -> Finished {
        run(self.command(args), "")
    }

    /// Runs `ask` with arguments and input through a pipe.
    #[must_use]
    pub fn run_with(&self, args: &[&str], input: &str) -> Finished {
        run(self.command(args), input)
    }
}
