//! What a person has entered for one question, and the rules of editing it.

use indexmap::IndexMap;

use crate::form::QuestionType;
use crate::outcome::AnswerData;

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

/// What a response carries of an answer: text that is kept but not selected stays behind.
impl From<&Answer> for AnswerData {
    fn from(answer: &Answer) -> Self {
        let selected = answer.custom.as_ref().filter(|custom| custom.selected);
        Self {
            values: answer.values.clone(),
            custom_text: selected.map(|custom| custom.text.clone()),
            note: answer.note.clone(),
            option_notes: answer.option_notes.clone(),
        }
    }
}

/// The answer behind data that was sent or kept; blank texts are none.
impl From<&AnswerData> for Answer {
    fn from(data: &AnswerData) -> Self {
        let mut answer = Self { values: data.values.clone(), ..Self::default() };
        if let Some(text) = &data.custom_text {
            answer.set_custom(QuestionType::Multi, text);
        }
        answer.set_note(data.note.as_deref().unwrap_or_default());
        for (value, note) in &data.option_notes {
            answer.set_option_note(value, note);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use QuestionType::{Multi, Single};

    fn answer(values: &[&str], custom: Option<(&str, bool)>) -> Answer {
        let custom = custom.map(|(text, selected)| CustomText { text: text.to_owned(), selected });
        Answer { values: values.iter().map(ToString::to_string).collect(), custom, ..Answer::default() }
    }

    #[test]
    fn a_single_choice_holds_one_thing() {
        let mut a = answer(&["x"], None);
        a.toggle(Single, "y");
        assert_eq!(a, answer(&["y"], None));
        a.set_custom(Single, "mine");
        assert_eq!(a, answer(&[], Some(("mine", true))));
        a.toggle(Single, "x");
        assert_eq!(a, answer(&["x"], None));
        a.toggle(Single, "x");
        assert_eq!(a, Answer::default());
        a.select(Single, "x");
        a.select(Single, "x");
        assert_eq!(a, answer(&["x"], None));
    }

    #[test]
    fn several_keep_the_order_of_selection_and_the_text() {
        let mut a = answer(&[], None);
        for value in ["z", "x", "y", "x"] {
            a.toggle(Multi, value);
        }
        a.set_custom(Multi, "mine");
        assert_eq!(a, answer(&["z", "y"], Some(("mine", true))));
        assert_eq!(a.count(), 3);
        assert!(a.toggle_custom());
        assert_eq!((a.count(), a.is_answered()), (2, true));
        assert_eq!(AnswerData::from(&a).custom_text, None);
        a.set_custom(Multi, " \n");
        assert_eq!(a, answer(&["z", "y"], None));
        assert!(!a.toggle_custom());
    }

    #[test]
    fn blank_notes_are_removed() {
        let mut a = Answer::default();
        a.set_note("why?");
        a.set_option_note("x", " kept as typed ");
        assert!(a.has_notes() && !a.is_answered());
        assert_eq!(a.option_notes["x"], " kept as typed ");
        a.set_note("  ");
        a.set_option_note("x", "");
        assert!(a.is_empty());
    }

    #[test]
    fn going_to_one_selection_keeps_selected_text_or_the_only_option() {
        for (mut before, after) in [
            (answer(&["x"], None), answer(&["x"], None)),
            (answer(&["x", "y"], None), answer(&[], None)),
            (answer(&["x", "y"], Some(("t", true))), answer(&[], Some(("t", true)))),
            (answer(&["x"], Some(("t", false))), answer(&["x"], None)),
        ] {
            before.restrict_to_one();
            assert_eq!(before, after);
        }
    }

    #[test]
    fn data_and_back() {
        let mut a = answer(&["x", "y"], Some(("t", true)));
        a.set_note("n");
        a.set_option_note("z", "o");
        assert_eq!(Answer::from(&AnswerData::from(&a)), a);
    }
}
