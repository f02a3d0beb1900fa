//! The rows of a card: every one a single line, no two the same, none that reads like one of ours.

use std::collections::HashSet;

use askd_form::{Choice, Question, QuestionType};

use crate::steps::entered::Entered;
use crate::steps::words::{alike, flat, label};

/// The ask contract's word for the row that takes typed text ("Runtime modes").
const TYPE_SOMETHING: &str = "Type something…";

/// What a row stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Row {
    /// An option, by its place.
    Choice(usize),
    /// Typed text.
    Other,
    /// Leaves an optional question without an answer.
    Skip,
    /// Takes what is ticked.
    Done,
}

/// A row that can be ticked.
pub(super) struct TickRow {
    pub(super) row: Row,
    pub(super) text: String,
    pub(super) ticked: bool,
}

/// The rows of a card whose ticks are shown beside them.
pub(super) fn card(entered: &Entered, at: usize) -> Vec<TickRow> {
    let (question, answer) = (entered.question(at), entered.answer(at));
    let mut rows = numbered(question);
    if question.custom.is_some() {
        let own = answer.custom.as_ref().filter(|custom| custom.selected);
        let label = own_label(entered, at);
        let text = own.map(|custom| format!("{label}: {}", flat(&custom.text))).unwrap_or(label);
        rows.push((Row::Other, distinct(text, "your own text", question, &rows)));
    }
    let ticked = |row: &Row| match row {
        Row::Choice(index) => answer.values.contains(&question.options[*index].value),
        _ => answer.custom.as_ref().is_some_and(|custom| custom.selected),
    };
    rows.into_iter().map(|(row, text)| TickRow { ticked: ticked(&row), row, text }).collect()
}

pub(super) fn ticks(entered: &Entered, at: usize) -> bool {
    entered.form().rules.enforced
        && entered.kind(at) == QuestionType::Multi
        && !entered.question(at).is_typed()
}

pub(super) fn of(entered: &Entered, at: usize) -> Vec<(Row, String)> {
    let question = entered.question(at);
    let ticks = ticks(entered, at);
    let mut rows = if ticks { ticked(entered, at) } else { numbered(question) };
    let own = |row: Row, text: String, plain: &str, rows: &mut Vec<(Row, String)>| {
        let text = distinct(text, plain, question, rows);
        rows.push((row, text));
    };
    if question.custom.is_some() {
        own(Row::Other, other(entered, at), "your own text", &mut rows);
    }
    if ticks {
        own(Row::Done, "Done".to_owned(), "go on", &mut rows);
    } else if entered.form().rules.enforced && !question.required {
        own(Row::Skip, "Skip".to_owned(), "no answer", &mut rows);
    }
    rows
}

fn numbered(question: &Question) -> Vec<(Row, String)> {
    let row = |(index, option): (usize, &Choice)| {
        let mut text = format!("{}. {}", index + 1, label(option));
        if option.recommended == Some(true) {
            text.push_str(" (recommended)");
        }
        if option.selected == Some(true) {
            text.push_str(" (preselected)");
        }
        describe(&mut text, option);
        (Row::Choice(index), text)
    };
    question.options.iter().enumerate().map(row).collect()
}

/// Without numbers two options can read the same; those carry their number at the end.
fn ticked(entered: &Entered, at: usize) -> Vec<(Row, String)> {
    let (question, answer) = (entered.question(at), entered.answer(at));
    let mut texts: Vec<String> = question
        .options
        .iter()
        .map(|option| {
            let mut text = label(option);
            describe(&mut text, option);
            text
        })
        .collect();
    number_equal(&mut texts);
    let row = |(index, text): (usize, String)| {
        let ticked = answer.values.contains(&question.options[index].value);
        (Row::Choice(index), format!("[{}] {text}", if ticked { 'x' } else { ' ' }))
    };
    texts.into_iter().enumerate().map(row).collect()
}

fn number_equal(texts: &mut [String]) {
    loop {
        let mut seen = HashSet::new();
        let equal: HashSet<String> = texts.iter().filter(|text| !seen.insert(*text)).cloned().collect();
        if equal.is_empty() {
            return;
        }
        for (index, text) in texts.iter_mut().enumerate().filter(|(_, text)| equal.contains(*text)) {
            text.push_str(&format!(" (option {})", index + 1));
        }
    }
}

fn describe(text: &mut String, option: &Choice) {
    let parts = [("", &option.description), ("Preview: ", &option.preview)];
    for (word, part) in parts {
        if let Some(part) = part.as_deref().map(flat).filter(|part| !part.is_empty()) {
            text.push_str(" — ");
            text.push_str(word);
            text.push_str(&part);
        }
    }
}

/// The name of the row for typed text.
pub(super) fn own_label(entered: &Entered, at: usize) -> String {
    let custom = entered.question(at).custom.as_ref().filter(|_| entered.form().rules.enforced);
    custom.map(|row| flat(&row.label)).filter(|text| !text.is_empty()).unwrap_or(TYPE_SOMETHING.to_owned())
}

/// The row for typed text, ticked and with its text once there is one.
fn other(entered: &Entered, at: usize) -> String {
    let row = own_label(entered, at);
    match &entered.answer(at).custom {
        Some(custom) if ticks(entered, at) && custom.selected => format!("[x] {row}: {}", flat(&custom.text)),
        _ => row,
    }
}

/// Our row's text, told apart from options and rows that read like it.
fn distinct(text: String, plain: &str, question: &Question, rows: &[(Row, String)]) -> String {
    let taken = |text: &str| {
        rows.iter().any(|(_, row)| alike(row, text))
            || question.options.iter().any(|option| alike(&option.label, text))
    };
    if !taken(&text) {
        return text;
    }
    let mut told = format!("{text} ({plain})");
    let mut number = 2_usize;
    while taken(&told) {
        told = format!("{text} ({plain}, {number})");
        number += 1;
    }
    told
}

/// How many may be picked, in words.
pub(super) fn limits(question: &Question) -> Option<String> {
    match (question.min.filter(|min| *min > 0), question.max) {
        (Some(min), Some(max)) if min == max => Some(format!("pick {min}")),
        (Some(min), Some(max)) => Some(format!("pick {min} to {max}")),
        (Some(min), None) => Some(format!("pick at least {min}")),
        (None, Some(max)) => Some(format!("pick at most {max}")),
        (None, None) => None,
    }
}

/// What an empty input shows.
pub(super) fn placeholder(question: &Question, kind: QuestionType) -> String {
    let row = question.custom.as_ref().and_then(|row| row.placeholder.as_deref());
    let own = question.placeholder.as_deref().filter(|_| question.is_typed()).or(row);
    let text = own.map(flat).filter(|text| !text.is_empty());
    text.unwrap_or_else(|| {
        let plain =
            if kind == QuestionType::Multi { "Enter one or more answers" } else { "Enter your answer" };
        plain.to_owned()
    })
}
