//! Columns of text, aligned by the width a terminal gives each character.

use unicode_width::UnicodeWidthStr;

/// Rows of cells as text, columns two spaces apart, the last one ragged. Cells hold one line each.
pub(crate) fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|r| r.get(column)).map(|c| c.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let lines: Vec<String> = rows.iter().map(|row| line(row, &widths)).collect();
    lines.join("\n")
}

fn line(row: &[String], widths: &[usize]) -> String {
    let mut text = String::new();
    for (at, cell) in row.iter().enumerate() {
        text.push_str(cell);
        if at + 1 < row.len() {
            text.push_str(&" ".repeat(widths[at].saturating_sub(cell.width()) + 2));
        }
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_whatever_the_script() {
        let rows = [["id", "age", "what"], ["日本", "1 min", "x"], ["a", "", ""]]
            .map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows), "id    age    what\n日本  1 min  x\na");
    }
}
