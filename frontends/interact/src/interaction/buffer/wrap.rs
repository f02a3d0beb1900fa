//! Text as rows of a given number of cells. Widths come from one table for all of askd, `unicode-width`.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::TAB;

/// A piece of text that fits one row: a byte range without the line end. Blanks at a wrap stay in the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// First byte.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
}

/// Cells that a text without line ends takes from column 0 on; tabs go to the next stop.
#[must_use]
pub fn cells(text: &str) -> usize {
    if text.is_ascii() && !text.contains('\t') {
        return text.len();
    }
    text.graphemes(true).fold(0, |column, grapheme| column + width(grapheme, column))
}

/// The text with blanks for tabs.
#[must_use]
pub fn expand_tabs(text: &str) -> String {
    let mut column = 0;
    let mut out = String::with_capacity(text.len());
    for grapheme in text.graphemes(true) {
        let width = width(grapheme, column);
        match grapheme {
            "\t" => out.extend(std::iter::repeat_n(' ', width)),
            other => out.push_str(other),
        }
        column = if grapheme == "\n" { 0 } else { column + width };
    }
    out
}

fn width(grapheme: &str, column: usize) -> usize {
    match grapheme {
        "\t" => TAB - column % TAB,
        other => other.width(),
    }
}

/// Cuts a text into rows of at most `limit` cells: at blanks where it can, inside a word where it must. A text that
/// ends in a line end has an empty last row.
#[must_use]
pub fn rows(text: &str, limit: usize) -> Vec<Row> {
    let limit = limit.max(2);
    let mut out = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        wrap_line(text, start, start + line.len(), limit, &mut out);
        start += line.len() + 1;
    }
    out
}

fn wrap_line(text: &str, start: usize, end: usize, limit: usize, out: &mut Vec<Row>) {
    let mut row = start;
    let mut column = 0;
    // Where the row may be cut: after the last blank or wide character.
    let mut cut = None;
    for (offset, grapheme) in text[start..end].grapheme_indices(true) {
        let at = start + offset;
        let mut width = width(grapheme, column);
        let blank = grapheme == " " || grapheme == "\t";
        if column + width > limit && !(blank && grapheme == " ") && at > row {
            let next = cut.filter(|cut| *cut > row).unwrap_or(at);
            out.push(Row { start: row, end: next });
            row = next;
            column = cells(&text[row..at]);
            width = self::width(grapheme, column);
            cut = None;
        }
        column += width;
        if blank || width == 2 {
            cut = Some(at + grapheme.len());
        }
    }
    out.push(Row { start: row, end });
}

/// The row that holds an insertion point; at a wrap it is the later one.
pub(super) fn row_of(rows: &[Row], cursor: usize) -> usize {
    rows.iter().rposition(|row| row.start <= cursor).unwrap_or(0)
}

/// The byte offset in a row that stands nearest to a column, not after it.
pub(super) fn at_column(text: &str, row: &Row, goal: usize) -> usize {
    let mut column = 0;
    for (offset, grapheme) in text[row.start..row.end].grapheme_indices(true) {
        let next = column + width(grapheme, column);
        if next > goal {
            return row.start + offset;
        }
        column = next;
    }
    row.end
}
