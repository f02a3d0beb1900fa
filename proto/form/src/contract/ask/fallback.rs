//! The questions as text, for an agent whose host cannot ask (ask contract, Runtime modes).

use super::NO_PERSON;
use crate::form::{Choice, Form, Question, QuestionType};

pub(super) fn text(form: &Form) -> String {
    let mut lines = vec![
        NO_PERSON.to_owned(),
        "Nothing is decided. Ask the user these questions yourself and wait for the answers:".to_owned(),
    ];
    lines.extend(form.title.iter().map(|title| format!("Title: {title}")));
    for (index, question) in form.questions.iter().enumerate() {
        lines.push(format!("{}. {}: {}{}", index + 1, question.label, question.prompt, how_many(question)));
        if !question.is_freeform() {
            lines.extend(question.options.iter().map(choice));
        }
        lines.extend(question.custom.iter().map(|row| format!("   - {}", row.label)));
    }
    lines.join("\n")
}

fn how_many(question: &Question) -> &'static str {
    match question.kind {
        _ if question.is_typed() => "",
        QuestionType::Multi => " (any number)",
        _ => " (one)",
    }
}

fn choice(option: &Choice) -> String {
    let recommended = if option.recommended == Some(true) { " (recommended)" } else { "" };
    let description = option.description.as_ref().map_or(String::new(), |text| format!(" — {text}"));
    format!("   - {} [value: {}]{recommended}{description}", option.label, option.value)
}
