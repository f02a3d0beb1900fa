//! Which characters are plain, line ends, joiners, or never shown.

/// Characters that need no second look. Most text consists of nothing else.
pub(super) fn is_plain(c: char) -> bool {
    match c {
        '\n' | '\t' | ' '..='~' => true,
        '\u{a0}'..='\u{ac}' | '\u{ae}'..='\u{2ff}' => true,
        _ => !(c.is_control() || is_line_end(c) || is_invisible(c) || is_joiner(c) || is_selector(c)),
    }
}

/// What ends a line somewhere: carriage return, vertical tab, form feed, next line, the two separators.
pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Bidi controls, zero-width and other characters that show nothing and can make a text read as another.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{200b}'
            | '\u{200e}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e00ff}'
            | '\u{e01f0}'..='\u{e0fff}'
    )
}

/// Zero-width joiner and non-joiner.
pub(super) fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Variation selectors, the Mongolian ones and the Mongolian vowel separator among them.
pub(super) fn is_selector(c: char) -> bool {
    matches!(c, '\u{180b}'..='\u{180f}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Pictographs, the arrows, signs and shapes that have an emoji form, and skin tones.
pub(super) fn is_pictograph(c: char) -> bool {
    matches!(
        c,
        '\u{a9}'
            | '\u{ae}'
            | '\u{203c}'
            | '\u{2049}'
            | '\u{2122}'
            | '\u{2139}'
            | '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{24c2}'
            | '\u{25a0}'..='\u{27bf}'
            | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{3030}'
            | '\u{303d}'
            | '\u{3297}'
            | '\u{3299}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// Letters and marks of the scripts whose shapes joiners change: Arabic and its kin, the scripts of India
/// and South-East Asia, Mongolian, and the historic ones of the same families.
pub(super) fn is_shaped(c: char) -> bool {
    let script = matches!(
        c,
        '\u{600}'..='\u{dff}'
            | '\u{f00}'..='\u{109f}'
            | '\u{1700}'..='\u{18af}'
            | '\u{1900}'..='\u{1cff}'
            | '\u{a800}'..='\u{a8ff}'
            | '\u{a900}'..='\u{a9ff}'
            | '\u{aa00}'..='\u{aadf}'
            | '\u{abc0}'..='\u{abff}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefc}'
            | '\u{10800}'..='\u{11fff}'
            | '\u{1e900}'..='\u{1e95f}'
    );
    script && !c.is_whitespace() && !is_selector(c) && !is_invisible(c)
}

/// Ideographs, which take variation selectors of their own.
pub(super) fn is_ideograph(c: char) -> bool {
    matches!(
        c,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}
