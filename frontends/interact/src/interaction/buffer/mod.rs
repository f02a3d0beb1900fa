//! The text of an open editor: a string, an insertion point, undo. It moves and deletes by grapheme, so that an
//! emoji sequence, a flag or a combining mark is one thing (docs/decisions/0005-own-text-buffer.md).

mod motion;
mod undo;
mod wrap;

pub use wrap::{Row, cells, expand_tabs, rows};

use undo::{Edit, History};

/// Columns between tab stops.
pub const TAB: usize = 8;

/// The text being edited. The insertion point is always on a grapheme boundary.
#[derive(Debug, Clone)]
pub struct Buffer {
    text: String,
    cursor: usize,
    /// The column that moving up and down aims for, in cells.
    goal: Option<usize>,
    /// Cells a row of the editor holds; lines are not wrapped without it.
    width: Option<usize>,
    killed: String,
    history: History,
    limit: usize,
}

/// One thing an editor can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EditKey {
    /// Starts a new line.
    Newline,
    /// Deletes the grapheme before the insertion point.
    Backspace,
    /// Deletes the grapheme after it.
    Delete,
    /// Deletes the word before it.
    DeleteWordBack,
    /// Deletes the word after it.
    DeleteWord,
    /// Deletes back to the start of the line.
    DeleteToStart,
    /// Deletes up to the end of the line, or the line end itself.
    DeleteToEnd,
    /// Inserts what was deleted by word or line last.
    Yank,
    /// One grapheme back.
    Left,
    /// One grapheme on.
    Right,
    /// One word back.
    WordLeft,
    /// One word on.
    WordRight,
    /// One row up.
    Up,
    /// One row down.
    Down,
    /// Start of the row.
    Home,
    /// End of the row.
    End,
    /// Start of the text.
    Top,
    /// End of the text.
    Bottom,
    /// Takes the last change back.
    Undo,
    /// Makes it again.
    Redo,
}

