//! `daemon/*`: the daemon about itself, and its end.

use askd_wire::daemon::Status;
use askd_wire::method::{DaemonStatus, DaemonStop};
use askd_wire::{Empty, PROTOCOL};
use jsonrpsee::RpcModule;
use jsonrpsee::server::RegisterMethodError;

use super::super::context::Context;
use super::register as method;

pub(super) fn register(module: &mut RpcModule<Context>) -> Result<(), RegisterMethodError> {
    method::<DaemonStatus, _, _>(module, |context, _, _| async move {
        let counts = context.registry.counts().await?;
        Ok(Status {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: PROTOCOL,
            pid: std::process::id(),
            instance_id: context.registry.instance_id().to_owned(),
            store: context.registry.store_id().to_owned(),
            started_at: context.started_at,
            open_forms: counts.open,
            resolved_forms: counts.resolved,
            connections: context.connections.status(),
            listeners: context.listeners.clone(),
            database: context.registry.database_status(),
            seq: context.registry.seq(),
        })
    })?;
    method::<DaemonStop, _, _>(module, |context, peer, _| async move {
        tracing::info!(connection = %peer.connection_id, "asked to stop");
        // The answer leaves before the connections close.
        context.stop.ask();
        Ok(Empty {})
    })
}
