//! Where the insertion point can stand and where a move takes it, in bytes.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

/// The last grapheme boundary at or before `at`.
pub(super) fn boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    if cursor.is_boundary(text, 0).unwrap_or(true) { at } else { left(text, at) }
}

/// The first grapheme boundary at or after `at`: text put before a combining mark takes it along.
pub(super) fn boundary_after(text: &str, at: usize) -> usize {
    let before = boundary(text, at);
    if before == at { at } else { right(text, before) }
}

pub(super) fn left(text: &str, at: usize) -> usize {
    GraphemeCursor::new(at, text.len(), true).prev_boundary(text, 0).ok().flatten().unwrap_or(0)
}

pub(super) fn right(text: &str, at: usize) -> usize {
    GraphemeCursor::new(at, text.len(), true).next_boundary(text, 0).ok().flatten().unwrap_or(text.len())
}

/// Start of the word before `at`, over blanks and signs.
pub(super) fn word_left(text: &str, at: usize) -> usize {
    text[..at].unicode_word_indices().next_back().map_or(0, |(start, _)| start)
}

/// End of the word after `at`.
pub(super) fn word_right(text: &str, at: usize) -> usize {
    text[at..].unicode_word_indices().next().map_or(text.len(), |(start, word)| at + start + word.len())
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

pub(super) fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline)
}
