//! `remote/submit`: the remote contract, whose faults are results and not errors (protocol §5).

use std::sync::Arc;

use askd_form::{PresentedTypes, Response, ResponseFault};
use askd_wire::event::EventBody;
use askd_wire::remote::{SubmitError, SubmitResult, VERSION};
use askd_wire::{Role, RpcError};
use serde_json::Value;

use super::read::Found;
use super::submit::judge;
use super::{Registry, faults, who};
use crate::peer::Peer;
use crate::store::{Refusal, Request};

/// Why a submission is refused: which word, in words, and where in the answer.
type Fault = (SubmitError, String, Option<String>);

/// A submission whose outside is sound.
struct Submission {
    request_id: String,
    flow_id: String,
    response: Value,
}

impl Registry {
    /// `remote/submit`. A refused submission is published as a hint, an accepted one as a durable event after
    /// `completed`.
    ///
    /// # Errors
    /// Only what is no fault of the submission: `notAllowed`, `storeFailed`, `shuttingDown`.
    pub async fn remote_submit(&self, peer: &Arc<Peer>, params: Value) -> Result<SubmitResult, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let (request_id, flow_id) = (text(&params, "requestId"), text(&params, "flowId"));
        let verdict = match submission(params, inner.settings().limits.text_bytes) {
            Ok(submission) => self.submit_remotely(peer, submission).await?,
            Err(fault) => Err(fault),
        };
        let result = match verdict {
            Ok(()) => SubmitResult {
                version: VERSION,
                request_id,
                flow_id,
                ok: true,
                error: None,
                message: None,
                path: None,
            },
            Err((error, message, path)) => {
                let result = SubmitResult {
                    version: VERSION,
                    request_id,
                    flow_id,
                    ok: false,
                    error: Some(error),
                    message: Some(message),
                    path,
                };
                let about = (!result.flow_id.is_empty()).then_some(result.flow_id.as_str());
                let body = EventBody::SubmitResult { remote: result.clone() };
                inner.hint(&inner.state(), about, body);
                result
            }
        };
        Ok(result)
    }

    async fn submit_remotely(
        &self,
        peer: &Arc<Peer>,
        submission: Submission,
    ) -> Result<Result<(), Fault>, RpcError> {
        let inner = &self.inner;
        let Submission { request_id, flow_id, response } = submission;
        let found = inner.find(&flow_id).await?;
        self.check_agent(peer, &flow_id, found.is_some())?;
        let open = match found {
            Some(Found::Open(open)) => open,
            Some(Found::Kept(kept)) => {
                let accepted = kept.request.as_ref().is_some_and(|r| r.remote && r.id == request_id);
                return Ok(if accepted {
                    Ok(())
                } else {
                    Err(not_found("was answered or cancelled before"))
                });
            }
            None => return Ok(Err(not_found("does not exist"))),
        };
        let by = inner.resolved_by(peer, &flow_id);
        who::check_person(peer, open.record.meta.requires, &by, "remote/submit")?;
        let parsed = match Response::parse(&response) {
            Ok(parsed) => parsed,
            Err(ResponseFault::Kind(message)) => {
                return Ok(Err((SubmitError::InvalidRequest, message, None)));
            }
            Err(ResponseFault::Answer(fault)) => {
                return Ok(Err((SubmitError::InvalidAnswer, fault.message, Some(fault.path))));
            }
        };
        let form = open.body.form.form()?;
        let limits = inner.settings().limits;
        let judged = match judge(&form, &parsed, PresentedTypes::new(), &limits) {
            Ok(judged) => judged,
            Err(fault) => return Ok(Err((SubmitError::InvalidAnswer, fault.message, Some(fault.path)))),
        };
        let request = Request { id: request_id, remote: true, response };
        match inner.resolve(&open, judged, by, Some(request)).await {
            Ok(_) | Err(Refusal::RequestReplayed { .. }) => Ok(Ok(())),
            Err(Refusal::AlreadyResolved { .. } | Refusal::RequestConflict | Refusal::UnknownForm) => {
                Ok(Err(not_found("was answered or cancelled before")))
            }
            Err(refusal) => Err(faults::refused(refusal, &flow_id, "the answer")),
        }
    }

    /// An agent answers only what this connection asked or waited for (protocol §2).
    fn check_agent(&self, peer: &Peer, flow_id: &str, exists: bool) -> Result<(), RpcError> {
        let trusted = peer.has(Role::Bridge) || peer.has(Role::Admin);
        if trusted || !exists || self.inner.associated(peer, flow_id) {
            return Ok(());
        }
        let message = "An agent may answer only a form that this connection created or has waited for. Call \
                       form/wait for it first, or connect as a bridge.";
        Err(RpcError::not_allowed(&peer.roles, "remote/submit", message).with("reason", "notOwner"))
    }
}

fn not_found(what: &str) -> Fault {
    (SubmitError::FlowNotFound, format!("The form {what}; nothing was changed."), None)
}

fn text(params: &Value, field: &str) -> String {
    params.get(field).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Checks everything but what is inside an answer.
fn submission(mut params: Value, text_bytes: u64) -> Result<Submission, Fault> {
    let invalid = |message: &str| (SubmitError::InvalidRequest, message.to_owned(), None);
    let Some(object) = params.as_object_mut() else {
        return Err(invalid("The submission must be an object."));
    };
    if object.get("version").and_then(Value::as_f64) != Some(f64::from(VERSION)) {
        return Err(invalid("`version` must be 1."));
    }
    let id = |field: &str| match object.get(field).and_then(Value::as_str) {
        Some(id) if id.len() as u64 > text_bytes => {
            Err(invalid(&format!("`{field}` is longer than {text_bytes} bytes. Give a shorter one.")))
        }
        Some(id) if !id.trim().is_empty() => Ok(id.to_owned()),
        _ => Err(invalid(&format!("`{field}` must be a text that is not blank."))),
    };
    let (request_id, flow_id) = (id("requestId")?, id("flowId")?);
    let response = object.remove("response").unwrap_or(Value::Null);
    if let Err(ResponseFault::Kind(message)) = Response::parse(&response) {
        return Err((SubmitError::InvalidRequest, message, None));
    }
    Ok(Submission { request_id, flow_id, response })
}
