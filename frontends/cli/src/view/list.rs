//! Lists of forms.

use askd_form::safe_text;
use askd_wire::Millis;
use askd_wire::form::FormSummary;

use super::{age, table, who};
use crate::ids;

/// A form in one line: its title, else its first question.
pub(crate) fn describe(form: &FormSummary) -> String {
    let first = safe_text::line(&form.first_prompt);
    let mut text = match &form.title {
        Some(title) => format!("{}: {first}", safe_text::line(title)),
        None => first.into_owned(),
    };
    if form.question_count > 1 {
        text.push_str(&format!(" (+{})", form.question_count - 1));
    }
    text
}

/// Open forms as a table.
pub(crate) fn open(forms: &[FormSummary], now: Millis) -> String {
    let row = |id: &str, form: &FormSummary| {
        vec![
            id.to_owned(),
            age::since(form.created_at, now),
            who::origin(&form.origin),
            who::open_state(form),
            describe(form),
        ]
    };
    with_heads(["ID", "AGE", "FROM", "STATE", "QUESTION"], forms, row)
}

/// Finished forms as a table.
pub(crate) fn resolved(forms: &[FormSummary], now: Millis) -> String {
    let row = |id: &str, form: &FormSummary| {
        vec![
            id.to_owned(),
            age::since(form.resolved_at.unwrap_or(form.created_at), now),
            who::origin(&form.origin),
            form.outcome.as_ref().map_or_else(String::new, who::outcome),
            form.resolved_by.as_ref().map_or_else(String::new, who::resolved_by),
            describe(form),
        ]
    };
    with_heads(["ID", "AGO", "FROM", "OUTCOME", "BY", "QUESTION"], forms, row)
}

fn with_heads<const N: usize>(
    heads: [&str; N],
    forms: &[FormSummary],
    row: impl Fn(&str, &FormSummary) -> Vec<String>,
) -> String {
    let length = ids::shown_length(forms.iter().map(|form| form.form_id.as_str()));
    let mut rows = vec![heads.map(str::to_owned).to_vec()];
    rows.extend(forms.iter().map(|form| row(ids::shorten(&form.form_id, length), form)));
    table::aligned(&rows)
}
