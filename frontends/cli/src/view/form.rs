//! One form with its questions and, once resolved, its answers.

use askd_form::{AnswerData, Question, safe_text};
use askd_wire::Millis;
use askd_wire::form::{FormSnapshot, FormState};

use super::{age, table, who};

/// The whole form as text.
pub(crate) fn whole(snapshot: &FormSnapshot, now: Millis) -> String {
    let mut parts = vec![head(snapshot, now)];
    let answers = snapshot.summary.outcome.as_ref().and_then(|outcome| outcome.answers.as_ref());
    for (at, asked) in snapshot.form.questions.iter().enumerate() {
        let answer = answers.and_then(|answers| answers.get(&asked.id));
        parts.push(question(at + 1, asked, answer, answers.is_some()));
    }
    parts.join("\n\n")
}

fn head(snapshot: &FormSnapshot, now: Millis) -> String {
    let form = &snapshot.summary;
    let mut rows = vec![vec!["Form".to_owned(), form.form_id.clone()]];
    let mut row = |name: &str, text: String| rows.push(vec![name.to_owned(), text]);
    if let Some(title) = &form.title {
        row("Title", safe_text::line(title).into_owned());
    }
    row("From", who::origin(&form.origin));
    row("Asked", format!("{} ago", age::since(form.created_at, now)));
    match (form.state, &form.outcome) {
        (FormState::Resolved, Some(outcome)) => {
            let ago = age::since(form.resolved_at.unwrap_or(now), now);
            row("State", format!("{}, {ago} ago", who::outcome(outcome)));
            if let Some(by) = &form.resolved_by {
                row("By", who::resolved_by(by));
            }
        }
        _ => {
            row("State", who::open_state(form));
            if let Some(expires) = form.expires_at {
                row("Expires", format!("in {}", age::span(expires.saturating_sub(now))));
            }
        }
    }
    if let Some(context) = form.origin.context.as_ref().filter(|c| !c.trim().is_empty()) {
        let text = table::aligned(&rows);
        return format!("{text}\n\n{}", indented(context, "  "));
    }
    table::aligned(&rows)
}

fn question(number: usize, question: &Question, answer: Option<&AnswerData>, resolved: bool) -> String {
    let mut lines = vec![format!("{number}. {}", indented(&question.prompt, "   ").trim_start())];
    if let Some(header) = &question.header {
        lines.push(indented(header, "   "));
    }
    let required = if question.required { ", required" } else { "" };
    lines.push(format!("   [{}: {}{required}]", safe_text::line(&question.id), question.kind.name()));
    for option in &question.options {
        let chosen = answer.is_some_and(|a| a.values.contains(&option.value));
        let mark = match (resolved, chosen) {
            (true, true) => "x",
            (true, false) => " ",
            (false, _) => "-",
        };
        let mut line = format!("   {mark} {}", safe_text::line(&option.label));
        if safe_text::line(&option.label) != safe_text::line(&option.value) {
            line.push_str(&format!(" [{}]", safe_text::line(&option.value)));
        }
        if option.recommended == Some(true) {
            line.push_str(" (recommended)");
        }
        if let Some(description) = &option.description {
            line.push_str(&format!(" | {}", safe_text::line(description)));
        }
        lines.push(line);
        if let Some(note) = answer.and_then(|a| a.option_notes.get(&option.value)) {
            lines.push(format!("       note: {}", safe_text::line(note)));
        }
        if let Some(preview) = &option.preview {
            lines.push(indented(preview, "       "));
        }
    }
    if let Some(answer) = answer {
        if let Some(text) = &answer.custom_text {
            lines.push(format!("   (wrote) {}", indented(text, "   ").trim_start()));
        }
        if let Some(note) = &answer.note {
            lines.push(format!("   note: {}", indented(note, "   ").trim_start()));
        }
    }
    if resolved && !answer.is_some_and(AnswerData::is_answered) {
        lines.push("   (no answer)".to_owned());
    }
    lines.join("\n")
}

fn indented(text: &str, by: &str) -> String {
    let text = safe_text::block(text);
    text.lines().map(|line| format!("{by}{line}")).collect::<Vec<_>>().join("\n")
}
