//! The review: what will be sent, and whether to send it.

use askd_form::ResponseMode;

use super::{Action, Effects, Interaction, Request};

/// The review's own state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Review {
    /// The highlighted entry.
    pub row: usize,
    /// The entry whose digit was pressed once.
    pub armed: Option<usize>,
}

/// One thing to do on the review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewEntry {
    /// Send the answers.
    Submit,
    /// Ask the agent to clarify first.
    Elaborate,
    /// Dismiss the form.
    Cancel,
}

impl Interaction {
    /// The review's entries, in order.
    #[must_use]
    pub fn review_entries(&self) -> &'static [ReviewEntry] {
        if self.form.rules.elaborate {
            &[ReviewEntry::Submit, ReviewEntry::Elaborate, ReviewEntry::Cancel]
        } else {
            &[ReviewEntry::Submit]
        }
    }

    pub(super) fn on_in_review(&mut self, action: &Action) -> Effects {
        let last = self.review_entries().len() - 1;
        let row = self.review.row;
        let to = match action {
            Action::NextOption => (row + 1).min(last),
            Action::PreviousOption => row.saturating_sub(1),
            Action::FirstOption | Action::PageUp => 0,
            Action::LastOption | Action::PageDown => last,
            Action::Point(row) if *row <= last => *row,
            Action::Confirm => return self.act(row),
            Action::Digit(digit) => return self.review_digit(usize::from(*digit)),
            _ => return Effects::default(),
        };
        self.review = Review { row: to, armed: None };
        Effects::changed()
    }

    fn review_digit(&mut self, digit: usize) -> Effects {
        let entries = self.review_entries();
        let Some(row) = digit.checked_sub(1).filter(|row| *row < entries.len() && entries.len() > 1) else {
            return Effects::default();
        };
        if !self.behaviour.double_press || self.review.armed == Some(row) {
            return self.act(row);
        }
        self.review = Review { row, armed: Some(row) };
        Effects::changed()
    }

    fn act(&mut self, row: usize) -> Effects {
        match self.review_entries().get(row) {
            Some(ReviewEntry::Submit) => self.submit_enforced(),
            Some(ReviewEntry::Elaborate) => self.send(ResponseMode::Elaborate),
            Some(ReviewEntry::Cancel) => self.cancel(),
            None => Effects::default(),
        }
    }

    pub(super) fn cancel(&mut self) -> Effects {
        self.sent = true;
        Effects::ask(Request::Cancel)
    }

    /// Submits when the setting says so, everything is answered and there is no note.
    pub(super) fn auto_submit(&mut self) -> Effects {
        let ready = self.form.rules.elaborate
            && self.behaviour.auto_submit
            && self.pages.iter().all(|page| page.answer.is_answered() && !page.answer.has_notes());
        if ready { self.send(ResponseMode::Submit) } else { Effects::changed() }
    }
}
