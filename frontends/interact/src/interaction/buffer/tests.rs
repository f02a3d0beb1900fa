use super::*;

fn buffer(text: &str) -> Buffer {
    Buffer::new(text, 1000)
}

fn keys(buffer: &mut Buffer, keys: &[EditKey]) {
    for key in keys {
        buffer.edit(*key).unwrap();
    }
}

#[test]
fn one_press_deletes_one_grapheme() {
    for cluster in ["👩‍👩‍👧‍👦", "👍🏽", "🏳️‍🌈", "🇩🇪", "e\u{301}", "空", "✔️", "ก็"]
    {
        let mut b = buffer(&format!("a{cluster}"));
        keys(&mut b, &[EditKey::Backspace]);
        assert_eq!(b.text(), "a", "{cluster}");
        keys(&mut b, &[EditKey::Undo, EditKey::Left, EditKey::Delete]);
        assert_eq!(b.text(), "a", "{cluster}");
    }
}

#[test]
fn moves_by_grapheme_and_never_into_one() {
    let mut b = buffer("🇩🇪🇫🇷x");
    keys(&mut b, &[EditKey::Left, EditKey::Left]);
    b.insert("-").unwrap();
    assert_eq!(b.text(), "🇩🇪-🇫🇷x");
    b.set_cursor(2);
    assert_eq!(b.cursor(), 0);
}

#[test]
fn a_paste_is_one_change_without_control_characters() {
    let mut b = buffer("v");
    b.insert("line 1\r\n2\r\n\tq?n \x1b[31m\u{9b}x\x00").unwrap();
    assert_eq!(b.text(), "vline 1\n2\n\tq?n [31mx");
    keys(&mut b, &[EditKey::Undo]);
    assert_eq!(b.text(), "v");
    keys(&mut b, &[EditKey::Redo]);
    assert!(b.text().ends_with("[31mx"));
}

#[test]
fn words_are_undone_one_by_one() {
    let mut b = buffer("");
    for letter in ["a", "b", " ", "c", "d"] {
        b.insert(letter).unwrap();
    }
    keys(&mut b, &[EditKey::Undo]);
    assert_eq!(b.text(), "ab ");
    keys(&mut b, &[EditKey::Undo, EditKey::Undo]);
    assert_eq!(b.text(), "");
    keys(&mut b, &[EditKey::Undo]);
    assert_eq!(b.text(), "");
}

#[test]
fn up_and_down_keep_the_column_in_cells() {
    let mut b = buffer("空空ab\nx\nabcdef");
    b.set_cursor("空空".len());
    keys(&mut b, &[EditKey::Down]);
    assert_eq!(&b.text()[..b.cursor()], "空空ab\nx");
    keys(&mut b, &[EditKey::Down]);
    assert!(b.text()[..b.cursor()].ends_with("abcd"));
    keys(&mut b, &[EditKey::Down]);
    assert_eq!(b.cursor(), b.text().len());
}

#[test]
fn wraps_by_cells_at_blanks_and_inside_long_words() {
    let show = |text: &str, limit| -> Vec<String> {
        rows(text, limit).iter().map(|r| text[r.start..r.end].to_owned()).collect()
    };
    assert_eq!(show("one two three", 8), ["one two ", "three"]);
    assert_eq!(show("abcdefgh", 3), ["abc", "def", "gh"]);
    assert_eq!(show("空港空港", 5), ["空港", "空港"]);
    assert_eq!(show("a\n", 5), ["a", ""]);
    assert_eq!(show("", 5), [""]);
    for row in rows("👩‍👩‍👧‍👦👩‍👩‍👧‍👦 🇩🇪🇩🇪🇩🇪 e\u{301}e\u{301}", 4)
    {
        assert!(row.start <= row.end);
    }
}

#[test]
fn what_does_not_fit_is_refused_whole() {
    let mut b = Buffer::new("ab", 4);
    assert_eq!(b.insert("cde"), Err(Full));
    assert_eq!(b.text(), "ab");
    assert_eq!(b.insert("cd"), Ok(()));
}

#[test]
fn backslash_before_the_cursor_becomes_a_newline() {
    let mut b = buffer("one\\");
    assert!(b.backslash_newline());
    assert_eq!(b.text(), "one\n");
    assert!(!b.backslash_newline());
}

#[test]
fn kills_come_back_by_yank() {
    let mut b = buffer("one two");
    keys(&mut b, &[EditKey::DeleteWordBack, EditKey::Home, EditKey::Yank]);
    assert_eq!(b.text(), "twoone ");
}

proptest::proptest! {
    #[test]
    fn the_cursor_is_always_on_a_grapheme_boundary(text in "[a🇩🇪👩‍👦e\u{301} \n空]{0,12}", moves in proptest::collection::vec(0usize..12, 0..20)) {
        use unicode_segmentation::UnicodeSegmentation;
        let all = [EditKey::Left, EditKey::Right, EditKey::Up, EditKey::Down, EditKey::WordLeft, EditKey::WordRight,
            EditKey::Backspace, EditKey::Delete, EditKey::Newline, EditKey::Undo, EditKey::DeleteWordBack, EditKey::Home];
        let mut b = buffer(&text);
        b.set_width(Some(4));
        for m in moves {
            let _ = b.edit(all[m]);
            let at = b.cursor();
            let ok = at == b.text().len() || b.text().grapheme_indices(true).any(|(i, _)| i == at);
            proptest::prop_assert!(ok, "{at} in {:?}", b.text());
        }
    }
}
