//! The stream of events, taken up again after a lost connection where it stopped (protocol §4).

use std::sync::Arc;

use askd_wire::ErrorKind;
use askd_wire::event::{Event, EventBody, SubscribeParams, UNSUBSCRIBE};
use askd_wire::method::{EventsSubscribe, Method};
use jsonrpsee::core::client::Subscription;
use serde_json::value::RawValue;

use crate::client::Client;
use crate::error::CallError;
use crate::link::{Failure, Link};

/// How a stream goes on after an interruption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// With what was missed: every durable event comes, hints of the meantime are lost.
    Replay,
    /// With a snapshot: hints are right again, events of the meantime are folded into it.
    Snapshot,
}

/// One event as it came.
#[derive(Debug)]
pub struct Received {
    /// Read.
    pub event: Event,
    /// As the daemon wrote it, with what this program does not know.
    pub json: Box<RawValue>,
    /// The first after subscribing, also after subscribing again.
    pub fresh: bool,
}

/// A subscription that outlives its connection.
#[derive(Debug)]
pub struct EventStream {
    client: Client,
    params: SubscribeParams,
    resume: Resume,
    live: Option<Live>,
    position: Position,
}

#[derive(Debug)]
struct Live {
    link: Arc<Link>,
    subscription: Subscription<Box<RawValue>>,
    fresh: bool,
}

/// Up to where the stream was read, and in which database.
#[derive(Debug, Default, Clone)]
struct Position {
    seq: Option<u64>,
    store: Option<String>,
}

impl Client {
    /// Subscribes to events. Without `since` a snapshot comes first.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn subscribe(&self, params: SubscribeParams, resume: Resume) -> Result<EventStream, CallError> {
        let position = Position { seq: params.since, store: params.store.clone() };
        let mut stream = EventStream { client: self.clone(), params, resume, live: None, position };
        self.link_in_time(EventsSubscribe::NAME).await?;
        stream.live = Some(stream.attach().await?);
        Ok(stream)
    }
}

impl EventStream {
    /// The next event. Ends only with an error. Safe to cancel: nothing read is lost.
    ///
    /// # Errors
    /// [`CallError`] when subscribing again was refused for good.
    pub async fn next(&mut self) -> Result<Event, CallError> {
        self.received().await.map(|received| received.event)
    }

    /// The next event with its text.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub async fn received(&mut self) -> Result<Received, CallError> {
        loop {
            let live = match &mut self.live {
                Some(live) => live,
                None => {
                    let attached = self.attach().await?;
                    self.live.insert(attached)
                }
            };
            let Some(next) = live.subscription.next().await else {
                // The connection went, or this reader was so slow that its buffer ran over.
                self.live = None;
                continue;
            };
            let Ok(json) = next else { continue };
            let Ok(event) = serde_json::from_str::<Event>(json.get()) else {
                tracing::warn!("an event was not understood");
                continue;
            };
            if matches!(event.body, EventBody::ShuttingDown {}) {
                live.link.announce_end();
            }
            let fresh = std::mem::take(&mut live.fresh);
            let store = live.link.server.store.clone();
            self.position.pass(&event, store);
            return Ok(Received { event, json, fresh });
        }
    }

    /// Subscribes on whatever connection there is, waiting for one.
    async fn attach(&self) -> Result<Live, CallError> {
        let method = EventsSubscribe::NAME;
        loop {
            let link = self.client.link().await;
            let params = self.next_params();
            let params = serde_json::value::to_raw_value(&params)
                .map_err(|e| CallError::Reply { method: method.to_owned(), why: e.to_string() })?;
            match link.subscribe(method, params, UNSUBSCRIBE).await {
                Ok(subscription) => return Ok(Live { link, subscription, fresh: true }),
                Err(Failure::Lost) => {
                    link.ended().await;
                }
                Err(Failure::Call(error)) if error.kind() == Some(ErrorKind::ShuttingDown) => {
                    link.ended().await;
                }
                Err(Failure::Call(error)) => return Err(error),
            }
        }
    }

    fn next_params(&self) -> SubscribeParams {
        let interrupted = self.position.seq != self.params.since;
        let position = match self.resume {
            Resume::Snapshot if interrupted => Position::default(),
            _ => self.position.clone(),
        };
        SubscribeParams { since: position.seq, store: position.store, ..self.params.clone() }
    }
}

impl Position {
    /// Moves past a durable event or a whole snapshot. Hints carry the last durable number too, but one that
    /// is still on its way behind them must not be skipped.
    fn pass(&mut self, event: &Event, store: String) {
        let passed = match &event.body {
            EventBody::Snapshot { last, .. } => *last,
            EventBody::SubmitResult { remote } => remote.ok,
            EventBody::Started { .. }
            | EventBody::Completed { .. }
            | EventBody::Acknowledged {}
            | EventBody::SettingsChanged { .. } => true,
            _ => false,
        };
        if passed {
            *self = Self { seq: Some(event.seq), store: Some(store) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(seq: u64, body: EventBody) -> Event {
        Event { seq, at: 0, form_id: Some("f".to_owned()), body }
    }

    #[test]
    fn only_durable_events_and_whole_snapshots_move_the_position() {
        let mut position = Position::default();
        let part = |last| EventBody::Snapshot { last, forms: vec![], settings_revision: 1 };
        position.pass(&event(7, part(false)), "s".to_owned());
        assert_eq!(position.seq, None);
        position.pass(&event(7, part(true)), "s".to_owned());
        assert_eq!(position.seq, Some(7));
        position.pass(&event(8, EventBody::Owner { attached: true }), "s".to_owned());
        position.pass(&event(8, EventBody::Lagged {}), "s".to_owned());
        assert_eq!(position.seq, Some(7));
        position.pass(&event(8, EventBody::Acknowledged {}), "s".to_owned());
        assert_eq!((position.seq, position.store.as_deref()), (Some(8), Some("s")));
    }
}
