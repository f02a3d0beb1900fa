//! What a key means in the settings list.

use crate::interaction::{KeyPress, Keymap};

/// Something done in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingsAction {
    /// To the next row.
    Next,
    /// To the row before.
    Previous,
    /// To the first row.
    First,
    /// To the last row.
    Last,
    /// Changes the highlighted setting.
    Toggle,
    /// Closes the list.
    Close,
    /// A key with no meaning here; it ends what waits for a second press.
    Other,
}

impl SettingsAction {
    /// Whether it only moves.
    #[must_use]
    pub fn moves(self) -> bool {
        matches!(self, Self::Next | Self::Previous | Self::First | Self::Last)
    }
}

/// Bindings in the order they are looked at. The key that leaves everything closes the list too, whatever is bound.
const BINDINGS: [(&str, &str, SettingsAction); 7] = [
    ("settingsModal", "close", SettingsAction::Close),
    ("settingsModal", "nextOption", SettingsAction::Next),
    ("settingsModal", "previousOption", SettingsAction::Previous),
    ("settingsModal", "toggle", SettingsAction::Toggle),
    ("global", "dismiss", SettingsAction::Close),
    ("askd", "firstOption", SettingsAction::First),
    ("askd", "lastOption", SettingsAction::Last),
];

/// What a key means in the list.
#[must_use]
pub fn action(keymap: &Keymap, press: &KeyPress) -> SettingsAction {
    let found = BINDINGS.iter().find(|(context, name, _)| keymap.is(context, name, press));
    found.map_or(SettingsAction::Other, |(_, _, action)| *action)
}
