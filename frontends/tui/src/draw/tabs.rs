//! The tab bar: which questions there are, how they stand, which one is open. It scrolls with the open one.

use askd_form::safe_text;
use askd_interact::interaction::buffer::cells;
use ratatui::style::Style;

use super::text::{Line, Span, shorten, span};
use crate::app::App;

/// Cells of the longest label on a tab; the whole label stands in the review.
const LABEL: usize = 24;

pub(super) fn line(app: &App, width: u16) -> Line {
    let width = usize::from(width);
    let open = app.work.tab();
    let limit = LABEL.min(width.saturating_sub(13)).max(4);
    let tabs: Vec<Vec<Span>> = (0..app.work.tabs()).map(|tab| one(app, tab, limit, tab == open)).collect();
    let wide = |tab: &Vec<Span>| tab.iter().map(|span| cells(&span.text)).sum::<usize>() + 1;
    // Room for the marks at both ends, then as many tabs around the open one as fit.
    let room = width.saturating_sub(4);
    let (mut first, mut last) = (open, open);
    let mut used = wide(&tabs[open]);
    loop {
        let after = tabs.get(last + 1).map(wide).filter(|more| used + more <= room);
        if let Some(more) = after {
            used += more;
            last += 1;
        }
        let before = first.checked_sub(1).map(|tab| wide(&tabs[tab])).filter(|more| used + more <= room);
        if let Some(more) = before {
            used += more;
            first -= 1;
        }
        if after.is_none() && before.is_none() {
            break;
        }
    }
    let muted = app.theme.muted;
    let mut spans = vec![span(if first > 0 { "‹ " } else { " " }, muted)];
    for tab in &tabs[first..=last] {
        spans.extend(tab.iter().cloned());
        spans.push(span(" ", Style::new()));
    }
    if last + 1 < tabs.len() {
        spans.push(span("›", muted));
    }
    let mut line = Line::new(spans);
    if first > 0 || last + 1 < tabs.len() {
        line.right = Some(span(format!("{}/{}", open + 1, tabs.len()), muted));
        if line.width() + 1 + cells(&format!("{}/{}", open + 1, tabs.len())) > width {
            line.right = None;
        }
    }
    line
}

fn one(app: &App, tab: usize, limit: usize, open: bool) -> Vec<Span> {
    let style = if open { app.theme.accent } else { Style::new() };
    let (left, right) = if open { ("[", "]") } else { (" ", " ") };
    let Some(page) = app.work.pages().get(tab) else {
        return vec![span(format!("{left}☰ Review{right}"), style)];
    };
    let label = &app.work.form().questions[tab].label;
    let label = shorten(safe_text::line(label).trim(), limit);
    let answered = page.answer.is_answered();
    let mark = if answered { span("☒ ", app.theme.success) } else { span("☐ ", style) };
    let mut spans = vec![span(left, style), mark, span(label, style)];
    if page.answer.has_notes() {
        spans.push(span(" ✎", app.theme.warning));
    }
    spans.push(span(right, style));
    spans
}
