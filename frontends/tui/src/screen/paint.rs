//! Pictures as bytes for a terminal: only the rows that changed, each written whole. A terminal that counts the cells
//! of an emoji differently is right again with the next change of its row, and nothing of an old row stays.

use std::fmt::Write;

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::host::lines;

#[derive(Debug, Default)]
pub(super) struct Painter {
    /// What stands on the screen; none when that is not known.
    shown: Option<Vec<String>>,
    cursor: Option<Position>,
    size: Rect,
}

impl Painter {
    /// The next picture is drawn whole.
    pub(super) fn forget(&mut self) {
        self.shown = None;
    }

    /// The bytes that turn what is shown into the picture; empty when nothing changed.
    pub(super) fn paint(&mut self, buffer: &Buffer, cursor: Option<Position>) -> String {
        let rows = lines(buffer);
        let mut out = String::new();
        // Keys may be read before the news of another size.
        let old = self.shown.take().filter(|_| self.size == buffer.area);
        self.size = buffer.area;
        if old.is_none() {
            out.push_str("\x1b[0m\x1b[2J");
        }
        for (y, row) in rows.iter().enumerate() {
            let before = old.as_ref().and_then(|old| old.get(y)).map_or("", String::as_str);
            if before != row {
                // Writing to a string cannot fail.
                let _ = write!(out, "\x1b[{};1H{row}\x1b[K", y + 1);
            }
        }
        let moved = self.cursor != cursor || !out.is_empty() || old.is_none();
        self.shown = Some(rows);
        self.cursor = cursor;
        if !moved {
            return String::new();
        }
        let place = match cursor {
            Some(at) => format!("\x1b[{};{}H\x1b[?25h", at.y + 1, at.x + 1),
            None => String::new(),
        };
        // Synchronized where the terminal knows it, so that no half picture is seen.
        format!("\x1b[?2026h\x1b[?25l{out}{place}\x1b[?2026l")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::style::Style;

    #[test]
    fn only_changed_rows_are_written() {
        let mut painter = Painter::default();
        let mut buffer = Buffer::empty(Rect::new(0, 0, 10, 3));
        buffer.set_string(0, 0, "one", Style::new());
        buffer.set_string(0, 2, "three", Style::new());
        let first = painter.paint(&buffer, Some(Position::new(1, 0)));
        assert!(first.contains("\x1b[2J") && first.contains("one") && first.contains("three"));
        assert_eq!(painter.paint(&buffer, Some(Position::new(1, 0))), "");
        buffer.set_string(0, 2, "four ", Style::new());
        let second = painter.paint(&buffer, Some(Position::new(1, 0)));
        assert!(second.contains("\x1b[3;1Hfour\x1b[K") && !second.contains("one"), "{second:?}");
        let moved = painter.paint(&buffer, Some(Position::new(2, 1)));
        assert!(moved.contains("\x1b[2;3H") && !moved.contains("four"));
        painter.forget();
        assert!(painter.paint(&buffer, None).contains("one"));
    }
}
