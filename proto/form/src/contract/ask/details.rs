//! The structured half of an ask result (ask contract, Output).

use serde_json::{Map, Value, json};

use crate::form::{Choice, Form, Question, QuestionType};
use crate::outcome::{AnswerData, Outcome, PresentedTypes};

/// What was entered for a question, if anything.
pub(super) fn answer_of<'o>(outcome: &'o Outcome, question: &Question) -> Option<&'o AnswerData> {
    outcome.answers.as_ref()?.get(&question.id)
}

/// The type the question had when the form ended.
pub(super) fn shown_type(question: &Question, presented: &PresentedTypes) -> QuestionType {
    presented.get(&question.id).copied().unwrap_or(question.kind)
}

/// Selected labels as the result names them: options in the person's order, typed text last.
pub(super) fn labels<'a>(question: &'a Question, data: &'a AnswerData) -> Vec<&'a str> {
    let label = |value: &'a String| question.option(value).map_or(value.as_str(), |o| o.label.as_str());
    data.values.iter().map(label).chain(data.custom_text.as_deref()).collect()
}

/// The fields every result has.
pub(super) fn base(
    form: &Form,
    presented: &PresentedTypes,
    cancelled: bool,
    mode: &str,
    answers: Map<String, Value>,
) -> Map<String, Value> {
    let mut details = Map::new();
    if let Some(title) = &form.title {
        details.insert("title".to_owned(), title.as_str().into());
    }
    let questions = form.questions.iter().map(|question| Value::Object(described(question, presented)));
    details.insert("cancelled".to_owned(), cancelled.into());
    details.insert("mode".to_owned(), mode.into());
    details.insert("questions".to_owned(), questions.collect());
    details.insert("answers".to_owned(), Value::Object(answers));
    details
}

/// The details of a form that ended without an answer.
pub(super) fn cancelled(form: &Form, presented: &PresentedTypes) -> Value {
    Value::Object(base(form, presented, true, "submit", Map::new()))
}

/// A question with the type asked for, and beside it the type it was presented as where that differs.
fn described(question: &Question, presented: &PresentedTypes) -> Map<String, Value> {
    let (asked, shown) = (question.requested(), shown_type(question, presented));
    let mut described = Map::new();
    described.insert("id".to_owned(), question.id.as_str().into());
    described.insert("label".to_owned(), question.label.as_str().into());
    described.insert("prompt".to_owned(), question.prompt.as_str().into());
    described.insert("type".to_owned(), asked.name().into());
    if shown != asked {
        described.insert("presentedType".to_owned(), shown.name().into());
    }
    described
}

/// A question with its options, so that a note like "the one above" can be understood. The freeform marker
/// is internal and never shown.
pub(super) fn with_options(question: &Question, presented: &PresentedTypes) -> Value {
    let mut described = described(question, presented);
    let options = question.options.iter().filter(|option| option.freeform != Some(true)).map(choice);
    described.insert("options".to_owned(), options.collect());
    Value::Object(described)
}

/// One option as it was asked.
pub(super) fn choice(option: &Choice) -> Value {
    let mut described = Map::new();
    described.insert("value".to_owned(), option.value.as_str().into());
    described.insert("label".to_owned(), option.label.as_str().into());
    if let Some(description) = &option.description {
        described.insert("description".to_owned(), description.as_str().into());
    }
    if let Some(preview) = &option.preview {
        described.insert("preview".to_owned(), preview.as_str().into());
    }
    if let Some(recommended) = option.recommended {
        described.insert("recommended".to_owned(), recommended.into());
    }
    Value::Object(described)
}

/// One answer. Notes on options that were not selected are left out.
pub(super) fn answer(question: &Question, data: &AnswerData) -> Value {
    let values: Vec<&str> =
        data.values.iter().map(String::as_str).chain(data.custom_text.as_deref()).collect();
    let position = |value: &String| question.options.iter().position(|o| o.value == *value);
    let indices: Vec<usize> = data.values.iter().filter_map(position).map(|at| at + 1).collect();
    let mut answer = Map::new();
    answer.insert("values".to_owned(), json!(values));
    answer.insert("labels".to_owned(), json!(labels(question, data)));
    answer.insert("indices".to_owned(), json!(indices));
    if let Some(text) = &data.custom_text {
        answer.insert("customText".to_owned(), text.as_str().into());
    }
    if let Some(note) = &data.note {
        answer.insert("note".to_owned(), note.as_str().into());
    }
    let notes: Map<String, Value> = data
        .option_notes
        .iter()
        .filter(|(value, _)| data.values.contains(value))
        .map(|(value, note)| (value.clone(), note.as_str().into()))
        .collect();
    if !notes.is_empty() {
        answer.insert("optionNotes".to_owned(), Value::Object(notes));
    }
    Value::Object(answer)
}
