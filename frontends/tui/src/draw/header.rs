//! Who asks, from where, and who else looks at it.

use askd_form::safe_text;
use askd_interact::interaction::buffer::cells;

use ratatui::style::{Modifier, Style};

use super::text::{Line, shorten, span};
use crate::app::App;

/// The origin with its chain of agents on one line; at the right what else there is to know. Where the title has no
/// line of its own it stands before the origin.
pub(super) fn origin(app: &App, width: u16, with_title: bool) -> Line {
    let right = beside(app);
    let room = usize::from(width).saturating_sub(cells(&right) + 3);
    let title = app.work.form().title.as_deref().filter(|_| with_title).map(one);
    let mut line = Line::one(" ", Style::new());
    let mut left = room;
    if let Some(title) = title {
        let title = shorten(&title, room * 2 / 3);
        left = room.saturating_sub(cells(&title) + 3);
        line.spans.push(span(title, Style::new().add_modifier(Modifier::BOLD)));
        line.spans.push(span(" · ", app.theme.muted));
    }
    line.spans.push(span(shorten(&origin_text(app), left), app.theme.muted));
    if !right.is_empty() {
        line.right = Some(span(format!("{right} "), app.theme.muted));
    }
    line
}

fn origin_text(app: &App) -> String {
    let origin = &app.summary.origin;
    let mut chain: Vec<String> = origin.parents.iter().flatten().map(|name| one(name)).collect();
    chain.extend(origin.agent.as_deref().map(one));
    let cwd = origin.cwd.as_deref().map(|cwd| one(&short_path(cwd, app.surroundings.home.as_deref())));
    let mut parts = vec![chain.join(" › ")];
    parts.extend(cwd);
    parts.extend(origin.title.as_deref().map(one));
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() { "askd".to_owned() } else { parts.join(" · ") }
}

fn beside(app: &App) -> String {
    let mut parts = Vec::new();
    // This connection is among the viewers.
    if let Some(more) = app.viewers.len().checked_sub(1).filter(|more| *more > 0) {
        let kinds: Vec<&str> = app.viewers.iter().map(|viewer| viewer.kind.as_str()).collect();
        let same = kinds.iter().filter(|kind| **kind == "tui").count();
        let other = kinds.iter().find(|kind| **kind != "tui").copied().unwrap_or("tui");
        let name = one(if same > 1 { "tui" } else { other });
        parts.push(if more == 1 {
            format!("also open in {name}")
        } else {
            format!("also open {more} times")
        });
    }
    if !app.summary.owner.attached && app.summary.mode == askd_form::Mode::Urgent {
        parts.push("the agent is away".to_owned());
    }
    if app.waiting > 0 {
        parts.push(format!("{} more waiting", app.waiting));
    }
    parts.join(" · ")
}

/// The form's title.
pub(super) fn title(app: &App, width: u16) -> Option<Line> {
    let title = app.work.form().title.as_deref()?;
    let bold = Style::new().add_modifier(Modifier::BOLD);
    Some(Line::one(format!(" {}", shorten(&one(title), usize::from(width).saturating_sub(2))), bold))
}

fn one(text: &str) -> String {
    safe_text::line(text).trim().to_owned()
}

fn short_path(path: &str, home: Option<&str>) -> String {
    let under =
        home.filter(|home| home.len() > 1).and_then(|home| path.strip_prefix(home.trim_end_matches('/')));
    match under {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("~{rest}"),
        _ => path.to_owned(),
    }
}
