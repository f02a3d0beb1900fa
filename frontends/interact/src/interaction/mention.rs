//! File names in answers: where `@` starts a name, and putting the chosen one in (ask contract, "`@`").

use std::ops::Range;

use super::buffer::Buffer;

/// A name being typed after `@`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Bytes of the text from `@` to the insertion point.
    pub range: Range<usize>,
    /// What was typed after `@`.
    pub query: String,
}

/// The mention at the insertion point: an `@` at the start of a word, and no blank after it. A name with blanks is
/// written `@"like this"`.
#[must_use]
pub fn mention(buffer: &Buffer) -> Option<Mention> {
    let before = &buffer.text()[..buffer.cursor()];
    let at = before.rfind('@')?;
    let starts_word =
        before[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || "([{<\"'".contains(c));
    let typed = &before[at + 1..];
    let quoted = typed.strip_prefix('"');
    let query = quoted.unwrap_or(typed);
    let ends =
        if quoted.is_some() { query.contains(['"', '\n']) } else { query.contains(char::is_whitespace) };
    (starts_word && !ends).then(|| Mention { range: at..before.len(), query: query.to_owned() })
}

/// Puts a file name in place of the mention. Gives false when the text would grow above its limit.
pub fn complete(buffer: &mut Buffer, mention: &Mention, name: &str) -> bool {
    let text = if name.contains(char::is_whitespace) { format!("@\"{name}\"") } else { format!("@{name}") };
    // A directory is gone into, so the next letters must join it.
    let text = if name.ends_with('/') { text } else { format!("{text} ") };
    buffer.replace(mention.range.clone(), &text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(text: &str) -> Option<String> {
        mention(&Buffer::new(text, 1000)).map(|m| m.query)
    }

    #[test]
    fn starts_at_the_start_of_a_word_only() {
        assert_eq!(query("see @src/ma").as_deref(), Some("src/ma"));
        assert_eq!(query("@").as_deref(), Some(""));
        assert_eq!(query("me@example.org"), None);
        assert_eq!(query("@src/main.rs is"), None);
        assert_eq!(query("@\"my fi").as_deref(), Some("my fi"));
    }

    #[test]
    fn completes_in_place() {
        let mut buffer = Buffer::new("see @ma please", 1000);
        buffer.set_cursor("see @ma".len());
        let found = mention(&buffer).unwrap();
        assert!(complete(&mut buffer, &found, "src/main.rs"));
        assert_eq!(buffer.text(), "see @src/main.rs  please");
        assert_eq!(buffer.cursor(), "see @src/main.rs ".len());
    }
}
