//! The registry: the only caller of the store. Its view of open forms, its waiters and the event stream
//! move only by folding what the store has committed.

mod ack;
mod cancel;
mod check;
pub mod clock;
mod create;
mod draft;
mod expiry;
mod faults;
mod fold;
mod forget;
mod ids;
mod list;
mod notified;
mod presence;
mod read;
mod remote;
mod state;
mod submit;
mod subscribe;
#[cfg(test)]
mod tests;
mod upkeep;
mod view;
mod wait;
mod who;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use askd_wire::RpcError;
use askd_wire::daemon::DatabaseStatus;
use askd_wire::event::EventBody;
use askd_wire::settings::Settings;
use tokio::sync::{Notify, watch};

use crate::events::Hub;
use crate::store::{Command, Store, StoreError};
pub use clock::{Clock, SystemClock};
pub(crate) use notified::Terminal;
use state::State;

/// How many forms there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// Waiting for an answer.
    pub open: u64,
    /// Finished and kept.
    pub resolved: u64,
}

/// The registry. Cheap to clone; every clone is the same one. Its timers end with the last clone.
#[derive(Debug, Clone)]
pub struct Registry {
    inner: Arc<Inner>,
}

struct Inner {
    me: Weak<Self>,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    settings: watch::Receiver<Arc<Settings>>,
    instance_id: String,
    state: Mutex<State>,
    hub: Arc<Hub>,
    /// A deadline was added.
    timers: Arc<Notify>,
    /// Forms have ended since the last clearing out.
    upkeep: Arc<Notify>,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Forms, drafts and keys stay out of whatever prints this.
        f.debug_struct("Inner").field("instance_id", &self.instance_id).finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The timers sleep without holding the registry; they look for it when woken.
        self.timers.notify_one();
        self.upkeep.notify_one();
    }
}

impl Inner {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn settings(&self) -> Arc<Settings> {
        self.settings.borrow().clone()
    }

    /// Refuses while the daemon is going.
    fn running(&self) -> Result<(), RpcError> {
        if self.state().closing { Err(faults::shutting_down()) } else { Ok(()) }
    }
}

fn unreadable(store: &dyn Store, error: &StoreError) -> StoreError {
    let file = store.status().file;
    StoreError(format!(
        "the open forms cannot be read from the database {file}: {error}. It was left as it is. Move it and the \
         files beside it (-wal, -shm) away and start again, or put a copy of it back."
    ))
}

impl Registry {
    /// Loads the open forms and starts the timers; call it inside a Tokio runtime.
    ///
    /// # Errors
    /// [`StoreError`] when the open forms cannot be read.
    pub async fn open(
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
        settings: watch::Receiver<Arc<Settings>>,
        instance_id: String,
    ) -> Result<Self, StoreError> {
        // The follower is needed before the state it follows from is known; commits come only after both,
        // because nobody else asks this store for any.
        let follower: Arc<Mutex<Weak<Inner>>> = Arc::default();
        let told = follower.clone();
        let opening = store
            .follow(Arc::new(move |committed| {
                let inner = told.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
                if let Some(inner) = inner {
                    inner.fold(committed);
                }
            }))
            .await
            .map_err(|error| unreadable(&*store, &error))?;
        let state =
            State { seq: opening.seq, settings_revision: opening.settings_revision, ..State::default() };
        let hub = Arc::new(Hub::new(opening.seq));
        let inner = Arc::new_cyclic(|me: &Weak<Inner>| Inner {
            me: me.clone(),
            store,
            clock,
            settings,
            instance_id,
            state: Mutex::new(state),
            hub,
            timers: Arc::default(),
            upkeep: Arc::default(),
        });
        for form in opening.forms {
            let open = inner.opened(form.record, form.body, form.owned, form.draft);
            inner.state().insert(open);
        }
        *follower.lock().unwrap_or_else(PoisonError::into_inner) = inner.me.clone();
        expiry::start(&inner);
        upkeep::start(&inner);
        Ok(Self { inner })
    }

    /// Publishes `settings-changed` after the settings were saved; gives the new revision.
    ///
    /// # Errors
    /// `storeFailed`, `shuttingDown`.
    pub async fn announce_settings(
        &self,
        changed: Vec<String>,
        settings: &Settings,
    ) -> Result<u64, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let (settings, at) = (Box::new(settings.clone()), inner.clock.wall());
        let command = Command::SettingsChanged { changed, settings, at };
        inner
            .store
            .apply(command)
            .await
            .map_err(|refusal| faults::refused(refusal, "", "the settings' revision"))?;
        Ok(self.settings_revision())
    }

    /// Revision of the settings.
    #[must_use]
    pub fn settings_revision(&self) -> u64 {
        self.inner.state().settings_revision
    }

    /// This database, as a name.
    #[must_use]
    pub fn store_id(&self) -> &str {
        self.inner.store.id()
    }

    /// This process, as a name.
    #[must_use]
    pub fn instance_id(&self) -> &str {
        &self.inner.instance_id
    }

    /// The newest durable event.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.inner.state().seq
    }

    /// How many forms are open.
    #[must_use]
    pub fn open_count(&self) -> u64 {
        self.inner.state().open.len() as u64
    }

    /// How many forms there are.
    ///
    /// # Errors
    /// `storeFailed`.
    pub async fn counts(&self) -> Result<Counts, RpcError> {
        let resolved = self.inner.store.resolved_count().await?;
        Ok(Counts { open: self.open_count(), resolved })
    }

    /// Where the forms are kept.
    #[must_use]
    pub fn database_status(&self) -> DatabaseStatus {
        self.inner.store.status()
    }

    /// Takes the right to notify about an open form: true for one caller only, also over restarts.
    ///
    /// # Errors
    /// `storeFailed`.
    pub async fn take_notification(&self, form_id: &str) -> Result<bool, RpcError> {
        use crate::store::Refusal;
        match self.inner.store.apply(Command::MarkNotified { form_id: form_id.into() }).await {
            Ok(_) => Ok(true),
            Err(Refusal::Failed(why)) => Err(faults::failed("that a person was notified", &why)),
            Err(_) => Ok(false),
        }
    }

    /// Stops taking commands, publishes `shutting-down`, releases every waiter with `shuttingDown` and
    /// returns when everything accepted is on disk. Never resolves a form.
    pub async fn shutdown(&self) {
        let inner = &self.inner;
        {
            let mut state = inner.state();
            if !state.closing {
                state.closing = true;
                for open in state.open.values_mut() {
                    // A waiter whose sender is gone knows that the daemon goes.
                    open.waiters.clear();
                }
                inner.hint(&state, None, EventBody::ShuttingDown {});
                inner.hub.end();
            }
        }
        inner.timers.notify_one();
        inner.upkeep.notify_one();
        if let Err(error) = inner.store.apply(Command::Flush).await {
            tracing::error!(%error, "the store could not be flushed");
        }
    }
}
