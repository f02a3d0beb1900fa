//! Which action a key means in a place: the person's bindings first, then what is fixed.

use std::collections::HashMap;

use indexmap::IndexMap;

use super::{Code, Key, KeyPress};
use crate::interaction::action::{Action, ViewAction};
use crate::interaction::buffer::EditKey;

/// Where a key goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    /// The question and review tabs.
    Main,
    /// An editor for an answer.
    Editor {
        /// No text in it.
        empty: bool,
        /// It is the whole question: no row beside it to go to.
        alone: bool,
        /// Tab leaves it even with text in it (questionnaire, typed question).
        tab_leaves: bool,
    },
    /// An editor for a note.
    NoteEditor {
        /// No text in it.
        empty: bool,
    },
}

/// The keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    bindings: HashMap<(&'static str, &'static str), Vec<Key>>,
}

/// The context of askd's own actions, which a settings file may leave out.
pub(super) const OWN: &str = "askd";

const GLOBAL: &[(&str, Action)] = &[("dismiss", Action::Dismiss), ("settings", Action::Settings)];

const MAIN: &[(&str, Action)] = &[
    ("confirm", Action::Confirm),
    ("cancel", Action::Cancel),
    ("changeQuestionType", Action::ChangeType),
    ("toggle", Action::Toggle),
    ("nextTab", Action::NextTab),
    ("previousTab", Action::PreviousTab),
    ("nextOption", Action::NextOption),
    ("previousOption", Action::PreviousOption),
    ("optionNote", Action::OptionNote),
    ("questionNote", Action::QuestionNote),
];

const WHEN_EMPTY: &[(&str, Action)] = &[
    ("nextTabWhenEmpty", Action::NextTab),
    ("previousTabWhenEmpty", Action::PreviousTab),
    ("nextOptionWhenEmpty", Action::NextOption),
    ("previousOptionWhenEmpty", Action::PreviousOption),
];

const OWN_ROWS: &[(&str, Action)] = &[
    ("firstOption", Action::FirstOption),
    ("lastOption", Action::LastOption),
    ("pageDown", Action::PageDown),
    ("pageUp", Action::PageUp),
];

const OWN_MAIN: &[(&str, Action)] = &[
    ("selectAll", Action::SelectAll),
    ("clearAll", Action::ClearAll),
    ("scrollDown", Action::View(ViewAction::ScrollDown)),
    ("scrollUp", Action::View(ViewAction::ScrollUp)),
    ("scrollLeft", Action::View(ViewAction::ScrollLeft)),
    ("scrollRight", Action::View(ViewAction::ScrollRight)),
    ("suspend", Action::View(ViewAction::Suspend)),
];

const OWN_ANYWHERE: &[(&str, Action)] = &[
    ("help", Action::View(ViewAction::Help)),
    ("context", Action::View(ViewAction::Context)),
    ("promptDown", Action::View(ViewAction::PromptDown)),
    ("promptUp", Action::View(ViewAction::PromptUp)),
    ("minimise", Action::View(ViewAction::Minimise)),
    ("redraw", Action::View(ViewAction::Redraw)),
];

const OWN_EDITING: &[(&str, EditKey)] =
    &[("newline", EditKey::Newline), ("undo", EditKey::Undo), ("redo", EditKey::Redo)];

