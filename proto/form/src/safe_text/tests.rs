use proptest::prelude::*;

use super::*;

#[test]
fn ordinary_text_is_borrowed_unchanged() {
    for text in [
        "",
        "plain\n\ttext",
        "👩‍👩‍👧‍👦 family",
        "👍🏽 thumb",
        "✔️ tick / ✔︎ tick",
        "🏳️‍🌈 flag",
        "🏴󠁧󠁢󠁥󠁮󠁧󠁿 England",
        "🥲🏻 odd pair",
        "1️⃣ #️⃣",
        "🧑🏽‍🚀👩‍❤️‍💋‍👨",
        "❤️‍🔥 🏴‍☠️",
        "寸法は？\u{3000}空港 葛\u{e0100}",
        "مطار می\u{200c}خواهم",
        "क्\u{200d}ष क्\u{200c}ष",
        "ශ්\u{200d}රී",
        "e\u{301} à la carte",
        "≨\u{fe00}",
        "no\u{a0}break",
        "ᠠ\u{180b}",
    ] {
        assert!(matches!(block(text), Cow::Borrowed(same) if same == text), "{text:?} {:?}", block(text));
    }
    assert!(matches!(line("a b\u{3000}c\u{a0}d"), Cow::Borrowed(_)));
}

#[test]
fn sequences_go_whole_and_take_nothing_else() {
    for (given, kept) in [
        ("\x1b]0;owned\x07Plan", "Plan"),
        ("Go\u{9b}2J?\x1b[6n", "Go?"),
        ("\x1b[2J\x1b[HApproved", "Approved"),
        ("No\x1b]52;c;aGk=\x07", "No"),
        ("\x1b]8;;http://x\x07safe\x1b]8;;\x07 \x1bP+q\x1b\\ \x1b]unterminated", "safe  unterminated"),
        ("a\u{9d}0;t\u{9c}b", "ab"),
        ("a\u{90}q\x1b\\b\u{9f}x\u{9c}c\u{9e}y\u{9c}d\u{98}z\u{9c}e", "abcde"),
        ("a\x1b_x\x1b\\b\x1b^y\x1b\\c\x1bXz\x1b\\d", "abcd"),
        ("\x1b]0;open\nnext\x07", "0;open\nnext"),
        ("\x1b]0;a\x1b[31mred\x07", "0;ared"),
        ("\x1b[31", ""),
        ("\x1b[31\nred", "\nred"),
        ("\x1b[38;5;1mred\x1b[0m", "red"),
        ("\x1b[?25l\x1b[1 q", ""),
        ("\x1b(Bx\x1bcy\x1b7z\x1b#8", "xyz"),
        ("\x1b\x1b[31mx\x1b", "x"),
        ("\x1bé", "é"),
        ("a\x08\x7f\0\u{80}\u{9c}b", "ab"),
    ] {
        assert_eq!(block(given), kept, "{given:?}");
    }
}

#[test]
fn line_ends_are_folded() {
    assert_eq!(block("a\r\nb\rc\n\rd\u{b}e\u{c}f\u{85}g\u{2028}h\u{2029}"), "a\nb\nc\n\nd\ne\nf\ng\nh\n");
    assert_eq!(line("a\r\n  b\tc   d\u{2028}e"), "a b c d e");
}

#[test]
fn what_cannot_be_seen_goes() {
    for (given, kept) in [
        ("pay\u{200d}pal \u{200c}x", "paypal x"),
        ("a\u{200b}b\u{2060}c\u{feff}d\u{ad}e", "abcde"),
        ("\u{202e}txt.exe\u{202c} \u{2066}a\u{2069}\u{200e}\u{200f}\u{61c}", "txt.exe a"),
        ("hi\u{e0068}\u{e0069}", "hi"),
        ("🏴\u{e0068}\u{e0069}\u{e007f}", "🏴"),
        ("😀\u{fe0f}\u{fe01}\u{fe02}\u{e0101}", "😀\u{fe0f}"),
        ("a\u{fe0f}b", "ab"),
        ("👩\u{200d}", "👩"),
        ("👩\u{200d}\u{200d}👩", "👩\u{200d}👩"),
        ("\u{200d}👩 \u{fe0f}", "👩 "),
    ] {
        assert_eq!(block(given), kept, "{given:?}");
    }
}

/// Characters that make trouble, alone and beside each other.
fn troubled() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        any::<char>().prop_map(String::from),
        (0u32..0xa0).prop_map(|c| char::from_u32(c).unwrap_or(' ').to_string()),
        prop::sample::select(vec![
            "\x1b",
            "\x1b[",
            "\x1b]",
            "\x1b\\",
            "\x07",
            "\u{9b}",
            "\u{9c}",
            "\u{9d}",
            "\u{200d}",
            "\u{200c}",
            "\u{fe0f}",
            "\u{fe00}",
            "\u{e0100}",
            "\u{180b}",
            "\u{180e}",
            "\u{202e}",
            "\u{2066}",
            "\u{e0067}",
            "\u{e007f}",
            "🏴",
            "👩",
            "🏽",
            "क",
            "्",
            "م",
            "葛",
            "a",
            "1",
            " ",
            "\n",
            "\r",
            "\t",
            "\u{feff}",
            "🏴󠁧󠁢󠁷󠁬󠁳󠁿",
            "\u{2028}",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

fn forbidden(text: &str) -> Option<char> {
    let text = ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿"].iter().fold(text.to_owned(), |text, flag| text.replace(flag, "🏴"));
    text.chars().find(|c| {
        (c.is_control() && *c != '\n' && *c != '\t')
            || matches!(*c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{200e}' | '\u{200f}')
            || matches!(*c, '\u{61c}' | '\u{ad}' | '\u{2060}' | '\u{feff}' | '\u{2028}' | '\u{2029}')
            || matches!(*c, '\u{e0000}'..='\u{e007f}')
    })
}

proptest! {
    #[test]
    fn nothing_forbidden_is_left(text in troubled()) {
        prop_assert_eq!(forbidden(&block(&text)), None);
        let line = line(&text);
        prop_assert_eq!(forbidden(&line), None);
        prop_assert!(!line.contains(['\n', '\t']));
    }

    #[test]
    fn a_second_run_changes_nothing(text in troubled()) {
        let once = block(&text);
        prop_assert!(matches!(block(&once), Cow::Borrowed(same) if same == once));
        let once = line(&text);
        prop_assert!(matches!(line(&once), Cow::Borrowed(same) if same == once));
    }

    #[test]
    fn printable_ascii_and_letters_are_left_alone(text in "[ -~\n\t]{0,60}|\\p{L}{0,40}") {
        let filler = |c: char| class::is_invisible(c);
        prop_assume!(!text.contains(filler));
        prop_assert!(matches!(block(&text), Cow::Borrowed(_)));
    }

    /// Escapes may cut what a terminal would take for their own, never the lines after them.
    #[test]
    fn text_on_a_later_line_stays(text in troubled()) {
        let given = format!("{text}\nLATER");
        prop_assert!(block(&given).ends_with("LATER"));
    }
}
