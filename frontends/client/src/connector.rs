//! From nothing to an introduced connection: find, else start, and try again while others do the same.

use std::time::Duration;

use askd_wire::role::Role;
use askd_wire::{ErrorKind, RpcError};
use tokio::time::Instant;

use crate::error::ConnectError;
use crate::find::{Presence, look};
use crate::launch::{Progress, StartLock, Starting, spawn, try_start_lock};
use crate::link::Link;
use crate::options::{Autostart, ConnectOptions, Launch};
use crate::systemd;

/// Between two looks at a daemon that is coming up: short, as a start takes a few milliseconds.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LAST_PAUSE: Duration = Duration::from_millis(25);
/// How long a daemon that is stopping may hang up on new connections.
const GOING: Duration = Duration::from_secs(3);
/// Between two starts, when the first found the place taken by a daemon that is coming or going.
const BETWEEN_STARTS: Duration = Duration::from_millis(200);

/// Finds the daemon, or starts it when `may_start` and the options agree.
pub(crate) async fn establish(
    options: &ConnectOptions,
    roles: &[Role],
    may_start: bool,
) -> Result<Link, ConnectError> {
    let launch = match &options.autostart {
        Autostart::Yes(launch) if may_start => Some(launch),
        _ => None,
    };
    let mut attempt = Attempt::new(options);
    loop {
        match look(&options.place, options.uid).await? {
            Presence::There(found) => match Link::open(found, options, roles).await {
                Ok(link) => return Ok(link),
                Err(error) if launch.is_some() && attempt.may_pass(&error) => attempt.last = Some(error),
                Err(error) => return Err(error),
            },
            Presence::Nobody => match launch {
                None => return Err(ConnectError::NotRunning { socket: options.place.socket.clone() }),
                Some(launch) => attempt.start(launch).await?,
            },
        }
        attempt.pause().await?;
    }
}

/// One effort to get a daemon up, over several looks.
struct Attempt<'a> {
    options: &'a ConnectOptions,
    begun: Instant,
    pause: Duration,
    asked_systemd: bool,
    /// Held from before the start until the daemon is reached.
    turn: Option<StartLock>,
    child: Option<Starting>,
    /// Not before this is another daemon started.
    next_start: Instant,
    last: Option<ConnectError>,
}

impl<'a> Attempt<'a> {
    fn new(options: &'a ConnectOptions) -> Self {
        Self {
            options,
            begun: Instant::now(),
            pause: FIRST_PAUSE,
            asked_systemd: false,
            turn: None,
            child: None,
            next_start: Instant::now(),
            last: None,
        }
    }

    /// Whether the daemon met was probably just going, so that another look is worth it.
    fn may_pass(&self, error: &ConnectError) -> bool {
        match error {
            ConnectError::Handshake { .. } => self.begun.elapsed() < GOING,
            ConnectError::Refused(RpcError { kind, .. }) => *kind == ErrorKind::ShuttingDown,
            _ => false,
        }
    }

    /// Nobody is there: starts a daemon, or looks how the one that was started is doing.
    async fn start(&mut self, launch: &Launch) -> Result<(), ConnectError> {
        if let Some(child) = &mut self.child {
            match child.progress().await {
                Progress::Underway => {}
                // Somebody holds the place and will listen soon, or is on the way out: then it is our turn.
                Progress::Taken => {
                    self.child = None;
                    self.next_start = Instant::now() + BETWEEN_STARTS;
                }
                Progress::Failed(said) => return Err(ConnectError::StartFailed { said }),
            }
            return Ok(());
        }
        if self.turn.is_none() {
            match try_start_lock(&self.options.place.state) {
                StartLock::Busy => return Ok(()),
                turn => self.turn = Some(turn),
            }
            // The one before may have brought a daemon up between the last look and the lock.
            return Ok(());
        }
        if !self.asked_systemd {
            self.asked_systemd = true;
            if systemd::start(launch, &self.options.place, self.options.uid).await {
                return Ok(());
            }
        }
        if Instant::now() >= self.next_start {
            self.child = Some(spawn(launch, &self.options.place)?);
        }
        Ok(())
    }

    /// Waits a little, longer each time, until patience ends.
    async fn pause(&mut self) -> Result<(), ConnectError> {
        if self.begun.elapsed() >= self.options.patience {
            return Err(ConnectError::TooSlow {
                socket: self.options.place.socket.clone(),
                seconds: self.options.patience.as_secs(),
                last: self.last.as_ref().map_or_else(String::new, |e| format!(" ({e})")),
                log: self.options.place.log_file(),
            });
        }
        tokio::time::sleep(self.pause).await;
        self.pause = (self.pause * 3 / 2).min(LAST_PAUSE);
        Ok(())
    }
}
