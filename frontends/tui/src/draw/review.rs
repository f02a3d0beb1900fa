//! The review: what can be done with the answers, and beside or below it what would be sent.

use askd_form::{Question, safe_text};
use askd_interact::interaction::buffer::cells;
use askd_interact::interaction::{Page, ReviewEntry};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::text::{Line, clip, put, span, wrapped};
use super::{put_lines, take_top};
use crate::app::App;

/// Beside the entry whose digit was pressed once. Its place is kept free, so that nothing moves.
const AGAIN: &str = " · again";
/// From this width on the answers stand beside the entries.
const BESIDE: u16 = 56;

pub(super) fn draw(app: &mut App, buffer: &mut Buffer, area: Rect) -> Option<Position> {
    let mut rest = area;
    let entries = entries(app);
    let row = app.work.review().row;
    let wide = area.width >= BESIDE;
    app.view.has_pane = true;
    app.view.pane_fits = wide || rest.height >= clip(entries.len()) + 4;
    if app.view.pane_only && !app.view.pane_fits {
        answers(app, buffer, rest);
        return None;
    }
    let widest = app.work.review_entries().iter().map(|entry| cells(&label(app, *entry))).max().unwrap_or(0);
    let own = clip(widest + 5 + cells(AGAIN) + 2).clamp(18, 40);
    let width = if wide { own } else { rest.width };
    let top = Rect { width, ..rest };
    let cursor = Position::new(top.x, top.y + clip(row).min(top.height.saturating_sub(1)));
    // At heights below the number of entries the highlighted one stays in sight.
    let skip = (row + 1).saturating_sub(usize::from(top.height));
    put_lines(buffer, top, &entries[skip..]);
    if wide {
        let hint = hint(app, width.saturating_sub(1));
        let below = Rect {
            y: top.y + clip(entries.len()) + 1,
            height: rest.height.saturating_sub(clip(entries.len()) + 1),
            ..top
        };
        put_lines(buffer, below, &hint);
        answers(app, buffer, Rect { x: rest.x + width, width: rest.width - width, ..rest });
    } else if app.view.pane_fits {
        take_top(&mut rest, clip(entries.len()));
        let hint = hint(app, area.width);
        put_lines(buffer, take_top(&mut rest, clip(hint.len())), &hint);
        take_top(&mut rest, 1);
        answers(app, buffer, rest);
    }
    Some(cursor)
}

fn entries(app: &App) -> Vec<Line> {
    let review = app.work.review();
    let all = app.work.review_entries();
    let one = |(row, entry): (usize, &ReviewEntry)| {
        let label = label(app, *entry);
        let focused = review.row == row;
        let style = if focused { app.theme.accent } else { Style::new() };
        let marker = if focused { "❯ " } else { "  " };
        let number = if all.len() > 1 { format!("{}. ", row + 1) } else { String::new() };
        let mut spans = vec![span(format!("{marker}{number}{label}"), style)];
        if review.armed == Some(row) {
            spans.push(span(AGAIN, app.theme.warning));
        }
        Line::new(spans)
    };
    all.iter().enumerate().map(one).collect()
}

fn label(app: &App, entry: ReviewEntry) -> String {
    let own = app.work.form().submit_label.as_deref();
    let label = match entry {
        ReviewEntry::Submit => own.unwrap_or("Submit"),
        ReviewEntry::Elaborate => "Elaborate",
        ReviewEntry::Cancel => "Cancel",
    };
    safe_text::line(label).trim().to_owned()
}

/// That digits need a second press.
fn hint(app: &App, width: u16) -> Vec<Line> {
    let double = app.work.behaviour().double_press && app.work.review_entries().len() > 1;
    if !double {
        return Vec::new();
    }
    let (text, style) = match app.work.review().armed {
        Some(row) => (format!("Press {} again.", row + 1), app.theme.warning),
        None => ("1, 2 or 3 twice.".to_owned(), app.theme.muted),
    };
    wrapped(vec![span("  ", Style::new())], &text, style, width)
}

/// What would be sent, scrolled.
fn answers(app: &mut App, buffer: &mut Buffer, area: Rect) {
    let elaborates = app.work.review_entries().get(app.work.review().row) == Some(&ReviewEntry::Elaborate);
    let mut lines = Vec::new();
    for (question, page) in app.work.form().questions.iter().zip(app.work.pages()) {
        let heading = Style::new().add_modifier(Modifier::BOLD);
        lines.extend(wrapped(
            vec![span(" ", heading)],
            safe_text::line(&question.label).trim(),
            heading,
            area.width,
        ));
        summary(app, question, page, elaborates, area.width, &mut lines);
    }
    let height = usize::from(area.height);
    let top = app.view.pane.0.min(lines.len().saturating_sub(height));
    let total = lines.len();
    let shown: Vec<Line> = lines.into_iter().skip(top).take(height).collect();
    put_lines(buffer, area, &shown);
    app.view.pane = (top, 0);
    if total > height && area.height > 0 {
        let key = app.keymap.keys("askd", "scrollDown").first().map(ToString::to_string).unwrap_or_default();
        let mark = if top + height < total { "▾" } else { "▴" };
        let text = format!(" {}–{}/{total} {mark} {key} ", top + 1, top + shown.len());
        put(
            buffer,
            area.x,
            area.bottom() - 1,
            area.width,
            &Line {
                spans: shown.last().cloned().unwrap_or_default().spans,
                right: Some(span(text, app.theme.muted)),
            },
        );
    }
}

fn summary(app: &App, question: &Question, page: &Page, elaborates: bool, width: u16, lines: &mut Vec<Line>) {
    let blank = Style::new();
    let answer = &page.answer;
    let note = |lines: &mut Vec<Line>, indent: usize, head: &str, text: &str| {
        let head = vec![span(format!("{}{head}", " ".repeat(indent)), app.theme.warning)];
        lines.extend(wrapped(head, &safe_text::block(text), app.theme.muted, width));
    };
    if !answer.is_answered() {
        lines.push(Line::new(vec![span("   → ", app.theme.muted), span("unanswered", app.theme.warning)]));
    }
    let noted = elaborates || answer.is_answered();
    for value in &answer.values {
        let Some(option) = question.option(value) else { continue };
        let head = vec![span("   → ", app.theme.success)];
        lines.extend(wrapped(head, safe_text::line(&option.label).trim(), blank, width));
        if let Some(text) = answer.option_notes.get(value).filter(|_| noted) {
            note(lines, 5, "Note: ", text);
        }
    }
    if let Some(custom) = answer.custom.as_ref().filter(|custom| custom.selected) {
        lines.extend(wrapped(
            vec![span("   → ", app.theme.success)],
            &safe_text::block(&custom.text),
            blank,
            width,
        ));
    }
    if elaborates {
        for option in question.options.iter().filter(|option| !answer.values.contains(&option.value)) {
            if let Some(text) = answer.option_notes.get(&option.value) {
                let label = safe_text::line(&option.label);
                note(lines, 3, &format!("✎ {}: ", label.trim()), text);
            }
        }
    }
    if let Some(text) = answer.note.as_ref().filter(|_| noted) {
        note(lines, 3, "✎ ", text);
    }
}
