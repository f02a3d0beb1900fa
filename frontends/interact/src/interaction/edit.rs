//! The open editor: what its keys do, and what becomes of its text when it closes (ask contract, "Editing flow").

use askd_form::QuestionType;

use super::buffer::Buffer;
use super::{Action, Effects, Interaction, Notice, Request};

/// What the text in an editor is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Typed text, as an answer.
    Answer,
    /// The note on the question.
    QuestionNote,
    /// The note on an option, by its position.
    OptionNote(usize),
}

/// An open editor. There is at most one, and it belongs to the open question.
#[derive(Debug, Clone)]
pub struct Editor {
    /// What it edits.
    pub target: Target,
    /// Its text.
    pub text: Buffer,
}

impl Interaction {
    pub(super) fn open(&mut self, target: Target, text: String) -> Effects {
        self.editor = Some(Editor { target, text: Buffer::new(text, self.text_limit) });
        Effects::changed()
    }

    pub(super) fn open_answer(&mut self) -> Effects {
        let Some((_, page)) = self.current() else { return Effects::default() };
        let text = page.custom().map(|custom| custom.text.clone()).unwrap_or_default();
        self.open(Target::Answer, text)
    }

    pub(super) fn on_in_editor(&mut self, action: &Action) -> Effects {
        match action {
            Action::Insert(text) | Action::Paste(text) => self.type_in(|buffer| buffer.insert(text)),
            Action::Edit(key) => self.type_in(|buffer| buffer.edit(*key)),
            Action::Save { enter } => {
                if *enter && self.editor.as_mut().is_some_and(|editor| editor.text.backslash_newline()) {
                    return Effects::changed();
                }
                self.save()
            }
            Action::Close if self.is_whole_question() => self.leave(&Action::Cancel),
            Action::Close => self.close(),
            Action::Dismiss => self.leave(action),
            Action::Settings => Effects::ask(Request::Settings),
            Action::View(view) => Effects::ask(Request::View(*view)),
            Action::Other | Action::Cancel | Action::Confirm | Action::Toggle => Effects::default(),
            Action::GoTo(_) | Action::Point(_) => {
                self.close();
                self.on_in_main(action)
            }
            Action::NextTab | Action::PreviousTab => {
                self.keep_answer();
                self.editor = None;
                self.on_in_main(action)
            }
            _ => self.leave_empty(action),
        }
    }

    /// Moving on from an empty editor closes it and changes nothing else.
    fn leave_empty(&mut self, action: &Action) -> Effects {
        let typed = self.current().is_some_and(|(question, _)| question.is_typed());
        if typed {
            return Effects::default();
        }
        self.editor = None;
        self.on_in_main(action);
        Effects::changed()
    }

    fn type_in(&mut self, change: impl FnOnce(&mut Buffer) -> Result<(), super::buffer::Full>) -> Effects {
        let Some(editor) = &mut self.editor else { return Effects::default() };
        if change(&mut editor.text).is_err() {
            self.notice = Some(Notice::TextLimit { bytes: self.text_limit });
        }
        Effects::changed()
    }

    /// Whether the editor is a typed question's: it has nowhere to close to.
    fn is_whole_question(&self) -> bool {
        self.question().is_some_and(|question| question.kind == QuestionType::Text)
    }

    fn save(&mut self) -> Effects {
        let Some(Editor { target, text }) = self.editor.take() else { return Effects::default() };
        if target != Target::Answer {
            self.save_note(target, text.text());
            return Effects::changed();
        }
        self.set_answer(text.text());
        let blank = text.text().trim().is_empty();
        let Some((question, page)) = self.current() else { return Effects::default() };
        let (multi, whole) = (page.kind == QuestionType::Multi, question.kind == QuestionType::Text);
        if whole && let Some(notice) = self.unmet(self.tab) {
            self.open_answer();
            self.notice = Some(notice);
            return Effects::changed();
        }
        if multi || (blank && !whole) { Effects::changed() } else { self.advance() }
    }

    fn close(&mut self) -> Effects {
        let Some(Editor { target, text }) = self.editor.take() else { return Effects::default() };
        if !text.is_empty() {
            match target {
                Target::Answer => self.set_answer(text.text()),
                note => self.save_note(note, text.text()),
            }
        }
        Effects::changed()
    }

    /// Keeps the text of a typed question that is left with Tab.
    fn keep_answer(&mut self) {
        if self.is_whole_question()
            && let Some(text) = self.editor.as_ref().map(|editor| editor.text.text().to_owned())
        {
            self.set_answer(&text);
        }
    }

    /// Saves typed text. Text that would go over a limit is kept but not selected.
    fn set_answer(&mut self, text: &str) {
        let Some((question, page)) = self.current() else { return };
        let kind = page.kind;
        let more = usize::from(!page.custom().is_some_and(|custom| custom.selected));
        let over = if kind == QuestionType::Multi { self.over(question, page, more) } else { None };
        if let Some(page) = self.page_mut() {
            page.answer.set_custom(kind, text);
            if over.is_some()
                && let Some(custom) = &mut page.answer.custom
            {
                custom.selected = false;
                self.notice = over;
            }
        }
    }
}
