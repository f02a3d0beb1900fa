//! Agent text and answers as single harmless lines, worded the same in every step.

use askd_form::{Answer, AnswerData, Choice, Form, Outcome, Question, safe_text};

/// A text as one line: nothing a terminal acts on, runs of white space one space, none at the ends.
#[must_use]
pub fn flat(text: &str) -> String {
    let line = safe_text::line(text);
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An option's label as one line. One that shows nothing is named by its value, so that no row is blank.
pub(super) fn label(option: &Choice) -> String {
    [&option.label, &option.value]
        .into_iter()
        .map(|text| flat(text))
        .find(|text| !text.is_empty())
        .unwrap_or_else(|| "(blank)".to_owned())
}

/// A question's label as one line.
pub(super) fn question_label(question: &Question) -> String {
    let label = flat(&question.label);
    if label.is_empty() { flat(&question.id) } else { label }
}

/// What was answered: labels in the order of selection, typed text last; nothing when there is no answer.
#[must_use]
pub fn answer_text(question: &Question, data: &AnswerData) -> Option<String> {
    let values = data.values.iter().map(String::as_str);
    joined(question, values, data.custom_text.as_deref())
}

pub(super) fn entered_text(question: &Question, answer: &Answer) -> Option<String> {
    let custom = answer.custom.as_ref().filter(|custom| custom.selected).map(|custom| custom.text.as_str());
    joined(question, answer.values.iter().map(String::as_str), custom)
}

fn joined<'a>(
    question: &Question,
    values: impl Iterator<Item = &'a str>,
    custom: Option<&str>,
) -> Option<String> {
    let mut parts: Vec<String> =
        values.map(|value| question.option(value).map_or_else(|| flat(value), label)).collect();
    parts.extend(custom.map(flat));
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The answers of an outcome in one line, for the note that a form was answered elsewhere: questions joined
/// by `; `, unanswered ones left out. Nothing when the outcome holds no answer.
#[must_use]
pub fn outcome_text(form: &Form, outcome: &Outcome) -> Option<String> {
    let answers = outcome.answers.as_ref()?;
    let texts: Vec<String> = form
        .questions
        .iter()
        .filter_map(|question| answer_text(question, answers.get(&question.id)?))
        .collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// Whether two texts read alike: letters and digits compared without case; texts without any compared as
/// they are.
pub(super) fn alike(a: &str, b: &str) -> bool {
    let bare = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (bare_a, bare_b) = (bare(a), bare(b));
    if bare_a.is_empty() || bare_b.is_empty() { flat(a) == flat(b) } else { bare_a == bare_b }
}
