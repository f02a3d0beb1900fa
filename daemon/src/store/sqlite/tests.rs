//! The SQLite store under the suite, with two handles, and against files that are not what they should be.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use askd_form::Reason;
use rusqlite::Connection;
use tempfile::TempDir;

use super::*;
use crate::store::suite::{self, Ask, answer, ask, cancel, create};
use crate::store::{Fact, OpenLimits, Store};

fn block<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

fn directory() -> (TempDir, PathBuf) {
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("askd.db");
    (directory, file)
}

/// Keeps the directory of a store for as long as the store.
#[derive(Debug)]
struct InDirectory<S>(S, #[allow(dead_code)] TempDir);

/// Sends each command to the next of two handles on one database.
#[derive(Debug)]
struct Alternating(SqliteStore, SqliteStore, AtomicUsize);

impl Alternating {
    fn next(&self) -> &SqliteStore {
        if self.2.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) { &self.0 } else { &self.1 }
    }
}

macro_rules! delegate {
    ($name:ty, $s:ident, $apply:expr, $rest:expr) => {
        impl Store for $name {
            fn id(&self) -> &str {
                let $s = self;
                $rest.id()
            }
            fn follow(&self, follower: Follower) -> Answer<Result<Opening, StoreError>> {
                let $s = self;
                $rest.follow(follower)
            }
            fn apply(&self, command: Command) -> Answer<Result<Vec<Committed>, Refusal>> {
                let $s = self;
                match command {
                    Command::Flush | Command::MarkOwned { .. } => $rest.apply(command),
                    command => $apply.apply(command),
                }
            }
            fn form(&self, form_id: &str) -> Answer<Result<Option<Kept>, StoreError>> {
                let $s = self;
                $rest.form(form_id)
            }
            fn draft(&self, form_id: &str) -> Answer<Result<Option<KeptDraft>, StoreError>> {
                let $s = self;
                $rest.draft(form_id)
            }
            fn resolved(&self, query: ResolvedQuery) -> Answer<Result<ResolvedPage, StoreError>> {
                let $s = self;
                $rest.resolved(query)
            }
            fn events(&self, after: u64, bytes: usize) -> Answer<Result<Vec<Logged>, StoreError>> {
                let $s = self;
                $rest.events(after, bytes)
            }
            fn resolved_count(&self) -> Answer<Result<u64, StoreError>> {
                let $s = self;
                $rest.resolved_count()
            }
            fn status(&self) -> DatabaseStatus {
                let $s = self;
                $rest.status()
            }
        }
    };
}

delegate!(InDirectory<SqliteStore>, it, it.0, it.0);
delegate!(InDirectory<Alternating>, it, it.0.next(), it.0.0);

#[test]
fn keeps_what_every_store_must() {
    suite::run(&|| {
        let (directory, file) = directory();
        Arc::new(InDirectory(SqliteStore::open(&file).unwrap(), directory))
    });
}

#[test]
fn two_handles_on_one_database_keep_it_too() {
    suite::run(&|| {
        let (directory, file) = directory();
        let (a, b) = (SqliteStore::open(&file).unwrap(), SqliteStore::open(&file).unwrap());
        assert_eq!(a.id(), b.id());
        Arc::new(InDirectory(Alternating(a, b, AtomicUsize::new(0)), directory))
    });
}

#[test]
fn a_handle_hears_of_the_others_commits_at_its_next_command() {
    let (_directory, file) = directory();
    let (a, b) = (SqliteStore::open(&file).unwrap(), SqliteStore::open(&file).unwrap());
    block(async {
        let heard: Arc<Mutex<Vec<String>>> = Arc::default();
        let told = heard.clone();
        let follower: Follower = Arc::new(move |committed| {
            let mut heard = told.lock().unwrap();
            for commit in committed {
                let seq = commit.event.as_ref().unwrap().seq;
                heard.push(match &commit.fact {
                    Fact::Started { record, .. } => format!("{seq} started {}", record.seq),
                    Fact::Completed { ending, result } => {
                        format!("{seq} {:?} {}", ending.outcome.kind, result.is_some())
                    }
                    other => format!("{seq} {other:?}"),
                });
            }
        });
        a.follow(follower).await.unwrap();
        let form = create(&b, ask()).await.unwrap();
        b.apply(answer(&form.id, "x", None)).await.unwrap();
        assert!(heard.lock().unwrap().is_empty());
        create(&a, ask()).await.unwrap();
        assert_eq!(*heard.lock().unwrap(), ["1 started 1", "2 Submitted false", "3 started 3"]);
    });
}

#[test]
fn what_was_acknowledged_is_there_after_opening_again() {
    let (_directory, file) = directory();
    let (id, open, done) = block(async {
        let store = SqliteStore::open(&file).unwrap();
        let (open, done) = (create(&store, ask()).await.unwrap(), create(&store, ask()).await.unwrap());
        store.apply(answer(&done.id, "y", Some(("r", false)))).await.unwrap();
        (store.id().to_owned(), open, done)
    });
    block(async {
        let store = SqliteStore::open(&file).unwrap();
        assert_eq!(store.id(), id);
        let opening = store.follow(Arc::new(|_| {})).await.unwrap();
        assert_eq!(opening.seq, 3);
        assert_eq!(opening.forms.iter().map(|form| form.record.clone()).collect::<Vec<_>>(), [open]);
        assert_eq!(opening.forms[0].body.form.form().unwrap().questions.len(), 1);
        let again = store.apply(answer(&done.id, "y", Some(("r", false)))).await;
        assert!(matches!(again, Err(Refusal::RequestReplayed { .. })));
    });
}

