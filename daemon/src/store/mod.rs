//! What the daemon asks of a store, in the words of forms.

pub mod sqlite;

use std::fmt::Debug;

use askd_wire::daemon::DatabaseStatus;
pub use sqlite::{OpenError, SqliteStore};

/// Why the store could not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the database failed: {0}")]
pub struct StoreError(pub String);

/// Keeps forms and decides about them.
pub trait Store: Debug + Send + Sync + 'static {
    /// This database, as a name.
    fn id(&self) -> &str;
    /// Where it is and how large.
    fn status(&self) -> DatabaseStatus;
}
