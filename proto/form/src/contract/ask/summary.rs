//! The result of a submitted ask form (contracts.md §2, result text).

use serde_json::{Map, Value};

use super::{details, presentation_note};
use crate::contract::lines;
use crate::form::{Form, Question};
use crate::outcome::{AnswerData, Outcome, PresentedTypes, ToolResult};

/// The two texts of one result, grown line by line.
#[derive(Default)]
struct Lines {
    agent: Vec<String>,
    person: Vec<String>,
}

impl Lines {
    fn push(&mut self, agent: String, person: String) {
        self.agent.push(agent);
        self.person.push(person);
    }
}

pub(super) fn result(form: &Form, outcome: &Outcome, presented: &PresentedTypes) -> ToolResult {
    let mut lines = Lines::default();
    let mut answers = Map::new();
    for question in &form.questions {
        let data = details::answer_of(outcome, question);
        describe(question, data, &mut lines);
        // Without a selection only a note on the question is worth an entry: what is left are notes on
        // options that were not selected.
        if let Some(data) = data.filter(|data| data.is_answered() || data.note.is_some()) {
            answers.insert(question.id.clone(), details::answer(question, data));
        }
    }
    if let Some(note) = presentation_note(form, outcome, presented) {
        let indented = format!("  {note}");
        lines.push(note, indented);
    }
    let mut result = lines::result(lines.agent.join("\n"), &lines.person);
    result.details = Some(Value::Object(details::base(form, presented, false, "submit", answers)));
    result
}

fn describe(question: &Question, data: Option<&AnswerData>, lines: &mut Lines) {
    let label = &question.label;
    match data.filter(|data| data.is_answered()) {
        None => lines.push(format!("{label}: (no answer)"), format!("? {label}: (no answer)")),
        Some(data) => {
            let labels = details::labels(question, data).join(", ");
            let wrote = if data.values.is_empty() { "(wrote) " } else { "" };
            lines.push(format!("{label}: {labels}"), format!("✓ {label}: {wrote}{labels}"));
        }
    }
    let Some(data) = data else { return };
    if let Some(note) = &data.note {
        lines.push(format!("{label} note: {note}"), format!("  note: {note}"));
    }
    for value in &data.values {
        if let Some(note) = data.option_notes.get(value) {
            let option = question.option(value).map_or(value, |option| &option.label);
            lines.push(format!("{label} / {option} note: {note}"), format!("  {option} note: {note}"));
        }
    }
}
