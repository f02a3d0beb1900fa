//! The preview of the focused option, verbatim: not wrapped, scrolled in both directions, with marks where something
//! is hidden.

use askd_form::{QuestionType, safe_text};
use askd_interact::interaction::buffer::{cells, expand_tabs};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text::{Line, from_column, put, shorten, span};
use super::{put_lines, take_top};
use crate::app::App;

/// Whether the open question has previews to show.
pub(super) fn is_wanted(app: &App) -> bool {
    app.work.current().is_some_and(|(question, _)| question.requested() == QuestionType::Preview)
}

/// Draws the pane; `beside` puts a line at its left.
pub(super) fn draw(app: &mut App, buffer: &mut Buffer, area: Rect, beside: bool) {
    let Some((question, page)) = app.work.current() else { return };
    let choice = question.options.get(page.row);
    let mut area = area;
    if !beside && area.width > 30 {
        area = Rect { x: area.x + 1, width: area.width - 1, ..area };
    }
    if beside && area.width > 4 {
        for y in area.top()..area.bottom() {
            put(buffer, area.x, y, 2, &Line::one("│", app.theme.muted));
        }
        area = Rect { x: area.x + 2, width: area.width - 2, ..area };
    }
    if area.height == 0 {
        return;
    }
    let Some((label, preview)) = choice.and_then(|c| Some((&c.label, c.preview.as_ref()?))) else { return };
    let text = expand_tabs(&safe_text::block(preview));
    let lines: Vec<&str> = text.split('\n').collect();
    let label = safe_text::line(label).trim().to_owned();
    let title_rows = u16::from(area.height >= 3);
    let title = take_top(&mut area, title_rows);
    let height = usize::from(area.height);
    let top = app.view.pane.0.min(lines.len().saturating_sub(height));
    let shown = &lines[top..lines.len().min(top + height)];
    let widest = shown.iter().map(|line| cells(line)).max().unwrap_or(0);
    let room = usize::from(area.width).saturating_sub(1);
    let left = app.view.pane.1.min(widest.saturating_sub(room));
    let rows: Vec<Line> = shown.iter().map(|line| row(app, line, left, room)).collect();
    put_lines(buffer, area, &rows);
    let mut head = Line::one(shorten(&label, usize::from(title.width) / 2), app.theme.accent);
    head.right = Some(span(position(app, top, shown.len(), lines.len(), widest > room), app.theme.muted));
    put_lines(buffer, title, &[head]);
    if title.height == 0 && lines.len() > height {
        put(buffer, area.right().saturating_sub(1), area.bottom() - 1, 1, &Line::one("▾", app.theme.muted));
    }
    app.view.pane = (top, left);
}

fn row(app: &App, line: &str, left: usize, room: usize) -> Line {
    let mut spans = Vec::new();
    let hidden_left = left > 0 && cells(line) > 0;
    let hidden_right = cells(line) > left + room;
    if hidden_left {
        spans.push(span("‹", app.theme.muted));
    }
    let from = left + usize::from(hidden_left);
    spans.push(span(from_column(line, from, room - usize::from(hidden_left)), Style::new()));
    let mut line = Line::new(spans);
    if hidden_right {
        line.right = None;
        let pad = room.saturating_sub(line.width());
        line.spans.push(span(" ".repeat(pad), Style::new()));
        line.spans.push(span("›", app.theme.muted));
    }
    line
}

/// Which lines are shown, with the keys that show more.
fn position(app: &App, top: usize, shown: usize, total: usize, wide: bool) -> String {
    let key = |action| app.keymap.keys("askd", action).first().map(ToString::to_string).unwrap_or_default();
    let mut parts = Vec::new();
    if shown < total {
        let mark = if top + shown < total { "▾" } else { "▴" };
        parts.push(format!("{}–{}/{total} {mark} {}", top + 1, top + shown, key("scrollDown")));
    }
    if wide {
        parts.push(format!("↔ {}", key("scrollRight")));
    }
    format!("{} ", parts.join("  "))
}
