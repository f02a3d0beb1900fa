//! Typed text over one line or several: what ends it, what goes on, what leaves it as it was.

/// What the text is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Target {
    /// The question's own answer.
    Answer,
    /// The question's note.
    Note,
    /// A note on the option with this value.
    OptionNote(String),
}

/// A text being typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Typing {
    pub(super) target: Target,
    /// Whether there is a saved text that `-` removes and an empty line keeps.
    pub(super) saved: bool,
    lines: Vec<String>,
    block: bool,
}

/// What a line made of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Typed {
    /// Go on typing.
    More,
    /// Nothing was typed.
    Left,
    /// The saved text is to go.
    Removed,
    /// The whole text.
    Text(String),
}

impl Typing {
    pub(super) fn new(target: Target, saved: bool) -> Self {
        Self { target, saved, lines: Vec::new(), block: false }
    }

    /// A text of several lines, which a dot alone ends.
    pub(super) fn block(target: Target, saved: bool) -> Self {
        Self { block: true, ..Self::new(target, saved) }
    }

    pub(super) fn is_block(&self) -> bool {
        self.block
    }

    /// Whether a first line was taken and more is to follow.
    pub(super) fn has_begun(&self) -> bool {
        self.block || !self.lines.is_empty()
    }

    /// Takes a line. A dot alone opens and closes a text of several lines; outside of one a backslash at
    /// the end goes on with the next line, and two stand for one. `\.` is a line with a dot.
    pub(super) fn line(&mut self, line: &str) -> Typed {
        if line.trim_end() == "." {
            if self.has_begun() {
                return self.whole();
            }
            self.block = true;
            return Typed::More;
        }
        if line.trim() == "\\." {
            self.lines.push(".".to_owned());
            return if self.block { Typed::More } else { self.whole() };
        }
        if self.block {
            self.lines.push(line.to_owned());
            return Typed::More;
        }
        if self.lines.is_empty() && line.trim().is_empty() {
            return Typed::Left;
        }
        if self.lines.is_empty() && self.saved && line.trim() == "-" {
            return Typed::Removed;
        }
        let (text, goes_on) = ending(line);
        self.lines.push(text);
        if goes_on { Typed::More } else { self.whole() }
    }

    fn whole(&self) -> Typed {
        let text = self.lines.join("\n");
        if text.trim().is_empty() { Typed::Left } else { Typed::Text(text) }
    }
}

fn ending(line: &str) -> (String, bool) {
    match line.strip_suffix('\\') {
        None => (line.to_owned(), false),
        Some(rest) if rest.ends_with('\\') => (rest.to_owned(), false),
        Some(rest) => (rest.to_owned(), true),
    }
}
