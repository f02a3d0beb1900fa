//! The methods: params in, registry, result out. A file for each resource.

mod connection;
mod daemon;
mod events;
mod form;
mod notification;
mod settings;

use std::sync::Arc;

use askd_wire::{Method, RpcError};
use jsonrpsee::RpcModule;
use jsonrpsee::server::RegisterMethodError;
use jsonrpsee::types::{ErrorObjectOwned, Params};
use serde_json::value::{RawValue, to_raw_value};

use super::context::Context;
use super::{error, params};
use crate::peer::Peer;

/// What a method answers, ready to be sent.
type Answer = Result<Box<RawValue>, ErrorObjectOwned>;

/// All methods of the protocol.
///
/// # Errors
/// When two have one name.
pub(super) fn all(context: Arc<Context>) -> Result<RpcModule<Context>, RegisterMethodError> {
    let mut module = RpcModule::from_arc(context);
    connection::register(&mut module)?;
    form::register(&mut module)?;
    events::register(&mut module)?;
    settings::register(&mut module)?;
    notification::register(&mut module)?;
    daemon::register(&mut module)?;
    Ok(module)
}

/// Registers a method that takes its params as its type.
fn register<M, F, R>(module: &mut RpcModule<Context>, handler: F) -> Result<(), RegisterMethodError>
where
    M: Method,
    F: Fn(Arc<Context>, Arc<Peer>, M::Params) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<M::Result, RpcError>> + Send,
{
    register_raw(module, M::NAME, move |context, peer, params| {
        let handler = handler.clone();
        async move {
            let params = params::read(&params)?;
            answer(&handler(context, peer, params).await)
        }
    })
}

/// Registers a method that looks at its params itself.
fn register_raw<F, R>(
    module: &mut RpcModule<Context>,
    name: &'static str,
    handler: F,
) -> Result<(), RegisterMethodError>
where
    F: Fn(Arc<Context>, Arc<Peer>, Params<'static>) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Answer> + Send,
{
    module.register_async_method(name, move |params, context, extensions| {
        let handler = handler.clone();
        async move {
            // The gate lets nobody through whom it does not know.
            let peer = extensions.get::<Arc<Peer>>().cloned().ok_or_else(error::internal)?;
            handler(context, peer, params).await
        }
    })?;
    Ok(())
}

fn answer<T: serde::Serialize>(result: &Result<T, RpcError>) -> Answer {
    match result {
        Ok(value) => to_raw_value(value).map_err(|_| error::internal()),
        Err(refusal) => Err(error::object(refusal)),
    }
}
