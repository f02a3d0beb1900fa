//! The option list. Only rows that are seen are laid out, so five thousand cost what fifty do.

use askd_interact::interaction::{Page, Target};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::options::{Item, Room, item};
use super::text::{Line, clip, put, span};
use super::{editor, put_lines, take_bottom};
use crate::app::App;

/// Lines the list would take, counted up to a limit.
pub(super) fn needed(app: &App, limit: usize, width: u16) -> usize {
    let Some((question, page)) = app.work.current() else { return 0 };
    let room = Room { width, height: limit };
    let mut sum = 0;
    for row in 0..Page::rows(question) {
        sum += item(app, question, page, row, room).lines.len();
        if sum >= limit {
            return limit;
        }
    }
    sum
}

pub(super) fn draw(
    app: &mut App,
    buffer: &mut Buffer,
    area: Rect,
    position: Option<Rect>,
) -> Option<Position> {
    let mut area = area;
    let note = note_editor(app, buffer, &mut area);
    let (question, page) = app.work.current()?;
    if area.height == 0 {
        return note;
    }
    let room = Room { width: area.width, height: usize::from(area.height) };
    let build = |row: usize| item(app, question, page, row, room);
    let rows = Page::rows(question);
    let (top, focused_skip) = place(app, page.row, rows, room.height, &build);
    let mut lines: Vec<Line> = Vec::new();
    let mut cursor = None;
    let (mut row, mut skip) = top;
    let first = row;
    let mut last = row;
    while row < rows && lines.len() < room.height {
        let Item { lines: built, cursor: inside } = build(row);
        let total = built.len();
        let skipped = if row == page.row { focused_skip.max(skip) } else { skip };
        if row == page.row {
            cursor = Some(match inside {
                Some((line, column)) => (lines.len() + line.saturating_sub(skipped), column),
                None => (lines.len(), 0),
            });
        }
        lines.extend(built.into_iter().skip(skipped));
        last = row;
        skip = 0;
        // A focused row that is cut at the end counts as not whole.
        if lines.len() > room.height && total > room.height {
            break;
        }
        row += 1;
    }
    let overflow = lines.len() > room.height;
    lines.truncate(room.height);
    let (above, below) = (first > 0 || top.1 > 0 || focused_skip > 0, last + 1 < rows || overflow);
    let within = focused_skip;
    let accent = app.theme.muted;
    put_lines(buffer, area, &lines);
    marks(buffer, area, above, below, accent);
    if (above || below)
        && let Some(at) = position
    {
        let text = format!(
            "{}–{}/{} {}",
            first + 1,
            last + 1,
            rows,
            match (above, below) {
                (true, true) => "▴▾",
                (true, false) => "▴",
                _ => "▾",
            }
        );
        put(
            buffer,
            at.x,
            at.y,
            at.width,
            &Line { spans: vec![], right: Some(span(format!("{text} "), accent)) },
        );
    }
    app.view.top = top;
    app.view.within = within;
    let at = cursor.filter(|(line, _)| *line < room.height);
    let own = at.map(|(line, column)| {
        Position::new((area.x + clip(column)).min(area.right() - 1), area.y + clip(line))
    });
    note.or(own)
}

/// Marks at the right end where rows are hidden.
fn marks(buffer: &mut Buffer, area: Rect, above: bool, below: bool, style: ratatui::style::Style) {
    let mut mark = |y: u16, text: &str| {
        if area.width > 4 {
            put(buffer, area.right() - 1, y, 1, &Line::one(text, style));
        }
    };
    if above && below && area.height == 1 {
        return mark(area.y, "↕");
    }
    if above {
        mark(area.y, "▴");
    }
    if below {
        mark(area.bottom() - 1, "▾");
    }
}

