//! `initialize`: from here on the connection has a caller.

use std::sync::Arc;

use askd_wire::connection::{InitializeParams, InitializeResult, Program};
use askd_wire::method::Initialize;
use askd_wire::{ErrorKind, Method as _, PROTOCOL, RpcError};
use jsonrpsee::RpcModule;
use jsonrpsee::server::RegisterMethodError;
use jsonrpsee::types::{ErrorObjectOwned, Params};
use serde_json::Value;

use super::super::connection::Connection;
use super::super::context::Context;
use super::super::{error, params};
use super::answer;
use crate::peer::Peer;

/// What this daemon can do. A word that is missing means that it cannot (protocol §1).
const CAPABILITIES: [&str; 9] = [
    "contract.ask",
    "contract.questionnaire",
    "draft",
    "events.since",
    "expiry",
    "httpPost",
    "remote",
    "requires.person",
    "settings",
];

pub(super) fn register(module: &mut RpcModule<Context>) -> Result<(), RegisterMethodError> {
    // Answered without waiting for anything, so that a call sent right behind finds the caller known.
    module.register_async_method(Initialize::NAME, |params, context, extensions| async move {
        let connection = extensions.get::<Arc<Connection>>().ok_or_else(error::internal)?;
        answer(&Ok(initialize(&context, connection, &params)?))
    })?;
    Ok(())
}

fn initialize(
    context: &Context,
    connection: &Connection,
    params: &Params<'_>,
) -> Result<InitializeResult, ErrorObjectOwned> {
    check_protocol(params)?;
    let params: InitializeParams = params::read(params)?;
    let roles = params.roles.to_vec();
    if roles.is_empty() {
        return Err(error::invalid_params("roles", "expected at least one role"));
    }
    let peer = Arc::new(Peer {
        connection_id: connection.id.clone(),
        roles: roles.clone(),
        client: params.client,
        frontend: params.frontend,
        facts: connection.facts.clone(),
        token: None,
        may_approve: false,
        since: connection.since,
    });
    if connection.peer.set(peer.clone()).is_err() {
        return Err(error::invalid_request("`initialize` was called twice at once."));
    }
    context.registry.connected(&peer);
    Ok(InitializeResult {
        server: Program { name: "askd".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        protocol: PROTOCOL,
        instance_id: context.registry.instance_id().to_owned(),
        store: context.registry.store_id().to_owned(),
        connection_id: connection.id.clone(),
        roles,
        seq: context.registry.seq(),
        capabilities: CAPABILITIES.map(str::to_owned).to_vec(),
    })
}

/// A client of another protocol version learns that before anything else about its params, which may
/// have another shape there.
fn check_protocol(params: &Params<'_>) -> Result<(), ErrorObjectOwned> {
    let given: Value = serde_json::from_str(params::text(params)?).unwrap_or_default();
    match given.get("protocol") {
        Some(Value::Number(version)) if version.as_u64() != Some(PROTOCOL.into()) => {
            let message = format!(
                "This daemon speaks protocol {PROTOCOL}, not {version}. Use a client and a daemon of matching versions."
            );
            Err(error::object(&RpcError::new(ErrorKind::Incompatible, message).with("supported", [PROTOCOL])))
        }
        _ => Ok(()),
    }
}
