//! The question itself and the context below it: wrapped, and scrolled where it does not fit.

use askd_form::{QuestionType, safe_text};
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::text::{Line, clip, span, wrapped};
use crate::app::App;

pub(super) fn lines(app: &App, width: u16) -> Vec<Line> {
    let Some((question, page)) = app.work.current() else { return Vec::new() };
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let text = safe_text::block(&question.prompt);
    let mut lines = wrapped(vec![span(" ", bold)], text.trim_end(), bold, width.saturating_sub(1));
    if let Some(header) = &question.header {
        let text = safe_text::block(header);
        lines.extend(wrapped(
            vec![span(" ", Style::new())],
            text.trim_end(),
            app.theme.muted,
            width.saturating_sub(1),
        ));
    }
    if let Some(hint) = limits(question, page.kind, app.work.form().rules.enforced)
        && app.work.form().rules.enforced
    {
        lines.extend(wrapped(vec![span(" ", Style::new())], &hint, app.theme.muted, width.saturating_sub(1)));
    }
    lines
}

/// What has to be picked, where that is enforced.
fn limits(question: &askd_form::Question, kind: QuestionType, enforced: bool) -> Option<String> {
    if !enforced {
        return None;
    }
    let optional = if question.required { "" } else { " (optional)" };
    let pick = match (kind, question.min, question.max) {
        (QuestionType::Multi, Some(min), Some(max)) if min == max => format!("Pick {min}"),
        (QuestionType::Multi, Some(min), Some(max)) => format!("Pick {min} to {max}"),
        (QuestionType::Multi, Some(min), None) => format!("Pick at least {min}"),
        (QuestionType::Multi, None, Some(max)) => format!("Pick at most {max}"),
        (QuestionType::Multi, None, None) => "Pick any number".to_owned(),
        _ if optional.is_empty() => return None,
        _ => "Optional".to_owned(),
    };
    Some(if pick == "Optional" { pick } else { format!("{pick}{optional}") })
}

/// How many rows the prompt gets: all it needs while the list keeps half, at least one.
pub(super) fn height(app: &App, needed: usize, rest: Rect) -> u16 {
    let list = super::list::needed(app, usize::from(rest.height), rest.width);
    let half = usize::from(rest.height).div_ceil(2);
    let for_list = list.min(half).max(usize::from(rest.height > 1));
    clip(needed.min(usize::from(rest.height).saturating_sub(for_list).max(1)))
}

/// The rows that are shown, with a mark where some are hidden.
pub(super) fn visible(app: &mut App, lines: Vec<Line>, height: usize) -> Vec<Line> {
    let total = lines.len();
    app.view.prompt = app.view.prompt.min(total.saturating_sub(height));
    let top = app.view.prompt;
    let mut shown: Vec<Line> = lines.into_iter().skip(top).take(height).collect();
    let below = total.saturating_sub(top + height);
    let mark = match (top > 0, below > 0) {
        (false, false) => return shown,
        (true, true) => "▴▾",
        (true, false) => "▴",
        (false, true) => "▾",
    };
    let key = app.keymap.keys("askd", "promptDown").last().map(ToString::to_string);
    if let Some(last) = shown.last_mut() {
        let long = match key {
            Some(key) if height > 1 => format!("{mark} {}/{total} {key}", top + height),
            _ => mark.to_owned(),
        };
        last.right = Some(span(long, app.theme.muted));
    }
    shown
}
