//! What a caller is told when the store refuses.

use askd_wire::form::{Draft, ResolvedBy};
use askd_wire::{ErrorKind, RpcError};

use crate::store::{Ending, Limit, Refusal, StoreError};

impl From<StoreError> for RpcError {
    fn from(error: StoreError) -> Self {
        failed("the answer to this call", &error.0)
    }
}

/// The database refused; `what` could not be kept or read.
pub(super) fn failed(what: &str, why: &str) -> RpcError {
    let message = format!(
        "The database failed, so that {what} could not be kept or read: {why}. Nothing else was changed. \
         Free space on the disk or run `ask doctor`, then try again."
    );
    RpcError::new(ErrorKind::StoreFailed, message).with("what", what)
}

/// The daemon is going.
pub(super) fn shutting_down() -> RpcError {
    RpcError::new(
        ErrorKind::ShuttingDown,
        "The daemon is shutting down. Open forms are kept; connect again and repeat the call.",
    )
}

/// A limit was met.
pub(super) fn overloaded(limit: &str, message: impl Into<String>) -> RpcError {
    RpcError::new(ErrorKind::Overloaded, message).with("limit", limit)
}

/// Ended before.
pub(super) fn already_resolved(ending: &Ending) -> RpcError {
    RpcError::already_resolved(&ending.outcome, &ending.resolved_by)
}

/// Another response under an accepted request id.
pub(super) fn request_conflict(request_id: &str) -> RpcError {
    let message = "Another response was accepted under this requestId before. Use a new requestId for a new \
                   response.";
    RpcError::new(ErrorKind::Conflict, message).with("requestId", request_id)
}

/// A refusal of the store as the protocol's error. `what` names what could not be kept.
pub(super) fn refused(refusal: Refusal, form_id: &str, what: &str) -> RpcError {
    match refusal {
        Refusal::KeyLive { form_id, .. } => RpcError::new(
            ErrorKind::Conflict,
            "Another payload was asked under this key, and its form is open or its result not yet \
             acknowledged. Finish that form with form/wait and form/ack, or use another key.",
        )
        .with("formId", &*form_id),
        Refusal::BackgroundOpen { form_id } => RpcError::new(
            ErrorKind::Conflict,
            "This session has an open background questionnaire. Wait for it or cancel it before asking \
             another.",
        )
        .with("formId", &*form_id),
        Refusal::LimitReached(limit) => overloaded(limit.name(), limit_message(limit)),
        Refusal::UnknownForm => RpcError::unknown_form(form_id),
        Refusal::AlreadyResolved { ending } | Refusal::RequestReplayed { ending } => {
            already_resolved(&ending)
        }
        Refusal::RequestConflict => request_conflict(""),
        Refusal::StaleDraft { revision, json, by } => stale_draft(revision, json.as_deref(), by),
        Refusal::StillOpen => RpcError::new(
            ErrorKind::Conflict,
            "The form is still open, so there is no result to acknowledge yet.",
        )
        .with("formId", form_id)
        .with("state", "open"),
        Refusal::DoneBefore => {
            RpcError::new(ErrorKind::Conflict, "This was done before.").with("formId", form_id)
        }
        Refusal::Failed(why) => failed(what, &why),
    }
}

fn limit_message(limit: Limit) -> &'static str {
    match limit {
        Limit::OpenForms => {
            "Too many forms are open. Answer or cancel some (`ask list`), or raise limits.openForms."
        }
        Limit::OpenFormsPerSession => {
            "This session has too many open forms. Answer or cancel some, or raise \
             limits.openFormsPerSession."
        }
        Limit::OpenFormBytes => {
            "The open forms take too much memory together. Answer or cancel some, or raise \
             limits.openFormBytes."
        }
    }
}

fn stale_draft(revision: u64, json: Option<&str>, by: Option<String>) -> RpcError {
    let message = "The draft was changed by another frontend; its newest revision is in `revision`. Take it \
                   over, or send yours again on top of it.";
    let error = RpcError::new(ErrorKind::Conflict, message).with("revision", revision);
    let error = match json.and_then(|json| serde_json::from_str::<Draft>(json).ok()) {
        Some(draft) => error.with("draft", draft),
        None => error.with("draft", serde_json::Value::Null),
    };
    error.with("by", by)
}

/// The daemon itself, as the one who resolved a form.
pub(super) fn daemon() -> ResolvedBy {
    ResolvedBy::default()
}
