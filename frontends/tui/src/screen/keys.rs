//! A terminal's key events in the names of the keymap.

use askd_interact::interaction::{Code, Key, KeyPress};
use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// The press an event stands for; none for releases and for keys without a name.
pub(super) fn press(event: &KeyEvent) -> Option<KeyPress> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let held = |modifier| event.modifiers.contains(modifier);
    let mut key = match event.code {
        KeyCode::Char(c) => Key::character(c),
        KeyCode::BackTab => Key { shift: true, ..Key::new(Code::Tab) },
        code => Key { shift: held(KeyModifiers::SHIFT), ..Key::new(named(code)?) },
    };
    key.ctrl = held(KeyModifiers::CONTROL);
    key.alt = held(KeyModifiers::ALT) || held(KeyModifiers::META);
    key.logo = held(KeyModifiers::SUPER) || held(KeyModifiers::HYPER);
    let typed = match event.code {
        // What is typed says whether shift was down, but for a letter that is typed as a command.
        KeyCode::Char(c) => {
            if c.is_alphabetic() && held(KeyModifiers::SHIFT) {
                key.shift = true;
            }
            (!(key.ctrl || key.alt || key.logo)).then(|| c.to_string())
        }
        _ => None,
    };
    Some(KeyPress { key: Some(key), text: typed, repeat: event.kind == KeyEventKind::Repeat })
}

fn named(code: KeyCode) -> Option<Code> {
    Some(match code {
        KeyCode::Enter => Code::Enter,
        KeyCode::Esc => Code::Esc,
        KeyCode::Tab => Code::Tab,
        KeyCode::Backspace => Code::Backspace,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossterm::event::KeyEventState;

    fn event(code: KeyCode, modifiers: KeyModifiers, kind: KeyEventKind) -> KeyEvent {
        KeyEvent { code, modifiers, kind, state: KeyEventState::NONE }
    }

    fn named(code: KeyCode, modifiers: KeyModifiers) -> (Option<Key>, Option<String>) {
        let press = press(&event(code, modifiers, KeyEventKind::Press)).unwrap();
        (press.key, press.text)
    }

    #[test]
    fn terminals_keys_get_the_keymaps_names() {
        let none = KeyModifiers::NONE;
        assert_eq!(named(KeyCode::Char('N'), KeyModifiers::SHIFT), (Key::parse("N"), Some("N".into())));
        assert_eq!(named(KeyCode::Char('?'), KeyModifiers::SHIFT), (Key::parse("?"), Some("?".into())));
        assert_eq!(named(KeyCode::Char('c'), KeyModifiers::CONTROL), (Key::parse("ctrl+c"), None));
        assert_eq!(named(KeyCode::BackTab, KeyModifiers::SHIFT).0, Key::parse("shift+tab"));
        assert_eq!(named(KeyCode::Enter, KeyModifiers::SHIFT).0, Key::parse("shift+enter"));
        assert_eq!(named(KeyCode::Char(' '), none), (Key::parse("space"), Some(" ".into())));
        assert_eq!(named(KeyCode::F(1), none).0, Key::parse("f1"));
    }

    #[test]
    fn a_release_is_nothing_and_a_repeat_is_marked() {
        let key = |kind| press(&event(KeyCode::Down, KeyModifiers::NONE, kind));
        assert_eq!(key(KeyEventKind::Release), None);
        assert!(key(KeyEventKind::Repeat).unwrap().repeat);
        assert!(!key(KeyEventKind::Press).unwrap().repeat);
    }
}
