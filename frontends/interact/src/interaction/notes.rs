//! Notes on questions and options: which one a key opens, where its text goes.

use super::edit::Target;
use super::{Effects, Interaction, Page};

impl Interaction {
    pub(super) fn open_question_note(&mut self) -> Effects {
        if !self.form.rules.notes {
            return Effects::default();
        }
        let Some((_, page)) = self.current() else { return Effects::default() };
        let text = page.answer.note.clone().unwrap_or_default();
        self.open(Target::QuestionNote, text)
    }

    /// The row for typed text is no option and takes no note.
    pub(super) fn open_option_note(&mut self) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let row = page.row;
        if !self.form.rules.notes || Page::is_custom(question, row) {
            return Effects::default();
        }
        let value = question.options.get(row).map(|option| option.value.as_str());
        let text = value.and_then(|value| page.answer.option_notes.get(value)).cloned().unwrap_or_default();
        self.open(Target::OptionNote(row), text)
    }

    pub(super) fn save_note(&mut self, target: Target, text: &str) {
        let Some((question, _)) = self.current() else { return };
        match target {
            Target::OptionNote(row) => {
                let value = question.options.get(row).map(|option| option.value.clone());
                if let (Some(value), Some(page)) = (value, self.page_mut()) {
                    page.answer.set_option_note(&value, text);
                }
            }
            Target::QuestionNote => {
                if let Some(page) = self.page_mut() {
                    page.answer.set_note(text);
                }
            }
            Target::Answer => {}
        }
    }
}
