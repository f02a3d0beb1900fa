//! What a connection may do (protocol §2).

use askd_form::derive_schema;
use serde::{Deserialize, Serialize};

derive_schema! {
    /// A role a client asks for when it connects.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Role {
        /// Asks.
        Agent,
        /// Shows and answers.
        Frontend,
        /// Submits answers from elsewhere.
        Bridge,
        /// May call everything.
        Admin,
    }
}

impl Role {
    /// Every role, in the order of the protocol's table.
    pub const ALL: [Self; 4] = [Self::Agent, Self::Frontend, Self::Bridge, Self::Admin];

    /// The role's name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Frontend => "frontend",
            Self::Bridge => "bridge",
            Self::Admin => "admin",
        }
    }

    /// The role with this wire name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|r| r.name() == name)
    }
}

derive_schema! {
    /// One role or several.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum Roles {
        /// A single name.
        One(Role),
        /// A list of names.
        Many(Vec<Role>),
    }
}

impl Roles {
    /// The roles as a sorted list without repeats.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Role> {
        let mut roles = match self {
            Self::One(role) => vec![*role],
            Self::Many(roles) => roles.clone(),
        };
        roles.sort_unstable();
        roles.dedup();
        roles
    }
}
