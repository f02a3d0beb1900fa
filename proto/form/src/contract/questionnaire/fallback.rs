//! The questions as text, for the parent to ask where no interface can be shown (questionnaire reference,
//! Modes).

use super::limits;
use crate::form::{Choice, Form, Question};

/// The first line where nobody can be asked.
pub(super) const NO_PERSON: &str = "Needs user input: questions cannot be shown in this mode.";

pub(super) fn text(form: &Form) -> String {
    let mut lines = vec![
        NO_PERSON.to_owned(),
        "Nothing is decided. Ask the user these questions yourself and wait for the answers:".to_owned(),
    ];
    lines.extend(form.title.iter().map(|title| format!("Title: {title}")));
    for (index, question) in form.questions.iter().enumerate() {
        lines.push(format!(
            "{}. {}: {} ({})",
            index + 1,
            question.label,
            question.prompt,
            expected(question)
        ));
        lines.extend(question.header.iter().map(|header| format!("   {header}")));
        lines.extend(question.options.iter().map(choice));
        lines.extend(question.custom.iter().map(|row| format!("   - {} [typed answer]", row.label)));
    }
    lines.join("\n")
}

fn expected(question: &Question) -> String {
    let optional = if question.required { "" } else { ", optional" };
    format!("{}{optional}", limits::described(question))
}

fn choice(option: &Choice) -> String {
    let description = option.description.as_ref().map_or(String::new(), |text| format!(" — {text}"));
    format!("   - {} [value: {}]{description}", option.label, option.value)
}
