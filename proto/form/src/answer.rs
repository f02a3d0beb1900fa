//! What a person has entered for one question, and the rules of editing it.

use indexmap::IndexMap;

use crate::form::QuestionType;

/// Typed text of the custom row. On a multiple choice it can be kept without being selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomText {
    /// As typed, never blank.
    pub text: String,
    /// Whether it counts as selected.
    pub selected: bool,
}

/// One question's answer while it is being edited. Blank texts are never stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Answer {
    /// Selected option values, in the order of selection.
    pub values: Vec<String>,
    /// Typed text.
    pub custom: Option<CustomText>,
    /// Note on the question.
    pub note: Option<String>,
    /// Notes on options, selected or not, by option value.
    pub option_notes: IndexMap<String, String>,
}

impl Answer {
    /// Whether an option is selected or selected text is there. A note alone is no answer.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        !self.values.is_empty() || self.custom.as_ref().is_some_and(|c| c.selected)
    }

    /// Whether any note is there.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.note.is_some() || !self.option_notes.is_empty()
    }

    /// Whether anything at all was entered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// How many selections count against `min` and `max`: options plus selected text.
    #[must_use]
    pub fn count(&self) -> usize {
        self.values.len() + usize::from(self.custom.as_ref().is_some_and(|c| c.selected))
    }

    /// Selects or clears an option under the given presented type. On a single choice the option replaces
    /// everything else, typed text too; choosing the selected one again clears it.
    pub fn toggle(&mut self, kind: QuestionType, value: &str) {
        if let Some(at) = self.values.iter().position(|v| v == value) {
            self.values.remove(at);
            return;
        }
        if kind != QuestionType::Multi {
            self.values.clear();
            self.custom = None;
        }
        self.values.push(value.to_owned());
    }

    /// Selects an option without ever clearing it.
    pub fn select(&mut self, kind: QuestionType, value: &str) {
        if !self.values.iter().any(|v| v == value) {
            self.toggle(kind, value);
        }
    }

    /// Saves typed text; blank text removes what was saved and nothing else. On a single choice saved text
    /// replaces the selected option.
    pub fn set_custom(&mut self, kind: QuestionType, text: &str) {
        if text.trim().is_empty() {
            self.custom = None;
            return;
        }
        if kind != QuestionType::Multi {
            self.values.clear();
        }
        self.custom = Some(CustomText { text: text.to_owned(), selected: true });
    }

    /// Selects or deselects saved text on a multiple choice. Gives false when there is none to toggle.
    pub fn toggle_custom(&mut self) -> bool {
        match &mut self.custom {
            Some(c) => {
                c.selected = !c.selected;
                true
            }
            None => false,
        }
    }

    /// Sets or, with blank text, removes the question's note.
    pub fn set_note(&mut self, text: &str) {
        self.note = (!text.trim().is_empty()).then(|| text.to_owned());
    }

    /// Sets or, with blank text, removes an option's note.
    pub fn set_option_note(&mut self, value: &str, text: &str) {
        if text.trim().is_empty() {
            self.option_notes.shift_remove(value);
        } else {
            self.option_notes.insert(value.to_owned(), text.to_owned());
        }
    }

    /// Makes the answer fit a type that holds one selection: typed text is kept before options, and of
    /// several options none, unless it is the only one (contracts.md §2, "Type change").
    pub fn restrict_to_one(&mut self) {
        if self.custom.as_ref().is_some_and(|c| c.selected) {
            self.values.clear();
        } else {
            if self.values.len() > 1 {
                self.values.clear();
            }
            self.custom = None;
        }
    }
}
