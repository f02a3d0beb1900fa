//! The registry on a real database, with a clock that goes only when told.

mod answering;
mod asking;
mod forgetting;
mod listing;
mod people;
mod reading;
mod remote;
mod time;
mod waiting;

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use askd_wire::connection::{FrontendInfo, Program};
use askd_wire::form::{CreateParams, CreateResult, FormRef, SubmitParams, ViewParams};
use askd_wire::settings::Settings;
use askd_wire::{ErrorKind, Millis, Role, RpcError};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::watch;

use super::{Clock, Registry};
use crate::events::Subscription;
use crate::peer::{Peer, PeerFacts};
use crate::store::SqliteStore;

/// A clock that goes only when told.
#[derive(Debug, Clone)]
pub(super) struct Hands {
    /// Wall and steady time.
    times: watch::Sender<(Millis, Millis)>,
}

impl Hands {
    pub(super) fn new(wall: Millis) -> Self {
        Self { times: watch::Sender::new((wall, 1_000_000)) }
    }

    /// Time goes by.
    pub(super) fn advance(&self, ms: Millis) {
        self.times.send_modify(|(wall, steady)| {
            *wall += ms;
            *steady += ms;
        });
    }

    /// Somebody sets the wall clock.
    pub(super) fn set_wall(&self, ms: Millis) {
        self.times.send_modify(|(wall, _)| *wall = ms);
    }
}

impl Clock for Hands {
    fn wall(&self) -> Millis {
        self.times.borrow().0
    }

    fn steady(&self) -> Millis {
        self.times.borrow().1
    }

    fn sleep_until(&self, at: Millis) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        let mut times = self.times.subscribe();
        Box::pin(async move {
            // A clock that is gone stands still.
            if times.wait_for(|(_, steady)| *steady >= at).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}

pub(super) const NOON: Millis = 1_800_000_000_000;

/// A registry with its database, clock and settings.
pub(super) struct Fixture {
    pub(super) registry: Registry,
    pub(super) clock: Hands,
    pub(super) settings: watch::Sender<Arc<Settings>>,
    directory: TempDir,
}

impl Fixture {
    pub(super) async fn new() -> Self {
        Self::with(Settings::default()).await
    }

    pub(super) async fn with(settings: Settings) -> Self {
        let directory = TempDir::new().unwrap();
        let settings = watch::Sender::new(Arc::new(settings));
        let clock = Hands::new(NOON);
        let registry = open(directory.path().join("askd.db"), &clock, &settings).await;
        Self { registry, clock, settings, directory }
    }

    /// The daemon ends and starts again, `down` milliseconds later.
    pub(super) async fn restart(mut self, down: Millis) -> Self {
        self.registry.shutdown().await;
        let clock = Hands::new(self.clock.wall() + down);
        self.registry = open(self.directory.path().join("askd.db"), &clock, &self.settings).await;
        self.clock = clock;
        self
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Settings)) {
        self.settings.send_modify(|settings| change(Arc::make_mut(settings)));
    }

    /// A connection.
    pub(super) fn peer(&self, id: &str, role: Role) -> Arc<Peer> {
        let peer = Arc::new(peer(id, role));
        self.registry.connected(&peer);
        peer
    }

    /// A terminal with a person before it.
    pub(super) fn person(&self, id: &str) -> Arc<Peer> {
        let frontend = Some(FrontendInfo { kind: "tui".to_owned(), human: true });
        let peer = Arc::new(Peer { frontend, ..peer(id, Role::Frontend) });
        self.registry.connected(&peer);
        peer
    }

    pub(super) async fn ask(&self, peer: &Arc<Peer>) -> CreateResult {
        self.ask_with(peer, json!({})).await.unwrap()
    }

    /// Creates the usual form with these fields of `form/create` beside it.
    pub(super) async fn ask_with(&self, peer: &Arc<Peer>, fields: Value) -> Result<CreateResult, RpcError> {
        self.registry.create(peer, params(fields)).await
    }

    pub(super) async fn answer(
        &self,
        peer: &Arc<Peer>,
        form_id: &str,
        value: &str,
    ) -> Result<askd_wire::form::Resolution, RpcError> {
        self.registry.submit(peer, submission(form_id, value)).await
    }

    pub(super) async fn view(&self, peer: &Arc<Peer>, form_id: &str) -> askd_wire::form::FormSnapshot {
        let params = ViewParams { form_id: form_id.to_owned(), focused: None, view_key: None };
        self.registry.view(peer, params).await.unwrap()
    }

    pub(super) async fn subscribe(&self, params: Value) -> Subscription {
        let reader = Arc::new(peer("reader", Role::Frontend));
        self.registry.subscribe(&reader, serde_json::from_value(params).unwrap()).await.unwrap()
    }
}

async fn open(file: PathBuf, clock: &Hands, settings: &watch::Sender<Arc<Settings>>) -> Registry {
    let store = Arc::new(SqliteStore::open(&file).unwrap());
    let clock = Arc::new(clock.clone());
    Registry::open(store, clock, settings.subscribe(), "instance".to_owned()).await.unwrap()
}

pub(super) fn peer(id: &str, role: Role) -> Peer {
    Peer {
        connection_id: id.to_owned(),
        roles: vec![role],
        client: Program { name: "test".to_owned(), version: "1".to_owned() },
        frontend: None,
        facts: PeerFacts::default(),
        token: None,
        may_approve: false,
        since: NOON,
    }
}

pub(super) fn payload() -> Value {
    json!({"questions":[{"id":"a","prompt":"Which\nof them?","options":[{"value":"x","label":"X"},{"value":"y","label":"Y"}]}]})
}

pub(super) fn params(fields: Value) -> CreateParams {
    let mut params = json!({"params": payload()});
    params.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(params).unwrap()
}

pub(super) fn submission(form_id: &str, value: &str) -> SubmitParams {
    SubmitParams {
        form_id: form_id.to_owned(),
        response: json!({"kind":"answer","answers":{"a":{"values":[value]}}}),
        presented_types: None,
        request_id: None,
    }
}

pub(super) fn named(form_id: &str) -> FormRef {
    FormRef { form_id: form_id.to_owned() }
}

/// The kind and data of an error that is expected.
pub(super) fn fault<T: std::fmt::Debug>(result: Result<T, RpcError>) -> (ErrorKind, Value) {
    let error = result.unwrap_err();
    (error.kind, Value::Object(error.data))
}

/// The next event; a test that waits longer than this has failed.
pub(super) async fn next(events: &mut Subscription) -> Value {
    let event = tokio::time::timeout(Duration::from_secs(10), events.next()).await;
    let event = event.expect("an event within ten seconds").expect("the stream goes on");
    serde_json::from_str(event.get()).unwrap()
}

/// The next event, which is of this kind.
pub(super) async fn next_of(events: &mut Subscription, kind: &str) -> Value {
    let event = next(events).await;
    assert_eq!(event["kind"], kind, "{event}");
    event
}

/// Waits for a condition that other tasks bring about.
pub(super) async fn until(mut condition: impl FnMut() -> bool) {
    for _ in 0..5000 {
        if condition() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    panic!("it never came about");
}
