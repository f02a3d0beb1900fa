//! From starting a daemon to its first reply.

use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use askd_tests::{Client, Daemon, Sandbox};
use serde_json::{Value, json};

use crate::times::{Times, millis};
use crate::{Effort, sandbox};

/// A daemon whose start was measured.
pub(crate) struct Started {
    child: Running,
    pub(crate) client: Client,
    pub(crate) took: Duration,
}

/// The process alone. Dropping it kills it.
pub(crate) struct Running(Child);

impl Started {
    pub(crate) fn pid(&self) -> u32 {
        self.child.0.id()
    }

    /// Ends the connection and keeps the process.
    pub(crate) fn disconnect(self) -> Running {
        self.child
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a daemon and connects as soon as it listens.
pub(crate) async fn start(sandbox: &Sandbox) -> Started {
    let socket = sandbox.socket();
    let mut command = sandbox.command(&["daemon", "--foreground"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let child = command.spawn().expect("the daemon's program");
    while UnixStream::connect(&socket).is_err() {
        assert!(started.elapsed() < Duration::from_secs(60), "the daemon does not listen");
        std::thread::sleep(Duration::from_micros(200));
    }
    let client = Client::connect(&socket, "agent").await;
    Started { child: Running(child), client, took: started.elapsed() }
}

pub(crate) async fn cold(effort: Effort) -> Value {
    let sandbox = sandbox();
    // A place that exists: making the database once is no part of every start.
    assert!(Daemon::start(&sandbox).terminate().success());
    let mut times = Times::default();
    for _ in 0..effort.starts {
        let daemon = start(&sandbox).await;
        times.add(daemon.took);
        drop(daemon);
    }
    json!({"p50Ms": millis(times.percentile(50))})
}
