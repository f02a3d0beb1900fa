//! What is kept of unsent work, and taking it up again: answers as a response carries them, and beside them the place
//! where the person was.

use askd_form::{AnswerData, CustomText, PresentedTypes};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::edit::Target;
use super::{Interaction, Page};

/// Unsent work, in the shape of the protocol's drafts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kept {
    /// What would be sent, by question id.
    pub answers: IndexMap<String, AnswerData>,
    /// Live type changes.
    pub presented: PresentedTypes,
    /// Where the person was: see `View`.
    pub view: Option<Value>,
}

/// The part of a draft that no other frontend needs. Fields are optional, so that an older or foreign draft is taken
/// as far as it goes.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct View {
    /// The open tab: a question's id, or none for the review.
    question: Option<String>,
    review: bool,
    /// Highlighted row of the open tab.
    row: usize,
    editor: Option<OpenEditor>,
    /// Typed text that is kept but not selected, by question id.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    unselected: IndexMap<String, String>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OpenEditor {
    /// `answer`, `note` or `optionNote`.
    target: String,
    /// The option's value, for its note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    option: Option<String>,
    text: String,
    /// Byte offset.
    cursor: usize,
}

impl Interaction {
    /// Answers in question order, as a response carries them: typed text only where it is selected.
    pub(super) fn answers(&self) -> IndexMap<String, AnswerData> {
        let mut out = IndexMap::new();
        for (question, page) in self.form.questions.iter().zip(&self.pages) {
            let custom = page.custom().filter(|custom| custom.selected);
            let data = AnswerData {
                values: page.answer.values.clone(),
                custom_text: custom.map(|custom| custom.text.clone()),
                note: page.answer.note.clone(),
                option_notes: page.answer.option_notes.clone(),
            };
            if !data.is_empty() {
                out.insert(question.id.clone(), data);
            }
        }
        out
    }

    /// The work as it stands.
    #[must_use]
    pub fn keep(&self) -> Kept {
        let unselected = self.form.questions.iter().zip(&self.pages).filter_map(|(question, page)| {
            let custom = page.custom().filter(|custom| !custom.selected)?;
            Some((question.id.clone(), custom.text.clone()))
        });
        let view = View {
            question: self.current().map(|(question, _)| question.id.clone()),
            review: self.on_review(),
            row: self.current().map_or(self.review.row, |(_, page)| page.row),
            editor: self.kept_editor(),
            unselected: unselected.collect(),
        };
        Kept { answers: self.answers(), presented: self.presented(), view: serde_json::to_value(view).ok() }
    }

    fn kept_editor(&self) -> Option<OpenEditor> {
        let editor = self.editor.as_ref()?;
        let (target, option) = match editor.target {
            Target::Answer => ("answer", None),
            Target::QuestionNote => ("note", None),
            Target::OptionNote(row) => {
                ("optionNote", self.question()?.options.get(row).map(|option| option.value.clone()))
            }
        };
        let (text, cursor) = (editor.text.text().to_owned(), editor.text.cursor());
        Some(OpenEditor { target: target.to_owned(), option, text, cursor })
    }

    /// Takes kept work up, in place of what is entered. What does not fit the form is left out.
    pub fn resume(&mut self, kept: &Kept) {
        let view: View = kept.view.as_ref().and_then(|view| View::deserialize(view).ok()).unwrap_or_default();
        let form = std::sync::Arc::clone(&self.form);
        for (question, page) in form.questions.iter().zip(&mut self.pages) {
            *page = Page::new(question);
            page.answer.values.clear();
            let asked = kept.presented.get(&question.id).copied().filter(|kind| question.can_become(*kind));
            page.kind = asked.filter(|_| form.rules.type_change).unwrap_or(question.kind);
            if let Some(data) = kept.answers.get(&question.id) {
                fill(page, question, data);
            }
            if let Some(text) = view.unselected.get(&question.id)
                && page.answer.custom.is_none()
            {
                page.answer.custom = Some(CustomText { text: text.clone(), selected: false });
            }
        }
        self.leaving = false;
        self.retyping = false;
        self.editor = None;
        self.take_place(&view);
    }

    fn take_place(&mut self, view: &View) {
        let id = view.question.as_deref();
        let tab = self.form.questions.iter().position(|question| Some(question.id.as_str()) == id);
        let review = view.review && self.form.has_review();
        self.tab = if review { self.pages.len() } else { tab.unwrap_or(0) };
        self.review = super::Review::default();
        if review {
            self.review.row = view.row.min(self.review_entries().len() - 1);
            return;
        }
        let last = self.question().map_or(0, Page::rows).saturating_sub(1);
        if let Some(page) = self.page_mut() {
            page.row = view.row.min(last);
        }
        match &view.editor {
            Some(open) => self.reopen(open),
            None if self.question().is_some_and(askd_form::Question::is_typed) => {
                self.open_answer();
            }
            None => {}
        }
    }

    fn reopen(&mut self, open: &OpenEditor) {
        let Some(question) = self.question() else { return };
        let option = question.options.iter().position(|option| Some(&option.value) == open.option.as_ref());
        let notes = self.form.rules.notes;
        let target = match (open.target.as_str(), option) {
            ("answer", _) if question.is_typed() || question.custom.is_some() => Target::Answer,
            ("note", _) if notes => Target::QuestionNote,
            ("optionNote", Some(row)) if notes => Target::OptionNote(row),
            _ => return,
        };
        self.open(target, open.text.clone());
        if let Some(editor) = &mut self.editor {
            editor.text.set_cursor(open.cursor);
        }
    }
}

fn fill(page: &mut Page, question: &askd_form::Question, data: &AnswerData) {
    let known =
        data.values.iter().filter(|value| question.option(value).is_some_and(|o| o.freeform != Some(true)));
    page.answer.values = known.cloned().collect();
    let takes_text = question.is_typed() || question.custom.is_some();
    if let Some(text) = data.custom_text.as_ref().filter(|text| takes_text && !text.trim().is_empty()) {
        page.answer.custom = Some(CustomText { text: text.clone(), selected: true });
    }
    if page.kind.holds_one() {
        page.answer.restrict_to_one();
    }
    page.answer.note.clone_from(&data.note);
    let known = data.option_notes.iter().filter(|(value, _)| question.option(value).is_some());
    page.answer.option_notes = known.map(|(value, note)| (value.clone(), note.clone())).collect();
}
