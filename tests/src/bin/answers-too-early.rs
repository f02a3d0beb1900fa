//! A daemon that breaks its promise: it answers before it commits. The durability test has to notice.

use std::process::ExitCode;
use std::sync::Arc;

use askd::instance::{DaemonArgs, Process, run_with_store};
use askd::store::SqliteStore;
use askd::store::sqlite::Options;

fn main() -> ExitCode {
    let args = DaemonArgs { foreground: true, ..DaemonArgs::default() };
    let too_early = Options { ack_before_commit: true, ..Options::default() };
    run_with_store(&args, &Process::current(), |file| Ok(Arc::new(SqliteStore::open_with(file, too_early)?)))
}
