//! What a cycle costs at least on this machine: two bare round trips between async tasks of two processes,
//! and two appends of 2 KB that reach the disk.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use askd_tests::{Sandbox, until};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

use crate::times::Times;

const MESSAGE: usize = 64;
const RECORD: usize = 2048;

/// Answers every message with itself, for one connection.
pub(crate) async fn echo(socket: &Path) {
    let listener = UnixListener::bind(socket).expect("a socket");
    let (mut stream, _) = listener.accept().await.expect("a connection");
    let mut message = [0; MESSAGE];
    while stream.read_exact(&mut message).await.is_ok() {
        if stream.write_all(&message).await.is_err() {
            return;
        }
    }
}

/// The other process and the file.
pub(crate) struct Floor {
    child: Child,
    stream: UnixStream,
    file: File,
}

impl Floor {
    /// Starts the other process; the file is in the sandbox's state directory, where the database is.
    pub(crate) async fn new(sandbox: &Sandbox) -> Self {
        let socket = sandbox.path("run/echo.sock");
        let this = std::env::current_exe().expect("this program's path");
        let child = Command::new(this).arg("--echo").arg(&socket).spawn().expect("the echo process");
        until("the echo process", || socket.exists().then_some(()));
        let stream = UnixStream::connect(&socket).await.expect("the echo process");
        let path = sandbox.path("state/appended");
        let file = OpenOptions::new().create(true).append(true).open(path).expect("a file");
        Self { child, stream, file }
    }

    /// One append that reaches the disk.
    pub(crate) fn append(&mut self) -> Duration {
        let started = Instant::now();
        self.file.write_all(&[b'x'; RECORD]).expect("appending");
        self.file.sync_data().expect("fdatasync");
        started.elapsed()
    }

    /// As much as a cycle needs at least.
    pub(crate) async fn once(&mut self) -> Duration {
        let started = Instant::now();
        for _ in 0..2 {
            let mut message = [7; MESSAGE];
            self.stream.write_all(&message).await.expect("the echo process takes");
            self.stream.read_exact(&mut message).await.expect("and gives");
            self.append();
        }
        started.elapsed()
    }

    /// The usual time of one append.
    pub(crate) fn usual_append(&mut self) -> Duration {
        let mut times = Times::default();
        for _ in 0..200 {
            times.add(self.append());
        }
        times.percentile(50)
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
