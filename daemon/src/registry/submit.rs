//! `form/submit`: a response becomes an outcome; the first valid one wins.

use std::sync::Arc;

use askd_form::{
    AnswerFault, Form, Issue, Outcome, OutcomeKind, PresentedTypes, Reason, Response, ResponseFault,
    ToolResult, check_within, tool_result,
};
use askd_wire::RpcError;
use askd_wire::form::{Resolution, ResolvedBy, SubmitParams};
use askd_wire::settings::Limits;

use super::read::{Found, OpenView};
use super::{Inner, Registry, faults, who};
use crate::json_size::json_size;
use crate::peer::Peer;
use crate::store::{Command, Ending, Kept, Refusal, Request, Resolve};

/// What a response comes to, before anyone has decided that it is the first.
pub(super) struct Judged {
    pub(super) outcome: Outcome,
    pub(super) presented: PresentedTypes,
    pub(super) result: Arc<ToolResult>,
}

/// Judges a response against a form.
pub(super) fn judge(
    form: &Form,
    response: &Response,
    presented: PresentedTypes,
    limits: &Limits,
) -> Result<Judged, AnswerFault> {
    let text_bytes = usize::try_from(limits.text_bytes).unwrap_or(usize::MAX);
    let outcome = check_within(form, response, &presented, text_bytes)?;
    let result = tool_result(form, &outcome, &presented);
    let (size, most) = (json_size(&result) as u64, limits.tool_result_bytes);
    if size > most {
        let message = format!(
            "the result would have {size} bytes, the limit is {most} (limits.toolResultBytes); shorten the typed \
             texts and notes"
        );
        return Err(AnswerFault { path: "answers".to_owned(), message });
    }
    Ok(Judged { outcome, presented, result: Arc::new(result) })
}

impl Registry {
    /// `form/submit`.
    ///
    /// # Errors
    /// `invalidAnswer`, `alreadyResolved`, `conflict`, `unknownForm`, `notAllowed {reason:"personRequired"}`,
    /// `storeFailed`, `shuttingDown`.
    pub async fn submit(&self, peer: &Arc<Peer>, params: SubmitParams) -> Result<Resolution, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let SubmitParams { form_id, response, presented_types, request_id } = params;
        let settings = inner.settings();
        if request_id.as_ref().is_some_and(|id| id.len() as u64 > settings.limits.text_bytes) {
            let message = "The requestId is too long. Use a short unique id.".to_owned();
            let issue = Issue { path: "requestId".to_owned(), message: message.clone() };
            return Err(RpcError::invalid_input(message, &[issue], None));
        }
        let open = match inner.find(&form_id).await? {
            None => return Err(RpcError::unknown_form(&form_id)),
            Some(Found::Kept(kept)) => {
                let request = request_id.map(|id| Request { id, remote: false, response });
                return again(&kept, request.as_ref());
            }
            Some(Found::Open(open)) => open,
        };
        let by = inner.resolved_by(peer, &form_id);
        who::check_person(peer, open.record.meta.requires, &by, "form/submit")?;
        let form = open.body.form.form()?;
        let parsed = Response::parse(&response).map_err(|fault| match fault {
            ResponseFault::Kind(message) => RpcError::invalid_answer("kind", &message),
            ResponseFault::Answer(fault) => RpcError::invalid_answer(&fault.path, &fault.message),
        })?;
        let judged = judge(&form, &parsed, presented_types.unwrap_or_default(), &settings.limits)
            .map_err(|fault| RpcError::invalid_answer(&fault.path, &fault.message))?;
        let request = request_id.map(|id| Request { id, remote: false, response });
        inner.resolve(&open, judged, by, request).await.or_else(|refusal| match refusal {
            Refusal::RequestReplayed { ending } => Ok(resolution(&ending)),
            refusal => Err(faults::refused(refusal, &form_id, "the answer")),
        })
    }
}

/// What another submit to a finished form gives: the first outcome again for the same request, else who
/// was first.
fn again(kept: &Kept, request: Option<&Request>) -> Result<Resolution, RpcError> {
    let Some(ending) = &kept.ending else { return Err(RpcError::unknown_form(&kept.record.id)) };
    match (&kept.request, request) {
        (Some(accepted), Some(request)) if !accepted.remote && accepted.id == request.id => {
            if crate::store::same_json(&accepted.response, &request.response) {
                Ok(resolution(ending))
            } else {
                Err(faults::request_conflict(&request.id))
            }
        }
        _ => Err(faults::already_resolved(ending)),
    }
}

pub(super) fn resolution(ending: &Ending) -> Resolution {
    Resolution { outcome: ending.outcome.clone(), resolved_by: ending.resolved_by.clone() }
}

impl Inner {
    /// Who resolves an open form by a call of this peer.
    pub(super) fn resolved_by(&self, peer: &Peer, form_id: &str) -> ResolvedBy {
        let arming = i64::try_from(self.settings().frontends.arming_delay_ms).unwrap_or(i64::MAX);
        let state = self.state();
        who::resolved_by(peer, state.open.get(form_id), self.clock.steady(), arming)
    }

    /// Ends an open form.
    pub(super) async fn resolve(
        &self,
        open: &OpenView,
        judged: Judged,
        by: ResolvedBy,
        request: Option<Request>,
    ) -> Result<Resolution, Refusal> {
        let Judged { outcome, presented, result } = judged;
        // What a person sent or threw away is not kept twice; what they were still writing is (protocol §3,
        // Drafts).
        let keep_draft = outcome.kind == OutcomeKind::Cancelled && outcome.reason != Some(Reason::Dismissed);
        let ending = Arc::new(Ending { outcome, resolved_by: by, presented, at: self.clock.wall() });
        let resolve = Resolve {
            form_id: open.record.id.clone(),
            ending: ending.clone(),
            result,
            request,
            keep_draft,
            if_draft: None,
        };
        self.store.apply(Command::Resolve(Box::new(resolve))).await?;
        self.upkeep.notify_one();
        Ok(resolution(&ending))
    }
}