/// Keys by context and action where a settings file names none. The contexts before the last are the ask
/// contract's ("Keyboard behavior").
const DEFAULTS: &[(&str, &str, &[&str])] = &[
    ("global", "dismiss", &["ctrl+c"]),
    ("global", "settings", &["?"]),
    ("main", "confirm", &["enter"]),
    ("main", "cancel", &["esc"]),
    ("main", "changeQuestionType", &["t"]),
    ("main", "toggle", &["space"]),
    ("main", "nextTab", &["tab", "right"]),
    ("main", "previousTab", &["shift+tab", "left"]),
    ("main", "nextOption", &["down"]),
    ("main", "previousOption", &["up"]),
    ("main", "optionNote", &["n"]),
    ("main", "questionNote", &["shift+n"]),
    ("editor", "submit", &["enter"]),
    ("editor", "close", &["esc"]),
    ("editor", "nextTabWhenEmpty", &["tab", "right"]),
    ("editor", "previousTabWhenEmpty", &["shift+tab", "left"]),
    ("editor", "nextOptionWhenEmpty", &["down"]),
    ("editor", "previousOptionWhenEmpty", &["up"]),
    ("noteEditor", "save", &["enter"]),
    ("noteEditor", "close", &["esc"]),
    ("noteEditor", "nextTabWhenEmpty", &["tab", "right"]),
    ("noteEditor", "previousTabWhenEmpty", &["shift+tab", "left"]),
    ("noteEditor", "nextOptionWhenEmpty", &["down"]),
    ("noteEditor", "previousOptionWhenEmpty", &["up"]),
    ("settingsModal", "close", &["esc", "ctrl+c", "?"]),
    ("settingsModal", "nextOption", &["down"]),
    ("settingsModal", "previousOption", &["up"]),
    ("settingsModal", "toggle", &["enter", "space"]),
    (OWN, "help", &["f1"]),
    (OWN, "context", &["f2"]),
    (OWN, "firstOption", &["home"]),
    (OWN, "lastOption", &["end"]),
    (OWN, "pageDown", &["pageDown"]),
    (OWN, "pageUp", &["pageUp"]),
    (OWN, "selectAll", &["a", "shift+a"]),
    (OWN, "clearAll", &["c", "shift+c"]),
    (OWN, "scrollDown", &["ctrl+d"]),
    (OWN, "scrollUp", &["ctrl+u"]),
    (OWN, "scrollLeft", &["ctrl+left"]),
    (OWN, "scrollRight", &["ctrl+right"]),
    (OWN, "promptDown", &["alt+down", "shift+down"]),
    (OWN, "promptUp", &["alt+up", "shift+up"]),
    (OWN, "minimise", &["ctrl+q"]),
    (OWN, "redraw", &["ctrl+l"]),
    (OWN, "suspend", &["ctrl+z"]),
    (OWN, "newline", &["shift+enter", "alt+enter", "ctrl+j"]),
    (OWN, "undo", &["ctrl+z", "ctrl+_", "ctrl+7"]),
    (OWN, "redo", &["alt+z", "ctrl+shift+z"]),
];

/// Editing keys that are not bound by name: the terminal's and readline's.
const EDITING: &[(&str, EditKey)] = &[
    ("backspace", EditKey::Backspace),
    ("shift+backspace", EditKey::Backspace),
    ("ctrl+h", EditKey::Backspace),
    ("delete", EditKey::Delete),
    ("ctrl+d", EditKey::Delete),
    ("ctrl+w", EditKey::DeleteWordBack),
    ("alt+backspace", EditKey::DeleteWordBack),
    ("ctrl+backspace", EditKey::DeleteWordBack),
    ("alt+d", EditKey::DeleteWord),
    ("ctrl+delete", EditKey::DeleteWord),
    ("alt+delete", EditKey::DeleteWord),
    ("ctrl+u", EditKey::DeleteToStart),
    ("ctrl+k", EditKey::DeleteToEnd),
    ("ctrl+y", EditKey::Yank),
    ("left", EditKey::Left),
    ("ctrl+b", EditKey::Left),
    ("right", EditKey::Right),
    ("ctrl+f", EditKey::Right),
    ("ctrl+left", EditKey::WordLeft),
    ("alt+left", EditKey::WordLeft),
    ("alt+b", EditKey::WordLeft),
    ("ctrl+right", EditKey::WordRight),
    ("alt+right", EditKey::WordRight),
    ("alt+f", EditKey::WordRight),
    ("up", EditKey::Up),
    ("ctrl+p", EditKey::Up),
    ("down", EditKey::Down),
    ("ctrl+n", EditKey::Down),
    ("home", EditKey::Home),
    ("ctrl+a", EditKey::Home),
    ("end", EditKey::End),
    ("ctrl+e", EditKey::End),
    ("ctrl+home", EditKey::Top),
    ("ctrl+end", EditKey::Bottom),
    ("enter", EditKey::Newline),
];

