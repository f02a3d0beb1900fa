//! Moving between questions and the review. Tabs wrap; arriving has consequences: editors open, a finished form may
//! be submitted.

use super::{Effects, Interaction};
use askd_form::{Digits, Question};

impl Interaction {
    /// How many tabs there are.
    #[must_use]
    pub fn tabs(&self) -> usize {
        self.pages.len() + usize::from(self.form.has_review())
    }

    pub(super) fn turn(&mut self, by: isize) -> Effects {
        let tabs = self.tabs();
        if tabs < 2 {
            return Effects::default();
        }
        let step = if by < 0 { tabs - 1 } else { 1 };
        self.go_to((self.tab + step) % tabs)
    }

    pub(super) fn go_to(&mut self, tab: usize) -> Effects {
        if tab >= self.tabs() {
            return Effects::default();
        }
        self.tab = tab;
        self.leaving = false;
        self.retyping = false;
        self.editor = None;
        self.arrive()
    }

    /// After a question was confirmed: the next tab, or without a review and on the last question the end.
    pub(super) fn advance(&mut self) -> Effects {
        if self.tab + 1 < self.tabs() { self.go_to(self.tab + 1) } else { self.submit_enforced() }
    }

    pub(super) fn arrive(&mut self) -> Effects {
        self.review = super::Review::default();
        if self.on_review() {
            return self.auto_submit();
        }
        let row = match self.question() {
            Some(question) if keeps_place(&self.form) => {
                self.pages[self.tab].first_chosen(question).unwrap_or(0)
            }
            _ => 0,
        };
        let typed = self.question().is_some_and(Question::is_typed);
        if let Some(page) = self.page_mut() {
            page.row = row;
        }
        if typed {
            self.open_answer();
        }
        Effects::changed()
    }
}

/// Whether the highlight starts on what is selected (questionnaire) instead of on the first row (ask contract).
fn keeps_place(form: &askd_form::Form) -> bool {
    form.rules.digits == Digits::Select
}
