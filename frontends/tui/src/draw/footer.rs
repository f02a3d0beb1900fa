//! The keys that work now, from the keymap in force, and above them what the person has to know.

use askd_form::QuestionType;
use askd_interact::interaction::buffer::cells;
use askd_interact::interaction::{Key, Page, Target};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::text::{Line, span, wrapped};
use crate::app::{App, selects_in_bulk};

/// A key hint; those with lower rank go first when there is no room.
struct Hint {
    keys: String,
    what: &'static str,
    rank: u8,
}

pub(super) fn lines(app: &App, area: Rect) -> Vec<Line> {
    let tight = area.height < 8 || area.width < 40;
    let mut out = Vec::new();
    if let Some((text, style)) = warning(app, area, tight) {
        let most = if area.height < 8 { 1 } else { 3 };
        let mark = if area.width < 30 { "!" } else { " ! " };
        let mut lines = wrapped(vec![span(mark, style)], &text, style, area.width);
        lines.truncate(most);
        out.extend(lines);
    }
    let hints = app.settings.behaviour.show_footer_hints;
    if hints && (out.is_empty() || area.height >= 8) {
        out.push(keys_line(app, area));
    }
    out
}

/// The most urgent thing to say.
fn warning(app: &App, area: Rect, tight: bool) -> Option<(String, Style)> {
    if app.work.leaving() {
        return Some((leaving(app, tight), app.theme.warning));
    }
    if app.work.retyping() {
        let key = first(app, "main", "changeQuestionType");
        let text = if tight {
            format!("{key} again: drop picks")
        } else {
            format!("Press {key} again to change the type and drop what is picked.")
        };
        return Some((text, app.theme.warning));
    }
    if let Some(notice) = app.work.notice() {
        let text = if tight && area.height < 8 { notice.short() } else { notice.to_string() };
        return Some((text, app.theme.warning));
    }
    let lost = app.lost.as_ref()?;
    let text = if tight {
        "No daemon: kept".to_owned()
    } else {
        format!("No connection to the daemon. What you enter is kept here and sent when it is back. {lost}")
            .trim()
            .to_owned()
    };
    Some((text, app.theme.error))
}

fn leaving(app: &App, tight: bool) -> String {
    let (cancel, dismiss) = (first(app, "main", "cancel"), first(app, "global", "dismiss"));
    let twice = app.work.form().rules.dismiss == askd_form::Dismiss::Twice;
    let editing = app.work.editor().is_some();
    let key = if editing && !twice { dismiss.clone() } else { cancel };
    if tight {
        return format!("{key} again: leave");
    }
    let what = if app.is_dirty() { "drops what is not sent and cancels" } else { "cancels" };
    let also = if key == dismiss { String::new() } else { format!(" or {dismiss}") };
    format!("Not sent yet. {key}{also} again {what}; anything else goes on.")
}

fn keys_line(app: &App, area: Rect) -> Line {
    let width = area.width;
    let mut hints = hints(app, area);
    hints.retain(|hint| !hint.keys.is_empty() && hint.rank > 0);
    let wide = |hints: &[Hint], words: bool| {
        let (words, between) = if words { (1, 3) } else { (0, 1) };
        let one = |hint: &Hint| cells(&hint.keys) + words * (cells(hint.what) + 1);
        hints.iter().map(one).sum::<usize>() + between * hints.len().saturating_sub(1)
    };
    let room = usize::from(width).saturating_sub(1);
    // Without room for four hints with words, keys alone say more.
    let words = width >= 34;
    while wide(&hints, words) > room && hints.len() > 1 {
        let lowest = hints.iter().map(|hint| hint.rank).min().unwrap_or(0);
        let at = hints.iter().rposition(|hint| hint.rank == lowest).unwrap_or(0);
        hints.remove(at);
    }
    let mut spans = vec![span(" ", Style::new())];
    for (number, hint) in hints.iter().enumerate() {
        if number > 0 {
            spans.push(span(if words { " · " } else { " " }, app.theme.muted));
        }
        spans.push(span(hint.keys.clone(), Style::new()));
        if words {
            spans.push(span(format!(" {}", hint.what), app.theme.muted));
        }
    }
    Line::new(spans)
}

