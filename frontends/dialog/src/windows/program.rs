//! Which program shows the windows.

use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::WindowError;

/// A dialog program that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    pub(super) path: PathBuf,
}

impl Program {
    /// The program's name as people know and install it.
    pub const ZENITY: &str = "zenity";

    /// Looks for the program in the directories of a `PATH`.
    ///
    /// # Errors
    /// [`WindowError::Missing`], which says what to install.
    pub fn find(path: Option<&OsStr>) -> Result<Self, WindowError> {
        let directories = path.into_iter().flat_map(std::env::split_paths);
        let mut candidates = directories.filter(|d| d.is_absolute()).map(|d| d.join(Self::ZENITY));
        let runs = |path: &PathBuf| {
            path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
        };
        let path = candidates.find(runs).ok_or(WindowError::Missing(Self::ZENITY))?;
        Ok(Self { path })
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}
