//! Another type for a question: several answers instead of one, or back.

use askd_form::QuestionType;

use super::{LineMode, Said, show};

impl LineMode {
    /// Another type: several answers instead of one, or back. Where answers would be lost it asks once more
    /// (ask contract, `main.changeQuestionType`).
    pub(super) fn change_type(&mut self, at: usize, again: bool, said: &mut Said) {
        let question = self.entered.question(at);
        let to = match (self.entered.kind(at), question.requested()) {
            (QuestionType::Multi, QuestionType::Preview) => QuestionType::Preview,
            (QuestionType::Multi, _) => QuestionType::Single,
            _ => QuestionType::Multi,
        };
        if !self.entered.form().rules.type_change || !question.can_become(to) {
            return said.say("The type of this question cannot be changed.");
        }
        if to.holds_one() && self.entered.answer(at).count() > 1 && !again {
            self.retyping = true;
            return said.say("Your options do not fit one answer and would be dropped. Type t again to change all the same.");
        }
        self.entered.present_as(at, to);
        said.changed = true;
        let now = if to.holds_one() { "one answer" } else { "several answers" };
        said.say(format!("This question takes {now} now."));
        said.lines.extend(self.entered.answer(at).is_answered().then(|| show::echo(&self.entered, at)));
        said.say(show::hint(&self.entered, at));
    }
}
