//! Agent text made harmless to terminals, for every renderer.
//!
//! Two passes: the first takes out what acts on a terminal or cannot be seen, wherever it stands
//! (`escape`, `class`); the second keeps joiners and variation selectors only where they shape what
//! their neighbours look like (`joiner`).

use std::borrow::Cow;

mod class;
mod escape;
mod joiner;

/// The text for a place that holds several lines: line ends folded to `\n`, tabs kept, escape sequences,
/// other control characters, bidi controls and invisible characters removed.
#[must_use]
pub fn block(text: &str) -> Cow<'_, str> {
    if text.chars().all(class::is_plain) {
        return Cow::Borrowed(text);
    }
    let cleaned = joiner::filter(&escape::strip(text));
    if cleaned == text { Cow::Borrowed(text) } else { Cow::Owned(cleaned) }
}

/// The text for a place that holds one line: as [`block`], and line ends, tabs and runs of white space
/// become one space. A single wide or no-break space stays what it is.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    let text = block(text);
    if is_one_line(&text) { text } else { Cow::Owned(folded(&text)) }
}

fn is_one_line(text: &str) -> bool {
    let mut after_space = false;
    text.chars().all(|c| {
        let space = c.is_whitespace();
        let fits = c != '\n' && c != '\t' && !(space && after_space);
        after_space = space;
        fits
    })
}

fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if !c.is_whitespace() {
            folded.push(c);
            continue;
        }
        let mut run = false;
        while chars.next_if(|next| next.is_whitespace()).is_some() {
            run = true;
        }
        folded.push(if run || c == '\n' || c == '\t' { ' ' } else { c });
    }
    folded
}

#[cfg(test)]
mod tests;
