//! The log file of a detached daemon: private, and never larger than two times its limit.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::stdio::{dup2_stderr, dup2_stdout};
use tracing_subscriber::fmt::MakeWriter;

/// At this size a new file is begun, and the one before the last goes.
const MAX_BYTES: u64 = 1024 * 1024;

/// Opens the log for appending, 0600; a large one is put aside first.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    if path.metadata().is_ok_and(|meta| meta.len() >= MAX_BYTES) {
        fs::rename(path, path.with_extension("log.old"))?;
    }
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

/// A writer for log lines that begins a new file when one is full.
#[derive(Debug, Clone)]
pub(super) struct RotatingFile {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    file: File,
    bytes: u64,
    max: u64,
    /// Whether stdout and stderr follow to the new file.
    follow: bool,
}

impl RotatingFile {
    /// Opens the log at `path`.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        Self::with_limit(path, MAX_BYTES, true)
    }

    fn with_limit(path: &Path, max: u64, follow: bool) -> io::Result<Self> {
        let file = open(path)?;
        let bytes = file.metadata()?.len();
        let inner = Inner { path: path.to_owned(), file, bytes, max, follow };
        Ok(Self { inner: Arc::new(Mutex::new(inner)) })
    }
}

impl Inner {
    fn begin_new(&mut self) -> io::Result<()> {
        fs::rename(&self.path, self.path.with_extension("log.old"))?;
        self.file = open(&self.path)?;
        self.bytes = 0;
        if self.follow {
            dup2_stdout(&self.file)?;
            dup2_stderr(&self.file)?;
        }
        Ok(())
    }
}

/// The right to write one line.
#[derive(Debug)]
pub(super) struct Line<'a>(MutexGuard<'a, Inner>);

impl Write for Line<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.bytes >= self.0.max {
            self.0.begin_new()?;
        }
        let written = self.0.file.write(bytes)?;
        self.0.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.file.flush()
    }
}

impl<'a> MakeWriter<'a> for RotatingFile {
    type Writer = Line<'a>;

    fn make_writer(&'a self) -> Self::Writer {
        Line(self.inner.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn the_log_is_private_and_begins_anew_when_it_is_full() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("daemon.log");
        let log = RotatingFile::with_limit(&path, 10, false).unwrap();
        for line in ["first line\n", "second line\n", "third line\n"] {
            log.make_writer().write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::read_to_string(&path).unwrap(), "third line\n");
        assert_eq!(fs::read_to_string(dir.path().join("daemon.log.old")).unwrap(), "second line\n");
    }
}
