//! Styled lines and putting them on the buffer, by graphemes and cells.

use askd_interact::interaction::buffer::{cells, rows};
use ratatui::buffer::Buffer;
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Text of one style. It has no control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) style: Style,
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    pub(crate) spans: Vec<Span>,
    /// At the right end, over what does not fit before it.
    pub(crate) right: Option<Span>,
}

pub(crate) fn span(text: impl Into<String>, style: Style) -> Span {
    Span { text: text.into(), style }
}

impl Line {
    pub(crate) fn new(spans: Vec<Span>) -> Self {
        Self { spans, right: None }
    }

    pub(crate) fn one(text: impl Into<String>, style: Style) -> Self {
        Self::new(vec![span(text, style)])
    }

    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| cells(&span.text)).sum()
    }
}

/// Puts a line at a place, at most `width` cells of it.
pub(crate) fn put(buffer: &mut Buffer, x: u16, y: u16, width: u16, line: &Line) {
    let right = line.right.as_ref().map(|span| (span, clip(cells(&span.text)).min(width)));
    let room = right.as_ref().map_or(width, |(_, taken)| width.saturating_sub(taken + 1));
    let mut at = x;
    for span in &line.spans {
        at = put_text(buffer, at, y, x + room - at, &span.text, span.style);
    }
    if let Some((span, taken)) = right {
        put_text(buffer, x + width - taken, y, taken, &span.text, span.style);
    }
}

/// Puts text and gives the column after it.
pub(crate) fn put_text(buffer: &mut Buffer, x: u16, y: u16, room: u16, text: &str, style: Style) -> u16 {
    let area = buffer.area;
    if y >= area.bottom() {
        return x;
    }
    let end = (x + room).min(area.right());
    let mut at = x;
    for grapheme in text.graphemes(true) {
        let width = clip(grapheme.width());
        if width == 0 || grapheme.contains(char::is_control) {
            continue;
        }
        if at + width > end {
            break;
        }
        buffer[(at, y)].set_symbol(grapheme).set_style(style);
        for beside in at + 1..at + width {
            buffer[(beside, y)].reset();
            buffer[(beside, y)].set_symbol("").set_style(style);
        }
        at += width;
    }
    at
}

pub(crate) fn clip(cells: usize) -> u16 {
    u16::try_from(cells).unwrap_or(u16::MAX)
}

/// Text as styled rows: the first begins with `first`, the others with blanks of the same width.
pub(crate) fn wrapped(first: Vec<Span>, text: &str, style: Style, width: u16) -> Vec<Line> {
    let head = Line::new(first);
    let indent = head.width();
    let room = usize::from(width).saturating_sub(indent).max(2);
    let mut out: Vec<Line> = Vec::new();
    for row in rows(text, room) {
        let mut line =
            if out.is_empty() { head.clone() } else { Line::one(" ".repeat(indent), Style::new()) };
        line.spans.push(span(text[row.start..row.end].trim_end_matches(['\n', '\t']), style));
        out.push(line);
    }
    out
}

/// Several styles in one flow of text, wrapped with an indent.
pub(crate) fn flow(parts: &[(String, Style)], indent: usize, width: u16) -> Vec<Line> {
    let text: String = parts.iter().map(|(text, _)| text.as_str()).collect();
    let room = usize::from(width).saturating_sub(indent).max(2);
    let mut ends = Vec::new();
    let mut end = 0;
    for (text, style) in parts {
        end += text.len();
        ends.push((end, *style));
    }
    let styled = |start: usize, stop: usize| {
        let mut spans = vec![span(" ".repeat(indent), Style::new())];
        let mut at = start;
        for (end, style) in &ends {
            let to = (*end).min(stop);
            if to > at {
                spans.push(span(&text[at..to], *style));
                at = to;
            }
        }
        Line::new(spans)
    };
    rows(&text, room).iter().map(|row| styled(row.start, row.end)).collect()
}

/// Cuts a text to a number of cells; a cut is marked.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    if cells(text) <= limit {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut column = 0;
    for grapheme in text.graphemes(true) {
        let width = grapheme.width();
        if column + width + 1 > limit {
            break;
        }
        column += width;
        out.push_str(grapheme);
    }
    out.push('…');
    out
}

/// The part of a row from one column on, with wide characters that are cut in half left blank.
pub(crate) fn from_column(text: &str, from: usize, limit: usize) -> String {
    let mut out = String::new();
    let mut column = 0;
    for grapheme in text.graphemes(true) {
        let next = column + grapheme.width();
        if next > from + limit {
            break;
        }
        if column >= from {
            out.push_str(grapheme);
        } else if next > from {
            out.extend(std::iter::repeat_n(' ', next - from));
        }
        column = next;
    }
    out
}
