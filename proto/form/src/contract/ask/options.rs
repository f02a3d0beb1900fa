//! The options of an ask question, the internal freeform marker among them (ask contract, Input rules and
//! Supported TUI UX).

use serde_json::{Map, Value};

use crate::contract::ParseOptions;
use crate::contract::place::{Place, Unique};
use crate::contract::reader::Reader;
use crate::form::{Choice, QuestionType};

const OPTION_FIELDS: &[&str] = &["value", "label", "description", "preview", "recommended", "freeform"];

/// The options that passed; what is wrong with the others is in the reader.
pub(super) fn read(
    reader: &mut Reader,
    place: &Place,
    object: &Map<String, Value>,
    kind: Option<QuestionType>,
    options: &ParseOptions,
) -> Vec<Choice> {
    let values = match object.get("options") {
        Some(Value::Array(values)) if !values.is_empty() => values,
        Some(Value::Array(_) | Value::Null) | None => {
            let message = "there is no option. Give at least one; for an open question offer likely \
                           answers, the user can always type another.";
            reader.issue(place, "options", message);
            return Vec::new();
        }
        Some(_) => {
            reader.issue(place, "options", "`options` must be a list of options.");
            return Vec::new();
        }
    };
    let marked = values
        .iter()
        .any(|value| !matches!(value.get("freeform"), None | Some(Value::Null | Value::Bool(false))));
    if marked && !options.freeform {
        let message = "`freeform` is not part of the parameters. Offer likely answers as options, the user \
                       can always type another.";
        reader.issue(place, "options", message);
    } else if marked && values.len() > 1 {
        reader.issue(place, "options", "a `freeform` option must be the only one of its question.");
    }
    let mut choices = Vec::new();
    let mut seen = Unique::default();
    for (index, value) in reader.limited(place, values).iter().enumerate() {
        let place = place.option(index);
        if let Some(object) = reader.object(&place, value) {
            choices.extend(choice(reader, &place, index, object, &mut seen, kind, options));
        }
    }
    choices
}

fn choice(
    reader: &mut Reader,
    place: &Place,
    index: usize,
    object: &Map<String, Value>,
    seen: &mut Unique,
    kind: Option<QuestionType>,
    options: &ParseOptions,
) -> Option<Choice> {
    let value = reader.required(place, object, "value", "Give every option a value of its own.");
    if let Some(value) = &value {
        reader.unique(place, "value", "option", seen, (index, value));
    }
    let label = reader.required(place, object, "label", "Write what the user reads.");
    let description = reader.text(place, object, "description");
    let before = reader.count();
    let preview = reader.preview(place, object, "preview");
    if kind == Some(QuestionType::Preview) && preview.is_none() && reader.count() == before {
        let message = "`preview` is missing or blank, and a preview question needs one for every option. \
                       Add preview text or switch the question to `type: \"single\"`.";
        reader.issue(place, "preview", message);
    }
    let recommended = reader.flag(place, object, "recommended");
    let freeform = if options.freeform { reader.flag(place, object, "freeform") } else { None };
    if !options.freeform && object.get("freeform") == Some(&Value::Bool(false)) {
        reader.ignored(place, "freeform", "Unknown field, ignored.");
    }
    reader.unknown(place, object, OPTION_FIELDS);
    Some(Choice {
        value: value?,
        label: label?,
        description,
        preview,
        recommended,
        selected: None,
        freeform: freeform.filter(|marked| *marked),
    })
}
