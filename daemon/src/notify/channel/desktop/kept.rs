//! What of the shown notification survives the daemon: enough to withdraw it, and to know its buttons, when
//! the form ends under the next one. It holds ids only.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A notification on the desktop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Kept {
    /// The bus it was sent over.
    pub(super) bus: String,
    /// The process that shows it.
    pub(super) server: String,
    /// The service's id for it.
    pub(super) id: u32,
    /// Stands in the keys of its buttons.
    pub(super) nonce: String,
    /// How many of them answer.
    pub(super) answers: usize,
    /// The forms it tells of, oldest first.
    pub(super) forms: Vec<Arc<str>>,
}

impl Kept {
    /// The form that its buttons answer.
    pub(super) fn answered(&self) -> Option<&str> {
        self.forms.first().filter(|_| self.answers > 0).map(AsRef::as_ref)
    }
}

/// The file that holds it.
#[derive(Debug, Clone)]
pub(super) struct Keeper(pub(super) PathBuf);

impl Keeper {
    /// What was shown when the last daemon ended; nothing when the file is not there or not readable.
    pub(super) fn load(&self) -> Option<Kept> {
        serde_json::from_slice(&std::fs::read(&self.0).ok()?).ok()
    }

    /// Keeps it. A notification that cannot be kept is only not withdrawn after a restart.
    pub(super) async fn save(&self, kept: Option<&Kept>) {
        let text = kept.and_then(|kept| serde_json::to_vec(kept).ok());
        let file = self.0.clone();
        // Files may be slow; the daemon's one thread must not wait for them.
        let saved = tokio::task::spawn_blocking(move || match text {
            Some(text) => write(&file, &text),
            None => remove(&file),
        });
        if let Ok(Err(error)) = saved.await {
            tracing::warn!(%error, "what the desktop shows could not be kept");
        }
    }
}

fn write(file: &Path, text: &[u8]) -> io::Result<()> {
    let new = file.with_extension("new");
    std::fs::write(&new, text)?;
    std::fs::rename(&new, file)
}

fn remove(file: &Path) -> io::Result<()> {
    match std::fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
