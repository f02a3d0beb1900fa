//! `form/forget`: a person removes finished forms for good, before retention does.

use std::sync::Arc;

use askd_form::Issue;
use askd_wire::form::{Delivery, ForgetParams, ForgetResult};
use askd_wire::{ErrorKind, Millis, RpcError};

use super::{Inner, Registry, faults};
use crate::peer::Peer;
use crate::store::{Command, Refusal, ResolvedQuery};

/// Forms looked at between two removals of the store.
const READ: u32 = 100;

impl Registry {
    /// `form/forget`.
    ///
    /// # Errors
    /// `invalidInput` unless one of the two params is given, `unknownForm`, `conflict` while the form is
    /// open, `storeFailed`, `shuttingDown`.
    pub async fn forget(&self, _peer: &Arc<Peer>, params: ForgetParams) -> Result<ForgetResult, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        match (params.form_id, params.before) {
            (Some(form_id), None) => {
                inner.forget(&form_id.as_str().into()).await?;
                Ok(ForgetResult { forgotten: 1, kept: 0 })
            }
            (None, Some(before)) => inner.forget_before(before).await,
            _ => {
                let message = "expected either this or `before`: one form, or a time";
                let issue = Issue { path: "formId".to_owned(), message: message.to_owned() };
                let message = "Nothing was removed: give one form's id, or a time before which forms ended.";
                Err(RpcError::invalid_input(message, &[issue], None))
            }
        }
    }
}

impl Inner {
    async fn forget(&self, form_id: &Arc<str>) -> Result<(), RpcError> {
        let command = Command::Forget { form_id: form_id.clone(), at: self.clock.wall() };
        match self.store.apply(command).await {
            Ok(_) => Ok(()),
            Err(Refusal::StillOpen) => Err(RpcError::new(
                ErrorKind::Conflict,
                "The form is still open, so it cannot be removed. Answer or cancel it first.",
            )
            .with("formId", &**form_id)
            .with("state", "open")),
            Err(refusal) => Err(faults::refused(refusal, form_id, "the removal")),
        }
    }

    /// Page by page, newest first; forms that end meanwhile are newer than any page.
    async fn forget_before(&self, before: Millis) -> Result<ForgetResult, RpcError> {
        let mut result = ForgetResult::default();
        let mut query = ResolvedQuery { limit: READ, ..ResolvedQuery::default() };
        loop {
            let page = self.store.resolved(query.clone()).await?;
            let Some((last, _)) = page.last() else { return Ok(result) };
            query.before = Some(*last);
            for (_, kept) in &page {
                if kept.ending.as_ref().is_none_or(|ending| ending.at >= before) {
                    continue;
                }
                if kept.delivery != Delivery::Acknowledged {
                    result.kept += 1;
                    continue;
                }
                match self.forget(&kept.record.id).await {
                    Ok(()) => result.forgotten += 1,
                    // Retention, or somebody else, was faster.
                    Err(error) if error.kind == ErrorKind::UnknownForm => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
}
