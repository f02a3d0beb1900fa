//! What a caller decides about its connection before there is one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use askd_wire::connection::{FrontendInfo, Program};
use askd_wire::place::{Place, daemon_keeps};
use askd_wire::role::Role;

/// How to reach the daemon and as whom.
#[derive(Debug, Clone)]
pub struct ConnectOptions {
    /// Where the daemon is looked for.
    pub place: Place,
    /// The user's numeric id: socket directory and peer have to be this user's.
    pub uid: u32,
    /// This program, as it introduces itself.
    pub client: Program,
    /// The least it needs (protocol §2).
    pub roles: Vec<Role>,
    /// Present on frontends.
    pub frontend: Option<FrontendInfo>,
    /// Whether a daemon that is not there is started.
    pub autostart: Autostart,
    /// Whether a daemon older than this program that nobody uses is stopped for a new one. The connection
    /// that asks it to stop takes the role admin; this one keeps its own.
    pub replace_older: bool,
    /// How long finding and starting may take together.
    pub patience: Duration,
}

/// Whether a daemon that is not there is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Autostart {
    /// Never: an absent daemon is [`ConnectError::NotRunning`](crate::ConnectError::NotRunning).
    No,
    /// Through the systemd user unit when one is installed, else by running a program.
    Yes(Launch),
}

/// How a daemon is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program that runs the daemon when called with `daemon`.
    pub program: PathBuf,
    /// The caller's environment. The daemon gets the allowed part of it, `systemctl` all.
    pub environment: Vec<(OsString, OsString)>,
}

impl Launch {
    /// The part of the environment a daemon inherits: it lives longer than whoever started it, so it gets
    /// nothing of a shell's or an agent's state (docs/operations.md, "Environment").
    #[must_use]
    pub fn allowed_environment(&self) -> Vec<(OsString, OsString)> {
        self.environment.iter().filter(|(name, _)| daemon_keeps(name)).cloned().collect()
    }

    /// One variable of the caller's environment.
    #[must_use]
    pub fn variable(&self, name: &str) -> Option<OsString> {
        self.environment.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone())
    }
}

impl ConnectOptions {
    /// Options of a program that asks for these roles, never starts a daemon and waits ten seconds at most.
    #[must_use]
    pub fn new(place: Place, uid: u32, client: Program, roles: &[Role]) -> Self {
        Self {
            place,
            uid,
            client,
            roles: roles.to_vec(),
            frontend: None,
            autostart: Autostart::No,
            replace_older: false,
            patience: Duration::from_secs(10),
        }
    }

    /// Introduces the connection as a frontend of this kind.
    #[must_use]
    pub fn frontend(mut self, kind: &str, human: bool) -> Self {
        self.frontend = Some(FrontendInfo { kind: kind.to_owned(), human });
        self
    }

    /// Starts the daemon when it is not there.
    #[must_use]
    pub fn start_with(mut self, launch: Launch) -> Self {
        self.autostart = Autostart::Yes(launch);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_inherits_the_allowed_variables_only() {
        let environment = [
            ("HOME", "/h"),
            ("LC_ALL", "C"),
            ("XDG_STATE_HOME", "/s"),
            ("ASKD_SOCKET", "/x"),
            ("ASKD_AGENT", "pi"),
            ("AI_AGENT", "1"),
            ("SSH_AUTH_SOCK", "/a"),
            ("TERM", "xterm"),
        ]
        .map(|(n, v)| (OsString::from(n), OsString::from(v)))
        .to_vec();
        let launch = Launch { program: "/bin/ask".into(), environment };
        let names: Vec<_> =
            launch.allowed_environment().into_iter().map(|(n, _)| n.into_string().unwrap()).collect();
        assert_eq!(names, ["HOME", "LC_ALL", "XDG_STATE_HOME", "ASKD_SOCKET"]);
    }
}
