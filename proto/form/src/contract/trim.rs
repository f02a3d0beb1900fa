//! Which white space a text loses when it is normalized (docs/decisions/0001-preview-indent.md).

/// A preview without the blank lines at its ends. What is left of one line is trimmed at both ends; several
/// lines keep the indent of the first, so that indented code stays aligned.
pub(super) fn preview(text: &str) -> &str {
    let text = text.trim_end();
    let indent_end = text.len() - text.trim_start().len();
    let start = text[..indent_end].rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let kept = &text[start..];
    if kept.contains(['\n', '\r']) { kept } else { kept.trim_start() }
}

/// White space runs, line ends among them, as one space: for places that must stay one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_is_trimmed_and_several_keep_the_first_indent() {
        for (given, kept) in [
            (" p ", "p"),
            ("\n  p\n", "p"),
            ("  a\n  b\n", "  a\n  b"),
            ("\n \n  a\n\n b \n\t\n", "  a\n\n b"),
            ("\r\n    a\r\n    b\r\n", "    a\r\n    b"),
            (" \n ", ""),
            ("", ""),
            ("\u{3000}a\u{a0}", "a"),
        ] {
            assert_eq!(preview(given), kept, "{given:?}");
            assert_eq!(preview(kept), kept, "again {given:?}");
        }
    }
}
