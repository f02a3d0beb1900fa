//! One reader: a snapshot or a replay first, then live events; when it falls too far behind, told so and
//! given a fresh snapshot.

use std::collections::VecDeque;
use std::sync::Arc;

use askd_wire::event::{Event, EventBody};
use serde_json::value::RawValue;
use tokio::sync::watch;

use super::snapshot::Parts;
use super::{Entry, Filter, Head, Hub, Next, Source, to_json};
use crate::store::{Logged, Store};

/// Bytes read from the store at once in a replay.
pub(crate) const REPLAY_BYTES: usize = 256 * 1024;

/// Where a reader stands.
#[derive(Debug)]
pub(crate) enum Phase {
    /// Gets a snapshot.
    Snapshot(Parts),
    /// Gets what the store has logged after this event.
    Replay { after: u64, read: VecDeque<Logged> },
    /// Follows the stream from this place.
    Live(u64),
    /// Has been told that it lagged, and needs a snapshot.
    Lagged,
}

/// One reader's stream of events. Dropping it ends it.
#[derive(Debug)]
pub struct Subscription {
    pub(crate) hub: Arc<Hub>,
    pub(crate) head: watch::Receiver<Head>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) source: Arc<dyn Source>,
    pub(crate) filter: Filter,
    pub(crate) forms: Option<Vec<String>>,
    pub(crate) phase: Phase,
}

impl Subscription {
    /// The next event as JSON, ready to be sent; none after the daemon's end. May be dropped while waiting
    /// without losing anything.
    pub async fn next(&mut self) -> Option<Arc<RawValue>> {
        loop {
            match &mut self.phase {
                Phase::Snapshot(parts) => match parts.next() {
                    Some(part) => return Some(part),
                    None => self.phase = Phase::Live(parts.position),
                },
                Phase::Replay { after, read } => {
                    if let Some(event) = read.pop_front() {
                        *after = event.seq;
                        let entry = Entry {
                            seq: event.seq,
                            kind: event.kind,
                            form_id: event.form_id,
                            to: None,
                            json: event.json,
                        };
                        if self.filter.passes(&entry) {
                            return Some(entry.json);
                        }
                        continue;
                    }
                    let after = *after;
                    if let Some(lagged) = self.replay(after).await {
                        return Some(lagged);
                    }
                }
                Phase::Live(position) => {
                    let position = *position;
                    // Looked at before the ring, so that nothing published between is slept through.
                    let ended = self.head.borrow_and_update().ended;
                    let next = self.hub.ring().read(position);
                    match next {
                        Next::Event(entry, after) => {
                            self.phase = Phase::Live(after);
                            if self.filter.passes(&entry) {
                                return Some(entry.json);
                            }
                        }
                        Next::Lost => return self.lag(),
                        Next::Nothing if ended => return None,
                        Next::Nothing => self.head.changed().await.ok()?,
                    }
                }
                Phase::Lagged => {
                    let snapshot = self.source.snapshot(self.forms.clone()).await?;
                    self.phase = Phase::Snapshot(Parts::new(snapshot));
                }
            }
        }
    }

    /// Goes on from the ring where it holds what follows, else reads more from the store. Gives the event
    /// that tells of a hole.
    async fn replay(&mut self, after: u64) -> Option<Arc<RawValue>> {
        if let Some(place) = self.hub.ring().place_after(after) {
            self.phase = Phase::Live(place);
            return None;
        }
        match self.store.events(after, REPLAY_BYTES).await {
            Ok(events) if !events.is_empty() => {
                self.phase = Phase::Replay { after, read: events.into() };
                None
            }
            Ok(_) => self.lag(),
            Err(error) => {
                tracing::error!(%error, "logged events could not be read");
                self.lag()
            }
        }
    }

    fn lag(&mut self) -> Option<Arc<RawValue>> {
        self.phase = Phase::Lagged;
        let (seq, at) = self.source.moment();
        to_json(&Event { seq, at, form_id: None, body: EventBody::Lagged {} })
    }
}
