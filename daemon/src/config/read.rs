//! Which file is read: ours, or in its place the one of the extension whose settings we share; and what is there.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use super::fault::{Fault, FaultKind};

/// A settings file beyond this is a mistake.
const MAX_BYTES: u64 = 1024 * 1024;

/// Where settings may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files {
    /// Ours: the one that is written.
    pub own: PathBuf,
    /// Read while ours does not exist, the first one that does; never written.
    pub borrowed: Vec<PathBuf>,
}

impl From<PathBuf> for Files {
    fn from(own: PathBuf) -> Self {
        Self { own, borrowed: Vec::new() }
    }
}

impl Files {
    /// Adds the places where the Pi extension keeps its settings, below the agent's directory: `agent_dir` or
    /// `.pi/agent` in `home`.
    #[must_use]
    pub fn with_pi(mut self, agent_dir: Option<&Path>, home: Option<&Path>) -> Self {
        let directory = agent_dir.map(Path::to_owned).or_else(|| Some(home?.join(".pi/agent")));
        let directory = directory.filter(|directory| directory.is_absolute());
        let places = ["extensions/eko24ive-pi-ask.json", "eko24ive-pi-ask.json"];
        self.borrowed.extend(directory.iter().flat_map(|dir| places.map(|place| dir.join(place))));
        self
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.own).chain(&self.borrowed)
    }
}

/// What was found there, to be compared with what is found later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    Nothing,
    Unusable(PathBuf, Fault),
    Bytes(PathBuf, Vec<u8>),
}

/// Reads the file that counts.
pub(super) fn read(files: &Files) -> Found {
    for path in files.all() {
        match bytes(path) {
            Ok(Some(bytes)) => return Found::Bytes(path.clone(), bytes),
            Ok(None) => {}
            Err(fault) => return Found::Unusable(path.clone(), fault),
        }
    }
    Found::Nothing
}

/// A file's bytes; none when there is no file. A dangling link counts as no file: saving creates what it points to.
pub(super) fn bytes(path: &Path) -> Result<Option<Vec<u8>>, Fault> {
    let unreadable = |error: std::io::Error| {
        Fault::new(FaultKind::Unreadable, format!("it cannot be read ({error}). Check its permissions."))
    };
    let meta = match path.metadata() {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(error)),
    };
    if !meta.is_file() {
        return Err(Fault::new(FaultKind::Unreadable, "it is no regular file. Move it away."));
    }
    if meta.len() > MAX_BYTES {
        let why = format!("it is larger than {MAX_BYTES} bytes. Shorten it.");
        return Err(Fault::new(FaultKind::Invalid, why));
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes)).map_err(unreadable)?;
    Ok(Some(bytes))
}
