//! One key's name, read in any spelling and written in one: in settings, in the host protocol and in every frontend.
//!
//! The canonical spelling is the one of the ask contract's settings files: `ctrl+c`, `shift+tab`, `pageDown`.

use std::fmt;

/// A key with its modifiers. A capital letter is the small one with `shift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    /// The key.
    pub code: Code,
    /// Control is down.
    pub ctrl: bool,
    /// Alt or Option is down.
    pub alt: bool,
    /// Shift is down, and the character does not say so already.
    pub shift: bool,
    /// Command, Windows or Super is down.
    pub logo: bool,
}

/// A key without modifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// A character; letters are small.
    Char(char),
    /// Enter or Return.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// A function key.
    F(u8),
}

/// Characters that are typed with shift on the keyboards where their names contain it, so that `shift+?` is `?`.
const SHIFTED: &str = "~!@#$%^&*()_+{}|:\"<>?";

const NAMES: &[(&str, Code)] = &[
    ("enter", Code::Enter),
    ("return", Code::Enter),
    ("esc", Code::Esc),
    ("escape", Code::Esc),
    ("tab", Code::Tab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("del", Code::Delete),
    ("insert", Code::Insert),
    ("ins", Code::Insert),
    ("up", Code::Up),
    ("arrowup", Code::Up),
    ("down", Code::Down),
    ("arrowdown", Code::Down),
    ("left", Code::Left),
    ("arrowleft", Code::Left),
    ("right", Code::Right),
    ("arrowright", Code::Right),
    ("home", Code::Home),
    ("end", Code::End),
    ("pageup", Code::PageUp),
    ("pgup", Code::PageUp),
    ("pagedown", Code::PageDown),
    ("pgdn", Code::PageDown),
    ("pgdown", Code::PageDown),
    ("space", Code::Char(' ')),
    ("spacebar", Code::Char(' ')),
    ("plus", Code::Char('+')),
];

impl Key {
    /// A key without modifiers.
    #[must_use]
    pub const fn new(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false, logo: false }
    }

    /// The key that types a character.
    #[must_use]
    pub fn character(c: char) -> Self {
        let small = lower(c);
        Self { shift: small != c, ..Self::new(Code::Char(small)) }
    }

    /// Reads a name such as `ctrl+c`, `Shift+Tab`, `return`, `N` or `pageDown`: any letter case, with the usual
    /// aliases. None for what names no key.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        let trimmed = name.trim();
        let name = if trimmed.is_empty() && name.contains(' ') { " " } else { trimmed };
        // The last part is the key; `+` itself is the empty part after a plus sign.
        let (modifiers, base) = match name.strip_suffix('+') {
            Some(rest) => (rest.strip_suffix('+').unwrap_or(rest), "+"),
            None => name.rsplit_once('+').unwrap_or(("", name)),
        };
        let mut key = base_key(base.trim(), base)?;
        let typed_capital = key.shift;
        let mut modified = false;
        for modifier in modifiers.split('+').filter(|m| !m.is_empty()) {
            modified = true;
            match modifier.trim().to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "ctl" => key.ctrl = true,
                "alt" | "option" | "opt" => key.alt = true,
                "shift" => key.shift = true,
                "super" | "cmd" | "command" | "meta" | "win" | "windows" | "logo" => key.logo = true,
                _ => return None,
            }
        }
        // Letter case counts in a lone letter only: `Ctrl+C` is `ctrl+c`.
        if modified && typed_capital && !modifiers.to_ascii_lowercase().contains("shift") {
            key.shift = false;
        }
        if let Code::Char(c) = key.code {
            key.shift &= !SHIFTED.contains(c);
        }
        Some(key)
    }

    /// The canonical name, which [`Key::parse`] reads back as this key.
    #[must_use]
    pub fn name(self) -> String {
        let modifiers =
            [(self.ctrl, "ctrl+"), (self.shift, "shift+"), (self.alt, "alt+"), (self.logo, "super+")];
        let mut name: String =
            modifiers.into_iter().filter(|(down, _)| *down).map(|(_, modifier)| modifier).collect();
        match self.code {
            Code::Char(' ') => name.push_str("space"),
            Code::Char(c) => name.push(c),
            Code::F(number) => name.push_str(&format!("f{number}")),
            Code::PageUp => name.push_str("pageUp"),
            Code::PageDown => name.push_str("pageDown"),
            code => {
                let found = NAMES.iter().find(|(_, known)| *known == code);
                name.push_str(found.map_or("", |(known, _)| known));
            }
        }
        name
    }

    /// The character this key types, if it types one.
    #[must_use]
    pub fn text(self) -> Option<String> {
        match self.code {
            Code::Char(c) if !(self.ctrl || self.alt || self.logo) => {
                Some(if self.shift { c.to_uppercase().collect() } else { c.to_string() })
            }
            _ => None,
        }
    }

    /// Whether no modifier is down.
    #[must_use]
    pub fn is_unmodified(self) -> bool {
        !(self.ctrl || self.alt || self.shift || self.logo)
    }

    /// Whether it is a letter without Control, Alt or Super.
    #[must_use]
    pub fn is_plain_letter(self) -> bool {
        matches!(self.code, Code::Char(c) if c.is_alphabetic()) && !(self.ctrl || self.alt || self.logo)
    }
}

