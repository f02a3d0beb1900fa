//! When a settings file may have changed. Directories are watched, not files: an editor replaces the file, and a
//! save may create it together with its directory.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::{Instant, timeout_at};

use super::read::Files;
use super::save;

/// A file counts as written when nothing has happened to it for so long …
const QUIET: Duration = Duration::from_millis(80);
/// … or when things have happened to it for so long.
const LONGEST: Duration = Duration::from_millis(400);

/// Tells when one of the files may have changed.
#[derive(Debug)]
pub struct Watcher {
    files: Files,
    system: RecommendedWatcher,
    told: UnboundedReceiver<Vec<PathBuf>>,
    watched: BTreeSet<PathBuf>,
    /// The files, and behind links the real ones, with every directory on the way to them.
    ways: Vec<PathBuf>,
}

impl Watcher {
    pub(super) fn new(files: Files) -> Result<Self, notify::Error> {
        let (tell, told) = unbounded_channel();
        let system = notify::recommended_watcher(move |event: notify::Result<Event>| {
            let paths = match event {
                Ok(event) if matches!(event.kind, EventKind::Access(access) if !ends_writing(access)) => {
                    return;
                }
                Ok(event) => event.paths,
                // Some events were lost: anything may have happened.
                Err(_) => Vec::new(),
            };
            // Nobody listens any more only when the daemon stops.
            let _ = tell.send(paths);
        })?;
        let mut new = Self { files, system, told, watched: BTreeSet::new(), ways: Vec::new() };
        new.aim();
        Ok(new)
    }

    /// Waits until one of the files may have changed and has been left alone for a moment since.
    pub async fn changed(&mut self) {
        loop {
            match self.told.recv().await {
                Some(paths) if self.concerns(&paths) => break,
                Some(_) => {}
                None => std::future::pending().await,
            }
        }
        let end = Instant::now() + LONGEST;
        let mut quiet = Instant::now() + QUIET;
        while let Ok(Some(paths)) = timeout_at(quiet.min(end), self.told.recv()).await {
            if self.concerns(&paths) {
                quiet = Instant::now() + QUIET;
            }
        }
        // A link may point elsewhere now, and a directory may be there that was not.
        self.aim();
    }

    fn concerns(&self, paths: &[PathBuf]) -> bool {
        paths.is_empty() || paths.iter().any(|path| self.ways.iter().any(|way| way.starts_with(path)))
    }

    /// Watches the nearest directory that there is on the way to each file.
    fn aim(&mut self) {
        let mut ways: Vec<PathBuf> = self.files.all().cloned().collect();
        ways.extend(self.files.all().filter_map(|path| save::real_path(path).ok()));
        ways.extend(self.files.all().filter_map(|path| path.canonicalize().ok()));
        ways.dedup();
        let nearest = |way: &PathBuf| way.ancestors().skip(1).find(|dir| dir.is_dir()).map(Path::to_owned);
        let wanted: BTreeSet<PathBuf> = ways.iter().filter_map(nearest).collect();
        for gone in self.watched.difference(&wanted) {
            // A directory that is gone is not watched any more anyway.
            let _ = self.system.unwatch(gone);
        }
        // A directory that was replaced has to be watched anew, so all are.
        let mut watched = BTreeSet::new();
        for dir in wanted {
            match self.system.watch(&dir, RecursiveMode::NonRecursive) {
                Ok(()) => drop(watched.insert(dir)),
                Err(error) => tracing::warn!(%error, "a directory of the settings is not watched"),
            }
        }
        self.watched = watched;
        self.ways = ways;
    }
}

fn ends_writing(access: notify::event::AccessKind) -> bool {
    use notify::event::{AccessKind, AccessMode};
    access == AccessKind::Close(AccessMode::Write)
}
