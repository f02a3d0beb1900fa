//! Presenting a question as another type: single and multi change into each other, and so do preview and multi.

use askd_form::QuestionType;

use super::{Effects, Interaction};

impl Interaction {
    pub(super) fn change_type(&mut self) -> Effects {
        let armed = std::mem::take(&mut self.retyping);
        let Some((question, page)) = self.current() else { return Effects::default() };
        if !self.form.rules.type_change || question.is_typed() {
            return Effects::default();
        }
        let to = match page.kind {
            QuestionType::Multi if question.can_become(QuestionType::Preview) => QuestionType::Preview,
            QuestionType::Multi => QuestionType::Single,
            _ => QuestionType::Multi,
        };
        if to != QuestionType::Multi && page.answer.count() > 1 && !armed {
            self.retyping = true;
            return Effects::default();
        }
        if let Some(page) = self.page_mut() {
            page.kind = to;
            if to != QuestionType::Multi {
                page.answer.restrict_to_one();
            }
        }
        Effects::changed()
    }
}
