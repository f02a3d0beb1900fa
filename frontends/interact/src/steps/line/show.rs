//! What line mode prints: plain lines from top to bottom, each said once, nothing that a terminal acts on.

use askd_form::{Answer, Choice, QuestionType, safe_text};

use super::command::row_count;
use crate::steps::entered::Entered;
use crate::steps::words::{entered_text, flat, label, question_label};

/// Lines of a text that may have several, each behind an indent.
fn indented(text: &str, indent: &str) -> Vec<String> {
    safe_text::block(text).split('\n').map(|line| format!("{indent}{line}").trim_end().to_owned()).collect()
}

pub(super) fn question(entered: &Entered, at: usize) -> Vec<String> {
    let question = entered.question(at);
    let answer = entered.answer(at);
    let mut lines = vec![String::new()];
    lines.push(format!("[{}/{}] {}", at + 1, entered.len(), question_label(question)));
    lines.extend(indented(&question.prompt, ""));
    if let Some(header) = &question.header {
        lines.extend(indented(header, ""));
    }
    lines.extend(traits(entered, at));
    if !question.is_typed() {
        for (index, option) in question.options.iter().enumerate() {
            lines.extend(choice(index, option, answer));
        }
        if let Some(row) = &question.custom {
            lines.push(format!("  {}. {}", row_count(question), flat(&row.label)));
        }
    }
    lines.extend(so_far(entered, at));
    lines
}

