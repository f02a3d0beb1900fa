//! Logs: what is written, how much, and where. They hold ids and counts, never what people or agents
//! wrote; that is why a panic is logged by its place and not by its message.

mod file;

use std::io::{self, Write as _};
use std::path::Path;

use tracing::level_filters::LevelFilter;

pub(crate) use file::open as open_file;

/// The variable that sets the level: `off`, `error`, `warn`, `info` or `debug`.
pub const LEVEL_VARIABLE: &str = "ASKD_LOG";

/// The level a word stands for; `info` for anything else.
#[must_use]
pub fn level(word: Option<&str>) -> LevelFilter {
    match word {
        Some("off") => LevelFilter::OFF,
        Some("error") => LevelFilter::ERROR,
        Some("warn") => LevelFilter::WARN,
        Some("debug") => LevelFilter::DEBUG,
        _ => LevelFilter::INFO,
    }
}

/// Starts logging: to `file` when the daemon runs detached, else to stderr. Only askd's own words are
/// logged; what libraries say may hold what was sent.
///
/// # Errors
/// The system's, when the file cannot be opened.
pub fn start(level: LevelFilter, file: Option<&Path>) -> io::Result<()> {
    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::prelude::*;

    log_panics_by_place();
    let filter = Targets::new().with_target("askd", level);
    let lines = tracing_subscriber::fmt::layer().with_ansi(false).with_target(false);
    match file {
        Some(path) => {
            let lines = lines.with_writer(file::RotatingFile::open(path)?);
            // A second start in one process, as in tests, keeps the first log.
            let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
        }
        None => {
            let lines = lines.with_writer(io::stderr);
            let _ = tracing_subscriber::registry().with(filter).with(lines).try_init();
        }
    }
    Ok(())
}

fn log_panics_by_place() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "unknown".to_owned(), ToString::to_string);
        let mut stderr = io::stderr();
        // Nothing is left to tell it to when stderr is gone.
        let _ = writeln!(stderr, "askd: internal error at {place}");
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_set_the_level_and_others_do_not() {
        assert_eq!(level(Some("off")), LevelFilter::OFF);
        assert_eq!(level(Some("debug")), LevelFilter::DEBUG);
        assert_eq!(level(Some("everything")), LevelFilter::INFO);
        assert_eq!(level(None), LevelFilter::INFO);
    }
}
