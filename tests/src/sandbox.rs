//! A place of its own for one test: directories, environment, and the guard that nothing outside is touched.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use askd_wire::place::{Environment, LockContents, Place};
use tempfile::TempDir;

/// Directories and environment for one test. Dropping it ends a daemon that was started inside.
#[derive(Debug)]
pub struct Sandbox {
    ask: PathBuf,
    root: TempDir,
    env: BTreeMap<OsString, OsString>,
}

impl Sandbox {
    /// Makes the directories. Use [`crate::sandbox!`], which knows the binary.
    #[must_use]
    pub fn new(ask: &str) -> Self {
        // Short, because a socket's path has to fit into 103 bytes.
        let root = tempfile::Builder::new().prefix("askd-t").tempdir().expect("a temporary directory");
        let mut env = BTreeMap::new();
        for (name, directory) in [
            ("HOME", "home"),
            ("XDG_RUNTIME_DIR", "run"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"),
            ("TMPDIR", "tmp"),
        ] {
            let path = root.path().join(directory);
            fs::create_dir(&path).expect("a directory in the sandbox");
            fs::set_permissions(&path, Permissions::from_mode(0o700)).expect("its mode");
            env.insert(name.into(), path.into());
        }
        env.insert("PATH".into(), std::env::var_os("PATH").expect("PATH is set"));
        env.insert("LANG".into(), "C.UTF-8".into());
        env.insert("TERM".into(), "xterm-256color".into());
        let sandbox = Self { ask: ask.into(), root, env };
        let _ = sandbox.place();
        sandbox
    }

    /// The same sandbox with a variable set for every process started from now on.
    #[must_use]
    pub fn with_env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.env.insert(name.into(), value.into());
        let _ = self.place();
        self
    }

    /// The same sandbox without a variable.
    #[must_use]
    pub fn without_env(mut self, name: &str) -> Self {
        self.env.remove(&OsString::from(name));
        let _ = self.place();
        self
    }

    /// A file or directory in the sandbox.
    #[must_use]
    pub fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    /// Where a process with the sandbox's environment looks for its daemon.
    ///
    /// # Panics
    /// When any of it is outside the sandbox: a test must never touch the user's own state.
    #[must_use]
    pub fn place(&self) -> Place {
        let environment = Environment::from_lookup(
            |name| self.env.get(&OsString::from(name)).cloned(),
            self.path("tmp"),
            rustix::process::getuid().as_raw(),
        );
        let place = Place::find(&environment, None).expect("the sandbox names a place");
        for path in [&place.socket, &place.state, &place.config_file] {
            let inside = path.starts_with(self.root.path());
            assert!(inside, "{} is outside the sandbox {}", path.display(), self.root.path().display());
        }
        place
    }

    /// Where the daemon listens that a process in this sandbox would start.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.place().socket
    }

    /// The `ask` binary under test, with nothing of the caller's environment and no input.
    #[must_use]
    pub fn command(&self, args: &[&str]) -> Command {
        self.command_of(&self.ask, args)
    }

    /// Another program, with nothing of the caller's environment and no input.
    #[must_use]
    pub fn command_of(&self, program: impl AsRef<Path>, args: &[&str]) -> Command {
        let mut command = Command::new(program.as_ref());
        command.args(args).env_clear().envs(&self.env).current_dir(self.path("home")).stdin(Stdio::null());
        command
    }

    /// The binary under test.
    #[must_use]
    pub fn ask(&self) -> &Path {
        &self.ask
    }

    /// The environment that processes get.
    #[must_use]
    pub fn env(&self) -> &BTreeMap<OsString, OsString> {
        &self.env
    }

    /// Writes the settings file.
    pub fn write_config(&self, text: &str) {
        let file = self.place().config_file;
        fs::create_dir_all(file.parent().expect("a directory")).expect("the settings directory");
        fs::write(file, text).expect("the settings file");
    }

    /// Who holds the state directory, as the lock file says.
    #[must_use]
    pub fn lock_contents(&self) -> Option<LockContents> {
        let text = fs::read_to_string(self.place().lock_file()).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Processes that run with this sandbox's home directory: daemons started on demand among them.
    #[must_use]
    pub fn processes(&self) -> Vec<i32> {
        let mut marker = OsString::from("HOME=");
        marker.push(self.path("home"));
        let marker = marker.as_encoded_bytes();
        let running = |pid: &i32| {
            let environ = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environ.split(|b| *b == 0).any(|entry| entry == marker)
        };
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.filter_map(|e| e.ok()?.file_name().to_str()?.parse().ok());
        pids.filter(running).collect()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        for pid in self.processes() {
            if let Some(pid) = rustix::process::Pid::from_raw(pid) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
        }
    }
}
