//! Validation and normalization of ask parameters (ask contract, Input rules).

use serde_json::{Map, Value};

use super::options;
use crate::contract::labels::derive_labels;
use crate::contract::place::{Place, Unique};
use crate::contract::reader::Reader;
use crate::contract::{ParseOptions, Parsed};
use crate::form::{Contract, CustomRow, Digits, Dismiss, Form, Mode, Question, QuestionType, Review, Rules};
use crate::outcome::Issue;

const FORM_FIELDS: &[&str] = &["title", "questions", "mode", "noWait"];
const QUESTION_FIELDS: &[&str] = &["id", "label", "prompt", "type", "required", "options", "kind", "secret"];

/// The behaviour of every ask form.
const RULES: Rules = Rules {
    review: Review::Always,
    notes: true,
    elaborate: true,
    type_change: true,
    enforced: false,
    dismiss: Dismiss::WhenDirty,
    digits: Digits::Advance,
};

pub(in crate::contract) fn parse(params: &Value, options: &ParseOptions) -> Result<Parsed, Vec<Issue>> {
    let mut params = params.clone();
    derive_labels(&mut params);
    let params = params.as_object();
    let mut reader = Reader::new(options.limits);
    let place = Place::form();
    let title = params.and_then(|params| reader.text(&place, params, "title"));
    let mode = params.and_then(|params| waiting(&mut reader, params));
    if let Some(params) = params {
        reader.unknown(&place, params, FORM_FIELDS);
    }
    let mut questions = Vec::new();
    let mut ids = Unique::default();
    for (index, value) in reader.questions(params, options.limits.questions).iter().enumerate() {
        let place = Place::question(index);
        if let Some(object) = reader.object(&place, value) {
            questions.extend(question(&mut reader, &place, index, object, &mut ids, options));
        }
    }
    let warnings = reader.finish()?;
    let form = Form { contract: Contract::Ask, title, submit_label: None, questions, rules: RULES };
    Ok(Parsed { form, mode, warnings })
}

/// `mode` and `noWait` are the protocol's, not the ask contract's: a value that is not one of them does not
/// make the payload invalid.
fn waiting(reader: &mut Reader, params: &Map<String, Value>) -> Option<Mode> {
    let no_wait = match params.get("noWait") {
        Some(Value::Bool(true)) => Some(Mode::Background),
        Some(Value::Bool(false)) => Some(Mode::Urgent),
        None | Some(Value::Null) => None,
        Some(_) => {
            reader.ignored(&Place::form(), "noWait", "Ignored: true or false is expected.");
            None
        }
    };
    match params.get("mode") {
        Some(Value::String(mode)) if mode == "urgent" => Some(Mode::Urgent),
        Some(Value::String(mode)) if mode == "background" => Some(Mode::Background),
        None | Some(Value::Null) => no_wait,
        Some(_) => {
            reader.ignored(&Place::form(), "mode", "Ignored: \"urgent\" or \"background\" is expected.");
            no_wait
        }
    }
}

fn question(
    reader: &mut Reader,
    place: &Place,
    index: usize,
    object: &Map<String, Value>,
    ids: &mut Unique,
    options: &ParseOptions,
) -> Option<Question> {
    let kind = question_type(reader, place, object);
    reader.no_secrets(place, object);
    let id = reader.required(place, object, "id", "Give every question a short id of its own.");
    if let Some(id) = &id {
        reader.unique(place, "id", "question", ids, (index, id));
    }
    let prompt = reader.required(place, object, "prompt", "Write the question to ask.");
    let label = reader.text(place, object, "label").unwrap_or_else(|| format!("Q{}", index + 1));
    let required = reader.flag(place, object, "required").unwrap_or(false);
    let choices = options::read(reader, place, object, kind, options);
    reader.unknown(place, object, QUESTION_FIELDS);

    let mut question = Question {
        id: id?,
        label,
        header: None,
        prompt: prompt?,
        kind: kind?,
        requested_type: None,
        presented_type: None,
        required,
        placeholder: None,
        custom: None,
        min: None,
        max: None,
        options: choices,
    };
    let freeform = question.is_freeform();
    let row = if freeform { "Type your answer:" } else { "Type your own" };
    question.custom = Some(CustomRow { label: row.to_owned(), placeholder: None });
    // A freeform question has nothing to choose from, so presenting it as a choice of several says nothing.
    if options.present_single_as_multi && question.kind == QuestionType::Single && !freeform {
        question.kind = QuestionType::Multi;
        question.requested_type = Some(QuestionType::Single);
        question.presented_type = Some(QuestionType::Multi);
    }
    Some(question)
}

fn question_type(reader: &mut Reader, place: &Place, object: &Map<String, Value>) -> Option<QuestionType> {
    match object.get("type") {
        None | Some(Value::Null) => return Some(QuestionType::Single),
        Some(Value::String(name)) => match name.as_str() {
            "single" => return Some(QuestionType::Single),
            "multi" => return Some(QuestionType::Multi),
            "preview" => return Some(QuestionType::Preview),
            _ => {}
        },
        Some(_) => {}
    }
    reader.issue(
        place,
        "type",
        "`type` must be \"single\", \"multi\" or \"preview\", or left out for single.",
    );
    None
}