fn traits(entered: &Entered, at: usize) -> Option<String> {
    let question = entered.question(at);
    let mut parts = Vec::new();
    if entered.kind(at) == QuestionType::Multi && !question.is_typed() {
        parts.push(match (question.min.filter(|min| *min > 0), question.max) {
            (None, None) => "Several answers are possible.".to_owned(),
            (Some(min), None) => format!("Pick at least {min}."),
            (None, Some(max)) => format!("Pick at most {max}."),
            (Some(min), Some(max)) if min == max => format!("Pick {min}."),
            (Some(min), Some(max)) => format!("Pick {min} to {max}."),
        });
    }
    if question.required {
        parts.push("Required.".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}

fn choice(index: usize, option: &Choice, answer: &Answer) -> Vec<String> {
    let mut first = format!("  {}. {}", index + 1, label(option));
    if option.recommended == Some(true) {
        first.push_str(" (recommended)");
    }
    if option.selected == Some(true) {
        first.push_str(" (preselected)");
    }
    let mut lines = vec![first];
    if let Some(text) = &option.description {
        lines.extend(indented(text, "     "));
    }
    if let Some(text) = &option.preview {
        lines.push("     Preview:".to_owned());
        lines.extend(indented(text, "       "));
    }
    if let Some(note) = answer.option_notes.get(&option.value) {
        lines.push(format!("     Note: {}", flat(note)));
    }
    lines
}

/// What stands already: the answer, the note, what the agent preselected.
fn so_far(entered: &Entered, at: usize) -> Vec<String> {
    let (question, answer) = (entered.question(at), entered.answer(at));
    let mut lines = Vec::new();
    let preselected = entered.preselected(at);
    if let Some(text) = entered_text(question, answer) {
        lines.push(format!("Your answer so far: {text}. Enter keeps it."));
    } else if !preselected.is_empty() {
        let as_answer = Answer { values: preselected, ..Answer::default() };
        if let Some(text) = entered_text(question, &as_answer) {
            lines.push(format!("Preselected: {text}. Enter takes it."));
        }
    }
    if let Some(custom) = answer.custom.as_ref().filter(|custom| !custom.selected) {
        lines.push(format!("Your text, not part of the answer now: {}", flat(&custom.text)));
    }
    if let Some(note) = &answer.note {
        lines.push(format!("Your note: {}", flat(note)));
    }
    lines
}

/// What works at a question now.
pub(super) fn hint(entered: &Entered, at: usize) -> String {
    let question = entered.question(at);
    let rules = &entered.form().rules;
    let rows = row_count(question);
    let own = if question.custom.is_some() { " or your own text" } else { "" };
    let mut hint = if question.is_typed() {
        match question.placeholder.as_deref().map(flat).filter(|text| !text.is_empty()) {
            Some(text) => format!("Type your answer ({text})."),
            None => "Type your answer.".to_owned(),
        }
    } else if rows == 1 {
        format!("Type 1{own}.")
    } else if entered.kind(at) == QuestionType::Multi {
        let example = if rows > 2 { "1,3" } else { "1,2" };
        format!("Type numbers from 1 to {rows}, like {example}{own}.")
    } else {
        format!("Type a number from 1 to {rows}{own}.")
    };
    hint.push_str(" Or: ");
    if rules.notes {
        hint.push_str("n note, ");
        if !question.is_typed() {
            hint.push_str(&format!("n{} note on option {0}, ", question.options.len().min(2)));
        }
    }
    hint.push_str("s skip, ");
    if at > 0 {
        hint.push_str("b back, ");
    }
    if entered.form().has_review() {
        hint.push_str("r review, ");
    }
    hint.push_str("q cancel, ? help.");
    hint
}

/// Everything that can be typed at a question.
pub(super) fn help(entered: &Entered, at: usize) -> Vec<String> {
    let question = entered.question(at);
    let rules = &entered.form().rules;
    let multi = entered.kind(at) == QuestionType::Multi;
    let mut lines = vec![String::new(), "What you can type, Enter after each:".to_owned()];
    let mut add = |what: &str, does: &str| lines.push(format!("  {what}: {does}"));
    if question.is_typed() {
        add("any text", "your answer; a backslash at the end of the line goes on with the next one");
    } else if multi {
        add("1,3 or 1 3 or 1-3", "these options and no others, in this order");
        add("+2 or -2", "adds an option to your answer or takes it out");
    } else {
        add("1", "option 1; its label in full does the same");
    }
    if question.custom.is_some() {
        add(
            "any other text",
            "your own answer; a backslash at the end of the line goes on with the next one",
        );
        if multi {
            add("1,3 = text", "options and your own text together");
        }
    }
    if question.is_typed() || question.custom.is_some() {
        add("= text", "your own answer, word for word, also when it looks like a number or a command");
        add(".", "a text of several lines; a dot alone ends it");
    }
    add("Enter alone", "keeps the answer that is there and goes on");
    if rules.notes {
        add("n", "a note on the question");
        if !question.is_typed() {
            add("n2", "a note on option 2");
        }
    }
    if rules.type_change && !question.is_typed() {
        add("t", if multi { "only one answer instead of several" } else { "several answers instead of one" });
    }
    add("s", "goes on without an answer");
    add("b", "back to the question before");
    if entered.form().has_review() {
        add("r", "review all answers, then submit");
    }
    add("l", "prints the question again");
    add("q or Ctrl+C", "cancels the whole form; the agent gets no answer");
    lines
}

/// How to type a text.
pub(super) fn typing(what: &str, saved: Option<&str>, block: bool) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(saved) = saved {
        lines.push(format!("Now: {}", flat(saved)));
    }
    lines.push(match (block, saved) {
        (true, _) => format!("{what}: type as many lines as you like, then a dot alone on a line."),
        (false, None) => format!(
            "{what}: type it and press Enter. A backslash at the end goes on with another line, a dot alone starts \
             several lines, an empty line leaves things as they are."
        ),
        (false, Some(_)) => format!(
            "{what}: type it and press Enter. A backslash at the end goes on with another line, a dot alone starts \
             several lines, an empty line keeps what is there, - removes it."
        ),
    });
    lines
}

/// The confirmation of an answer.
pub(super) fn echo(entered: &Entered, at: usize) -> String {
    let (question, answer) = (entered.question(at), entered.answer(at));
    let label = question_label(question);
    match entered_text(question, answer) {
        Some(text) => format!("{label}: {text}"),
        None => format!("{label}: no answer"),
    }
}
