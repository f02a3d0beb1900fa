//! The world around the daemon as a value: its environment, and where the `ask` program and its own files are.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

use crate::instance::Process;

/// What a started program gets of the daemon's environment: how to find the person's programs, desktop and
/// language. Everything else stays here: it may hold secrets, or the marks of an agent that started the daemon.
const PASSED_ON: [&str; 24] = [
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "XAUTHORITY",
    "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "DESKTOP_SESSION",
    "XDG_RUNTIME_DIR",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_DIRS",
    "XDG_DATA_DIRS",
    "XDG_CURRENT_DESKTOP",
    "XDG_SESSION_TYPE",
    "XDG_SESSION_ID",
];

/// What a desktop session tells its programs about its display.
const DISPLAY: [&str; 5] =
    ["DISPLAY", "XAUTHORITY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE"];

/// Where notifications come from and what they can start.
#[derive(Debug, Clone, Default)]
pub struct Surroundings {
    /// The daemon's environment.
    pub environment: HashMap<String, OsString>,
    /// The `ask` program that opens forms.
    pub ask: PathBuf,
    /// The daemon's own socket.
    pub socket: PathBuf,
    /// The file in which the shown notification is kept.
    pub kept: PathBuf,
}

impl Surroundings {
    /// Those of this process.
    #[must_use]
    pub fn of(process: &Process, socket: &Path, kept: PathBuf) -> Self {
        let text = |(name, value): &(OsString, OsString)| Some((name.to_str()?.to_owned(), value.clone()));
        let environment = process.env.iter().filter_map(text).collect();
        // The daemon is `ask daemon`, or `askd` with `ask` beside it.
        let alone = process.executable.file_name().is_some_and(|name| name == "askd");
        let ask = if alone { process.executable.with_file_name("ask") } else { process.executable.clone() };
        Self { environment, ask, socket: socket.to_owned(), kept }
    }

    /// The `ask` program: the daemon's own, or the one a shell would find after that was moved.
    pub(super) fn ask(&self) -> Option<PathBuf> {
        Some(self.ask.clone()).filter(|ask| runs(ask)).or_else(|| self.program("ask"))
    }

    /// A variable that is set to something.
    pub(super) fn variable(&self, name: &str) -> Option<&OsStr> {
        self.environment.get(name).map(OsString::as_os_str).filter(|value| !value.is_empty())
    }

    /// Whether windows can be opened.
    pub(super) fn has_display(&self) -> bool {
        ["WAYLAND_DISPLAY", "DISPLAY"].iter().any(|name| self.variable(name).is_some())
    }

    /// The same with the display of a session, as its environment tells it.
    pub(super) fn with_display(&self, session: &[String]) -> Self {
        let mut surroundings = self.clone();
        let named = session.iter().filter_map(|entry| entry.split_once('='));
        for (name, value) in named.filter(|(name, _)| DISPLAY.contains(name)) {
            surroundings.environment.insert(name.to_owned(), value.into());
        }
        surroundings
    }

    /// What a program started for a notification gets.
    pub(super) fn passed_on(&self) -> impl Iterator<Item = (&str, &OsStr)> {
        let passed = |name: &str| PASSED_ON.contains(&name) || name.starts_with("LC_");
        self.environment
            .iter()
            .filter(move |(name, _)| passed(name))
            .map(|(name, value)| (name.as_str(), value.as_os_str()))
    }

    /// A program by name, as a shell would find it.
    pub(super) fn program(&self, name: impl AsRef<OsStr>) -> Option<PathBuf> {
        let name = name.as_ref();
        if name.as_bytes().contains(&b'/') {
            return Some(PathBuf::from(name)).filter(|path| runs(path));
        }
        let path = self.variable("PATH")?;
        std::env::split_paths(path)
            .filter(|directory| directory.is_absolute())
            .map(|directory| directory.join(name))
            .find(|program| runs(program))
    }
}

fn runs(program: &Path) -> bool {
    program.is_file() && rustix::fs::access(program, Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn secrets_and_marks_stay_in_the_daemon() {
        let names =
            ["HOME", "LC_ALL", "AI_AGENT", "CLAUDECODE", "GITHUB_TOKEN", "SSH_AUTH_SOCK", "ASKD_TOKEN"];
        let environment = names.iter().map(|name| ((*name).to_owned(), "x".into())).collect();
        let surroundings = Surroundings { environment, ..Surroundings::default() };
        let passed: HashSet<&str> = surroundings.passed_on().map(|(name, _)| name).collect();
        assert_eq!(passed, HashSet::from(["HOME", "LC_ALL"]));
    }

    #[test]
    fn a_session_lends_its_display_and_nothing_else() {
        let session = ["DISPLAY=:1", "PATH=/elsewhere", "WAYLAND_DISPLAY="].map(str::to_owned);
        let surroundings = Surroundings::default();
        assert!(!surroundings.has_display());
        let with = surroundings.with_display(&session);
        assert!(with.has_display());
        assert_eq!((with.variable("DISPLAY"), with.variable("PATH")), (Some(OsStr::new(":1")), None));
    }
}
