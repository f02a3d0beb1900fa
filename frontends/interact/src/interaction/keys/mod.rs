//! Keys by name: one notation from the settings file to the host protocol (design.md §4).

mod keymap;

pub use askd_form::key::{Code, Key};
pub use keymap::{Context, Keymap};

/// A key that went down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyPress {
    /// Which key; none for text that no key stands for, such as an input method's.
    pub key: Option<Key>,
    /// What it types, if it does.
    pub text: Option<String>,
    /// Whether it is held down and repeating.
    pub repeat: bool,
}

impl KeyPress {
    /// A press of a key, with the text it types when it is a plain character.
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self { key: Some(key), text: key.text(), repeat: false }
    }

    /// The keys that this press may be bound as: the key itself, then the character it types. `shift+/` is `?` on
    /// many keyboards and is found under both names.
    fn candidates(&self) -> impl Iterator<Item = Key> {
        let typed = self.typed().and_then(|text| {
            let mut chars = text.chars();
            let first = chars.next().filter(|c| !c.is_control())?;
            chars.next().is_none().then(|| Key::character(first))
        });
        let typed = typed.filter(|typed| Some(*typed) != self.key);
        // A letter is what it types: `n` with caps lock on types `N`.
        let (first, second) = match (self.key, typed) {
            (Some(key), Some(typed)) if key.is_plain_letter() => (Some(typed), None),
            (key, typed) => (key, typed),
        };
        first.into_iter().chain(second)
    }

    /// The text this press types. With Control, Alt or Command down it is a command and types nothing; Control and
    /// Alt together are AltGr.
    #[must_use]
    pub fn typed(&self) -> Option<&str> {
        let command = self.key.is_some_and(|key| key.logo || key.ctrl != key.alt);
        self.text.as_deref().filter(|text| !command && !text.is_empty())
    }

    /// The digit this press types, 0 to 9.
    #[must_use]
    pub fn digit(&self) -> Option<u8> {
        self.candidates().find_map(|key| match key.code {
            Code::Char(c) if key.is_unmodified() => c.to_digit(10).and_then(|d| u8::try_from(d).ok()),
            _ => None,
        })
    }
}
