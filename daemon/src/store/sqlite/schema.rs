//! The tables, their versions, and what a file must be before anything is written to it.

use std::fs::{self, OpenOptions, Permissions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::Options;

/// Marks the file as ours in its header: "askd".
const APPLICATION_ID: i32 = 0x6173_6b64;

/// A larger file is not read through at the start: it would delay everyone, and what is read of it is
/// looked at then.
const CHECKED_BYTES: u64 = 32 * 1024 * 1024;

/// Each entry brings the tables from the version of its index to the next.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE meta (name TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE forms (
        start_seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        seq INTEGER NOT NULL,
        state INTEGER NOT NULL,
        delivery INTEGER NOT NULL,
        contract TEXT NOT NULL,
        mode TEXT NOT NULL,
        agent TEXT,
        session TEXT,
        tool_call_id TEXT,
        key TEXT,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        bytes INTEGER NOT NULL,
        owned INTEGER NOT NULL,
        notified INTEGER NOT NULL,
        meta TEXT NOT NULL,
        resolved_seq INTEGER,
        resolved_at INTEGER,
        outcome TEXT,
        resolved_by TEXT,
        presented TEXT,
        request_id TEXT,
        request_remote INTEGER,
        response TEXT
    ) STRICT;
    CREATE UNIQUE INDEX forms_by_live_key ON forms (key) WHERE key IS NOT NULL AND delivery < 2;
    CREATE INDEX forms_by_end ON forms (resolved_seq) WHERE resolved_seq IS NOT NULL;
    CREATE TABLE bodies (
        start_seq INTEGER PRIMARY KEY,
        form TEXT NOT NULL,
        context TEXT,
        params TEXT
    ) STRICT;
    CREATE TABLE drafts (
        form_id TEXT PRIMARY KEY,
        revision INTEGER NOT NULL,
        connection TEXT NOT NULL,
        at INTEGER NOT NULL,
        json TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        kind TEXT NOT NULL,
        form_id TEXT,
        json TEXT NOT NULL
    ) STRICT;
"];

/// Why the database could not be opened. Nothing was written to the file. Each message names the file and
/// the way out.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The system refused, or there is something else in its place.
    #[error("cannot open the database {}: {why}. Check that its directory exists and is yours.", file.display())]
    Unreachable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: String,
    },
    /// It can be read but not written.
    #[error("the database {} cannot be written: {why}. Make the file and its directory writable for you, or choose another state directory with XDG_STATE_HOME.", file.display())]
    NotWritable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        why: String,
    },
    /// Some other file.
    #[error("{} is not an askd database: {why}. It was left as it is. Move it away and start again.", file.display())]
    NotADatabase {
        /// The file.
        file: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// Damaged.
    #[error("the database {} is damaged: {why}. It was left as it is. Move it and the files beside it (-wal, -shm) away and start again, or put a copy of it back.", file.display())]
    Corrupt {
        /// The file.
        file: PathBuf,
        /// What does not fit.
        why: String,
    },
    /// Written by a newer program.
    #[error("the database {} was written by a newer askd (version {found}, this program knows {known}). It was left as it is. Install the newer askd again, or choose another state directory with XDG_STATE_HOME.", file.display())]
    Newer {
        /// The file.
        file: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version this program knows.
        known: i64,
    },
}

/// Opens the file for writing, creates or upgrades its tables, and gives the database's id.
pub(super) fn open(file: &Path, options: &Options) -> Result<(Connection, String), OpenError> {
    prepare_file(file)?;
    let sort = |error: rusqlite::Error| sorted(file, &error);
    let mut conn = connect(file, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(sort)?;
    // A file that is refused is not even tidied up: the log beside it stays.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).map_err(sort)?;
    check(file, &conn)?;
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false).map_err(sort)?;
    if let Some(pages) = options.max_pages {
        conn.pragma_update(None, "max_page_count", pages).map_err(sort)?;
    }
    configure(&conn, options).map_err(sort)?;
    let id = migrate(&mut conn).map_err(sort)?;
    private(file);
    Ok((conn, id))
}