/// Text that was refused because the buffer would grow above its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl Buffer {
    /// A buffer with the insertion point at the end of the text. `limit` is the most bytes it takes.
    #[must_use]
    pub fn new(text: impl Into<String>, limit: usize) -> Self {
        let text = text.into();
        let cursor = text.len();
        Self {
            text,
            cursor,
            goal: None,
            width: None,
            killed: String::new(),
            history: History::default(),
            limit,
        }
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Byte offset of the insertion point.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// Whether there is no text at all. Blanks are text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Puts the insertion point at a byte offset, or at the next grapheme boundary before it.
    pub fn set_cursor(&mut self, at: usize) {
        self.cursor = motion::boundary(&self.text, at);
        self.goal = None;
    }

    /// Tells how wide the rows are that the person sees, so that up and down follow them.
    pub fn set_width(&mut self, cells: Option<usize>) {
        self.width = cells;
    }

    /// Inserts typed or pasted text as one change: line ends are folded to `\n`, other control characters but
    /// tabs are left out.
    ///
    /// # Errors
    /// [`Full`] when the text would grow above the limit; nothing is inserted.
    pub fn insert(&mut self, text: &str) -> Result<(), Full> {
        let text = plain(text);
        if text.is_empty() {
            return Ok(());
        }
        if self.text.len() + text.len() > self.limit {
            return Err(Full);
        }
        // A typed space starts a new undo step, so that one undo takes back one word.
        let one = text.chars().nth(1).is_none() && !text.starts_with([' ', '\n']);
        self.history.before(if one { Edit::Typing } else { Edit::Other }, &self.text, self.cursor);
        self.text.insert_str(self.cursor, &text);
        self.cursor = motion::boundary_after(&self.text, self.cursor + text.len());
        self.goal = None;
        Ok(())
    }

    /// Replaces a byte range by text, as one change.
    ///
    /// # Errors
    /// [`Full`] when the text would grow above the limit; nothing is changed.
    pub fn replace(&mut self, range: std::ops::Range<usize>, text: &str) -> Result<(), Full> {
        if self.text.get(range.clone()).is_none() || self.text.len() - range.len() + text.len() > self.limit {
            return Err(Full);
        }
        self.history.before(Edit::Other, &self.text, self.cursor);
        let end = range.start + text.len();
        self.text.replace_range(range, text);
        self.cursor = motion::boundary_after(&self.text, end);
        self.goal = None;
        Ok(())
    }

    /// Does one editing key.
    ///
    /// # Errors
    /// [`Full`] when a newline or a yank would grow the text above the limit.
    pub fn edit(&mut self, key: EditKey) -> Result<(), Full> {
        let at = self.cursor;
        let text = &self.text;
        match key {
            EditKey::Newline => return self.insert("\n"),
            EditKey::Yank => {
                let killed = self.killed.clone();
                return self.insert(&killed);
            }
            EditKey::Backspace => self.delete(motion::left(text, at), at, Edit::Deleting),
            EditKey::Delete => self.delete(at, motion::right(text, at), Edit::Deleting),
            EditKey::DeleteWordBack => self.kill(motion::word_left(text, at), at),
            EditKey::DeleteWord => self.kill(at, motion::word_right(text, at)),
            EditKey::DeleteToStart => {
                let start = motion::line_start(text, at);
                self.kill(if start == at { motion::left(text, at) } else { start }, at);
            }
            EditKey::DeleteToEnd => {
                let end = motion::line_end(text, at);
                self.kill(at, if end == at { motion::right(text, at) } else { end });
            }
            EditKey::Left => self.go(motion::left(text, at)),
            EditKey::Right => self.go(motion::right(text, at)),
            EditKey::WordLeft => self.go(motion::word_left(text, at)),
            EditKey::WordRight => self.go(motion::word_right(text, at)),
            EditKey::Home => self.go(motion::line_start(text, at)),
            EditKey::End => self.go(motion::line_end(text, at)),
            EditKey::Top => self.go(0),
            EditKey::Bottom => self.go(text.len()),
            EditKey::Up => self.vertical(-1),
            EditKey::Down => self.vertical(1),
            EditKey::Undo => self.restore(true),
            EditKey::Redo => self.restore(false),
        }
        Ok(())
    }

    /// Turns a backslash right before the insertion point into a newline; gives false when there is none.
    pub fn backslash_newline(&mut self) -> bool {
        let at = self.cursor;
        self.text[..at].ends_with('\\') && self.replace(at - 1..at, "\n").is_ok()
    }

    fn go(&mut self, to: usize) {
        self.cursor = to;
        self.goal = None;
        self.history.pause();
    }

    fn delete(&mut self, from: usize, to: usize, edit: Edit) {
        if from < to {
            self.history.before(edit, &self.text, self.cursor);
            self.text.replace_range(from..to, "");
            self.cursor = motion::boundary(&self.text, from);
        }
        self.goal = None;
    }

    fn kill(&mut self, from: usize, to: usize) {
        self.killed = self.text[from..to].to_owned();
        self.delete(from, to, Edit::Other);
    }

    /// Moves by rows as the person sees them. At the first row up goes to its start, at the last one down to its
    /// end.
    fn vertical(&mut self, by: isize) {
        let rows = rows(&self.text, self.width.unwrap_or(usize::MAX));
        let row = wrap::row_of(&rows, self.cursor);
        let goal = self.goal.unwrap_or_else(|| cells(&self.text[rows[row].start..self.cursor]));
        self.history.pause();
        match row.checked_add_signed(by).and_then(|to| rows.get(to)) {
            Some(to) => self.cursor = wrap::at_column(&self.text, to, goal),
            None if by < 0 => self.cursor = 0,
            None => self.cursor = self.text.len(),
        }
        self.goal = Some(goal);
    }

    fn restore(&mut self, back: bool) {
        let found = if back {
            self.history.undo(&self.text, self.cursor)
        } else {
            self.history.redo(&self.text, self.cursor)
        };
        if let Some((text, cursor)) = found {
            self.text = text;
            self.cursor = cursor;
        }
        self.goal = None;
    }
}

/// Text without what an editor must not hold.
fn plain(text: &str) -> String {
    let folded = text.replace("\r\n", "\n").replace('\r', "\n");
    folded.chars().filter(|c| matches!(c, '\n' | '\t') || !c.is_control()).collect()
}

#[cfg(test)]
mod tests;
