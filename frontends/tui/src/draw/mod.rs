//! The form on the screen: what gets how many rows at this size, then a file a part. Laid out anew for each frame.

mod editor;
mod footer;
mod header;
mod list;
mod options;
mod overlay;
mod pane;
mod prompt;
mod review;
pub(crate) mod settings;
mod tabs;
pub(crate) mod text;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::App;
use text::{Line, put};

/// From this width on a preview stands beside the list.
const BESIDE: u16 = 90;
/// From this height on the origin has a line.
const ORIGIN: u16 = 10;
/// From this height on there are rules and blank rows between the parts, a line for the title, and a preview below
/// the list.
const ROOMY: u16 = 16;

/// Draws everything and gives where the cursor stands: in an editor at the insertion point, else at the focused row.
pub(crate) fn draw(app: &mut App, buffer: &mut Buffer) -> Option<Position> {
    let area = buffer.area;
    if area.width == 0 || area.height == 0 {
        return None;
    }
    if let Some(pane) = &mut app.pane {
        let look = settings::Look { theme: &app.theme, keymap: &app.keymap };
        return settings::draw(pane, look, buffer, area);
    }
    if app.view.overlay.is_some() {
        overlay::draw(app, buffer, area);
        return None;
    }
    let mut rest = area;
    let foot = footer::lines(app, area);
    let foot_area = take_bottom(&mut rest, text::clip(foot.len()));
    let roomy = area.height >= ROOMY;
    if area.height >= ORIGIN {
        let line = header::origin(app, area.width, !roomy);
        put_lines(buffer, take_top(&mut rest, 1), std::slice::from_ref(&line));
    }
    if roomy {
        rule(app, buffer, take_top(&mut rest, 1));
        rule(app, buffer, take_bottom(&mut rest, 1));
        if let Some(title) = header::title(app, area.width) {
            put_lines(buffer, take_top(&mut rest, 1), &[title]);
        }
    }
    if app.work.tabs() > 1 {
        put_lines(buffer, take_top(&mut rest, 1), &[tabs::line(app, area.width)]);
    }
    put_lines(buffer, foot_area, &foot);
    if roomy {
        take_top(&mut rest, 1);
    }
    if app.work.on_review() { review::draw(app, buffer, rest) } else { question(app, buffer, rest, roomy) }
}

/// A question: its text, then the rows, then or beside them the preview.
fn question(app: &mut App, buffer: &mut Buffer, area: Rect, roomy: bool) -> Option<Position> {
    let mut rest = area;
    let wide = pane::is_wanted(app) && area.width >= BESIDE;
    let text = prompt::lines(app, area.width);
    let height = prompt::height(app, text.len(), rest);
    let shown = prompt::visible(app, text, usize::from(height));
    put_lines(buffer, take_top(&mut rest, height), &shown);
    // The blank row above the list says where in a long list one is.
    let position = (area.height >= 8).then(|| take_top(&mut rest, 1));
    app.view.has_pane = pane::is_wanted(app);
    app.view.pane_fits = wide || roomy;
    if !app.view.has_pane {
        return list::draw(app, buffer, rest, position);
    }
    if app.view.pane_only && !app.view.pane_fits {
        pane::draw(app, buffer, rest, false);
        return None;
    }
    if wide {
        let left = (rest.width * 2 / 5).clamp(30, 60);
        let list = Rect { width: left, ..rest };
        let pane = Rect { x: rest.x + left, width: rest.width - left, ..rest };
        pane::draw(app, buffer, pane, true);
        return list::draw(app, buffer, list, position.map(|p| Rect { width: left, ..p }));
    }
    if !app.view.pane_fits {
        return list::draw(app, buffer, rest, position);
    }
    let needed = text::clip(list::needed(app, usize::from(rest.height), rest.width));
    let top = needed.min(rest.height / 2);
    let list = take_top(&mut rest, top);
    rule(app, buffer, take_top(&mut rest, 1));
    pane::draw(app, buffer, rest, false);
    list::draw(app, buffer, list, position)
}

fn rule(app: &App, buffer: &mut Buffer, area: Rect) {
    put_lines(buffer, area, &[Line::one("─".repeat(usize::from(area.width)), app.theme.muted)]);
}

fn put_lines(buffer: &mut Buffer, area: Rect, lines: &[Line]) {
    for (line, y) in lines.iter().zip(area.top()..area.bottom()) {
        put(buffer, area.x, y, area.width, line);
    }
}

fn take_top(area: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    let taken = Rect { height: rows, ..*area };
    area.y += rows;
    area.height -= rows;
    taken
}

fn take_bottom(area: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    area.height -= rows;
    Rect { y: area.bottom(), height: rows, ..*area }
}

#[cfg(test)]
pub(crate) mod tests;