/// Which row and line is at the top, and how many lines of the focused row are scrolled away: the focused row is
/// wholly on the screen, or as much of it as goes.
fn place(
    app: &App,
    focused: usize,
    rows: usize,
    height: usize,
    build: &dyn Fn(usize) -> Item,
) -> ((usize, usize), usize) {
    let own = build(focused);
    let size = own.lines.len();
    if size > height {
        // The cursor of an open editor stays in sight.
        let most = size - height;
        let within = own.cursor.map_or(app.view.within.min(most), |(line, _)| {
            // Offered names stand below the insertion point.
            if app.popup.names().is_empty() { (line + 1).saturating_sub(height) } else { most.min(line) }
        });
        return ((focused, 0), within);
    }
    let (mut row, mut line) = app.view.top;
    if row > focused || (row == focused && line > 0) || row >= rows {
        (row, line) = (focused, 0);
    }
    let mut used = 0;
    let mut at = row;
    let mut fits = true;
    while at <= focused {
        let lines = if at == focused { size } else { build(at).lines.len() };
        used += if at == row { lines.saturating_sub(line) } else { lines };
        if used > height {
            fits = false;
            break;
        }
        at += 1;
    }
    if !fits {
        return (back_from(focused, size, height, build), 0);
    }
    // Rows below the focused one may leave room at the end; the list is pulled down then.
    while at < rows && used < height {
        used += build(at).lines.len();
        at += 1;
    }
    if used < height && (row > 0 || line > 0) {
        let last = rows - 1;
        let size = build(last).lines.len();
        return (back_from(last, size, height, build), 0);
    }
    ((row, line), 0)
}

/// The top when a row ends at the bottom.
fn back_from(row: usize, size: usize, height: usize, build: &dyn Fn(usize) -> Item) -> (usize, usize) {
    let mut used = size;
    let mut row = row;
    while row > 0 && used < height {
        row -= 1;
        used += build(row).lines.len();
    }
    (row, used.saturating_sub(height))
}

/// The editor for the question's note, below the list.
fn note_editor(app: &mut App, buffer: &mut Buffer, area: &mut Rect) -> Option<Position> {
    set_editor_width(app, area.width);
    let editing = app.work.editor().is_some_and(|editor| editor.target == Target::QuestionNote);
    if !editing {
        let note = app.work.current().and_then(|(_, page)| page.answer.note.clone());
        if let Some(note) = note.filter(|_| area.height >= 6) {
            let text = askd_form::safe_text::block(&note);
            let head = vec![span(" ✎ Note: ", app.theme.warning)];
            let lines = super::text::wrapped(head, &text, app.theme.muted, area.width);
            let most = usize::from(area.height / 4).max(1);
            let below = take_bottom(area, clip(lines.len().min(most)));
            put_lines(buffer, below, &lines);
        }
        return None;
    }
    let half = if area.height <= 3 { area.height } else { area.height / 2 };
    let offers = !app.popup.names().is_empty();
    let room = Room { width: area.width, height: usize::from(half).max(1) };
    let mut lines = Vec::new();
    let labelled = half >= if offers { 4 } else { 2 };
    if labelled {
        lines.push(Line::one(" Note on the question:", app.theme.muted));
    }
    let cursor = editor::append(app, &mut lines, "", 1, room)?;
    let lines_count = clip(lines.len()).min(half.max(1));
    let below = take_bottom(area, lines_count);
    put_lines(buffer, below, &lines);
    Some(Position::new(
        (below.x + clip(cursor.1)).min(below.right() - 1),
        (below.y + clip(cursor.0)).min(below.bottom().saturating_sub(1)),
    ))
}

/// Up and down in an editor follow the rows that are seen.
fn set_editor_width(app: &mut App, width: u16) {
    let indent = match app.work.editor().map(|editor| editor.target) {
        Some(Target::QuestionNote) => 1,
        Some(Target::Answer) if app.work.current().is_some_and(|(q, _)| q.is_typed()) => 1,
        Some(Target::Answer) if width < 40 => 3,
        _ => 9,
    };
    if let Some(open) = app.work.editor_mut() {
        open.text.set_width(Some(editor::width(width, indent)));
    }
}
