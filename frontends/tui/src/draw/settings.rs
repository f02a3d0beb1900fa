//! The settings list: a row a setting, below it where the file is and what is wrong with it.

use askd_form::safe_text;
use askd_interact::interaction::buffer::cells;
use askd_interact::interaction::{Key, Keymap};
use askd_interact::settings::{Row, Said, SettingsList};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::text::{Line, clip, put, span, wrapped};
use super::{put_lines, take_bottom, take_top};
use crate::app::SettingsPane;
use crate::theme::Theme;

/// How things look and which keys there are.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) theme: &'a Theme,
    pub(crate) keymap: &'a Keymap,
}

/// From this height on there are blank rows.
const ROOMY: u16 = 14;
/// Below this height a message has one row.
const TIGHT: u16 = 8;

/// Draws the list and gives where the highlighted row stands.
pub(crate) fn draw(
    pane: &mut SettingsPane,
    look: Look<'_>,
    buffer: &mut Buffer,
    area: Rect,
) -> Option<Position> {
    let mut rest = area;
    if area.height >= 3 {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        put_lines(buffer, take_top(&mut rest, 1), &[Line::one(" Settings", bold)]);
    }
    if area.height >= ROOMY {
        take_top(&mut rest, 1);
    }
    let said = said(&pane.list, look, area);
    let with_hint = area.height >= 2 && (said.is_empty() || area.height >= TIGHT);
    let hint_area = take_bottom(&mut rest, u16::from(with_hint));
    put_lines(buffer, take_bottom(&mut rest, clip(said.len()).min(area.height / 2)), &said);
    if area.height >= ROOMY {
        take_bottom(&mut rest, 1);
    }
    let (mut lines, focus) = rows(&pane.list, look, area.width);
    lines.extend(below(&pane.list, look, area.width));
    let height = usize::from(rest.height);
    let last = lines.len().saturating_sub(height);
    // The end comes into view with the last row; the rest of it by scrolling.
    let wanted = match pane.list.row() {
        Row::Reset => focus.start,
        Row::Toggle(_) => focus.end.saturating_sub(height).min(focus.start),
    };
    pane.scroll = pane.scroll.min(last.saturating_sub(wanted));
    pane.page = height.max(1);
    let top = (wanted + pane.scroll).min(last);
    let total = lines.len();
    let shown: Vec<Line> = lines.into_iter().skip(top).take(height).collect();
    put_lines(buffer, rest, &shown);
    if with_hint {
        let mut hint = hint(look, area.width);
        let place = format!("{}–{}/{total} ", top + 1, top + shown.len());
        if total > height && hint.width() + cells(&place) < usize::from(area.width) {
            hint.right = Some(span(place, look.theme.muted));
        }
        put(buffer, hint_area.x, hint_area.y, hint_area.width, &hint);
    }
    let row = focus.start.checked_sub(top).filter(|row| *row < height)?;
    Some(Position { x: rest.x, y: rest.y + clip(row) })
}

/// The rows, and which lines the highlighted one has.
fn rows(list: &SettingsList, look: Look<'_>, width: u16) -> (Vec<Line>, std::ops::Range<usize>) {
    let mut lines = Vec::new();
    let mut focus = 0..0;
    for (position, row) in SettingsList::rows().enumerate() {
        let focused = position == list.position();
        let style = if focused { look.theme.accent } else { Style::new() };
        let mark = if focused { "❯ " } else { "  " };
        let (head, text, beside) = match row {
            Row::Toggle(toggle) => {
                let tick = if list.is_on(toggle) { "[x] " } else { "[ ] " };
                (format!("{mark}{tick}"), toggle.label(), list.fixed_by(toggle))
            }
            Row::Reset => (mark.to_owned(), "Reset all to defaults", None),
        };
        let from = lines.len();
        lines.extend(wrapped(vec![span(head, style)], text, style, width));
        if let Some(beside) = beside {
            lines.extend(wrapped(vec![span("      ", Style::new())], beside, look.theme.muted, width));
        }
        if focused {
            focus = from..lines.len();
        }
    }
    (lines, focus)
}

/// Where the rest is changed, and what is wrong.
fn below(list: &SettingsList, look: Look<'_>, width: u16) -> Vec<Line> {
    let facts = list.facts();
    let Some(file) = &facts.file else { return Vec::new() };
    let indent = || vec![span("  ", Style::new())];
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(indent(), &safe_text::line(file), Style::new(), width));
    let how = if facts.writable {
        "Keys, channels and all else are set in this file, or with `ask settings set`."
    } else {
        "It cannot be written: nothing changed here would be saved."
    };
    let style = if facts.writable { look.theme.muted } else { look.theme.warning };
    lines.extend(wrapped(indent(), how, style, width));
    for notice in &facts.notices {
        lines.push(Line::default());
        let head = vec![span("! ", look.theme.warning)];
        lines.extend(wrapped(head, &safe_text::line(notice), look.theme.warning, width));
    }
    lines
}

fn said(list: &SettingsList, look: Look<'_>, area: Rect) -> Vec<Line> {
    let tight = area.height < TIGHT || area.width < 30;
    let toggle = first(look.keymap, "toggle");
    let (text, style) = match list.said() {
        None => return Vec::new(),
        Some(Said::ResetAgain) if tight => (format!("{toggle} again: reset"), look.theme.warning),
        Some(Said::ResetAgain) => {
            let text = format!("Press {toggle} again to put all settings back to their defaults.");
            (text, look.theme.warning)
        }
        Some(Said::WasReset) if tight => ("All are reset.".to_owned(), look.theme.success),
        Some(Said::WasReset) => {
            let text = "All settings are back to their defaults. The old file is kept beside it as config.json.before-reset.";
            (text.to_owned(), look.theme.success)
        }
        Some(Said::NotSaved(_)) if tight => ("Not saved: put back".to_owned(), look.theme.error),
        Some(Said::NotSaved(why)) => {
            (format!("Put back: {} Or change the file by hand.", safe_text::line(why)), look.theme.error)
        }
        Some(Said::Remark(text)) => (safe_text::line(text).into_owned(), look.theme.warning),
    };
    let head = if area.width < 30 { "!" } else { " ! " };
    let mut lines = wrapped(vec![span(head, style)], &text, style, area.width);
    lines.truncate(if area.height < TIGHT { 1 } else { 6 });
    lines
}

fn hint(look: Look<'_>, width: u16) -> Line {
    let words = [
        (format!("{}{}", first(look.keymap, "previousOption"), first(look.keymap, "nextOption")), "move"),
        (first(look.keymap, "toggle"), "change"),
        (first(look.keymap, "close"), "close"),
    ];
    let (between, with_words) = if width >= 34 { (" · ", true) } else { (" ", false) };
    let mut spans = vec![span(" ", Style::new())];
    for (number, (keys, what)) in words.into_iter().enumerate() {
        if number > 0 {
            spans.push(span(between, look.theme.muted));
        }
        spans.push(span(keys, Style::new()));
        if with_words {
            spans.push(span(format!(" {what}"), look.theme.muted));
        }
    }
    Line::new(spans)
}

fn first(keymap: &Keymap, action: &str) -> String {
    keymap.keys("settingsModal", action).first().map(Key::to_string).unwrap_or_default()
}

#[cfg(test)]
mod tests;
