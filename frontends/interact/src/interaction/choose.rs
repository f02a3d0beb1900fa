//! The rows of a question: moving the highlight, ticking, confirming.

use askd_form::{Digits, QuestionType};

use super::{Action, Effects, Interaction, Page};

/// Rows that a page move goes (questionnaire, "Controls").
const PAGE: usize = 8;

impl Interaction {
    pub(super) fn on_in_question(&mut self, action: &Action) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let last = Page::rows(question).saturating_sub(1);
        let row = page.row;
        match action {
            Action::NextOption => self.move_to((row + 1).min(last)),
            Action::PreviousOption => self.move_to(row.saturating_sub(1)),
            Action::FirstOption => self.move_to(0),
            Action::LastOption => self.move_to(last),
            Action::PageDown => self.move_to((row + PAGE).min(last)),
            Action::PageUp => self.move_to(row.saturating_sub(PAGE)),
            Action::Point(row) if *row <= last => self.move_to(*row),
            Action::Toggle => self.toggle(),
            Action::Confirm => self.confirm(),
            Action::Digit(digit) => self.digit(usize::from(*digit)),
            Action::SelectAll => self.select_all(),
            Action::ClearAll => self.clear_all(),
            _ => Effects::default(),
        }
    }

    /// Moves the highlight. Landing on the row for typed text opens its editor unless it holds text.
    pub(super) fn move_to(&mut self, row: usize) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let moved = page.row != row;
        let lands = Page::is_custom(question, row) && page.answer.custom.is_none();
        if let Some(page) = self.page_mut() {
            page.row = row;
        }
        if lands {
            self.open_answer();
        }
        if moved { Effects::changed() } else { Effects::default() }
    }

    fn toggle(&mut self) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        if Page::is_custom(question, page.row) {
            return self.toggle_custom();
        }
        let (row, kind) = (page.row, page.kind);
        self.pick(row, kind, true)
    }

    /// The row for typed text: opens the editor while it is empty, else selects or deselects the text.
    fn toggle_custom(&mut self) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let Some(custom) = page.custom() else { return self.open_answer() };
        if page.kind != QuestionType::Multi {
            return self.open_answer();
        }
        if !custom.selected
            && let Some(notice) = self.over(question, page, 1)
        {
            self.notice = Some(notice);
            return Effects::default();
        }
        if let Some(page) = self.page_mut() {
            page.answer.toggle_custom();
        }
        Effects::changed()
    }

    /// Selects an option, or with `toggle` clears it when it is selected.
    fn pick(&mut self, row: usize, kind: QuestionType, toggle: bool) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let Some(value) = question.options.get(row).map(|option| option.value.clone()) else {
            return Effects::default();
        };
        let adds = !page.answer.values.contains(&value);
        if adds
            && kind == QuestionType::Multi
            && let Some(notice) = self.over(question, page, 1)
        {
            self.notice = Some(notice);
            return Effects::default();
        }
        if let Some(page) = self.page_mut() {
            if toggle { page.answer.toggle(kind, &value) } else { page.answer.select(kind, &value) }
        }
        Effects::changed()
    }

    fn confirm(&mut self) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let (row, kind) = (page.row, page.kind);
        if Page::is_custom(question, row) {
            return self.open_answer();
        }
        if kind == QuestionType::Multi {
            if self.form.rules.enforced
                && let Some(notice) = self.unmet(self.tab)
            {
                self.notice = Some(notice);
                return Effects::default();
            }
        } else {
            self.pick(row, kind, false);
        }
        self.advance()
    }

    fn digit(&mut self, digit: usize) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        let Some(row) = digit.checked_sub(1).filter(|row| *row < Page::rows(question)) else {
            return Effects::default();
        };
        if question.is_typed() {
            return Effects::default();
        }
        let kind = page.kind;
        if Page::is_custom(question, row) {
            return self.custom_digit(row);
        }
        self.move_to(row);
        match (kind, self.form.rules.digits) {
            (QuestionType::Multi, _) | (_, Digits::Select) => self.pick(row, kind, true),
            (_, Digits::Advance) => {
                self.pick(row, kind, false);
                self.advance()
            }
        }
    }

    fn custom_digit(&mut self, row: usize) -> Effects {
        if self.current().is_some_and(|(_, page)| page.custom().is_none()) {
            self.move_to(row);
            return self.open_answer();
        }
        self.move_to(row);
        self.toggle_custom()
    }

    fn select_all(&mut self) -> Effects {
        let Some((question, page)) = self.current() else { return Effects::default() };
        if !self.bulk(page) {
            return Effects::default();
        }
        let missing: Vec<_> =
            question.options.iter().filter(|o| !page.answer.values.contains(&o.value)).collect();
        if let Some(notice) = self.over(question, page, missing.len()) {
            self.notice = Some(notice);
            return Effects::default();
        }
        let missing: Vec<_> = missing.into_iter().map(|option| option.value.clone()).collect();
        if let Some(page) = self.page_mut() {
            page.answer.values.extend(missing);
        }
        Effects::changed()
    }

    fn clear_all(&mut self) -> Effects {
        if !self.current().is_some_and(|(_, page)| self.bulk(page)) {
            return Effects::default();
        }
        if let Some(page) = self.page_mut() {
            page.answer.values.clear();
        }
        Effects::changed()
    }

    /// Selecting and clearing all belongs to the questionnaire's multiple choice; the ask contract has no such keys.
    fn bulk(&self, page: &Page) -> bool {
        self.form.rules.digits == Digits::Select && page.kind == QuestionType::Multi
    }
}
