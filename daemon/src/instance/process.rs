//! What the daemon takes from the process it runs in. Everything else gets these as values.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use askd_wire::place::Environment;

/// This process as it was started.
#[derive(Debug, Clone)]
pub struct Process {
    /// Its environment.
    pub env: Vec<(OsString, OsString)>,
    /// Its arguments after the program's name.
    pub arguments: Vec<OsString>,
    /// Its executable.
    pub executable: PathBuf,
    /// The directory it was started in.
    pub directory: PathBuf,
    /// The directory for temporary files.
    pub temp_dir: PathBuf,
    /// The user it runs as.
    pub uid: u32,
    /// Its id.
    pub pid: u32,
}

impl Process {
    /// This very process.
    #[must_use]
    pub fn current() -> Self {
        Self {
            env: std::env::vars_os().collect(),
            arguments: std::env::args_os().skip(1).collect(),
            executable: std::env::current_exe().unwrap_or_default(),
            directory: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
            temp_dir: std::env::temp_dir(),
            uid: rustix::process::geteuid().as_raw(),
            pid: std::process::id(),
        }
    }

    /// The value of a variable.
    #[must_use]
    pub fn var(&self, name: &str) -> Option<&OsStr> {
        self.env.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_os_str())
    }

    /// The variables that decide where things are.
    #[must_use]
    pub fn environment(&self) -> Environment {
        let lookup = |name: &str| self.var(name).map(OsStr::to_owned);
        Environment::from_lookup(lookup, self.temp_dir.clone(), self.uid)
    }
}
