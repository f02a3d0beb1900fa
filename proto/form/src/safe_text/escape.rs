//! Escape sequences, control and invisible characters taken out; line ends folded (ECMA-48 §5.3, §5.6,
//! §8.3).

use super::class::{is_invisible, is_line_end};

/// The flags made of a black flag and tag letters that Unicode recommends: England, Scotland, Wales. All
/// other tag characters go, as they can carry a text that nobody sees.
const TAG_FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

pub(super) fn strip(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\n' | '\t' => kept.push(c),
            '\x1b' => rest = after_escape(rest),
            '\u{9b}' => rest = after_csi(rest),
            '\u{9d}' | '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => rest = after_string(rest),
            '\r' => {
                rest = rest.strip_prefix('\n').unwrap_or(rest);
                kept.push('\n');
            }
            _ if is_line_end(c) => kept.push('\n'),
            _ if c.is_control() || is_invisible(c) => {}
            '\u{1f3f4}' => {
                kept.push(c);
                if let Some(tags) = TAG_FLAGS.iter().find(|tags| rest.starts_with(**tags)) {
                    kept.push_str(tags);
                    rest = &rest[tags.len()..];
                }
            }
            _ => kept.push(c),
        }
    }
    kept
}

/// What follows the sequence that an ESC began.
fn after_escape(rest: &str) -> &str {
    match rest.chars().next() {
        Some('[') => after_csi(&rest[1..]),
        Some(']' | 'P' | 'X' | '^' | '_') => after_string(&rest[1..]),
        Some(' '..='~') => {
            let tail = rest.trim_start_matches(|c| matches!(c, ' '..='/'));
            match tail.chars().next() {
                Some('0'..='~') => &tail[1..],
                _ => tail,
            }
        }
        // Not a sequence: the ESC alone is dropped, whatever follows is judged on its own.
        _ => rest,
    }
}

/// What follows the parameters, intermediates and final character of a CSI. A sequence that breaks off
/// takes nothing with it but what it had.
fn after_csi(rest: &str) -> &str {
    let tail =
        rest.trim_start_matches(|c| matches!(c, '0'..='?')).trim_start_matches(|c| matches!(c, ' '..='/'));
    match tail.chars().next() {
        Some('@'..='~') => &tail[1..],
        _ => tail,
    }
}

/// What follows a control string (OSC, DCS, APC, PM, SOS). Where no terminator comes before the line ends
/// or another sequence begins, only the introducer goes: a terminal may swallow the rest, a person must
/// still read it.
fn after_string(rest: &str) -> &str {
    let Some(at) = rest.find(|c: char| c.is_control() && c != '\t') else { return rest };
    let tail = &rest[at..];
    let end = tail
        .strip_prefix("\x1b\\")
        .or_else(|| tail.strip_prefix('\u{9c}'))
        .or_else(|| tail.strip_prefix('\x07'));
    end.unwrap_or(rest)
}
