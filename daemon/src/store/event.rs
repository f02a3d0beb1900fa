//! The durable events of protocol §4, built once inside the transaction that makes them true.

use std::sync::Arc;

use askd_form::{Form, ToolResult};
use askd_wire::event::{Event, EventBody};
use askd_wire::form::{Delivery, FormSnapshot, FormState, FormSummary, Owner};
use askd_wire::settings::Settings;
use askd_wire::{Millis, remote};
use serde_json::Value;

use super::command::Logged;
use super::record::{DraftMark, Ending, Record};
use super::{Refusal, StoreError};

/// A record as the summary that lists and events show.
#[must_use]
pub fn summary(record: &Record) -> FormSummary {
    let meta = &record.meta;
    FormSummary {
        form_id: record.id.to_string(),
        contract: record.contract,
        state: FormState::Open,
        seq: record.seq,
        title: meta.title.clone(),
        question_count: meta.question_count,
        first_prompt: meta.first_prompt.clone(),
        source: meta.source,
        tool_call_id: meta.tool_call_id.clone(),
        origin: meta.origin.clone(),
        mode: record.mode,
        requires: meta.requires,
        created_at: record.created_at,
        expires_at: record.expires_at,
        owner: Owner::default(),
        viewers: Vec::new(),
        drafted: false,
        outcome: None,
        resolved_at: None,
        resolved_by: None,
        delivery: Delivery::None,
    }
}

/// A form was asked. Everyone is told the same, so no draft's text stands in it.
pub(super) fn started(
    record: &Record,
    form: &Form,
    context: Option<&Arc<str>>,
    draft: Option<DraftMark>,
    at: Millis,
) -> Event {
    let mut summary = summary(record);
    summary.origin.context = context.map(ToString::to_string);
    summary.drafted = draft.is_some();
    let remote = remote::Started {
        version: remote::VERSION,
        flow_id: record.id.to_string(),
        tool_call_id: record.meta.tool_call_id.clone(),
        source: record.meta.source,
        title: form.title.clone(),
        questions: form.questions.clone(),
        created_at: record.created_at,
    };
    let draft_revision = draft.map_or(0, |draft| draft.revision);
    let form = FormSnapshot { summary, form: form.clone(), draft: None, draft_revision };
    event(record.seq, at, Some(&record.id), EventBody::Started { form: Box::new(form), remote })
}

/// A form ended.
pub(super) fn completed(record: &Record, ending: &Ending, result: &ToolResult, seq: u64) -> Event {
    let remote = remote::Completed {
        version: remote::VERSION,
        flow_id: record.id.to_string(),
        tool_call_id: record.meta.tool_call_id.clone(),
        source: record.meta.source,
        result: result
            .details
            .as_ref()
            .or(result.structured_content.as_ref())
            .cloned()
            .unwrap_or(Value::Null),
        completed_at: ending.at,
    };
    let resolved_by = Box::new(ending.resolved_by.clone());
    let body = EventBody::Completed { outcome: ending.outcome.clone(), resolved_by, remote };
    event(seq, ending.at, Some(&record.id), body)
}

/// A remote submission was accepted.
pub(super) fn submit_accepted(form_id: &Arc<str>, request_id: &str, seq: u64, at: Millis) -> Event {
    let remote = remote::SubmitResult {
        version: remote::VERSION,
        request_id: request_id.to_owned(),
        flow_id: form_id.to_string(),
        ok: true,
        error: None,
        message: None,
        path: None,
    };
    event(seq, at, Some(form_id), EventBody::SubmitResult { remote })
}

/// A result was delivered.
pub(super) fn acknowledged(form_id: &Arc<str>, seq: u64, at: Millis) -> Event {
    event(seq, at, Some(form_id), EventBody::Acknowledged {})
}

/// Settings changed.
pub(super) fn settings_changed(
    revision: u64,
    changed: Vec<String>,
    settings: Box<Settings>,
    seq: u64,
    at: Millis,
) -> Event {
    event(seq, at, None, EventBody::SettingsChanged { revision, changed, settings })
}

fn event(seq: u64, at: Millis, form_id: Option<&Arc<str>>, body: EventBody) -> Event {
    Event { seq, at, form_id: form_id.map(ToString::to_string), body }
}

/// Serializes an event, once for the log and every reader.
pub(super) fn logged(event: &Event, form_id: Option<&Arc<str>>) -> Result<Logged, Refusal> {
    let json = serde_json::value::to_raw_value(event)
        .map_err(|error| Refusal::Failed(format!("an event could not be written: {error}")))?;
    Ok(Logged { seq: event.seq, kind: event.body.kind(), form_id: form_id.cloned(), json: json.into() })
}

/// The kinds of durable events by name, as they stand in the log.
pub(super) fn kind(name: &str) -> Result<&'static str, StoreError> {
    ["started", "completed", "submit-result", "acknowledged", "settings-changed"]
        .into_iter()
        .find(|kind| *kind == name)
        .ok_or_else(|| StoreError(format!("the event log holds an unknown kind `{name}`")))
}
