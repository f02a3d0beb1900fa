//! Reading forms: open ones from the view, finished ones from the store, as a caller may see them.

use std::sync::Arc;

use askd_form::{Form, tool_result};
use askd_wire::RpcError;
use askd_wire::form::{Draft, FormRef, FormSnapshot, FormState, FormSummary};

use super::state::Finished;
use super::{Inner, Registry, who};
use crate::events::{Item, Presence};
use crate::peer::Peer;
use crate::store::{Body, Command, Kept, Record, StoreError, summary};

/// An open form as it was when it was looked at.
#[derive(Debug)]
pub(super) struct OpenView {
    pub(super) record: Arc<Record>,
    pub(super) body: Body,
    pub(super) presence: Presence,
    pub(super) draft_revision: u64,
}

/// Where a form was found.
#[derive(Debug)]
pub(super) enum Found {
    Open(OpenView),
    Kept(Box<Kept>),
}

impl Inner {
    pub(super) fn open_view(&self, form_id: &str) -> Option<OpenView> {
        let now = self.clock.steady();
        let state = self.state();
        let open = state.open.get(form_id)?;
        Some(OpenView {
            record: open.record.clone(),
            body: open.body.clone(),
            presence: open.presence(now),
            draft_revision: open.draft.map_or(0, |draft| draft.revision),
        })
    }

    /// Finds a form. One that the database holds open while the view does not know it was asked of another
    /// daemon on the same database; the store is asked for news then.
    pub(super) async fn find(&self, form_id: &str) -> Result<Option<Found>, RpcError> {
        if let Some(open) = self.open_view(form_id) {
            return Ok(Some(Found::Open(open)));
        }
        let Some(kept) = self.store.form(form_id).await? else { return Ok(None) };
        if kept.ending.is_some() {
            return Ok(Some(Found::Kept(Box::new(kept))));
        }
        self.store
            .apply(Command::Flush)
            .await
            .map_err(|refusal| super::faults::refused(refusal, form_id, "the form"))?;
        if let Some(open) = self.open_view(form_id) {
            return Ok(Some(Found::Open(open)));
        }
        let kept = self.store.form(form_id).await?.filter(|kept| kept.ending.is_some());
        Ok(kept.map(|kept| Found::Kept(Box::new(kept))))
    }

    /// The draft, for those who may see it.
    async fn draft_for(&self, peer: &Peer, form_id: &str) -> Result<(Option<Draft>, u64), RpcError> {
        if !who::sees_drafts(peer) {
            return Ok((None, 0));
        }
        let Some(kept) = self.store.draft(form_id).await? else { return Ok((None, 0)) };
        let draft = serde_json::from_str(&kept.json).map_err(StoreError::from)?;
        Ok((Some(draft), kept.revision))
    }

    /// An open form as this caller may see it.
    pub(super) async fn open_snapshot(&self, peer: &Peer, open: OpenView) -> Result<FormSnapshot, RpcError> {
        let form = Arc::unwrap_or_clone(open.body.form.form()?);
        let drafted = open.draft_revision > 0;
        let (draft, revision) =
            if drafted { self.draft_for(peer, &open.record.id).await? } else { (None, 0) };
        let mut summary = Item::Open(open.record, open.presence).summary();
        summary.origin.context = open.body.context.as_deref().map(str::to_owned);
        Ok(FormSnapshot { summary, form, draft, draft_revision: revision })
    }

    /// A finished form as this caller may see it.
    pub(super) async fn kept_snapshot(&self, peer: &Peer, kept: &Kept) -> Result<FormSnapshot, RpcError> {
        let (form, context) = form_of(kept)?;
        let (draft, revision) =
            if kept.draft.is_some() { self.draft_for(peer, &kept.record.id).await? } else { (None, 0) };
        let mut summary = kept_summary(kept);
        summary.origin.context = context;
        Ok(FormSnapshot { summary, form: Arc::unwrap_or_clone(form), draft, draft_revision: revision })
    }
}

fn form_of(kept: &Kept) -> Result<(Arc<Form>, Option<String>), StoreError> {
    let body = kept.body.as_ref().ok_or_else(|| StoreError("a form's body was not read".to_owned()))?;
    Ok((body.form.form()?, body.context.as_deref().map(str::to_owned)))
}

/// A finished form's summary.
pub(super) fn kept_summary(kept: &Kept) -> FormSummary {
    let mut summary = summary(&kept.record);
    summary.delivery = kept.delivery;
    summary.drafted = kept.draft.is_some();
    if let Some(ending) = &kept.ending {
        summary.state = FormState::Resolved;
        summary.outcome = Some(ending.outcome.clone());
        summary.resolved_at = Some(ending.at);
        summary.resolved_by = Some(ending.resolved_by.clone());
    }
    summary
}

/// What a waiter gets for a form that has ended before.
pub(super) fn finished(kept: &Kept) -> Result<Option<Finished>, StoreError> {
    let Some(ending) = &kept.ending else { return Ok(None) };
    let (form, _) = form_of(kept)?;
    let result = Arc::new(tool_result(&form, &ending.outcome, &ending.presented));
    Ok(Some(Finished { ending: ending.clone(), result }))
}

impl Registry {
    /// `form/get`.
    ///
    /// # Errors
    /// `unknownForm`, `storeFailed`.
    pub async fn get(&self, peer: &Arc<Peer>, params: FormRef) -> Result<FormSnapshot, RpcError> {
        match self.inner.find(&params.form_id).await? {
            Some(Found::Open(open)) => self.inner.open_snapshot(peer, open).await,
            Some(Found::Kept(kept)) => self.inner.kept_snapshot(peer, &kept).await,
            None => Err(RpcError::unknown_form(&params.form_id)),
        }
    }
}
