//! What goes to stdout: text for people, or JSON and nothing else.

use std::borrow::Cow;
use std::io::{ErrorKind, IsTerminal, Write};

use askd_form::{ToolResult, safe_text};
use serde::Serialize;

use crate::failure::Failure;

/// Standard output in the form asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    /// Only JSON.
    pub(crate) json: bool,
}

impl Output {
    /// A line or several for a person; nothing with `--json`. Agent text in it is made harmless here at the
    /// latest.
    pub(crate) fn say(self, text: &str) -> Result<(), Failure> {
        if self.json { Ok(()) } else { write(&safe_text::block(text)) }
    }

    /// One value, as one line of JSON; nothing without `--json`.
    pub(crate) fn value(self, value: &impl Serialize) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let text = serde_json::to_string(value)
            .map_err(|e| Failure::Other(format!("The result could not be written as JSON: {e}.")))?;
        write(&harmless(&text))
    }

    /// JSON text as it came, as one line.
    pub(crate) fn raw(self, json: &str) -> Result<(), Failure> {
        if self.json { write(&harmless(json)) } else { Ok(()) }
    }

    /// What the agent would get. A program reads it byte for byte, a terminal only what is harmless.
    pub(crate) fn tool_result(self, result: &ToolResult) -> Result<(), Failure> {
        if self.json {
            self.value(result)
        } else if std::io::stdout().is_terminal() {
            write(&safe_text::block(result.text()))
        } else {
            write(result.text())
        }
    }

    /// A remark to the person that is no result, on stderr.
    pub(crate) fn remark(self, text: &str) {
        // When stderr is closed there is nobody to tell.
        let _ = writeln!(std::io::stderr(), "{}", safe_text::block(text));
    }
}

/// JSON text in which a terminal finds nothing to act on: JSON itself escapes the C0 controls only. A parser reads
/// the same values from it. What is not plain ASCII stands inside strings, so an escape may take its place.
fn harmless(json: &str) -> Cow<'_, str> {
    let acts = |c: char| {
        !matches!(c, ' '..='~' | '\n' | '\r' | '\t')
            && safe_text::block(c.encode_utf8(&mut [0; 4])) != c.to_string()
    };
    if !json.chars().any(acts) {
        return Cow::Borrowed(json);
    }
    let mut text = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if acts(c) {
            let units =
                c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            text.push_str(&units);
        } else {
            text.push(c);
        }
    }
    Cow::Owned(text)
}

/// Waits until whoever reads stdout is gone; for ever when that cannot be told, as with a file.
pub(crate) async fn reader_gone() {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = std::io::stdout();
    loop {
        // Without flags of its own a poll tells of errors and hang-ups only.
        let mut fds = [PollFd::new(&stdout, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        if poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
        {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
}

/// Writes a line, however long.
pub(crate) fn write(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| {
        if !text.ends_with('\n') {
            stdout.write_all(b"\n")?;
        }
        stdout.flush()
    });
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::OutputClosed,
        _ => Failure::Other(format!(
            "Writing to standard output failed: {error}. See where the output goes and try again."
        )),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn json_acts_on_no_terminal_and_says_the_same() {
        let label = "a\u{9b}2J\u{7f}\u{85}\u{202e}\u{2066}\u{2028}\u{e0041}\u{1b}[m \\ \" é 漢 👩\u{200d}👧";
        let text = json!({ label: [label] }).to_string();
        let written = harmless(&text);
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), json!({ label: [label] }));
        let acting = |c: char| c.is_control() || "\u{202e}\u{2066}\u{2028}\u{e0041}".contains(c);
        assert_eq!(written.chars().find(|c| acting(*c)), None, "{written}");
        assert!(written.contains("é 漢 👩"), "{written}");
    }

    #[test]
    fn ordinary_json_is_left_alone() {
        let text = json!({ "é": ["漢\n", 1, null] }).to_string();
        assert!(matches!(harmless(&text), Cow::Borrowed(_)));
    }
}
