//! The ask contract: what its parameters mean and what its results say.

use serde_json::{Map, Value, json};

use super::{lines, trim};
use crate::form::Form;
use crate::outcome::{Issue, Outcome, OutcomeKind, PresentedTypes, ToolResult};

mod details;
mod elaborate;
mod fallback;
mod options;
mod parse;
mod summary;

pub use super::labels::derive_labels;
pub(super) use parse::parse;

/// The first line where nobody can be asked, word for word the contract's ("Runtime modes").
const NO_PERSON: &str = "Needs user input: ask_user requires interactive TUI mode.";

pub(super) fn fallback_result(form: &Form) -> ToolResult {
    let mut result = lines::result(fallback::text(form), &[NO_PERSON.to_owned()]);
    result.details = Some(details::cancelled(form, &PresentedTypes::new()));
    result
}

/// A background form that is open: nothing is cancelled, and `pending` beside the contract's fields says
/// that nothing is answered yet either.
pub(super) fn pending_result(form: &Form) -> ToolResult {
    let mut result = lines::same(&[lines::PENDING.to_owned()]);
    let mut details = details::base(form, &PresentedTypes::new(), false, "submit", Map::new());
    details.insert("pending".to_owned(), Value::Bool(true));
    result.details = Some(Value::Object(details));
    result
}

pub(super) fn invalid_result(params: &Value, issues: &[Issue]) -> ToolResult {
    let mut result = lines::invalid(issues);
    let mut details = Map::new();
    let title = params.get("title").and_then(Value::as_str).map(str::trim).filter(|title| !title.is_empty());
    if let Some(title) = title {
        details.insert("title".to_owned(), title.into());
    }
    details.insert("cancelled".to_owned(), Value::Bool(true));
    details.insert("mode".to_owned(), "submit".into());
    details.insert("questions".to_owned(), json!([]));
    details.insert("answers".to_owned(), json!({}));
    details.insert("error".to_owned(), json!({ "kind": "invalid_input", "issues": issues }));
    result.details = Some(Value::Object(details));
    result
}

pub(super) fn tool_result(form: &Form, outcome: &Outcome, presented: &PresentedTypes) -> ToolResult {
    match outcome.kind {
        OutcomeKind::Submitted => summary::result(form, outcome, presented),
        OutcomeKind::Elaborated => elaborate::result(form, outcome, presented),
        OutcomeKind::Cancelled => {
            let mut result = lines::same(&[lines::cancelled(outcome.reason).to_owned()]);
            result.details = Some(details::cancelled(form, presented));
            result
        }
    }
}

/// The closing line when answered questions were presented as another type than asked for.
fn presentation_note(form: &Form, outcome: &Outcome, presented: &PresentedTypes) -> Option<String> {
    let changed: Vec<String> = form
        .questions
        .iter()
        .filter(|question| details::answer_of(outcome, question).is_some_and(|data| data.is_answered()))
        .filter_map(|question| {
            let shown = details::shown_type(question, presented);
            (shown != question.requested()).then(|| {
                let label = trim::one_line(&question.label);
                format!("{label} ({} shown as {})", question.requested().title(), shown.title())
            })
        })
        .collect();
    (!changed.is_empty()).then(|| format!("Presented as another type: {}", changed.join(", ")))
}
