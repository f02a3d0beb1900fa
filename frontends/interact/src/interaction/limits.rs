//! `required`, `min` and `max`: enforced by the questionnaire, advice under the ask contract.

use askd_form::{Question, QuestionType, ResponseMode};

use super::{Effects, Interaction, Notice, Page, Request};

impl Interaction {
    /// Why `more` selections do not fit, if they do not.
    pub(super) fn over(&self, question: &Question, page: &Page, more: usize) -> Option<Notice> {
        let max = usize::try_from(question.max?).ok()?;
        (self.form.rules.enforced && page.answer.count() + more > max).then_some(Notice::OverMax { max })
    }

    /// Why a question cannot be sent as it is, if it cannot.
    #[must_use]
    pub fn unmet(&self, tab: usize) -> Option<Notice> {
        let (question, page) = (self.form.questions.get(tab)?, self.pages.get(tab)?);
        if !self.form.rules.enforced {
            return None;
        }
        let count = page.answer.count();
        let least = question.min.and_then(|min| usize::try_from(min).ok()).unwrap_or(0);
        match (count, question.required) {
            (0, false) => None,
            (0, true) if question.kind != QuestionType::Multi || least <= 1 => {
                Some(Notice::Required { label: question.label.clone(), typed: question.is_typed() })
            }
            _ if count < least => Some(Notice::UnderMin { label: question.label.clone(), min: least, count }),
            _ => self.over(question, page, 0),
        }
    }

    /// Submits, or goes to the first question that keeps from it and says so.
    pub(super) fn submit_enforced(&mut self) -> Effects {
        let open = (0..self.pages.len()).find_map(|tab| Some((tab, self.unmet(tab)?)));
        let Some((tab, notice)) = open else {
            return self.send(ResponseMode::Submit);
        };
        if tab != self.tab {
            self.go_to(tab);
        }
        self.notice = Some(notice);
        Effects::changed()
    }

    pub(super) fn send(&mut self, mode: ResponseMode) -> Effects {
        self.sent = true;
        Effects { changed: true, request: Some(Request::Submit(mode)) }
    }
}