#[test]
fn a_refusal_in_the_middle_of_a_batch_undoes_only_itself() {
    let (_directory, file) = directory();
    block(async {
        let store = SqliteStore::open(&file).unwrap();
        let form = create(&store, ask()).await.unwrap();
        // Sent before any is waited for, so that they can share a transaction.
        let calls = [
            store.apply(ask().command()),
            store.apply(answer(&form.id, "x", None)),
            store.apply(answer(&form.id, "y", None)),
            store.apply(cancel("nothing", Reason::Dismissed)),
            store.apply(ask().command()),
        ];
        let mut fine = Vec::new();
        for call in calls {
            fine.push(call.await.is_ok());
        }
        assert_eq!(fine, [true, true, false, false, true]);
        let seqs: Vec<_> = store.events(0, 1 << 20).await.unwrap().iter().map(|event| event.seq).collect();
        assert_eq!(seqs, [1, 2, 3, 4]);
    });
}

fn roomy() -> Ask {
    Ask { limits: OpenLimits { forms: 9999, session: 9999, bytes: 1 << 30 }, ..ask() }
}

#[test]
fn a_full_disk_refuses_and_loses_nothing() {
    let (_directory, file) = directory();
    block(async {
        let options = Options { max_pages: Some(60), ..Options::default() };
        let store = SqliteStore::open_with(&file, options).unwrap();
        let mut kept = Vec::new();
        let why = loop {
            match create(&store, roomy()).await {
                Ok(record) => kept.push(record.id.clone()),
                Err(Refusal::Failed(why)) => break why,
                Err(other) => panic!("{other:?}"),
            }
            assert!(kept.len() < 1000, "the disk never became full");
        };
        assert!(why.contains("full"), "{why}");
        // Several at once are refused together.
        let calls = [store.apply(roomy().command()), store.apply(roomy().command())];
        for call in calls {
            assert!(matches!(call.await, Err(Refusal::Failed(_))));
        }
        for form_id in &kept {
            assert!(store.form(form_id).await.unwrap().is_some());
        }
        let events = store.events(0, 1 << 24).await.unwrap();
        assert_eq!(events.len(), kept.len(), "no number is lost or given twice");
        drop(store);
        let store = SqliteStore::open(&file).unwrap();
        let next = create(&store, roomy()).await.unwrap();
        assert_eq!(next.seq, kept.len() as u64 + 1, "with space again it goes on where it was");
    });
}

fn refused(file: &Path) -> OpenError {
    let before = fs::read(file).ok();
    let error = SqliteStore::open(file).unwrap_err();
    assert_eq!(fs::read(file).ok(), before, "the file must be left as it was");
    let text = error.to_string();
    assert!(text.contains(&file.display().to_string()), "{text}");
    error
}

#[test]
fn another_file_in_its_place_is_left_alone() {
    let (directory, file) = directory();
    fs::write(&file, "These are my notes, not a database.").unwrap();
    assert!(matches!(refused(&file), OpenError::NotADatabase { .. }));
    let other = directory.path().join("other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (a); PRAGMA user_version = 1").unwrap();
    assert!(matches!(refused(&other), OpenError::NotADatabase { .. }));
    assert!(matches!(refused(directory.path()), OpenError::Unreachable { .. }));
    assert!(matches!(refused(&directory.path().join("no/askd.db")), OpenError::Unreachable { .. }));
    assert!(matches!(refused(&file.join("askd.db")), OpenError::Unreachable { .. }));
}

#[test]
fn a_newer_database_is_left_alone() {
    let (_directory, file) = directory();
    drop(SqliteStore::open(&file).unwrap());
    Connection::open(&file).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    match refused(&file) {
        OpenError::Newer { found: 99, known, .. } => assert!(known < 99),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_damaged_database_is_left_alone() {
    let (_directory, file) = directory();
    block(async {
        let store = SqliteStore::open(&file).unwrap();
        for _ in 0..50 {
            create(&store, ask()).await.unwrap();
        }
    });
    let whole = fs::read(&file).unwrap();
    let mut torn = whole.clone();
    torn[4096..].iter_mut().for_each(|byte| *byte = 0x5a);
    fs::write(&file, &torn).unwrap();
    assert!(matches!(refused(&file), OpenError::Corrupt { .. }));
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert!(matches!(refused(&file), OpenError::Corrupt { .. }));
    fs::write(&file, &whole).unwrap();
    SqliteStore::open(&file).unwrap();
}

#[test]
fn nobody_else_may_read_the_files() {
    let (_directory, file) = directory();
    let mode = |suffix: &str| {
        let path = format!("{}{suffix}", file.display());
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    };
    let store = SqliteStore::open(&file).unwrap();
    block(async { create(&store, Ask { key: Some("k"), ..ask() }).await.unwrap() });
    assert_eq!([mode(""), mode("-wal"), mode("-shm")], [0o600; 3]);
    drop(store);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    drop(SqliteStore::open(&file).unwrap());
    assert_eq!(mode(""), 0o600);
}

#[test]
fn the_double_that_answers_too_early_can_be_told_apart() {
    let (_directory, file) = directory();
    let options = Options { ack_before_commit: true, ..Options::default() };
    let store = SqliteStore::open_with(&file, options).unwrap();
    block(async { create(&store, ask()).await.unwrap() });
    drop(store);
    let store = SqliteStore::open(&file).unwrap();
    assert_eq!(block(store.events(0, 1 << 20)).unwrap().len(), 1);
}
