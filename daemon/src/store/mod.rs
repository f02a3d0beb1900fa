//! What the daemon asks of a store, in the words of forms. The store decides inside its transaction; what
//! it has committed is handed to one follower, in order, before the command's caller hears of it.

mod command;
mod event;
mod json;
mod record;
pub mod sqlite;
#[cfg(test)]
mod suite;

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use askd_wire::Millis;
use askd_wire::daemon::DatabaseStatus;
use askd_wire::form::Delivery;

pub use command::{Command, Committed, Create, Fact, Limit, Logged, OpenLimits, Refusal, Resolve, Retain};
pub use event::summary;
pub use json::equal as same_json;
pub use record::{Body, DraftMark, Ending, FormText, Kept, KeptDraft, Meta, OpenForm, Record, Request};
pub use sqlite::{OpenError, SqliteStore};

/// A boxed future, so that a store can stand behind `dyn`.
pub type Answer<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Is called with every commit, in order.
pub type Follower = Arc<dyn Fn(&[Committed]) + Send + Sync>;

/// Why the store could not give what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct StoreError(pub String);

/// The state from which a follower's commits go on.
#[derive(Debug)]
pub struct Opening {
    /// The newest durable event.
    pub seq: u64,
    /// Revision of the settings.
    pub settings_revision: u64,
    /// Open forms, oldest first.
    pub forms: Vec<OpenForm>,
}

/// Which finished forms to read, newest first.
#[derive(Debug, Clone, Default)]
pub struct ResolvedQuery {
    /// Only ones that ended before this event.
    pub before: Option<u64>,
    /// Only this agent's.
    pub agent: Option<String>,
    /// Only this conversation's.
    pub session: Option<String>,
    /// Only this tool call's.
    pub tool_call_id: Option<String>,
    /// Only those whose result has come this far.
    pub delivery: Option<Delivery>,
    /// At most so many.
    pub limit: u32,
    /// With bodies.
    pub bodies: bool,
}

/// A page of finished forms: each with the event that ended it, by which the next page goes on.
pub type ResolvedPage = Vec<(u64, Kept)>;

/// Keeps forms and decides about them.
pub trait Store: Debug + Send + Sync + 'static {
    /// This database, as a name.
    fn id(&self) -> &str;
    /// Gives the present state and hands every later commit to the follower; nothing falls between.
    /// Whoever follows last is told.
    fn follow(&self, follower: Follower) -> Answer<Result<Opening, StoreError>>;
    /// Makes a change, whether or not the answer is waited for. Answers when it is on disk and the follower has been told.
    fn apply(&self, command: Command) -> Answer<Result<Vec<Committed>, Refusal>>;
    /// Reads one form.
    fn form(&self, form_id: &str) -> Answer<Result<Option<Kept>, StoreError>>;
    /// Reads a form's draft.
    fn draft(&self, form_id: &str) -> Answer<Result<Option<KeptDraft>, StoreError>>;
    /// Reads finished forms.
    fn resolved(&self, query: ResolvedQuery) -> Answer<Result<ResolvedPage, StoreError>>;
    /// Reads events that follow `after`, the first and then as many as fit into `bytes`. Empty when the
    /// next one is not held.
    fn events(&self, after: u64, bytes: usize) -> Answer<Result<Vec<Logged>, StoreError>>;
    /// How many finished forms are kept.
    fn resolved_count(&self) -> Answer<Result<u64, StoreError>>;
    /// Where it is and how large.
    fn status(&self) -> DatabaseStatus;
}

/// A day.
pub const DAY: Millis = 24 * 60 * 60 * 1000;
