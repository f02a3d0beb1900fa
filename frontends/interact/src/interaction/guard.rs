//! Leaving with unsent answers: a first press warns, a second one leaves.

use askd_form::Dismiss;

use super::{Action, Effects, Interaction};

impl Interaction {
    /// Ends what waits for a second press when something else is done. The warning about unsent answers stays until
    /// the tab changes (ask contract, "Dirty dismiss"); the questionnaire's second Escape has to follow at once.
    pub(super) fn settle(&mut self, action: &Action) {
        self.retyping &= *action == Action::ChangeType;
        if self.form.rules.dismiss == Dismiss::Twice {
            self.leaving &= matches!(action, Action::Cancel | Action::Close);
        }
    }

    pub(super) fn leave(&mut self, action: &Action) -> Effects {
        let asks = match self.form.rules.dismiss {
            Dismiss::WhenDirty => self.behaviour.confirm_dismiss && self.is_dirty(),
            Dismiss::Twice => *action != Action::Dismiss,
        };
        if asks && !self.leaving {
            self.leaving = true;
            return Effects::default();
        }
        self.cancel()
    }

    /// Whether anything was entered: an answer, a note, or text in an open editor.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.editor.as_ref().is_some_and(|editor| !editor.text.is_empty())
            || self.pages.iter().any(|page| !page.answer.is_empty())
    }
}
