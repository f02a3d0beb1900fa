//! The settings in force: loaded once, changed through saved edits, told to everyone who watches.
//!
//! A value comes from the last layer that names it: built-in defaults, the file, the environment, flags. An edit
//! is written to the file before it takes effect, so a daemon that dies in between loses nothing it promised
//! (protocol §6). What a person changes in the file with an editor takes effect as well.

mod channels;
mod document;
mod edit;
mod fault;
pub mod import;
mod keymaps;
mod layers;
mod load;
mod migrate;
mod notices;
mod overrides;
mod patch;
mod read;
mod save;
mod shape;
mod watch;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askd_wire::settings::{Notice, SettingSource, Settings};
use indexmap::IndexMap;
use serde_json::Value;
use tokio::sync::watch as latest;

use load::{FileState, Loaded};
use read::Found;

pub use overrides::{Overrides, variable};
pub use read::Files;
pub use watch::Watcher;

/// Why an edit of the settings was refused. Nothing has changed then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// A value does not fit its key.
    #[error("{key}: {message}")]
    Invalid {
        /// Dotted, as in `notifications.enabled`.
        key: String,
        /// What was wrong with it.
        message: String,
    },
    /// A key that names a program or opens a door.
    #[error(
        "{0} can only be changed by editing the settings file, because it names a program or opens a door."
    )]
    FileOnly(String),
    /// The file could not be written, or must not be.
    #[error("{message}")]
    NotSaved {
        /// The settings file.
        file: PathBuf,
        /// What failed, why, and what to do.
        message: String,
    },
}

/// One wish to change the settings.
#[derive(Debug, Clone)]
pub enum Edit {
    /// A merge patch: null removes, arrays are replaced whole.
    Patch(Value),
    /// The same, which a person was shown and has said yes to: it may name programs and open doors.
    ByHand(Value),
    /// Back to the defaults; unknown fields of the file stay.
    Reset,
}

/// What an edit came to.
#[derive(Debug, Clone)]
pub struct Edited {
    /// Dotted keys whose value in force is another one now.
    pub changed: Vec<String>,
    /// All settings in force.
    pub settings: Arc<Settings>,
    /// What was saved but is not in force.
    pub notices: Vec<Notice>,
}

/// What `settings/get` tells beside the revision.
#[derive(Debug, Clone)]
pub struct Described {
    /// In force.
    pub settings: Arc<Settings>,
    /// The file they are saved to.
    pub file: PathBuf,
    /// Whether a save can succeed.
    pub writable: bool,
    /// Faults of the file.
    pub notices: Vec<Notice>,
    /// Where each value comes from.
    pub sources: IndexMap<String, SettingSource>,
}

/// The settings of one daemon.
#[derive(Debug)]
pub struct SettingsStore {
    files: Files,
    overrides: Overrides,
    state: Mutex<State>,
    edits: tokio::sync::Mutex<()>,
    current: latest::Sender<Arc<Settings>>,
}

/// What was last seen and what it came to.
#[derive(Debug)]
struct State {
    found: Found,
    loaded: Loaded,
}

impl State {
    fn read(files: &Files, overrides: &Overrides) -> Self {
        let found = read::read(files);
        let loaded = load::load(files, &found, overrides, None);
        Self { found, loaded }
    }
}

impl SettingsStore {
    /// Reads the files. One with a fault gives the defaults, a notice, and is never written over; no file gives
    /// the defaults.
    #[must_use]
    pub fn open(files: impl Into<Files>) -> Self {
        Self::open_with(files, Overrides::default())
    }

    /// The same, under values from outside the file.
    #[must_use]
    pub fn open_with(files: impl Into<Files>, overrides: Overrides) -> Self {
        let files = files.into();
        let state = State::read(&files, &overrides);
        for notice in &state.loaded.notices {
            tracing::warn!(kind = notice.kind, "settings not used as they stand");
        }
        let (current, _) = latest::channel(Arc::new(state.loaded.layered.settings.clone()));
        Self { files, overrides, state: Mutex::new(state), edits: tokio::sync::Mutex::new(()), current }
    }

