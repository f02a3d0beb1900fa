//! `form/view` and `form/leave`: who shows a form, and since when.

use std::sync::Arc;

use askd_wire::event::EventBody;
use askd_wire::form::{FormRef, FormSnapshot, ViewParams, Viewer};
use askd_wire::{Empty, RpcError};

use super::read::Found;
use super::state::Viewing;
use super::{Registry, ids};
use crate::peer::Peer;

impl Registry {
    /// `form/view`. A finished form is given and nobody counts as its viewer.
    ///
    /// # Errors
    /// `unknownForm`, `storeFailed`, `shuttingDown`.
    pub async fn view(&self, peer: &Arc<Peer>, params: ViewParams) -> Result<FormSnapshot, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        if let Some(Found::Kept(kept)) = inner.find(&params.form_id).await? {
            return inner.kept_snapshot(peer, &kept).await;
        }
        self.shows(peer, &params);
        match inner.find(&params.form_id).await? {
            Some(Found::Open(open)) => inner.open_snapshot(peer, open).await,
            Some(Found::Kept(kept)) => inner.kept_snapshot(peer, &kept).await,
            None => Err(RpcError::unknown_form(&params.form_id)),
        }
    }

    /// `form/leave`.
    ///
    /// # Errors
    /// `unknownForm`, `storeFailed`.
    pub async fn leave(&self, peer: &Arc<Peer>, params: FormRef) -> Result<Empty, RpcError> {
        let inner = &self.inner;
        if inner.find(&params.form_id).await?.is_none() {
            return Err(RpcError::unknown_form(&params.form_id));
        }
        let mut state = inner.state();
        inner.stop_viewing(&mut state, &peer.connection_id, &params.form_id);
        Ok(Empty {})
    }

    fn shows(&self, peer: &Peer, params: &ViewParams) {
        let inner = &self.inner;
        let now = inner.clock.steady();
        let mut state = inner.state();
        let Some(open) = state.open.get_mut(params.form_id.as_str()) else { return };
        let keyed =
            params.view_key.as_ref().is_some_and(|key| ids::same_secret(key, &open.record.meta.view_key));
        let at = open.viewers.iter().position(|viewing| viewing.viewer.connection_id == peer.connection_id);
        let viewer = match at.and_then(|at| open.viewers.get_mut(at)) {
            Some(viewing) => {
                viewing.keyed |= keyed;
                // Without a word about the focus it is as it was.
                let focused = params.focused.or(viewing.viewer.focused);
                if focused == viewing.viewer.focused {
                    return;
                }
                viewing.viewer.focused = focused;
                viewing.viewer.clone()
            }
            None => {
                let viewer = Viewer {
                    connection_id: peer.connection_id.clone(),
                    kind: peer.frontend.as_ref().map_or_else(String::new, |frontend| frontend.kind.clone()),
                    client: peer.client.clone(),
                    focused: params.focused,
                };
                open.viewers.push(Viewing { viewer: viewer.clone(), since: now, keyed });
                viewer
            }
        };
        inner.hint(&state, Some(&params.form_id), EventBody::Viewing { viewer });
    }
}
