//! Who is calling: a connection and what the daemon knows about the other end.

use askd_wire::Millis;
use askd_wire::connection::{FrontendInfo, Program};
use askd_wire::role::Role;

/// What the system, not the payload, says about the process at the other end of a socket.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeerFacts {
    /// Its process id.
    pub pid: Option<i32>,
    /// Its executable.
    pub exe: Option<String>,
    /// The agent marker found in its environment (protocol §3, "Who answered").
    pub agent: Option<String>,
}

/// One caller. Cheap to clone behind an `Arc`; never changes after `initialize`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Peer {
    /// Unique within this process; also given to single HTTP calls.
    pub connection_id: String,
    /// Roles granted.
    pub roles: Vec<Role>,
    /// Its program.
    pub client: Program,
    /// Present on frontends.
    pub frontend: Option<FrontendInfo>,
    /// From the system.
    pub facts: PeerFacts,
    /// The token's id, on TCP.
    pub token: Option<String>,
    /// Whether the token may approve forms that require a person.
    pub may_approve: bool,
    /// When the connection was accepted.
    pub since: Millis,
}

impl Peer {
    /// Whether a role is granted.
    #[must_use]
    pub fn has(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}
