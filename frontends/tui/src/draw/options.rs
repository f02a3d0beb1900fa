//! One row of the list as lines: marker, tick, label, description, notes, and the editor where it is open.

use askd_form::{Question, QuestionType, safe_text};
use askd_interact::interaction::{Page, Target};
use ratatui::style::Style;

use super::editor;
use super::text::{Line, flow, span, wrapped};
use crate::app::App;

/// The lines of one row, and where the cursor stands in them when the row has the open editor.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) lines: Vec<Line>,
    pub(super) cursor: Option<(usize, usize)>,
}

/// Below this width the blanks between marker, number and tick are left out.
const NARROW: u16 = 30;

/// How much of a row there is room for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    pub(super) width: u16,
    /// Rows of the whole list.
    pub(super) height: usize,
}

impl Room {
    /// So little that descriptions are shown for the focused row only.
    fn is_tight(self) -> bool {
        self.height < 6
    }
}

pub(super) fn item(app: &App, question: &Question, page: &Page, row: usize, room: Room) -> Item {
    if Page::is_custom(question, row) {
        custom(app, question, page, row, room)
    } else {
        option(app, question, page, row, room)
    }
}

fn option(app: &App, question: &Question, page: &Page, row: usize, room: Room) -> Item {
    let choice = &question.options[row];
    let focused = page.row == row;
    let ticked = page.answer.values.contains(&choice.value);
    let note = page.answer.option_notes.get(&choice.value);
    let head = head(app, page, row, ticked, room.width);
    let indent = head.iter().map(|span| askd_interact::interaction::buffer::cells(&span.text)).sum();
    let style = if focused { app.theme.accent } else { Style::new() };
    let label = safe_text::line(&choice.label);
    let mut label = label.trim().to_owned();
    let tight = room.is_tight() && !focused;
    if tight && choice.recommended == Some(true) {
        label.push_str(" ★");
    }
    let mut lines = wrapped(head, &label, style, room.width.saturating_sub(2));
    if note.is_some()
        && let Some(first) = lines.first_mut()
    {
        first.right = Some(span("✎ ", app.theme.warning));
    }
    if !tight {
        lines.extend(subtitle(app, choice, indent, room.width.saturating_sub(2)));
    }
    let editing = focused && app.work.editor().is_some_and(|editor| editor.target == Target::OptionNote(row));
    if editing {
        let cursor = editor::append(app, &mut lines, "Note", indent, room);
        return Item { lines, cursor };
    }
    if let Some(note) = note.filter(|_| !tight) {
        let text = safe_text::block(note);
        let head = vec![span(" ".repeat(indent), Style::new()), span("Note: ", app.theme.muted)];
        lines.extend(wrapped(head, &text, app.theme.muted, room.width.saturating_sub(2)));
    }
    Item { lines, cursor: None }
}

/// `(recommended) | <description>` (ask contract, Input rules).
fn subtitle(app: &App, choice: &askd_form::Choice, indent: usize, width: u16) -> Vec<Line> {
    let mut parts = Vec::new();
    if choice.recommended == Some(true) {
        parts.push(("(recommended)".to_owned(), app.theme.warning));
    }
    if let Some(description) = &choice.description {
        if !parts.is_empty() {
            parts.push((" | ".to_owned(), app.theme.muted));
        }
        parts.push((safe_text::block(description).trim().to_owned(), app.theme.muted));
    }
    if parts.is_empty() { Vec::new() } else { flow(&parts, indent, width) }
}

fn custom(app: &App, question: &Question, page: &Page, row: usize, room: Room) -> Item {
    let focused = page.row == row;
    let text = page.custom();
    let editing = focused && app.work.editor().is_some_and(|editor| editor.target == Target::Answer);
    let style = if focused { app.theme.accent } else { Style::new() };
    let own = question.custom.as_ref().map_or("Type your own", |custom| custom.label.as_str());
    let typed = question.is_typed();
    let (head, label) = if typed {
        let label = if question.is_freeform() { "Type your answer:" } else { "Your answer:" };
        (vec![span(" ", Style::new())], label.to_owned())
    } else {
        let ticked = text.is_some_and(|custom| custom.selected);
        let head = head(app, page, row, ticked, room.width);
        (head, safe_text::line(own).trim().to_owned())
    };
    let indent: usize = head.iter().map(|span| askd_interact::interaction::buffer::cells(&span.text)).sum();
    if editing {
        // At very small sizes the editor takes the label's place.
        let mut lines = if room.height < 4 {
            Vec::new()
        } else {
            wrapped(head, &label, style, room.width.saturating_sub(2))
        };
        let indent = if usize::from(room.width) < 40 { indent.min(3) } else { indent };
        let cursor = editor::append(app, &mut lines, "", indent, room);
        return Item { lines, cursor };
    }
    let shown = match text {
        Some(custom) => format!("{label}: {}", safe_text::block(&custom.text)),
        None if typed => label,
        None => format!("{label}…"),
    };
    Item { lines: wrapped(head, &shown, style, room.width.saturating_sub(2)), cursor: None }
}

/// Focus marker, number and tick.
fn head(app: &App, page: &Page, row: usize, ticked: bool, width: u16) -> Vec<super::text::Span> {
    let focused = page.row == row;
    let gap = if width < NARROW { "" } else { " " };
    let marker = if focused {
        span(format!("❯{gap}"), app.theme.accent)
    } else {
        span(format!(" {gap}"), Style::new())
    };
    // A number is a key that selects the row; there are nine.
    let number = if row < 9 { format!("{}.{gap}", row + 1) } else { format!("  {gap}") };
    let style = if focused { app.theme.accent } else { app.theme.muted };
    let tick = match (page.kind, ticked) {
        (QuestionType::Multi, true) => span("[x] ", app.theme.success),
        (QuestionType::Multi, false) => span("[ ] ", Style::new()),
        (_, true) => span("(•) ", app.theme.success),
        (_, false) => span("( ) ", Style::new()),
    };
    vec![marker, span(number, style), tick]
}
