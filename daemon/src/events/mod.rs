//! Events told to everyone attached, in one order. The hub holds the newest ones once for all readers; each
//! reader has a place in it and takes them at its own pace, so that none waits for another.

mod filter;
mod ring;
mod snapshot;
mod subscription;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askd_wire::event::Event;
use serde_json::value::RawValue;
use tokio::sync::watch;

use crate::store::Logged;
pub(crate) use filter::Filter;
pub(crate) use ring::{Entry, Next, Ring};
pub(crate) use snapshot::{Item, Parts, Presence, Snapshot, Source};
pub use subscription::Subscription;
pub(crate) use subscription::{Phase, REPLAY_BYTES};

/// The one stream. Whoever publishes holds the registry's lock, which makes the order.
pub(crate) struct Hub {
    ring: Mutex<Ring>,
    /// The place after the newest entry, for readers that wait; and whether the stream has ended.
    head: watch::Sender<Head>,
}

/// How far the stream has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) position: u64,
    pub(crate) ended: bool,
}

impl fmt::Debug for Hub {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hub").field("head", &*self.head.borrow()).finish_non_exhaustive()
    }
}

impl Hub {
    /// `seq` is the newest durable event there is.
    pub(crate) fn new(seq: u64) -> Self {
        Self { ring: Mutex::new(Ring::new(seq)), head: watch::Sender::new(Head::default()) }
    }

    /// Publishes a durable event.
    pub(crate) fn publish(&self, event: &Logged) {
        let entry = Entry {
            seq: event.seq,
            kind: event.kind,
            form_id: event.form_id.clone(),
            to: None,
            json: event.json.clone(),
        };
        let position = self.ring().push_durable(entry);
        self.head.send_modify(|head| head.position = position);
    }

    /// Publishes a hint, to one connection if `to` names one. Nothing is done when nobody reads: hints are
    /// not kept for later.
    pub(crate) fn hint(&self, event: &Event, to: Option<Arc<str>>) {
        if self.head.receiver_count() == 0 {
            return;
        }
        let Some(json) = to_json(event) else { return };
        let form_id = event.form_id.as_deref().map(Arc::from);
        let entry = Entry { seq: event.seq, kind: event.body.kind(), form_id, to, json };
        let position = self.ring().push_hint(entry);
        self.head.send_modify(|head| head.position = position);
    }

    /// Ends every stream after what was published.
    pub(crate) fn end(&self) {
        self.head.send_modify(|head| head.ended = true);
    }

    pub(crate) fn position(&self) -> u64 {
        self.head.borrow().position
    }

    pub(crate) fn reader(&self) -> watch::Receiver<Head> {
        self.head.subscribe()
    }

    pub(crate) fn ring(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An event as it is sent. Our own types always have a JSON form; if not, the event is left out and the
/// fault logged.
pub(crate) fn to_json(event: &Event) -> Option<Arc<RawValue>> {
    match serde_json::value::to_raw_value(event) {
        Ok(json) => Some(json.into()),
        Err(error) => {
            tracing::error!(%error, kind = event.body.kind(), "an event could not be written");
            None
        }
    }
}
