//! `form/cancel`: an end without answers, for a reason the caller may give.

use std::sync::Arc;

use askd_form::{Outcome, check_presented, tool_result};
use askd_wire::RpcError;
use askd_wire::form::{CancelParams, Resolution};

use super::read::Found;
use super::submit::Judged;
use super::{Registry, faults, who};
use crate::peer::Peer;

impl Registry {
    /// `form/cancel`.
    ///
    /// # Errors
    /// `notAllowed` with the reasons that are, `alreadyResolved`, `unknownForm`, `invalidAnswer`,
    /// `storeFailed`, `shuttingDown`.
    pub async fn cancel(&self, peer: &Arc<Peer>, params: CancelParams) -> Result<Resolution, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let CancelParams { form_id, reason, presented_types } = params;
        who::check_reason(peer, inner.state().open.get(form_id.as_str()), reason)?;
        let open = match inner.find(&form_id).await? {
            None => return Err(RpcError::unknown_form(&form_id)),
            Some(Found::Kept(kept)) => {
                return Err(kept.ending.as_ref().map_or_else(
                    || RpcError::unknown_form(&form_id),
                    |ending| faults::already_resolved(ending),
                ));
            }
            Some(Found::Open(open)) => open,
        };
        let form = open.body.form.form()?;
        let presented = presented_types.unwrap_or_default();
        check_presented(&form, &presented)
            .map_err(|fault| RpcError::invalid_answer(&fault.path, &fault.message))?;
        let outcome = Outcome::cancelled(reason);
        let result = Arc::new(tool_result(&form, &outcome, &presented));
        let by = inner.resolved_by(peer, &form_id);
        inner
            .resolve(&open, Judged { outcome, presented, result }, by, None)
            .await
            .map_err(|refusal| faults::refused(refusal, &form_id, "the cancellation"))
    }
}
