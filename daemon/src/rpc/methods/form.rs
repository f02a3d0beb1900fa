//! `form/*` and `remote/submit`: straight to the registry.

use askd_wire::form::ValidateResult;
use askd_wire::method::{
    FormAck, FormCancel, FormCreate, FormDraft, FormFallback, FormForget, FormGet, FormLeave, FormList,
    FormSubmit, FormValidate, FormView, FormWait, RemoteSubmit,
};
use askd_wire::{Method, RpcError};
use jsonrpsee::RpcModule;
use jsonrpsee::server::RegisterMethodError;
use serde_json::Value;

use super::super::context::Context;
use super::super::params;
use super::{answer, register as method, register_raw};

macro_rules! to_registry {
    ($module:ident, $($method:ident => $call:ident),* $(,)?) => {$(
        method::<$method, _, _>($module, |context, peer, params| async move {
            context.registry.$call(&peer, params).await
        })?;
    )*};
}

pub(super) fn register(module: &mut RpcModule<Context>) -> Result<(), RegisterMethodError> {
    to_registry!(module,
        FormWait => wait, FormAck => ack, FormGet => get, FormList => list, FormView => view,
        FormLeave => leave, FormDraft => draft, FormSubmit => submit, FormCancel => cancel,
        FormFallback => fallback, FormForget => forget,
    );
    register_raw(module, FormCreate::NAME, |context, peer, raw| async move {
        let create = params::read::<<FormCreate as Method>::Params>(&raw)?;
        let mut result = context.registry.create(&peer, create).await;
        if let Ok(created) = &mut result {
            let unknown = params::unknown_fields::<<FormCreate as Method>::Params>(&raw, FormCreate::NAME);
            created.warnings.splice(0..0, unknown);
        }
        answer(&result)
    })?;
    register_raw(module, FormValidate::NAME, |context, peer, raw| async move {
        let validate = params::read::<<FormValidate as Method>::Params>(&raw)?;
        let mut result = context.registry.validate(&peer, validate).await;
        if let Ok(ValidateResult::Valid { warnings, .. }) = &mut result {
            let unknown =
                params::unknown_fields::<<FormValidate as Method>::Params>(&raw, FormValidate::NAME);
            warnings.splice(0..0, unknown);
        }
        answer(&result)
    })?;
    register_raw(module, RemoteSubmit::NAME, |context, peer, raw| async move {
        // A fault in a submission is told in its result, whatever was sent (protocol §5).
        let submission: Value =
            raw.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        let result: Result<_, RpcError> = context.registry.remote_submit(&peer, submission).await;
        answer(&result)
    })
}
