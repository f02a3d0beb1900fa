//! A buffer as lines of text with SGR sequences and nothing else, each line complete in itself.

use std::fmt::Write;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier, Style};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

/// The params of `frame`.
pub(super) fn frame(buffer: &Buffer, cursor: Option<Position>) -> Value {
    let area = buffer.area;
    let mut params = json!({"columns": area.width, "rows": area.height, "lines": lines(buffer)});
    if let (Some(at), Some(params)) = (cursor, params.as_object_mut()) {
        params.insert("cursor".to_owned(), json!({"row": at.y, "column": at.x}));
    }
    params
}

/// One string a row, without blanks at the end.
pub(crate) fn lines(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area;
    (area.top()..area.bottom())
        .map(|y| {
            let row: Vec<&Cell> = (area.left()..area.right()).map(|x| &buffer[(x, y)]).collect();
            line(&row)
        })
        .collect()
}

fn line(row: &[&Cell]) -> String {
    let plain = Style::reset();
    let is_blank = |cell: &&&Cell| {
        cell.symbol() == " " && looks(cell) == (Color::Reset, Color::Reset, Modifier::empty())
    };
    let end = row.len() - row.iter().rev().take_while(is_blank).count();
    let mut out = String::new();
    let mut now = (plain.fg.unwrap_or(Color::Reset), plain.bg.unwrap_or(Color::Reset), Modifier::empty());
    let mut at = 0;
    while at < end {
        let cell = row[at];
        let wanted = looks(cell);
        if wanted != now {
            sgr(&mut out, wanted);
            now = wanted;
        }
        out.push_str(cell.symbol());
        at += cell.symbol().width().max(1);
    }
    if now != (Color::Reset, Color::Reset, Modifier::empty()) {
        out.push_str("\x1b[0m");
    }
    out
}

fn looks(cell: &Cell) -> (Color, Color, Modifier) {
    (cell.fg, cell.bg, cell.modifier)
}

fn sgr(out: &mut String, (fg, bg, modifier): (Color, Color, Modifier)) {
    out.push_str("\x1b[0");
    for (flag, code) in [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ] {
        if modifier.contains(flag) {
            // Writing to a string cannot fail.
            let _ = write!(out, ";{code}");
        }
    }
    colour(out, fg, 30);
    colour(out, bg, 40);
    out.push('m');
}

fn colour(out: &mut String, colour: Color, base: u8) {
    let _ = match colour {
        Color::Reset => Ok(()),
        Color::Black => write!(out, ";{base}"),
        Color::Red => write!(out, ";{}", base + 1),
        Color::Green => write!(out, ";{}", base + 2),
        Color::Yellow => write!(out, ";{}", base + 3),
        Color::Blue => write!(out, ";{}", base + 4),
        Color::Magenta => write!(out, ";{}", base + 5),
        Color::Cyan => write!(out, ";{}", base + 6),
        Color::Gray => write!(out, ";{}", base + 7),
        Color::DarkGray => write!(out, ";{}", base + 60),
        Color::LightRed => write!(out, ";{}", base + 61),
        Color::LightGreen => write!(out, ";{}", base + 62),
        Color::LightYellow => write!(out, ";{}", base + 63),
        Color::LightBlue => write!(out, ";{}", base + 64),
        Color::LightMagenta => write!(out, ";{}", base + 65),
        Color::LightCyan => write!(out, ";{}", base + 66),
        Color::White => write!(out, ";{}", base + 67),
        Color::Rgb(r, g, b) => write!(out, ";{};2;{r};{g};{b}", base + 8),
        Color::Indexed(i) => write!(out, ";{};5;{i}", base + 8),
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;

    #[test]
    fn wide_cells_are_written_once_and_styles_end_with_the_line() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "空a", Style::new().fg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD));
        buffer.set_string(4, 0, "b", Style::new());
        let lines = lines(&buffer);
        assert_eq!(lines, ["\x1b[0;1;38;2;1;2;3m空a\x1b[0m b", ""]);
    }
}
