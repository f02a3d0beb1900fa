//! Forms for the tests of this module.

use askd_form::{Contract, Mode, ParseOptions};
use askd_wire::form::{Delivery, FormSnapshot, FormState, FormSummary, Origin, Owner, Source};
use serde_json::{Value, json};

/// An open form of the ask contract.
pub(super) fn form(form_id: &str, params: Value, origin: Origin) -> FormSnapshot {
    let parsed =
        askd_form::parse(Contract::Ask, &params, &ParseOptions::default()).expect("valid parameters");
    let summary = FormSummary {
        form_id: form_id.to_owned(),
        contract: Contract::Ask,
        state: FormState::Open,
        seq: 1,
        title: parsed.form.title.clone(),
        question_count: u32::try_from(parsed.form.questions.len()).expect("few questions"),
        first_prompt: parsed.form.questions[0].prompt.clone(),
        source: Source::Tool,
        tool_call_id: None,
        origin,
        mode: Mode::Urgent,
        requires: None,
        created_at: 0,
        expires_at: None,
        owner: Owner::default(),
        viewers: Vec::new(),
        drafted: false,
        outcome: None,
        resolved_at: None,
        resolved_by: None,
        delivery: Delivery::None,
    };
    FormSnapshot { summary, form: parsed.form, draft: None, draft_revision: 0 }
}

/// An open form with one single choice of these options.
pub(super) fn choice(form_id: &str, labels: &[&str]) -> FormSnapshot {
    let options: Vec<Value> = labels
        .iter()
        .enumerate()
        .map(|(i, label)| json!({"value": format!("v{i}"), "label": label}))
        .collect();
    let question = json!({"id": "q", "label": "Database", "prompt": "Which?", "options": options});
    form(form_id, json!({"questions": [question]}), Origin::default())
}