/// A second connection, for reading.
pub(super) fn open_reader(file: &Path) -> rusqlite::Result<Connection> {
    connect(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(file: &Path, access: OpenFlags) -> rusqlite::Result<Connection> {
    let conn = Connection::open_with_flags(file, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    conn.busy_timeout(Duration::from_secs(5))?;
    conn.set_prepared_statement_cache_capacity(64);
    // A small page cache: the daemon reads little and should be small while idle.
    conn.pragma_update(None, "cache_size", -1024)?;
    Ok(conn)
}

/// Creates the file for nobody else's eyes, before SQLite would do it under the process's umask, and looks
/// at what is there already. SQLite gives its side files the same permissions.
fn prepare_file(file: &Path) -> Result<(), OpenError> {
    let unreachable = |why: String| OpenError::Unreachable { file: file.to_owned(), why };
    match fs::metadata(file) {
        Ok(found) if !found.is_file() => return Err(unreachable("it is not a regular file".to_owned())),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(unreachable(error.to_string())),
    }
    let mut opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(file)
        .map_err(|error| match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                OpenError::NotWritable { file: file.to_owned(), why: error.to_string() }
            }
            _ => unreachable(error.to_string()),
        })?;
    let mut head = Vec::new();
    opened.by_ref().take(16).read_to_end(&mut head).map_err(|error| unreachable(error.to_string()))?;
    if head.is_empty() || head == b"SQLite format 3\0" {
        return Ok(());
    }
    let why = "it does not begin like a SQLite file".to_owned();
    Err(OpenError::NotADatabase { file: file.to_owned(), why })
}

/// Whoever may read the file may read every answer; an older umask must not stay in force.
fn private(file: &Path) {
    for suffix in ["", "-wal", "-shm"] {
        let mut path = file.as_os_str().to_owned();
        path.push(suffix);
        let wide = fs::metadata(&path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
        if wide && let Err(error) = fs::set_permissions(&path, Permissions::from_mode(0o600)) {
            tracing::warn!(%error, "the database could not be made private");
        }
    }
}

fn check(file: &Path, conn: &Connection) -> Result<(), OpenError> {
    let sort = |error: rusqlite::Error| sorted(file, &error);
    let number = |name: &str| conn.pragma_query_value(None, name, |row| row.get::<_, i64>(0)).map_err(sort);
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 =
        conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0)).map_err(sort)?;
    if tables > 0 && application != i64::from(APPLICATION_ID) {
        let why = "it is a SQLite file of some other program".to_owned();
        return Err(OpenError::NotADatabase { file: file.to_owned(), why });
    }
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    if version > known {
        return Err(OpenError::Newer { file: file.to_owned(), found: version, known });
    }
    if conn.is_readonly("main").map_err(sort)? {
        let why = "the system gives read access only".to_owned();
        return Err(OpenError::NotWritable { file: file.to_owned(), why });
    }
    if fs::metadata(file).is_ok_and(|found| found.len() > CHECKED_BYTES) {
        return Ok(());
    }
    let verdict: String = conn.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(sort)?;
    if verdict != "ok" {
        return Err(OpenError::Corrupt { file: file.to_owned(), why: one_line(&verdict) });
    }
    Ok(())
}

fn configure(conn: &Connection, options: &Options) -> rusqlite::Result<()> {
    let mode: String = conn.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if !mode.eq_ignore_ascii_case("wal") {
        tracing::warn!(mode, "the database keeps another journal than asked for");
    }
    // FULL: a commit has reached the disk when it returns, also when the power fails.
    let synchronous = if options.ack_before_commit { "OFF" } else { "FULL" };
    conn.pragma_update(None, "synchronous", synchronous)?;
    conn.pragma_update(None, "journal_size_limit", 4 * 1024 * 1024)?;
    conn.pragma_update(None, "temp_store", "MEMORY")
}

fn migrate(conn: &mut Connection) -> rusqlite::Result<String> {
    let id = |conn: &Connection| {
        conn.query_row("SELECT value FROM meta WHERE name = 'store'", [], |row| row.get::<_, String>(0))
    };
    let version =
        |conn: &Connection| conn.pragma_query_value(None, "user_version", |row| row.get::<_, usize>(0));
    if version(conn)? == MIGRATIONS.len() {
        return id(conn);
    }
    // Read again inside the transaction: another process may have been faster.
    let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = version(&tx)?;
    for step in &MIGRATIONS[from.min(MIGRATIONS.len())..] {
        tx.execute_batch(step)?;
    }
    if from == 0 {
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        let id = uuid::Uuid::new_v4().simple().to_string();
        tx.execute("INSERT INTO meta (name, value) VALUES ('store', ?1)", [id])?;
    }
    tx.pragma_update(None, "user_version", MIGRATIONS.len())?;
    tx.commit()?;
    id(conn)
}

fn sorted(file: &Path, error: &rusqlite::Error) -> OpenError {
    use rusqlite::ErrorCode;
    let (file, why) = (file.to_owned(), one_line(&error.to_string()));
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => OpenError::NotADatabase { file, why },
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Corrupt { file, why },
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::DiskFull) => {
            OpenError::NotWritable { file, why }
        }
        Some(_) => OpenError::Unreachable { file, why },
        // A value of another type than the tables hold.
        None => OpenError::Corrupt { file, why },
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
