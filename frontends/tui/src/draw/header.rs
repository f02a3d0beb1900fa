//! Who asks, from where, and who else looks at it.

use askd_form::safe_text;
use askd_interact::interaction::buffer::cells;

use ratatui::style::{Modifier, Style};

use super::text::{Line, shorten, span};
use crate::app::App;

/// The origin with its chain of agents on one line; at the right what else there is to know. Where the title has no
/// line of its own it stands before the origin.
pub(super) fn origin(app: &App, width: u16, with_title: bool) -> Line {
    let right = beside(app, usize::from(width) * 2 / 3);
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

/// What else there is to know, as much of it as has room, the most pressing first.
fn beside(app: &App, room: usize) -> String {
    let mut parts = Vec::new();
    if let Some(at) = app.summary.expires_at {
        parts.push(format!("expires {}", moment(at)));
    }
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
    let mut text = String::new();
    for part in parts {
        let between = if text.is_empty() { "" } else { " · " };
        if cells(&text) + cells(between) + cells(&part) <= room {
            text = text + between + &part;
        }
    }
    text
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

/// A moment as month, day and time of day. It does not tick: nothing is drawn because time passes.
fn moment(at: askd_wire::Millis) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let minutes = u64::try_from(at).unwrap_or(0) / 60_000;
    // Days since 1 March of year 0, in the Gregorian calendar's cycles of 400 years.
    let days = minutes / 1440 + 719_468;
    let day_of_era = days % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let name = usize::try_from((month + 2) % 12).ok().and_then(|month| MONTHS.get(month)).unwrap_or(&"");
    format!("{name} {day} {:02}:{:02} UTC", minutes / 60 % 24, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_read_from_the_calendar() {
        assert_eq!(moment(0), "Jan 1 00:00 UTC");
        assert_eq!(moment(1_709_210_100_000), "Feb 29 12:35 UTC");
        assert_eq!(moment(1_796_057_940_000), "Nov 30 16:59 UTC");
    }

    #[test]
    fn the_home_directory_is_short() {
        assert_eq!(short_path("/home/ann/src", Some("/home/ann")), "~/src");
        assert_eq!(short_path("/home/anna", Some("/home/ann")), "/home/anna");
        assert_eq!(short_path("/home/ann", Some("/home/ann/")), "~");
    }
}