    /// The settings in force now.
    #[must_use]
    pub fn current(&self) -> Arc<Settings> {
        self.current.borrow().clone()
    }

    /// The settings in force, from now on.
    #[must_use]
    pub fn watch(&self) -> latest::Receiver<Arc<Settings>> {
        self.current.subscribe()
    }

    /// Everything `settings/get` tells, but for the revision.
    #[must_use]
    pub fn describe(&self) -> Described {
        let state = self.state();
        let faulty = matches!(state.loaded.file, FileState::Faulty(_));
        Described {
            settings: self.current(),
            file: self.files.own.clone(),
            writable: !faulty && save::can_write(&self.files.own),
            notices: state.loaded.notices.clone(),
            sources: state.loaded.layered.sources.clone(),
        }
    }

    /// Waits for its turn to edit. Whoever holds the turn can compare a revision and then edit
    /// without anyone in between.
    pub async fn turn(&self) -> Turn<'_> {
        Turn { store: self, _turn: self.edits.lock().await }
    }

    /// Tells when one of the files may have changed, from now on.
    ///
    /// # Errors
    /// The system cannot watch files.
    pub fn watcher(&self) -> Result<Watcher, notify::Error> {
        Watcher::new(self.files.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The right to edit, held by one caller at a time.
#[derive(Debug)]
pub struct Turn<'a> {
    store: &'a SettingsStore,
    _turn: tokio::sync::MutexGuard<'a, ()>,
}

impl Turn<'_> {
    /// Saves an edit and puts it into force.
    ///
    /// The file is read again first: what a person changed by hand since the start is kept, and
    /// comes into force with the edit.
    ///
    /// # Errors
    /// [`EditError`]; neither the file nor the settings in force have changed then.
    pub async fn apply(&self, edit: Edit) -> Result<Edited, EditError> {
        let (files, overrides) = (self.store.files.clone(), self.store.overrides.clone());
        // Saving waits for the disk; the daemon's one thread must not.
        let saved = tokio::task::spawn_blocking(move || edit::save(&files, &overrides, &edit)).await;
        let own = &self.store.files.own;
        let saved = saved.map_err(|_| edit::not_saved(own, "saving the settings was interrupted."))??;
        Ok(self.take(State { found: saved.found, loaded: saved.loaded }, saved.notices))
    }

    /// Looks at the files again and puts what a person changed there into force. None when they are as they were
    /// last seen, as after a save of our own.
    ///
    /// A file that cannot be used now leaves in force what was.
    pub async fn reload(&self) -> Option<Edited> {
        let (files, overrides) = (self.store.files.clone(), self.store.overrides.clone());
        let before = self.store.state().loaded.layered.clone();
        let seen = self.store.state().found.clone();
        let read = move || {
            let found = read::read(&files);
            (found != seen).then(|| {
                let loaded = load::load(&files, &found, &overrides, Some(&before));
                State { found, loaded }
            })
        };
        // Only a panic in there ends it otherwise; the next change is looked at again.
        let state = tokio::task::spawn_blocking(read).await.ok().flatten()?;
        Some(self.take(state, Vec::new()))
    }

    /// Whether the file that counted is gone, which may be an editor at work.
    pub async fn has_vanished(&self) -> bool {
        let files = self.store.files.clone();
        let was = !matches!(self.store.state().found, Found::Nothing);
        let now = tokio::task::spawn_blocking(move || files.own.exists()).await.unwrap_or(true);
        was && !now
    }

    fn take(&self, state: State, notices: Vec<Notice>) -> Edited {
        let before = self.store.current();
        let settings = Arc::new(state.loaded.layered.settings.clone());
        *self.store.state() = state;
        self.store.current.send_replace(settings.clone());
        Edited { changed: shape::changed(&before, &settings), settings, notices }
    }
}

/// The file that settings are saved to, for a message.
fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests;
