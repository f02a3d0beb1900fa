//! The review: all answers and notes, and one numbered list of what can be done with them.

use crate::steps::entered::Entered;
use crate::steps::words::{entered_text, flat, label, question_label};

/// An entry of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Submit,
    Elaborate,
    Cancel,
    Change(usize),
}

/// The entries in order; their number is their place, from 1.
pub(super) fn actions(entered: &Entered) -> Vec<(Action, String)> {
    let form = entered.form();
    let submit = form.submit_label.as_deref().map(flat).filter(|text| !text.is_empty());
    let mut actions = vec![(Action::Submit, submit.unwrap_or_else(|| "Submit".to_owned()))];
    if form.rules.elaborate {
        actions.push((Action::Elaborate, "Elaborate".to_owned()));
    }
    actions.push((Action::Cancel, "Cancel".to_owned()));
    for (at, question) in form.questions.iter().enumerate() {
        actions.push((Action::Change(at), format!("Change {}", question_label(question))));
    }
    actions
}

pub(super) fn show(entered: &Entered) -> Vec<String> {
    let mut lines = vec![String::new(), "Review of your answers".to_owned()];
    for (at, question) in entered.form().questions.iter().enumerate() {
        let answer = entered.answer(at);
        let text = entered_text(question, answer).unwrap_or_else(|| "(no answer)".to_owned());
        let gap = entered.gap(at).map(|gap| format!(" ({gap})")).unwrap_or_default();
        lines.push(format!("  {}: {text}{gap}", question_label(question)));
        if let Some(note) = &answer.note {
            lines.push(format!("    note: {}", flat(note)));
        }
        for option in &question.options {
            if let Some(note) = answer.option_notes.get(&option.value) {
                lines.push(format!("    note on {}: {}", label(option), flat(note)));
            }
        }
    }
    lines.push(String::new());
    for (number, (action, text)) in (1..).zip(actions(entered)) {
        let more = match action {
            Action::Elaborate => ": send back with your notes, the agent explains and asks again",
            Action::Cancel => ": the agent gets no answer",
            Action::Submit | Action::Change(_) => "",
        };
        lines.push(format!("  {number}. {text}{more}"));
    }
    lines
}

pub(super) fn hint(entered: &Entered) -> String {
    format!("Type a number from 1 to {}. Or: b back, l print again, q cancel.", actions(entered).len())
}

/// The entry a line names, by number or by its words.
pub(super) fn named(entered: &Entered, line: &str) -> Option<Action> {
    let actions = actions(entered);
    let text = flat(line);
    if let Ok(number) = text.parse::<usize>() {
        return number.checked_sub(1).and_then(|at| actions.get(at)).map(|(action, _)| *action);
    }
    let mut reading = actions.iter().filter(|(_, words)| words.to_lowercase() == text.to_lowercase());
    match (reading.next(), reading.next()) {
        (Some((action, _)), None) => Some(*action),
        _ => None,
    }
}