impl Default for Keymap {
    fn default() -> Self {
        Self::new(&IndexMap::new())
    }
}

impl Keymap {
    /// The keymap of a settings file's `keymaps`: contexts, in them actions, in them key names. An action that is
    /// not named keeps its default keys; a name of no key is left out.
    #[must_use]
    pub fn new(maps: &IndexMap<String, IndexMap<String, Vec<String>>>) -> Self {
        let bound = |(context, action, keys): &(&'static str, &'static str, &[&str])| {
            let given = maps.get(*context).and_then(|actions| actions.get(*action));
            let keys = match given {
                Some(names) => names.iter().filter_map(|name| Key::parse(name)).collect(),
                None => keys.iter().filter_map(|name| Key::parse(name)).collect(),
            };
            ((*context, *action), keys)
        };
        Self { bindings: DEFAULTS.iter().map(bound).collect() }
    }

    /// The keys of one action.
    #[must_use]
    pub fn keys(&self, context: &str, action: &str) -> &[Key] {
        let found = self.bindings.iter().find(|((c, a), _)| *c == context && *a == action);
        found.map_or(&[], |(_, keys)| keys.as_slice())
    }

    /// Whether a press is one of the keys of an action.
    #[must_use]
    pub fn is(&self, context: &str, action: &str, press: &KeyPress) -> bool {
        press.candidates().any(|key| self.keys(context, action).contains(&key))
    }

    /// What a key means in a place.
    #[must_use]
    pub fn action(&self, context: Context, press: &KeyPress) -> Action {
        match context {
            Context::Main => self.in_main(press),
            Context::Editor { empty, alone, tab_leaves } => {
                self.in_editor("editor", "submit", empty, alone, tab_leaves, press)
            }
            Context::NoteEditor { empty } => self.in_editor("noteEditor", "save", empty, true, false, press),
        }
    }

    fn in_main(&self, press: &KeyPress) -> Action {
        self.among("global", GLOBAL, press)
            .or_else(|| self.among("main", MAIN, press))
            .or_else(|| press.digit().filter(|digit| *digit > 0).map(Action::Digit))
            .or_else(|| self.among(OWN, OWN_ROWS, press))
            .or_else(|| self.among(OWN, OWN_MAIN, press))
            .or_else(|| self.among(OWN, OWN_ANYWHERE, press))
            .unwrap_or(Action::Other)
    }

    fn in_editor(
        &self,
        context: &'static str,
        save: &'static str,
        empty: bool,
        alone: bool,
        tab_leaves: bool,
        press: &KeyPress,
    ) -> Action {
        if self.matches("global", "dismiss", press) {
            return Action::Dismiss;
        }
        if self.matches(context, save, press) {
            return Action::Save { enter: press.key == Some(Key::new(Code::Enter)) };
        }
        if self.matches(context, "close", press) {
            return Action::Close;
        }
        let leaves = empty || (tab_leaves && press.key.is_some_and(|key| key.code == Code::Tab));
        if leaves && let Some(action) = self.among(context, WHEN_EMPTY, press) {
            return action;
        }
        if empty {
            if self.matches("global", "settings", press) {
                return Action::Settings;
            }
            if !alone && let Some(action) = self.among(OWN, OWN_ROWS, press) {
                return action;
            }
        }
        let own = OWN_EDITING.iter().find(|(name, _)| self.matches(OWN, name, press));
        if let Some((_, edit)) = own {
            return Action::Edit(*edit);
        }
        if let Some(action) = self.among(OWN, OWN_ANYWHERE, press) {
            return action;
        }
        let fixed = EDITING.iter().find(|(name, _)| press.key == Key::parse(name));
        match (fixed, press.typed()) {
            (Some((_, edit)), _) => Action::Edit(*edit),
            (None, Some(text)) => Action::Insert(text.to_owned()),
            (None, None) => Action::Other,
        }
    }

