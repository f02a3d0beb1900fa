//! The daemon about itself (protocol §7).

use askd_form::derive_schema;
use serde::{Deserialize, Serialize};

use crate::Millis;
use crate::connection::Program;
use crate::role::Role;

derive_schema! {
    /// One open connection.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ConnectionStatus {
        /// Which.
        pub connection_id: String,
        /// What it may do; empty before `initialize`.
        pub roles: Vec<Role>,
        /// Its program, after `initialize`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client: Option<Program>,
        /// The kind of frontend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kind: Option<String>,
        /// When it was accepted.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub since: Millis,
        /// Process id of a socket peer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub pid: Option<i32>,
    }
}

derive_schema! {
    /// Where the forms are kept.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DatabaseStatus {
        /// Absolute path.
        pub file: String,
        /// Size, the write-ahead log included.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub bytes: u64,
    }
}

derive_schema! {
    /// Result of `daemon/status`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Status {
        /// The daemon's version.
        pub version: String,
        /// The protocol version.
        pub protocol: u32,
        /// Its process.
        pub pid: u32,
        /// This process, as a name.
        pub instance_id: String,
        /// This database, as a name.
        pub store: String,
        /// When it started.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub started_at: Millis,
        /// How many forms wait.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub open_forms: u64,
        /// How many finished ones are kept.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub resolved_forms: u64,
        /// Who is attached.
        pub connections: Vec<ConnectionStatus>,
        /// Where it listens: `unix:PATH`, `tcp:ADDRESS`.
        pub listeners: Vec<String>,
        /// Where the forms are kept.
        pub database: DatabaseStatus,
        /// The newest durable event.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub seq: u64,
    }
}
