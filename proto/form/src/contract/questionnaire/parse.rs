//! Validation and normalization of questionnaire parameters (questionnaire reference, Parameters;
//! contracts.md §3).

use serde_json::{Map, Value};

use super::{limits, options};
use crate::contract::labels::derive_labels;
use crate::contract::place::{Place, Unique};
use crate::contract::reader::Reader;
use crate::contract::{ParseOptions, Parsed};
use crate::form::{Contract, CustomRow, Digits, Dismiss, Form, Mode, Question, QuestionType, Review, Rules};
use crate::outcome::Issue;

/// The contract's own limit on questions, whatever the settings allow.
const MOST_QUESTIONS: usize = 12;

const FORM_FIELDS: &[&str] = &["title", "submitLabel", "questions", "mode", "noWait"];
const QUESTION_FIELDS: &[&str] = &[
    "id",
    "label",
    "header",
    "question",
    "options",
    "multiple",
    "allowOther",
    "required",
    "min",
    "max",
    "placeholder",
    "otherLabel",
    "kind",
    "secret",
];

/// The behaviour of every questionnaire.
const RULES: Rules = Rules {
    review: Review::WhenSeveral,
    notes: false,
    elaborate: false,
    type_change: false,
    enforced: true,
    dismiss: Dismiss::Twice,
    digits: Digits::Select,
};

pub(in crate::contract) fn parse(params: &Value, options: &ParseOptions) -> Result<Parsed, Vec<Issue>> {
    let mut params = params.clone();
    derive_labels(&mut params);
    let params = params.as_object();
    let mut reader = Reader::new(options.limits);
    let place = Place::form();
    let title = params.and_then(|params| reader.text(&place, params, "title"));
    let submit_label = params.and_then(|params| reader.text(&place, params, "submitLabel"));
    let mut questions = Vec::new();
    let mut ids = Unique::default();
    let most = MOST_QUESTIONS.min(options.limits.questions);
    for (index, value) in reader.questions(params, most).iter().enumerate() {
        let place = Place::question(index);
        if let Some(object) = reader.object(&place, value) {
            questions.extend(question(&mut reader, &place, index, object, &mut ids));
        }
    }
    let mode = params.and_then(|params| waiting(&mut reader, params));
    if let Some(params) = params {
        reader.unknown(&place, params, FORM_FIELDS);
    }
    let warnings = reader.finish()?;
    let submit_label = Some(submit_label.unwrap_or_else(|| "Submit".to_owned()));
    let form = Form { contract: Contract::Questionnaire, title, submit_label, questions, rules: RULES };
    Ok(Parsed { form, mode, warnings })
}

/// An explicit `mode` takes precedence over the older `noWait`.
fn waiting(reader: &mut Reader, params: &Map<String, Value>) -> Option<Mode> {
    let place = Place::form();
    let mode = match params.get("mode") {
        None | Some(Value::Null) => None,
        Some(Value::String(mode)) if mode == "urgent" => Some(Mode::Urgent),
        Some(Value::String(mode)) if mode == "background" => Some(Mode::Background),
        Some(_) => {
            let message = "`mode` must be \"background\" or \"urgent\", or left out for background.";
            reader.issue(&place, "mode", message);
            None
        }
    };
    let no_wait = reader.flag(&place, params, "noWait");
    mode.or(no_wait.map(|no_wait| if no_wait { Mode::Background } else { Mode::Urgent }))
}

fn question(
    reader: &mut Reader,
    place: &Place,
    index: usize,
    object: &Map<String, Value>,
    ids: &mut Unique,
) -> Option<Question> {
    let number = index + 1;
    reader.no_secrets(place, object);
    let id = reader.text(place, object, "id").unwrap_or_else(|| format!("q{number}"));
    reader.unique(place, "id", "question", ids, (index, &id));
    let prompt = reader.required(place, object, "question", "Write the question to ask.");
    let label = reader.text(place, object, "label").unwrap_or_else(|| format!("Q{number}"));
    let header = reader.text(place, object, "header");
    let multiple = reader.flag(place, object, "multiple").unwrap_or(false);
    let other = reader.flag(place, object, "allowOther").unwrap_or(true);
    let required = reader.flag(place, object, "required").unwrap_or(true);
    let placeholder = reader.text(place, object, "placeholder");
    let other_label = reader.text(place, object, "otherLabel");
    let options = options::read(reader, place, object);
    let kind = match (&options, multiple) {
        (None, _) => QuestionType::Text,
        (Some(_), true) => QuestionType::Multi,
        (Some(_), false) => QuestionType::Single,
    };
    let options = options.unwrap_or_default();
    let pickable = options.given.map(|given| given + usize::from(other));
    let (min, max) = limits::read(reader, place, object, kind, required, pickable);
    limits::preselected(reader, place, &options.choices, kind, max);
    reader.unknown(place, object, QUESTION_FIELDS);

    let typed = kind == QuestionType::Text;
    let (placeholder, row_placeholder) = if typed { (placeholder, None) } else { (None, placeholder) };
    let custom = (other && !typed).then(|| CustomRow {
        label: other_label.unwrap_or_else(|| "Type your own".to_owned()),
        placeholder: row_placeholder,
    });
    Some(Question {
        id,
        label,
        header,
        prompt: prompt?,
        kind,
        requested_type: None,
        presented_type: None,
        required,
        placeholder,
        custom,
        min,
        max,
        options: options.choices.into_iter().map(|(_, choice)| choice).collect(),
    })
}
