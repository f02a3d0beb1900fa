//! Joiners and variation selectors kept where a script or an emoji needs them, dropped everywhere else.

use super::class::{is_ideograph, is_joiner, is_pictograph, is_selector, is_shaped};

/// Judges each by the character kept before it and the one that follows. What follows a kept joiner is
/// always kept, so a second run finds the same neighbours and changes nothing.
pub(super) fn filter(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let keep = if is_joiner(c) {
            joins(c, before, chars.peek().copied())
        } else if is_selector(c) {
            selects(c, before)
        } else {
            true
        };
        if keep {
            kept.push(c);
            before = Some(c);
        }
    }
    kept
}

fn joins(joiner: char, before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else { return false };
    let emoji = joiner == '\u{200d}'
        && (is_pictograph(before) || before == '\u{fe0f}' || is_tag_end(before))
        && is_pictograph(after);
    emoji || (is_shaped(before) && is_shaped(after))
}

fn is_tag_end(c: char) -> bool {
    c == '\u{e007f}'
}

/// Whether a variation selector has something to vary. One at most follows a character, as a row of them
/// can carry a text that nobody sees.
fn selects(selector: char, before: Option<char>) -> bool {
    let Some(before) = before else { return false };
    match selector {
        '\u{fe0e}' | '\u{fe0f}' => is_pictograph(before) || matches!(before, '0'..='9' | '#' | '*'),
        '\u{180b}'..='\u{180f}' => matches!(before, '\u{1800}'..='\u{180a}' | '\u{1810}'..='\u{18af}'),
        '\u{e0100}'..='\u{e01ef}' => is_ideograph(before),
        // Mathematical operators, ideographs, Myanmar and Phags-pa have standard variants.
        _ => {
            is_ideograph(before)
                || matches!(before, '\u{2200}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}' | '\u{3000}'..='\u{303f}')
                || matches!(before, '\u{1000}'..='\u{109f}' | '\u{a840}'..='\u{a87f}' | '\u{ff00}'..='\u{ffef}')
        }
    }
}