    fn among(
        &self,
        context: &'static str,
        actions: &[(&'static str, Action)],
        press: &KeyPress,
    ) -> Option<Action> {
        press.candidates().find_map(|key| {
            let found = actions.iter().find(|(action, _)| self.has(context, action, key));
            found.map(|(_, action)| action.clone())
        })
    }

    fn matches(&self, context: &'static str, action: &'static str, press: &KeyPress) -> bool {
        press.candidates().any(|key| self.has(context, action, key))
    }

    fn has(&self, context: &'static str, action: &'static str, key: Key) -> bool {
        self.bindings.get(&(context, action)).is_some_and(|keys| keys.contains(&key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(name: &str) -> KeyPress {
        KeyPress::new(Key::parse(name).unwrap())
    }

    const EDITOR: Context = Context::Editor { empty: false, alone: false, tab_leaves: false };
    const EMPTY: Context = Context::Editor { empty: true, alone: false, tab_leaves: false };

    #[test]
    fn editors_own_printable_keys() {
        let map = Keymap::default();
        for key in ["3", "?", "t", "n", "N", "space", "a"] {
            let text = Key::parse(key).unwrap().text().unwrap();
            assert_eq!(map.action(EDITOR, &press(key)), Action::Insert(text));
        }
        assert_eq!(map.action(EMPTY, &press("?")), Action::Settings);
        assert_eq!(map.action(EMPTY, &press("3")), Action::Insert("3".into()));
        assert_eq!(map.action(EDITOR, &press("tab")), Action::Other);
        assert_eq!(map.action(EMPTY, &press("tab")), Action::NextTab);
        assert_eq!(map.action(EDITOR, &press("left")), Action::Edit(EditKey::Left));
    }

    #[test]
    fn a_remapped_key_leaves_the_old_one_without_meaning() {
        let names = |keys: &[&str]| keys.iter().map(|k| (*k).to_owned()).collect::<Vec<_>>();
        let main =
            IndexMap::from([("confirm".to_owned(), names(&["ctrl+k"])), ("cancel".to_owned(), names(&[]))]);
        let map = Keymap::new(&IndexMap::from([("main".to_owned(), main)]));
        assert_eq!(map.action(Context::Main, &press("ctrl+k")), Action::Confirm);
        assert_eq!(map.action(Context::Main, &press("enter")), Action::Other);
        assert_eq!(map.action(Context::Main, &press("esc")), Action::Other);
        assert_eq!(map.action(Context::Main, &press("space")), Action::Toggle);
    }

    #[test]
    fn a_character_is_found_however_it_is_typed() {
        let map = Keymap::default();
        let shifted = KeyPress { key: Key::parse("shift+/"), text: Some("?".into()), repeat: false };
        assert_eq!(map.action(Context::Main, &shifted), Action::Settings);
        let bang = KeyPress { key: Key::parse("shift+1"), text: Some("!".into()), repeat: false };
        assert_eq!(map.action(Context::Main, &bang), Action::Other);
        let french = KeyPress { key: Key::parse("shift+&"), text: Some("1".into()), repeat: false };
        assert_eq!(map.action(Context::Main, &french), Action::Digit(1));
        assert_eq!(map.action(Context::Main, &press("0")), Action::Other);
    }

    #[test]
    fn input_method_text_is_inserted_whole() {
        let text = KeyPress { key: None, text: Some("空港".into()), repeat: false };
        assert_eq!(Keymap::default().action(EDITOR, &text), Action::Insert("空港".into()));
        assert_eq!(Keymap::default().action(Context::Main, &text), Action::Other);
    }
}
