//! Where the daemon is found: socket, state directory, lock file and settings file, from an environment
//! given as values (protocol §1, §6).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The longest path a Unix socket address holds on the systems supported, without its final NUL.
pub const SOCKET_PATH_MAX: usize = 103;

/// The exit status by which a detached daemon tells whoever started it that another one holds the place.
/// For a client that is as good as its own start.
pub const PLACE_TAKEN: u8 = 75;

/// The variables that decide where things are. Read by `main` only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `HOME`.
    pub home: Option<PathBuf>,
    /// `ASKD_SOCKET`.
    pub askd_socket: Option<PathBuf>,
    /// `XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<PathBuf>,
    /// `XDG_STATE_HOME`.
    pub state_home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`.
    pub config_home: Option<PathBuf>,
    /// The directory for temporary files.
    pub temp_dir: PathBuf,
    /// The user's numeric id.
    pub uid: u32,
}

impl Environment {
    /// Takes the variables from a lookup, so that only the caller touches the process's environment.
    /// Empty values count as unset, as do relative XDG directories (XDG base directory specification).
    pub fn from_lookup(
        lookup: impl Fn(&str) -> Option<std::ffi::OsString>,
        temp_dir: PathBuf,
        uid: u32,
    ) -> Self {
        let path = |name: &str| lookup(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let absolute = |name: &str| path(name).filter(|p| p.is_absolute());
        Self {
            home: path("HOME"),
            askd_socket: path("ASKD_SOCKET"),
            runtime_dir: absolute("XDG_RUNTIME_DIR"),
            state_home: absolute("XDG_STATE_HOME"),
            config_home: absolute("XDG_CONFIG_HOME"),
            temp_dir,
            uid,
        }
    }
}

/// Whether a daemon in the background keeps a variable of whoever asked first. Everything else is that
/// caller's own: an agent's keys and markers, a project's settings.
#[must_use]
pub fn daemon_keeps(variable: &OsStr) -> bool {
    const NAMES: [&str; 7] = [
        "HOME",
        "PATH",
        "LANG",
        "DISPLAY",
        "WAYLAND_DISPLAY",
        "DBUS_SESSION_BUS_ADDRESS",
        // Where settings are read that were made for the Pi extension.
        "PI_CODING_AGENT_DIR",
    ];
    const PREFIXES: [&str; 3] = ["LC_", "XDG_", "ASKD_"];
    // Marks an agent's processes. The daemon and what it starts, like a notification's Open, are not.
    const DROPPED: &str = "ASKD_AGENT";
    let Some(name) = variable.to_str() else { return false };
    name != DROPPED && (NAMES.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix)))
}

/// Why no place could be found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// Neither the variable nor `HOME` is set.
    #[error(
        "cannot tell where askd keeps its files: {0} and HOME are both unset. Set one of them to a directory of your own."
    )]
    NoHome(&'static str),
    /// A path given by hand that no socket address can hold.
    #[error(
        "the socket path {path} is {length} bytes long, and a socket's path holds at most {SOCKET_PATH_MAX}. Give a shorter one with --socket or ASKD_SOCKET."
    )]
    TooLong {
        /// The path.
        path: PathBuf,
        /// Its length in bytes.
        length: usize,
    },
}

/// Where one user's daemon lives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where this process would listen or connect first.
    pub socket: PathBuf,
    /// Whether the socket's path was given by `--socket` or `ASKD_SOCKET`.
    pub socket_given: bool,
    /// `<state>`: lock file, database, log.
    pub state: PathBuf,
    /// The settings file.
    pub config_file: PathBuf,
}

impl Place {
    /// Finds the place. `socket` is the `--socket` flag.
    ///
    /// # Errors
    /// [`PlaceError`] when no directory can be told or a given socket path is too long.
    pub fn find(env: &Environment, socket: Option<&Path>) -> Result<Self, PlaceError> {
        let state = base(&env.state_home, &env.home, ".local/state", "XDG_STATE_HOME")?.join("askd");
        let config = base(&env.config_home, &env.home, ".config", "XDG_CONFIG_HOME")?.join("askd");
        let given = socket.map(Path::to_owned).or_else(|| env.askd_socket.clone());
        let socket_given = given.is_some();
        let socket = match given {
            Some(path) if too_long(&path) => {
                let length = path.as_os_str().len();
                return Err(PlaceError::TooLong { path, length });
            }
            Some(path) => path,
            None => default_socket(env, &state),
        };
        Ok(Self { socket, socket_given, state, config_file: config.join("config.json") })
    }

    /// The file whose lock makes a daemon the only one, and which says where it listens.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.state.join("daemon.lock")
    }

    /// The database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.state.join("askd.db")
    }

    /// The log of a daemon that runs detached.
    #[must_use]
    pub fn log_file(&self) -> PathBuf {
        self.state.join("daemon.log")
    }
}

/// What the holder of the lock writes into the lock file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LockContents {
    /// Its process.
    pub pid: u32,
    /// Where it listens.
    pub socket: PathBuf,
    /// This process, as a name.
    pub instance_id: String,
    /// Its version.
    pub version: String,
}

fn base(
    given: &Option<PathBuf>,
    home: &Option<PathBuf>,
    below_home: &str,
    variable: &'static str,
) -> Result<PathBuf, PlaceError> {
    match (given, home) {
        (Some(dir), _) => Ok(dir.clone()),
        (None, Some(home)) => Ok(home.join(below_home)),
        (None, None) => Err(PlaceError::NoHome(variable)),
    }
}

fn too_long(path: &Path) -> bool {
    path.as_os_str().len() > SOCKET_PATH_MAX
}

fn default_socket(env: &Environment, state: &Path) -> PathBuf {
    const FILE: &str = "v1/askd.sock";
    let in_temp = || env.temp_dir.join(format!("askd-{}", env.uid)).join(FILE);
    let preferred = match &env.runtime_dir {
        Some(dir) => dir.join("askd").join(FILE),
        None => state.join("run").join(FILE),
    };
    if too_long(&preferred) { in_temp() } else { preferred }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn env() -> Environment {
        Environment {
            home: Some("/home/a".into()),
            temp_dir: "/tmp".into(),
            uid: 7,
            ..Environment::default()
        }
    }

    fn socket(env: &Environment) -> String {
        Place::find(env, None).unwrap().socket.display().to_string()
    }

    #[test]
    fn socket_follows_the_order_of_the_protocol() {
        let mut e = env();
        assert_eq!(socket(&e), "/home/a/.local/state/askd/run/v1/askd.sock");
        e.state_home = Some("/s".into());
        assert_eq!(socket(&e), "/s/askd/run/v1/askd.sock");
        e.runtime_dir = Some("/run/user/7".into());
        assert_eq!(socket(&e), "/run/user/7/askd/v1/askd.sock");
        e.askd_socket = Some("/x.sock".into());
        assert_eq!(socket(&e), "/x.sock");
        assert_eq!(
            Place::find(&e, Some(Path::new("/flag.sock"))).unwrap().socket,
            PathBuf::from("/flag.sock")
        );
    }

    #[test]
    fn a_default_path_that_is_too_long_moves_to_the_temp_directory() {
        let mut e = env();
        e.state_home = Some(format!("/{}", "d".repeat(120)).into());
        assert_eq!(socket(&e), "/tmp/askd-7/v1/askd.sock");
        e.runtime_dir = e.state_home.clone();
        assert_eq!(socket(&e), "/tmp/askd-7/v1/askd.sock");
    }

    #[test]
    fn a_given_path_that_is_too_long_is_refused() {
        let long = PathBuf::from(format!("/{}", "d".repeat(120)));
        let error = Place::find(&env(), Some(&long)).unwrap_err();
        assert!(error.to_string().contains("--socket"), "{error}");
    }

    #[test]
    fn without_home_the_message_names_the_variable() {
        let error = Place::find(&Environment::default(), None).unwrap_err();
        assert!(error.to_string().contains("XDG_STATE_HOME"), "{error}");
    }

    #[test]
    fn relative_and_empty_directories_count_as_unset() {
        let e = Environment::from_lookup(
            |name| match name {
                "HOME" => Some("/h".into()),
                "XDG_STATE_HOME" => Some("relative".into()),
                "XDG_RUNTIME_DIR" => Some("".into()),
                _ => None,
            },
            "/tmp".into(),
            1,
        );
        assert_eq!(socket(&e), "/h/.local/state/askd/run/v1/askd.sock");
    }
}
