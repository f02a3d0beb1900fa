//! The questionnaire contract: what its parameters mean and what its results say.

use serde_json::{Map, Value, json};

use super::lines;
use crate::form::{Form, Question};
use crate::outcome::{AnswerData, Issue, Outcome, OutcomeKind, ToolResult};

mod fallback;
mod limits;
mod options;
mod parse;

pub(super) use parse::parse;

pub(super) fn fallback_result(form: &Form) -> ToolResult {
    let mut result = lines::result(fallback::text(form), &[fallback::NO_PERSON.to_owned()]);
    result.structured_content = Some(unanswered(form, true, true));
    result
}

pub(super) fn pending_result(form: &Form) -> ToolResult {
    let mut result = lines::same(&[lines::PENDING.to_owned()]);
    let mut content = unanswered(form, false, false);
    content["pending"] = Value::Bool(true);
    result.structured_content = Some(content);
    result
}

pub(super) fn invalid_result(issues: &[Issue]) -> ToolResult {
    let mut result = lines::invalid(issues);
    result.structured_content = Some(json!({ "cancelled": true, "answers": [] }));
    result
}

pub(super) fn tool_result(form: &Form, outcome: &Outcome) -> ToolResult {
    if outcome.kind == OutcomeKind::Cancelled {
        let mut result = lines::same(&[lines::cancelled(outcome.reason).to_owned()]);
        result.structured_content = Some(unanswered(form, true, true));
        return result;
    }
    let (mut agent, mut person, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    for question in &form.questions {
        let data = outcome.answers.as_ref().and_then(|answers| answers.get(&question.id));
        let label = &question.label;
        match data.filter(|data| data.is_answered()) {
            None => {
                agent.push(format!("{label}: (skipped)"));
                person.push(format!("? {label}: (skipped)"));
                answers.push(entry(question, true, Vec::new()));
            }
            Some(data) => {
                let labels = labels(question, data).join(", ");
                let wrote = if data.values.is_empty() { "(wrote) " } else { "" };
                agent.push(format!("{label}: {labels}"));
                person.push(format!("✓ {label}: {wrote}{labels}"));
                answers.push(entry(question, false, selections(question, data)));
            }
        }
    }
    let mut result = lines::result(agent.join("\n"), &person);
    result.structured_content = Some(json!({ "cancelled": false, "answers": answers }));
    result
}

fn unanswered(form: &Form, cancelled: bool, skipped: bool) -> Value {
    let answers: Vec<Value> =
        form.questions.iter().map(|question| entry(question, skipped, Vec::new())).collect();
    json!({ "cancelled": cancelled, "answers": answers })
}

fn entry(question: &Question, skipped: bool, selections: Vec<Value>) -> Value {
    let mut entry = Map::new();
    entry.insert("id".to_owned(), question.id.as_str().into());
    entry.insert("question".to_owned(), question.prompt.as_str().into());
    entry.insert("skipped".to_owned(), skipped.into());
    entry.insert("selections".to_owned(), selections.into());
    Value::Object(entry)
}

fn label_of<'a>(question: &'a Question, value: &'a str) -> &'a str {
    question.option(value).map_or(value, |option| &option.label)
}

fn labels<'a>(question: &'a Question, data: &'a AnswerData) -> Vec<&'a str> {
    let chosen = data.values.iter().map(|value| label_of(question, value));
    chosen.chain(data.custom_text.as_deref()).collect()
}

fn selections(question: &Question, data: &AnswerData) -> Vec<Value> {
    let chosen = data
        .values
        .iter()
        .map(|value| json!({ "value": value, "label": label_of(question, value), "custom": false }));
    let typed = data.custom_text.iter().map(|text| json!({ "value": text, "label": text, "custom": true }));
    chosen.chain(typed).collect()
}
