//! The options of a questionnaire's question (questionnaire reference, Parameters).

use serde_json::{Map, Value};

use crate::contract::place::{Place, Unique};
use crate::contract::reader::Reader;
use crate::form::Choice;

const OPTION_FIELDS: &[&str] = &["label", "value", "description", "selected"];

/// The options of a question: those that passed, with their positions, and how many were
/// given, none where they could not be read.
#[derive(Default)]
pub(super) struct Options {
    pub(super) choices: Vec<(usize, Choice)>,
    pub(super) given: Option<usize>,
}

/// None where the question is typed.
pub(super) fn read(reader: &mut Reader, place: &Place, object: &Map<String, Value>) -> Option<Options> {
    let values = match object.get("options") {
        Some(Value::Array(values)) if !values.is_empty() => reader.limited(place, values),
        Some(Value::Array(_) | Value::Null) | None => return None,
        Some(_) => {
            let message = "`options` must be a list of options, or left out for a typed answer.";
            reader.issue(place, "options", message);
            return Some(Options { choices: Vec::new(), given: None });
        }
    };
    let mut choices = Vec::new();
    let mut seen = Unique::default();
    for (index, value) in values.iter().enumerate() {
        let place = place.option(index);
        if let Some(object) = reader.object(&place, value) {
            choices.extend(choice(reader, &place, index, object, &mut seen).map(|choice| (index, choice)));
        }
    }
    Some(Options { choices, given: Some(values.len()) })
}

fn choice(
    reader: &mut Reader,
    place: &Place,
    index: usize,
    object: &Map<String, Value>,
    seen: &mut Unique,
) -> Option<Choice> {
    let before = reader.count();
    let value = reader.text(place, object, "value");
    let faulty = reader.count() > before;
    let given = object.get("label").and_then(Value::as_str).map(str::trim).filter(|label| !label.is_empty());
    let value = value.or_else(|| given.filter(|_| !faulty).map(str::to_owned));
    if let Some(value) = &value {
        reader.unique(place, "value", "option", seen, (index, value));
    }
    let label = reader.required(place, object, "label", "Write what the user reads.");
    let description = reader.text(place, object, "description");
    let selected = reader.flag(place, object, "selected");
    reader.unknown(place, object, OPTION_FIELDS);
    Some(Choice {
        value: value?,
        label: label?,
        description,
        preview: None,
        recommended: None,
        selected,
        freeform: None,
    })
}
