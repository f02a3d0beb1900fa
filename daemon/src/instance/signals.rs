//! Which signals end the daemon.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that end the daemon, caught from here on.
#[derive(Debug)]
pub(crate) struct StopSignals {
    terminate: Signal,
    interrupt: Signal,
    hangup: Signal,
    hangup_ends: bool,
}

impl StopSignals {
    /// Starts to catch them. In the foreground the terminal's end is the daemon's; in the background
    /// there is none, and a stray hangup means nothing.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn catch(detached: bool) -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
            hangup: signal(SignalKind::hangup())?,
            hangup_ends: !detached,
        })
    }

    /// Waits for the first one and gives its name.
    pub(crate) async fn next(&mut self) -> &'static str {
        loop {
            tokio::select! {
                _ = self.terminate.recv() => return "SIGTERM",
                _ = self.interrupt.recv() => return "SIGINT",
                _ = self.hangup.recv() => if self.hangup_ends { return "SIGHUP" },
            }
        }
    }
}
