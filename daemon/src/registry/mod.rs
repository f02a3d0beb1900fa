//! The registry: the only caller of the store. Its view of open forms moves only by folding what the
//! store has committed.

pub mod clock;

use std::sync::Arc;

use askd_form::ToolResult;
use askd_wire::daemon::DatabaseStatus;
use askd_wire::event::SubscribeParams;
use askd_wire::form::{
    AckResult, CancelParams, CreateParams, CreateResult, DraftParams, DraftResult, FallbackParams, FormRef,
    FormSnapshot, ListParams, ListResult, Resolution, SubmitParams, ValidateParams, ValidateResult,
    ViewParams, WaitParams, WaitResult,
};
use askd_wire::remote::SubmitResult;
use askd_wire::settings::Settings;
use askd_wire::{Empty, ErrorKind, RpcError};
use serde_json::Value;
use tokio::sync::watch;

use crate::events::Subscription;
use crate::peer::Peer;
use crate::store::{Store, StoreError};
pub use clock::{Clock, SystemClock};

/// How many forms there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Waiting for an answer.
    pub open: u64,
    /// Finished and kept.
    pub resolved: u64,
}

/// The registry. Cheap to clone; every clone is the same one.
#[derive(Debug, Clone)]
pub struct Registry {
    store: Arc<dyn Store>,
    instance_id: Arc<str>,
}

fn unfinished() -> RpcError {
    RpcError::new(ErrorKind::ShuttingDown, "Not there yet.")
}

impl Registry {
    /// Loads the open forms and starts the timers; call it inside a Tokio runtime.
    ///
    /// # Errors
    /// [`StoreError`] when the open forms cannot be read.
    pub async fn open(
        store: Arc<dyn Store>,
        _clock: Arc<dyn Clock>,
        _settings: watch::Receiver<Arc<Settings>>,
        instance_id: String,
    ) -> Result<Self, StoreError> {
        Ok(Self { store, instance_id: instance_id.into() })
    }

    /// `form/create`.
    pub async fn create(&self, _peer: &Arc<Peer>, _params: CreateParams) -> Result<CreateResult, RpcError> {
        Err(unfinished())
    }
    /// `form/wait`.
    pub async fn wait(&self, _peer: &Arc<Peer>, _params: WaitParams) -> Result<WaitResult, RpcError> {
        Err(unfinished())
    }
    /// `form/ack`.
    pub async fn ack(&self, _peer: &Arc<Peer>, _params: FormRef) -> Result<AckResult, RpcError> {
        Err(unfinished())
    }
    /// `form/get`.
    pub async fn get(&self, _peer: &Arc<Peer>, _params: FormRef) -> Result<FormSnapshot, RpcError> {
        Err(unfinished())
    }
    /// `form/list`.
    pub async fn list(&self, _peer: &Arc<Peer>, _params: ListParams) -> Result<ListResult, RpcError> {
        Err(unfinished())
    }
    /// `form/view`.
    pub async fn view(&self, _peer: &Arc<Peer>, _params: ViewParams) -> Result<FormSnapshot, RpcError> {
        Err(unfinished())
    }
    /// `form/leave`.
    pub async fn leave(&self, _peer: &Arc<Peer>, _params: FormRef) -> Result<Empty, RpcError> {
        Err(unfinished())
    }
    /// `form/draft`.
    pub async fn draft(&self, _peer: &Arc<Peer>, _params: DraftParams) -> Result<DraftResult, RpcError> {
        Err(unfinished())
    }
    /// `form/submit`.
    pub async fn submit(&self, _peer: &Arc<Peer>, _params: SubmitParams) -> Result<Resolution, RpcError> {
        Err(unfinished())
    }
    /// `form/cancel`.
    pub async fn cancel(&self, _peer: &Arc<Peer>, _params: CancelParams) -> Result<Resolution, RpcError> {
        Err(unfinished())
    }
    /// `form/fallback`.
    pub async fn fallback(&self, _peer: &Arc<Peer>, _params: FallbackParams) -> Result<ToolResult, RpcError> {
        Err(unfinished())
    }
    /// `form/validate`.
    pub async fn validate(
        &self,
        _peer: &Arc<Peer>,
        _params: ValidateParams,
    ) -> Result<ValidateResult, RpcError> {
        Err(unfinished())
    }
    /// `remote/submit`.
    pub async fn remote_submit(&self, _peer: &Arc<Peer>, _params: Value) -> Result<SubmitResult, RpcError> {
        Err(unfinished())
    }
    /// `events/subscribe`.
    pub async fn subscribe(
        &self,
        _peer: &Arc<Peer>,
        _params: SubscribeParams,
    ) -> Result<Subscription, RpcError> {
        Err(unfinished())
    }
    /// Publishes `settings-changed` after the settings were saved; gives the new revision.
    pub async fn announce_settings(
        &self,
        _changed: Vec<String>,
        _settings: &Settings,
    ) -> Result<u64, RpcError> {
        Err(unfinished())
    }
    /// Revision of the settings.
    #[must_use]
    pub fn settings_revision(&self) -> u64 {
        0
    }
    /// This database, as a name.
    #[must_use]
    pub fn store_id(&self) -> &str {
        self.store.id()
    }
    /// This process, as a name.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        &self.instance_id
    }
    /// The newest durable event.
    #[must_use]
    pub fn seq(&self) -> u64 {
        0
    }
    /// How many forms there are.
    pub async fn counts(&self) -> Result<Counts, RpcError> {
        Err(unfinished())
    }
    /// Where the forms are kept.
    #[must_use]
    pub fn database_status(&self) -> DatabaseStatus {
        self.store.status()
    }
    /// A connection is there, after `initialize`.
    pub fn connected(&self, _peer: &Arc<Peer>) {}
    /// A connection is gone: its viewers leave, its owners detach.
    pub fn disconnected(&self, _connection_id: &str) {}
    /// Stops taking commands, publishes `shutting-down`, releases every waiter with `shuttingDown` and
    /// returns when everything accepted is on disk. Never resolves a form.
    pub async fn shutdown(&self) {}
}
