//! How many selections a question takes: what `min`, `max` and `selected` may say, and how it is told
//! (questionnaire reference, Parameters; contracts.md §3).

use serde_json::{Map, Value};

use crate::contract::place::Place;
use crate::contract::reader::Reader;
use crate::form::{Choice, Question, QuestionType};

/// Reads `min` and `max` of a question. `pickable` is how many selections it can hold at all, none where its
/// options could not be read.
pub(super) fn read(
    reader: &mut Reader,
    place: &Place,
    object: &Map<String, Value>,
    kind: QuestionType,
    required: bool,
    pickable: Option<usize>,
) -> (Option<u32>, Option<u32>) {
    let given = |field: &str| object.get(field).is_some_and(|value| !value.is_null());
    if kind != QuestionType::Multi {
        if let Some(field) = ["min", "max"].into_iter().find(|field| given(field)) {
            let message = "limits are for multiple choices only. Add `multiple: true` and options, or leave \
                           `min` and `max` out.";
            reader.issue(place, field, message);
        }
        return (None, None);
    }
    let min = whole(reader, place, object, "min");
    let over =
        |limit: u64| pickable.filter(|most| usize::try_from(limit).map_or(true, |limit| limit > *most));
    let max = object.get("max").and_then(number);
    if let Some(min) = min {
        if let Some(most) = over(min) {
            reader.issue(place, "min", &above(most, "min"));
        } else if max.is_some_and(|max| min > max) {
            reader.issue(place, "min", "`min` is above `max`. Lower it or raise `max`.");
        }
    }
    let max = whole(reader, place, object, "max");
    if let Some(max) = max {
        if let Some(most) = over(max) {
            reader.issue(place, "max", &above(most, "max"));
        } else if max == 0 && required {
            let message = "with `max` 0 a required question can never be answered. Raise it, or set \
                           `required` to false.";
            reader.issue(place, "max", message);
        }
    }
    (min.and_then(|min| u32::try_from(min).ok()), max.and_then(|max| u32::try_from(max).ok()))
}

fn above(pickable: usize, field: &str) -> String {
    format!(
        "`{field}` is above what can be picked, {pickable} with the typed answer if one is allowed. Lower it."
    )
}

/// A whole number from 0, however JSON writes it.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| {
        let number = value.as_f64()?;
        let whole = number >= 0.0 && number.fract() == 0.0 && number <= f64::from(u32::MAX);
        // The range is checked just before, so nothing is cut.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        whole.then_some(number as u64)
    })
}

fn whole(reader: &mut Reader, place: &Place, object: &Map<String, Value>, field: &str) -> Option<u64> {
    let value = object.get(field).filter(|value| !value.is_null())?;
    let number = number(value);
    if number.is_none() {
        reader.issue(place, field, &format!("`{field}` must be a whole number from 0, or left out."));
    }
    number
}

/// Refuses more preselected options than the question may hold, at the first one too many.
pub(super) fn preselected(
    reader: &mut Reader,
    place: &Place,
    options: &[(usize, Choice)],
    kind: QuestionType,
    max: Option<u32>,
) {
    let most = if kind == QuestionType::Multi { max } else { Some(1) };
    let Some(most) = most.and_then(|most| usize::try_from(most).ok()) else { return };
    let mut selected = options.iter().filter(|(_, option)| option.selected == Some(true));
    if let Some((index, _)) = selected.nth(most) {
        let message = format!(
            "more options are preselected than the {most} this question takes. Drop `selected` here."
        );
        reader.issue(&place.option(*index), "selected", &message);
    }
}

/// In words, for who asks the question by hand.
pub(super) fn described(question: &Question) -> String {
    match (question.kind, question.min, question.max) {
        (QuestionType::Text, _, _) => "typed answer".to_owned(),
        (QuestionType::Multi, None, None) => "choose any number".to_owned(),
        (QuestionType::Multi, Some(min), None) => format!("choose {min} or more"),
        (QuestionType::Multi, None, Some(max)) => format!("choose up to {max}"),
        (QuestionType::Multi, Some(min), Some(max)) if min == max => format!("choose {min}"),
        (QuestionType::Multi, Some(min), Some(max)) => format!("choose {min} to {max}"),
        (QuestionType::Single | QuestionType::Preview, _, _) => "choose one".to_owned(),
    }
}
