//! How a connection begins (protocol §2).

use askd_form::derive_schema;
use serde::{Deserialize, Serialize};

use crate::role::{Role, Roles};

derive_schema! {
    /// A program's name and version.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Program {
        /// Like `pi-askd`.
        pub name: String,
        /// Like `1.2.0`.
        pub version: String,
    }
}

derive_schema! {
    /// What kind of frontend a connection is.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct FrontendInfo {
        /// `tui`, `dialog`, `line`, `notification`, `web` or another word.
        pub kind: String,
        /// Whether a person works with it.
        pub human: bool,
    }
}

derive_schema! {
    /// The first call of a connection.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct InitializeParams {
        /// Who is calling.
        pub client: Program,
        /// What it wants to do.
        pub roles: Roles,
        /// The protocol version it speaks.
        pub protocol: u32,
        /// Present on frontends.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub frontend: Option<FrontendInfo>,
    }
}

derive_schema! {
    /// What the daemon is and allows.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct InitializeResult {
        /// Name `askd` and its version.
        pub server: Program,
        /// The protocol version in use.
        pub protocol: u32,
        /// This process.
        pub instance_id: String,
        /// This database.
        pub store: String,
        /// This connection.
        pub connection_id: String,
        /// The roles granted.
        pub roles: Vec<Role>,
        /// The newest durable event.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub seq: u64,
        /// What the daemon can do; an absent word means it cannot.
        pub capabilities: Vec<String>,
    }
}
