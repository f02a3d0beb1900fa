//! The mirror kept by a stream: read it at any time, and wait for what changes.

use askd_wire::event::SubscribeParams;
use askd_wire::form::FormSummary;
use indexmap::IndexMap;

use crate::client::{Client, ConnectionWatch};
use crate::error::CallError;
use crate::events::{EventStream, Resume};
use crate::mirror::{Change, Mirror};

/// The open forms, kept up to date while [`changed`](Self::changed) is awaited.
#[derive(Debug)]
pub struct LiveMirror {
    mirror: Mirror,
    events: EventStream,
    connection: ConnectionWatch,
}

impl Client {
    /// A view of all open forms, complete from the start. It subscribes anew with a snapshot after a lost
    /// connection, so that viewers and owners are right again too.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn mirror(&self) -> Result<LiveMirror, CallError> {
        let connection = self.watch_connection();
        let events = self.subscribe(SubscribeParams::default(), Resume::Snapshot).await?;
        let mut live = LiveMirror { mirror: Mirror::default(), events, connection };
        while !live.mirror.is_whole() {
            live.fold_next().await?;
        }
        Ok(live)
    }
}

impl LiveMirror {
    /// The open forms by id, oldest first.
    #[must_use]
    pub fn forms(&self) -> &IndexMap<String, FormSummary> {
        self.mirror.forms()
    }

    /// All that is known.
    #[must_use]
    pub fn mirror(&self) -> &Mirror {
        &self.mirror
    }

    /// Waits for the next change, which is folded in already. Safe to cancel.
    ///
    /// # Errors
    /// [`CallError`] when the daemon refuses to go on for good.
    pub async fn changed(&mut self) -> Result<Change, CallError> {
        loop {
            tokio::select! {
                biased;
                connection = self.connection.changed() => return Ok(Change::Connection(connection)),
                received = self.events.received() => {
                    let received = received?;
                    if received.fresh {
                        self.mirror.restart();
                    }
                    if let Some(change) = self.mirror.fold(received.event) {
                        return Ok(change);
                    }
                }
            }
        }
    }

    async fn fold_next(&mut self) -> Result<(), CallError> {
        let received = self.events.received().await?;
        if received.fresh {
            self.mirror.restart();
        }
        self.mirror.fold(received.event);
        Ok(())
    }
}