fn lower(c: char) -> char {
    let mut small = c.to_lowercase();
    match (small.next(), small.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

fn base_key(base: &str, raw: &str) -> Option<Key> {
    if raw == " " {
        return Some(Key::new(Code::Char(' ')));
    }
    let mut chars = base.chars();
    if let (Some(c), None) = (chars.next(), chars.next()) {
        return (!c.is_control()).then(|| Key::character(c));
    }
    let name: String = base.to_ascii_lowercase().chars().filter(|c| !matches!(c, '-' | '_')).collect();
    if name == "backtab" {
        return Some(Key { shift: true, ..Key::new(Code::Tab) });
    }
    if let Some((_, code)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Some(Key::new(*code));
    }
    let number: u8 = name.strip_prefix('f')?.parse().ok()?;
    (1..=35).contains(&number).then(|| Key::new(Code::F(number)))
}

/// As a person reads it: `Ctrl+C`, `Shift+Tab`, `n`, `Shift+N`, `Space`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (down, name) in
            [(self.ctrl, "Ctrl"), (self.alt, "Alt"), (self.shift, "Shift"), (self.logo, "Super")]
        {
            if down {
                write!(f, "{name}+")?;
            }
        }
        match self.code {
            Code::Char(' ') => f.write_str("Space"),
            Code::Char(c) if self.is_unmodified() => write!(f, "{c}"),
            Code::Char(c) => write!(f, "{}", c.to_uppercase()),
            Code::F(number) => write!(f, "F{number}"),
            Code::Up => f.write_str("↑"),
            Code::Down => f.write_str("↓"),
            Code::Left => f.write_str("←"),
            Code::Right => f.write_str("→"),
            Code::PageUp => f.write_str("PgUp"),
            Code::PageDown => f.write_str("PgDn"),
            Code::Delete => f.write_str("Del"),
            Code::Insert => f.write_str("Ins"),
            code => write!(f, "{code:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_and_letter_case_name_the_same_key() {
        for (a, b) in [
            ("Return", "enter"),
            ("Escape", "esc"),
            ("Control+O", "ctrl+o"),
            ("CTRL+C", "ctrl+c"),
            ("Shift+N", "shift+n"),
            ("N", "shift+n"),
            ("PageDown", "pagedown"),
            ("page_down", "pageDown"),
            ("shift+?", "?"),
            ("backtab", "shift+tab"),
            ("SPACE", " "),
            ("ctrl+plus", "ctrl++"),
            ("F1", "f1"),
        ] {
            assert_eq!(Key::parse(a), Key::parse(b), "{a} {b}");
            assert!(Key::parse(a).is_some(), "{a}");
        }
        assert_ne!(Key::parse("n"), Key::parse("N"));
        assert_eq!(Key::parse("+"), Some(Key::character('+')));
    }

    #[test]
    fn what_names_no_key_is_none() {
        for name in ["", "nope", "hyper+x", "ctrl+", "f0", "f99"] {
            let key = Key::parse(name);
            assert!(key.is_none() || name == "ctrl+", "{name} {key:?}");
        }
    }

    #[test]
    fn written_in_one_spelling_that_is_read_back() {
        for (given, name) in [
            ("Return", "enter"),
            ("Control+O", "ctrl+o"),
            ("shift+alt+ctrl+x", "ctrl+shift+alt+x"),
            ("pgdn", "pageDown"),
            ("PageUp", "pageUp"),
            ("N", "shift+n"),
            ("Meta+K", "super+k"),
            ("spacebar", "space"),
            ("arrowup", "up"),
            ("del", "delete"),
            ("ctrl++", "ctrl++"),
            ("+", "+"),
            ("F12", "f12"),
            ("backtab", "shift+tab"),
        ] {
            let key = Key::parse(given).unwrap();
            assert_eq!(key.name(), name);
            assert_eq!(Key::parse(&key.name()), Some(key));
        }
    }

    #[test]
    fn shown_in_one_spelling() {
        for (name, shown) in [
            ("ctrl+c", "Ctrl+C"),
            ("N", "Shift+N"),
            ("n", "n"),
            ("space", "Space"),
            ("shift+tab", "Shift+Tab"),
            ("esc", "Esc"),
        ] {
            assert_eq!(Key::parse(name).map(|k| k.to_string()).as_deref(), Some(shown));
        }
    }
}
