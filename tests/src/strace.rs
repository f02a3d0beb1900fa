//! Counting system calls of a daemon, to see that what it acknowledges is on the disk.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::Sandbox;

/// A command that runs under strace, and where the calls are written.
#[derive(Debug)]
pub struct Traced {
    file: PathBuf,
}

impl Traced {
    /// Wraps a command so that its fsync and fdatasync calls are recorded, those of all its threads.
    #[must_use]
    pub fn wrap(sandbox: &Sandbox, command: &Command) -> (Self, Command) {
        let file = sandbox.path("strace.log");
        let mut traced = sandbox.command_of("strace", &["-f", "-qq", "-e", "trace=fsync,fdatasync", "-o"]);
        traced.arg(&file).arg("--").arg(command.get_program()).args(command.get_args());
        (Self { file }, traced)
    }

    /// How many of the calls have succeeded so far.
    ///
    /// # Panics
    /// When strace has written nothing to read.
    #[must_use]
    pub fn syncs(&self) -> usize {
        let log = fs::read_to_string(&self.file).expect("strace writes its log; is strace installed?");
        let done =
            |line: &&str| (line.contains("fsync") || line.contains("fdatasync")) && line.ends_with("= 0");
        log.lines().filter(done).count()
    }
}
