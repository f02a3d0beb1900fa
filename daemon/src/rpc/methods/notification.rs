//! `notification/*`: trying the channels, and what a frontend made of a `notify` hint.

use askd_wire::Empty;
use askd_wire::method::{NotificationDone, NotificationTest};
use jsonrpsee::RpcModule;
use jsonrpsee::server::RegisterMethodError;

use super::super::context::Context;
use super::register as method;

pub(super) fn register(module: &mut RpcModule<Context>) -> Result<(), RegisterMethodError> {
    method::<NotificationTest, _, _>(module, |context, peer, params| async move {
        Ok(context.notifier.test(&peer, params).await)
    })?;
    method::<NotificationDone, _, _>(module, |context, peer, params| async move {
        context.notifier.done(&peer, params);
        Ok(Empty {})
    })
}
