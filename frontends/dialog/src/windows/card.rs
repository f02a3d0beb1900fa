//! What a window can hold of a step: lines that fit a screen, rows that stay distinct when they are cut, and
//! the whole text for a window that scrolls.

use std::collections::HashSet;

use askd_interact::steps::{Reply, Step, flat};
use askd_wire::form::FormSnapshot;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::words;

/// Columns of a line of text; the programs do not wrap, and a wider window leaves the screen.
const COLUMNS: usize = 80;
/// Lines of text above the rows.
const LINES: usize = 8;

/// What a person does with a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Chooses one row.
    Choose,
    /// Ticks any rows.
    Tick,
    /// Types a line.
    Type,
}

/// One step, cut to what a window can show.
#[derive(Debug)]
pub(super) struct Card {
    pub(super) kind: Kind,
    /// The window's title.
    pub(super) title: String,
    /// Lines above the rows or the entry.
    pub(super) lines: Vec<String>,
    /// What the window shows of each row, and whether it is ticked. No two are equal.
    pub(super) rows: Vec<(String, bool)>,
    /// The whole rows.
    whole: Vec<String>,
    /// Everything, where `lines` and `rows` do not hold it.
    pub(super) all: Option<String>,
}

impl Card {
    /// The card of a step; none for the last, which shows nothing.
    pub(super) fn of(shown: &FormSnapshot, step: &Step) -> Option<Self> {
        let (kind, question, whole) = match step {
            Step::Select { title, rows } => {
                (Kind::Choose, title, rows.iter().map(|row| (row.clone(), false)).collect())
            }
            Step::Tick { title, rows } => (Kind::Tick, title, rows.clone()),
            Step::Input { title, .. } => (Kind::Type, title, Vec::new()),
            Step::Done(_) => return None,
        };
        let mut text: Vec<String> = words::origin(&shown.summary.origin).into_iter().collect();
        text.push(question.clone());
        if let Step::Input { placeholder, .. } = step {
            text.push(format!("({placeholder})"));
        }
        let wrapped: Vec<String> = text.iter().flat_map(|line| wrap(line)).collect();
        let context = shown.summary.origin.context.as_deref().map(askd_form::safe_text::block);
        let rows = distinct(&whole);
        let cut = wrapped.len() > LINES || rows.iter().zip(&whole).any(|(shown, row)| *shown != row.0);
        let all = (cut || context.is_some()).then(|| {
            let context = context.map(|text| format!("The agent said before:\n\n{text}\n"));
            let whole = whole.iter().map(|(row, _)| row.clone());
            context.into_iter().chain(text.iter().cloned()).chain(whole).collect::<Vec<_>>().join("\n\n")
        });
        let mut lines = wrapped;
        if lines.len() > LINES {
            lines.truncate(LINES);
            lines.push("…".to_owned());
        }
        let (whole, ticks): (Vec<String>, Vec<bool>) = whole.into_iter().unzip();
        let agent = shown.summary.origin.agent.as_deref().map(flat).filter(|agent| !agent.is_empty());
        let title = match agent {
            Some(agent) => format!("A question from {}", cut_to(&agent, COLUMNS)),
            None => "A question".to_owned(),
        };
        Some(Self { kind, title, lines, rows: rows.into_iter().zip(ticks).collect(), whole, all })
    }

    /// Adds a line for a person who did something else than the card is for.
    pub(super) fn remark(&mut self, line: &str) {
        if self.lines.last().is_none_or(|last| last != line) {
            self.lines.push(line.to_owned());
        }
    }

    /// What the window's output means; nothing when it names no row of the card.
    pub(super) fn reply(&self, output: &str) -> Option<Reply> {
        let whole = |line: &str| {
            let at = self.rows.iter().position(|(row, _)| row == line)?;
            self.whole.get(at).cloned()
        };
        match self.kind {
            Kind::Type => Some(Reply::Value(output.to_owned())),
            Kind::Choose => whole(output).map(Reply::Value),
            Kind::Tick => {
                let lines = output.split('\n').filter(|line| !line.is_empty());
                lines.map(whole).collect::<Option<Vec<String>>>().map(Reply::Ticked)
            }
        }
    }
}

/// The rows cut to a line each. Rows that read the same then carry a number.
fn distinct(rows: &[(String, bool)]) -> Vec<String> {
    let mut seen = HashSet::new();
    rows.iter()
        .map(|(row, _)| {
            let mut text = cut_to(row, COLUMNS);
            let mut number = 2_usize;
            while !seen.insert(text.clone()) {
                text = format!("{} ({number})", cut_to(row, COLUMNS));
                number += 1;
            }
            text
        })
        .collect()
}

fn cut_to(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut width = 0;
    let mut kept: String = text
        .chars()
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width < columns
        })
        .collect();
    kept.push('…');
    kept
}

/// Breaks a line at spaces, and a longer word anywhere.
fn wrap(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.width() + 1 + word.width() > COLUMNS {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            if line.width() + c.width().unwrap_or(0) > COLUMNS {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_by_width() {
        assert_eq!(wrap("a b"), ["a b"]);
        let text = format!("{} {}", "word ".repeat(20).trim(), "語".repeat(60));
        let lines = wrap(&text);
        assert!(lines.iter().all(|line| line.width() <= COLUMNS), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
    }

    #[test]
    fn cut_rows_stay_distinct() {
        let long = "x".repeat(200);
        let rows = [long.clone(), format!("{long}y"), "short".to_owned()].map(|row| (row, false));
        let shown = distinct(&rows);
        assert!(shown[0].ends_with('…') && shown[1].ends_with("… (2)") && shown[2] == "short", "{shown:?}");
    }
}
