//! An open editor in the place of what it edits, with the real cursor at the insertion point.

use askd_interact::interaction::buffer::{cells, expand_tabs, rows};
use ratatui::style::Style;

use super::options::Room;
use super::text::{Line, shorten, span};
use crate::app::{App, SHOWN};

/// Cells of the bar at the left of an editor.
const BAR: usize = 2;

/// Appends the editor's rows and gives line and column of the cursor among all lines.
pub(super) fn append(
    app: &App,
    lines: &mut Vec<Line>,
    label: &str,
    indent: usize,
    room: Room,
) -> Option<(usize, usize)> {
    let editor = app.work.editor()?;
    let blank = || span(" ".repeat(indent), Style::new());
    if !label.is_empty() && room.height >= 4 {
        lines.push(Line::new(vec![blank(), span(format!("{label}:"), app.theme.muted)]));
    }
    let width = width(room.width, indent);
    let text = editor.text.text();
    let wrapped = rows(text, width);
    let at = wrapped.iter().rposition(|row| row.start <= editor.text.cursor()).unwrap_or(0);
    let column = cells(&text[wrapped[at].start..editor.text.cursor()]);
    // The list scrolls by whole rows, so a row with its editor is at most as high as the list.
    let offered = usize::from(!app.popup.names().is_empty());
    let most = room.height.saturating_sub(lines.len() + offered).max(1);
    let top = top(at, wrapped.len(), most);
    let cursor = (lines.len() + at - top, indent + BAR + column.min(width));
    for (number, row) in wrapped.iter().enumerate().skip(top).take(most) {
        let bar = match () {
            () if number == top && top > 0 => "▴ ",
            () if number == top + most - 1 && number + 1 < wrapped.len() => "▾ ",
            () => "│ ",
        };
        let mut spans = vec![blank(), span(bar, app.theme.accent)];
        let piece = expand_tabs(text[row.start..row.end].trim_end_matches('\n'));
        spans.push(span(visible(&piece), Style::new()));
        lines.push(Line::new(spans));
    }
    if text.is_empty()
        && let Some(hint) = placeholder(app)
        && let Some(last) = lines.last_mut()
    {
        last.spans.push(span(shorten(&hint, width), app.theme.muted));
    }
    let most = SHOWN.min(room.height.saturating_sub(2)).max(1);
    let hidden = (app.popup.row() + 1).saturating_sub(most);
    for (row, name) in app.popup.names().iter().enumerate().skip(hidden).take(most) {
        let chosen = row == app.popup.row();
        let (mark, style) = if chosen { ("❯ ", app.theme.accent) } else { ("  ", Style::new()) };
        let name = askd_form::safe_text::line(name);
        lines.push(Line::new(vec![blank(), span(mark, style), span(shorten(&name, width), style)]));
    }
    Some(cursor)
}

/// Cells of a row of the editor.
pub(super) fn width(room: u16, indent: usize) -> usize {
    usize::from(room).saturating_sub(indent + BAR + 2).max(4)
}

fn top(at: usize, total: usize, most: usize) -> usize {
    let last = total.saturating_sub(most);
    at.saturating_sub(most - 1).max(at.saturating_sub(most / 2).min(last)).min(last)
}

/// The person's own text may hold what a terminal would act on; here it only has to keep its width.
fn visible(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() && !is_bidi(*c)).collect()
}

fn is_bidi(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

fn placeholder(app: &App) -> Option<String> {
    use askd_interact::interaction::Target;
    let (question, _) = app.work.current()?;
    let given = match app.work.editor()?.target {
        Target::Answer if question.is_typed() => question.placeholder.as_deref(),
        Target::Answer => question.custom.as_ref().and_then(|custom| custom.placeholder.as_deref()),
        Target::QuestionNote | Target::OptionNote(_) => None,
    };
    given.map(|text| askd_form::safe_text::line(text).into_owned())
}
