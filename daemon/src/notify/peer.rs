//! The notifier as a caller of the registry: a frontend like any other.

use std::sync::Arc;

use askd_wire::Role;
use askd_wire::connection::{FrontendInfo, Program};

use crate::peer::{Peer, PeerFacts};

/// Its connection, which is none: no client can have this id.
const CONNECTION: &str = "notifications";

/// The notifier. With the process that shows notifications it is the one who clicks there: what the system
/// says about that process says who answered.
pub(super) fn notifier(server: Option<PeerFacts>) -> Arc<Peer> {
    Arc::new(Peer {
        connection_id: CONNECTION.to_owned(),
        roles: vec![Role::Frontend],
        client: Program { name: "askd".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        frontend: Some(FrontendInfo { kind: "notification".to_owned(), human: true }),
        facts: server.unwrap_or_default(),
        token: None,
        may_approve: false,
        since: 0,
    })
}