fn hints(app: &App, area: Rect) -> Vec<Hint> {
    let hint = |context, action, what, rank| Hint { keys: first(app, context, action), what, rank };
    let help = hint("askd", "help", "keys", 8);
    let turn = hint("main", "nextTab", "next", 7);
    if let Some(editor) = app.work.editor() {
        return editing(app, editor.target);
    }
    if app.work.on_review() {
        let act =
            hint("main", "confirm", if app.work.review_entries().len() > 1 { "do it" } else { "submit" }, 9);
        let back = hint("main", "previousTab", "back", 6);
        let choose = Hint {
            keys: "↑↓".to_owned(),
            what: "choose",
            rank: if app.work.review_entries().len() > 1 { 5 } else { 0 },
        };
        return vec![
            act,
            choose,
            back,
            hint("main", "cancel", "leave", 7),
            hint("global", "settings", "settings", 1),
            help,
        ];
    }
    let Some((question, page)) = app.work.current() else { return vec![help] };
    let multi = page.kind == QuestionType::Multi;
    let custom = Page::is_custom(question, page.row);
    let last = app.work.tab() + 1 == app.work.tabs();
    let confirm = match (custom, multi) {
        (true, _) => "write",
        (false, _) if last => "submit",
        (false, true) => "continue",
        (false, false) => "choose",
    };
    let rules = app.work.form().rules;
    let mut out = vec![
        hint("main", "toggle", if multi { "tick" } else { "select" }, 9),
        hint("main", "confirm", confirm, 10),
    ];
    if rules.notes && !custom {
        out.push(hint("main", "optionNote", "note", 5));
    }
    if rules.notes {
        out.push(hint("main", "questionNote", "question note", 3));
    }
    if multi && selects_in_bulk(app) {
        out.push(hint("askd", "selectAll", "all", 4));
        out.push(hint("askd", "clearAll", "none", 4));
    }
    if rules.type_change && !question.is_typed() {
        out.push(hint("main", "changeQuestionType", if multi { "pick one" } else { "pick several" }, 2));
    }
    if super::pane::is_wanted(app) {
        let hidden = area.height < super::ROOMY && area.width < super::BESIDE;
        out.push(hint("askd", "scrollDown", "preview", if hidden { 9 } else { 4 }));
    }
    if app.work.tabs() > 1 {
        out.push(turn);
    }
    if app.context.is_some() {
        out.push(hint("askd", "context", "context", 3));
    }
    out.extend([hint("main", "cancel", "leave", 7), hint("global", "settings", "settings", 1), help]);
    out
}

fn editing(app: &App, target: Target) -> Vec<Hint> {
    let hint = |context, action, what, rank| Hint { keys: first(app, context, action), what, rank };
    let (context, save) =
        if target == Target::Answer { ("editor", "submit") } else { ("noteEditor", "save") };
    let mut out = vec![hint(context, save, "save", 10)];
    if !app.popup.names().is_empty() {
        out.push(Hint { keys: "Tab".to_owned(), what: "take the name", rank: 9 });
    }
    out.push(hint(context, "close", "close", 9));
    out.push(hint("askd", "newline", "new line", 6));
    out.push(Hint {
        keys: "@".to_owned(),
        what: "file",
        rank: if app.summary.origin.cwd.is_some() { 4 } else { 0 },
    });
    let empty = app.work.editor().is_some_and(|editor| editor.text.is_empty());
    if empty {
        out.push(hint(context, "nextTabWhenEmpty", "next", 5));
    }
    out.push(hint("askd", "help", "keys", 7));
    out.push(hint("global", "dismiss", "leave", 3));
    out
}

fn first(app: &App, context: &str, action: &str) -> String {
    app.keymap.keys(context, action).first().map(Key::to_string).unwrap_or_default()
}
