//! The embedded default store: one SQLite file, one thread that writes, one that reads.

mod apply;
mod create;
mod foreign;
mod forget;
mod load;
mod reader;
mod retain;
mod schema;
mod tally;
#[cfg(test)]
mod tests;
mod writer;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use askd_wire::daemon::DatabaseStatus;
use tokio::sync::oneshot;

pub use schema::OpenError;

use super::{
    Answer, Command, Committed, Follower, Kept, KeptDraft, Logged, Opening, Refusal, ResolvedPage,
    ResolvedQuery, Store, StoreError,
};
use reader::Reader;
use writer::{Job, Writer};

/// Ways of opening that only tests use.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// A TEST DOUBLE: answers before the commit and never asks for the disk, to prove that the durability
    /// tests notice.
    pub ack_before_commit: bool,
    /// The most pages the file may have, to see a full disk.
    pub max_pages: Option<u32>,
}

/// Forms in one SQLite file. The threads end when it is dropped, after what they were asked is done.
#[derive(Debug)]
pub struct SqliteStore {
    file: PathBuf,
    id: String,
    jobs: Mutex<Option<Sender<Job>>>,
    writer: Option<JoinHandle<()>>,
    reader: Reader,
}

impl SqliteStore {
    /// Opens or creates the database. Blocks.
    ///
    /// # Errors
    /// [`OpenError`]; the file is left as it was.
    pub fn open(file: &Path) -> Result<Self, OpenError> {
        Self::open_with(file, Options::default())
    }

    /// As [`SqliteStore::open`], in a way only tests use.
    ///
    /// # Errors
    /// [`OpenError`]; the file is left as it was.
    #[doc(hidden)]
    pub fn open_with(file: &Path, options: Options) -> Result<Self, OpenError> {
        let (conn, id) = schema::open(file, &options)?;
        let corrupt = |error: StoreError| OpenError::Corrupt { file: file.to_owned(), why: error.0 };
        let worker = Writer::new(conn, options).map_err(corrupt)?;
        let (jobs, queue) = mpsc::channel();
        let writer = Builder::new()
            .name("askd-store".to_owned())
            .spawn(move || worker.run(&queue))
            .map_err(|error| OpenError::Unreachable { file: file.to_owned(), why: error.to_string() })?;
        Ok(Self {
            file: file.to_owned(),
            id,
            jobs: Mutex::new(Some(jobs)),
            writer: Some(writer),
            reader: Reader::new(file),
        })
    }

    fn send(&self, job: Job) {
        // A writer that is gone drops the reply's sender, which the caller sees.
        if let Some(jobs) = &*self.jobs.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = jobs.send(job);
        }
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

const GONE: &str = "the thread that writes the database has ended";

impl Store for SqliteStore {
    fn id(&self) -> &str {
        &self.id
    }

    fn follow(&self, follower: Follower) -> Answer<Result<Opening, StoreError>> {
        let (reply, answer) = oneshot::channel();
        self.send(Job::Follow(follower, reply));
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err(StoreError(GONE.to_owned()))) })
    }

    fn apply(&self, command: Command) -> Answer<Result<Vec<Committed>, Refusal>> {
        let (reply, answer) = oneshot::channel();
        self.send(Job::Apply(command, reply));
        Box::pin(async move { answer.await.unwrap_or_else(|_| Err(Refusal::Failed(GONE.to_owned()))) })
    }

    fn form(&self, form_id: &str) -> Answer<Result<Option<Kept>, StoreError>> {
        let id = form_id.to_owned();
        self.reader.ask(move |conn| load::form(conn, &id))
    }

    fn draft(&self, form_id: &str) -> Answer<Result<Option<KeptDraft>, StoreError>> {
        let id = form_id.to_owned();
        self.reader.ask(move |conn| load::draft(conn, &id))
    }

    fn resolved(&self, query: ResolvedQuery) -> Answer<Result<ResolvedPage, StoreError>> {
        self.reader.ask(move |conn| load::resolved(conn, &query))
    }

    fn events(&self, after: u64, bytes: usize) -> Answer<Result<Vec<Logged>, StoreError>> {
        self.reader.ask(move |conn| load::events(conn, after, bytes))
    }

    fn resolved_count(&self) -> Answer<Result<u64, StoreError>> {
        self.reader.ask(load::resolved_count)
    }

    fn status(&self) -> DatabaseStatus {
        let size = |suffix: &str| {
            let mut path = self.file.as_os_str().to_owned();
            path.push(suffix);
            fs::metadata(path).map_or(0, |found| found.len())
        };
        DatabaseStatus { file: self.file.display().to_string(), bytes: size("") + size("-wal") }
    }
}
