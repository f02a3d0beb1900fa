//! `settings/*`: saved first, then in force, then told to everyone.

use std::sync::Arc;

use askd_wire::method::{SettingsGet, SettingsPatch, SettingsReset};
use askd_wire::settings::{PatchParams, SettingsState};
use askd_wire::{ErrorKind, Method as _, RpcError};
use jsonrpsee::RpcModule;
use jsonrpsee::server::RegisterMethodError;
use jsonrpsee::types::ErrorObjectOwned;

use super::super::context::Context;
use super::super::{error, params};
use super::{Answer, answer, register as method, register_raw};
use crate::config::{Edit, EditError};
use crate::peer::Peer;

pub(super) fn register(module: &mut RpcModule<Context>) -> Result<(), RegisterMethodError> {
    method::<SettingsGet, _, _>(module, |context, _, _| async move { Ok(state(&context)) })?;
    register_raw(module, SettingsPatch::NAME, |context, peer, raw| async move {
        let PatchParams { patch, revision } = params::read(&raw)?;
        edit(context, peer, SettingsPatch::NAME, Edit::Patch(patch), revision).await
    })?;
    register_raw(module, SettingsReset::NAME, |context, peer, raw| async move {
        params::text(&raw)?;
        edit(context, peer, SettingsReset::NAME, Edit::Reset, None).await
    })
}

fn state(context: &Context) -> SettingsState {
    let described = context.settings.describe();
    SettingsState {
        settings: (*described.settings).clone(),
        revision: context.registry.settings_revision(),
        file: described.file.display().to_string(),
        writable: described.writable,
        notices: described.notices,
        sources: described.sources,
    }
}

async fn edit(
    context: Arc<Context>,
    peer: Arc<Peer>,
    method: &'static str,
    edit: Edit,
    revision: Option<u64>,
) -> Answer {
    // In a task of its own: a caller that hangs up must not leave settings saved but not told.
    let edited = tokio::spawn(async move { run(&context, &peer, method, edit, revision).await });
    edited.await.map_err(|_| error::internal())?
}

async fn run(
    context: &Context,
    peer: &Peer,
    method: &'static str,
    edit: Edit,
    revision: Option<u64>,
) -> Answer {
    let turn = context.settings.turn().await;
    let now = context.registry.settings_revision();
    if revision.is_some_and(|revision| revision != now) {
        let message = "The settings were changed in between. Get them again and repeat the change on those.";
        return Err(error::object(&RpcError::new(ErrorKind::Conflict, message).with("revision", now)));
    }
    let edited = turn.apply(edit).await.map_err(|refusal| refused(&refusal, peer, method))?;
    if !edited.changed.is_empty() {
        let announced = context.registry.announce_settings(edited.changed, &edited.settings).await;
        announced.map_err(|refusal| error::object(&refusal))?;
    }
    let mut state = state(context);
    state.notices.extend(edited.notices);
    answer(&Ok(state))
}

fn refused(refusal: &EditError, peer: &Peer, method: &str) -> ErrorObjectOwned {
    match refusal {
        EditError::Invalid { key, message } => error::invalid_params(key, message),
        EditError::FileOnly(key) => {
            let not_allowed = RpcError::not_allowed(&peer.roles, method, refusal.to_string());
            error::object(&not_allowed.with("key", key))
        }
        EditError::NotSaved { file, message } => {
            let not_saved = RpcError::new(ErrorKind::SettingsNotSaved, message.as_str());
            error::object(&not_saved.with("file", file.display().to_string()).with("message", message))
        }
    }
}
