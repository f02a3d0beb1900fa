//! The settings in force: loaded once, changed through saved edits, told to everyone who watches.
//!
//! A value comes from the newest layer that names it: built-in defaults, then the file. An edit is
//! written to the file before it takes effect, so a daemon that dies in between loses nothing it
//! promised (protocol §6).

mod load;
mod notices;
mod patch;
mod save;
mod shape;
mod sources;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askd_wire::settings::{Notice, SettingSource, Settings};
use indexmap::IndexMap;
use serde_json::{Map, Value};
use tokio::sync::watch;

use load::{FileState, Loaded};

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
    path: PathBuf,
    file: Mutex<FileState>,
    edits: tokio::sync::Mutex<()>,
    current: watch::Sender<Arc<Settings>>,
}

impl SettingsStore {
    /// Reads the file at `path`. A file with a fault gives the defaults, a notice, and is never
    /// written over; no file gives the defaults.
    #[must_use]
    pub fn open(path: PathBuf) -> Self {
        let Loaded { file, settings } = load::load(&path);
        if let FileState::Faulty(fault) = &file {
            tracing::warn!(kind = fault.kind.name(), "settings file not used, defaults are in force");
        }
        let (current, _) = watch::channel(Arc::new(settings));
        Self { path, file: Mutex::new(file), edits: tokio::sync::Mutex::new(()), current }
    }

    /// The settings in force now.
    #[must_use]
    pub fn current(&self) -> Arc<Settings> {
        self.current.borrow().clone()
    }

    /// The settings in force, from now on.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<Arc<Settings>> {
        self.current.subscribe()
    }

    /// Everything `settings/get` tells, but for the revision.
    #[must_use]
    pub fn describe(&self) -> Described {
        let file = self.file();
        Described {
            settings: self.current(),
            file: self.path.clone(),
            writable: !matches!(*file, FileState::Faulty(_)) && save::can_write(&self.path),
            notices: notices::for_file(&self.path, &file),
            sources: sources::of(file.values()),
        }
    }

    /// Waits for its turn to edit. Whoever holds the turn can compare a revision and then edit
    /// without anyone in between.
    pub async fn turn(&self) -> Turn<'_> {
        Turn { store: self, _turn: self.edits.lock().await }
    }

    fn file(&self) -> MutexGuard<'_, FileState> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
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
        let path = self.store.path.clone();
        // Saving waits for the disk; the daemon's one thread must not.
        let saved = tokio::task::spawn_blocking(move || edit_file(&path, &edit)).await;
        let (values, settings) = match saved {
            Ok(result) => result?,
            Err(_) => return Err(not_saved(&self.store.path, "saving the settings was interrupted.")),
        };
        let before = self.store.current();
        let settings = Arc::new(settings);
        *self.store.file() = match values {
            Some(values) => FileState::Valid(values),
            None => FileState::Missing,
        };
        self.store.current.send_replace(settings.clone());
        Ok(Edited { changed: shape::changed(&before, &settings), settings })
    }
}

/// Works one edit into the file; gives the file's values after it, if there is one, and what is in force.
fn edit_file(path: &Path, edit: &Edit) -> Result<(Option<Map<String, Value>>, Settings), EditError> {
    let loaded = load::load(path);
    if let (Edit::Patch(patch), FileState::Faulty(_)) = (edit, &loaded.file) {
        // The wish is judged before the file, so that its own faults are told first.
        patch::apply(&Map::new(), patch)?;
    }
    let before = match loaded.file {
        FileState::Faulty(fault) => {
            return Err(not_saved(path, &fault.to_string()));
        }
        FileState::Missing => None,
        FileState::Valid(values) => Some(values),
    };
    let empty = Map::new();
    let (after, settings) = match edit {
        Edit::Patch(patch) => patch::apply(before.as_ref().unwrap_or(&empty), patch)?,
        Edit::Reset => patch::reset(before.as_ref().unwrap_or(&empty))?,
    };
    if before.as_ref() == Some(&after) || (before.is_none() && after.is_empty()) {
        return Ok((before, settings));
    }
    let after = shape::with_version(after);
    let failed = |error: std::io::Error| {
        not_saved(
            path,
            &format!(
                "writing {} failed: {error}. Check the directory's permissions and the space on its disk.",
                path.display()
            ),
        )
    };
    if matches!(edit, Edit::Reset) {
        save::keep_copy(path).map_err(failed)?;
    }
    save::write(path, &Value::Object(after.clone())).map_err(failed)?;
    Ok((Some(after), settings))
}

fn not_saved(path: &Path, why: &str) -> EditError {
    EditError::NotSaved { file: path.to_owned(), message: format!("The settings were not saved: {why}") }
}

#[cfg(test)]
mod tests;
