//! What lies over the form: the keys in force, or what the agent said before it asked.

use askd_form::safe_text;
use askd_interact::interaction::Key;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::text::{Line, put, span, wrapped};
use super::{put_lines, take_bottom, take_top};
use crate::app::{App, OverlayKind};

pub(super) fn draw(app: &mut App, buffer: &mut Buffer, area: Rect) {
    let Some(overlay) = app.view.overlay.clone() else { return };
    let (title, lines) = match overlay.kind {
        OverlayKind::Help => ("Keys", help(app, area.width)),
        OverlayKind::Context => ("What the agent said before", context(app, area.width)),
    };
    let mut rest = area;
    if area.height >= 3 {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        put_lines(buffer, take_top(&mut rest, 1), &[Line::one(format!(" {title}"), bold)]);
    }
    let foot = take_bottom(&mut rest, u16::from(area.height >= 2));
    let height = usize::from(rest.height);
    let top = overlay.top.min(lines.len().saturating_sub(height));
    let total = lines.len();
    let shown: Vec<Line> = lines.into_iter().skip(top).take(height).collect();
    put_lines(buffer, rest, &shown);
    let mut hint = Line::one(" ↑↓ scroll · any other key closes", app.theme.muted);
    if total > height {
        hint.right = Some(span(format!("{}–{}/{total} ", top + 1, top + shown.len()), app.theme.muted));
    }
    put(buffer, foot.x, foot.y, if foot.height > 0 { foot.width } else { 0 }, &hint);
    if let Some(overlay) = &mut app.view.overlay {
        overlay.top = top;
    }
}

fn context(app: &App, width: u16) -> Vec<Line> {
    let text = app.context.as_deref().map(safe_text::block).unwrap_or_default();
    wrapped(vec![span(" ", Style::new())], &text, Style::new(), width.saturating_sub(1))
}

/// Context, action and what it does; without a context the second part is the key itself.
type Entry = (&'static str, &'static str, &'static str);

/// The help, by section.
const SECTIONS: &[(&str, &[Entry])] = &[
    (
        "Question",
        &[
            ("main", "nextOption", "next row"),
            ("main", "previousOption", "row before"),
            ("askd", "firstOption", "first row"),
            ("askd", "lastOption", "last row"),
            ("askd", "pageDown", "eight rows on"),
            ("askd", "pageUp", "eight rows back"),
            ("main", "toggle", "select or clear the row"),
            ("main", "confirm", "confirm and go on"),
            ("", "1–9", "select or tick that row"),
            ("askd", "selectAll", "tick all (questionnaires)"),
            ("askd", "clearAll", "clear all (questionnaires)"),
            ("main", "changeQuestionType", "pick one or several"),
            ("main", "optionNote", "note on the row"),
            ("main", "questionNote", "note on the question"),
            ("main", "nextTab", "next question"),
            ("main", "previousTab", "question before"),
        ],
    ),
    (
        "Reading",
        &[
            ("askd", "scrollDown", "scroll preview or answers on"),
            ("askd", "scrollUp", "scroll them back"),
            ("askd", "scrollRight", "scroll the preview right"),
            ("askd", "scrollLeft", "scroll the preview left"),
            ("askd", "promptDown", "scroll the question on"),
            ("askd", "promptUp", "scroll the question back"),
            ("askd", "context", "what the agent said before"),
        ],
    ),
    (
        "Writing",
        &[
            ("editor", "submit", "save an answer"),
            ("editor", "close", "keep the text and close"),
            ("noteEditor", "save", "save a note"),
            ("noteEditor", "close", "keep the note and close"),
            ("askd", "newline", "new line; also \\ then Enter"),
            ("askd", "undo", "undo"),
            ("askd", "redo", "redo"),
            ("editor", "nextTabWhenEmpty", "next question, while empty"),
            ("editor", "nextOptionWhenEmpty", "next row, while empty"),
            ("", "@", "name of a file; Tab takes it"),
        ],
    ),
    (
        "Anywhere",
        &[
            ("main", "cancel", "leave"),
            ("global", "dismiss", "leave from anywhere"),
            ("askd", "minimise", "close, leaving the form open"),
            ("global", "settings", "settings"),
            ("askd", "help", "this list"),
            ("askd", "redraw", "draw anew"),
        ],
    ),
];

fn help(app: &App, width: u16) -> Vec<Line> {
    let column = if width >= 60 { 24 } else { 14.min(usize::from(width) / 2) };
    let mut out = Vec::new();
    for (title, entries) in SECTIONS {
        if !out.is_empty() {
            out.push(Line::default());
        }
        out.push(Line::one(format!(" {title}"), app.theme.accent));
        for (context, action, what) in *entries {
            let keys = if context.is_empty() {
                (*action).to_owned()
            } else {
                app.keymap.keys(context, action).iter().map(Key::to_string).collect::<Vec<_>>().join(", ")
            };
            if keys.is_empty() {
                continue;
            }
            let wide = askd_interact::interaction::buffer::cells(&keys);
            let pad = column.saturating_sub(wide).max(1);
            let head = vec![span(format!("   {keys}{}", " ".repeat(pad)), Style::new())];
            out.extend(wrapped(head, what, app.theme.muted, width));
        }
    }
    out
}
