//! What a line answers: rows by number, typed text, Enter alone, and going on without an answer.

use askd_form::Limits;

use super::command::{self, Set};
use super::typing::{Target, Typed, Typing};
use super::{LineMode, Place, Said, show};
use crate::steps::entered::Gap;

impl LineMode {
    pub(super) fn own(&mut self, at: usize, said: &mut Said) {
        if self.entered.takes_text(at) {
            self.type_in(at, Target::Answer, said);
        } else {
            said.say("This question takes no text of your own. Type a number of the list.");
        }
    }

    /// Enter alone keeps the answer that is there, or takes what the agent preselected.
    pub(super) fn keep(&mut self, at: usize, said: &mut Said) {
        let preselected = self.entered.preselected(at);
        if !self.entered.answer(at).is_answered() && preselected.is_empty() {
            let what = if self.entered.question(at).is_typed() { "Type an answer" } else { "Type a number" };
            return said.say(format!("Nothing is chosen yet. {what}, or s to go on without an answer."));
        }
        let kind = self.entered.kind(at);
        let mut answer = self.entered.answer(at).clone();
        for value in &preselected {
            answer.select(kind, value);
        }
        if let Some(gap) = self.entered.gap_with(at, answer.count()) {
            return said.say(self.gap_line(at, gap));
        }
        said.changed = answer != *self.entered.answer(at);
        *self.entered.answer_mut(at) = answer;
        self.answered(at, said);
    }

    pub(super) fn skip(&mut self, at: usize, said: &mut Said) {
        let answer = self.entered.answer_mut(at);
        said.changed = answer.is_answered();
        answer.values.clear();
        answer.custom = None;
        let needed = self.entered.gap(at).map(|gap| format!(" Before submitting {gap}.")).unwrap_or_default();
        said.say(format!("{}.{needed}", show::echo(&self.entered, at)));
        self.go_on(at, said);
    }

    /// Rows on a question that takes one answer.
    fn one_row(&mut self, at: usize, set: Set, rows: &[usize], text: Option<&str>, said: &mut Said) {
        match (set, rows, text) {
            (Set::Exactly, [row], None) => match self.entered.question(at).options.get(row - 1) {
                None => self.own(at, said),
                Some(option) => {
                    let values = vec![option.value.clone()];
                    let answer = self.entered.answer_mut(at);
                    said.changed = answer.values != values || answer.custom.is_some();
                    answer.custom = None;
                    answer.values = values;
                    self.answered(at, said);
                }
            },
            (Set::Exactly, [_, _, ..], _) => said.say("This question takes one answer: type one number."),
            (_, _, Some(_)) => {
                said.say("This question takes either an option or your own text, not both.");
            }
            _ => said.say("This question takes one answer: type its number, or s for no answer."),
        }
    }

    pub(super) fn rows(&mut self, at: usize, set: Set, rows: &[usize], text: Option<&str>, said: &mut Said) {
        let question = self.entered.question(at);
        let kind = self.entered.kind(at);
        let own_row = question.options.len() + 1;
        let values: Vec<String> = rows
            .iter()
            .filter_map(|row| question.options.get(row - 1))
            .map(|option| option.value.clone())
            .collect();
        let own = rows.contains(&own_row);
        if kind.holds_one() {
            return self.one_row(at, set, rows, text, said);
        }
        let mut answer = self.entered.answer(at).clone();
        match set {
            Set::Exactly => answer.values = values,
            Set::Add => values.iter().for_each(|value| answer.select(kind, value)),
            Set::Remove => answer.values.retain(|value| !values.contains(value)),
        }
        match (&mut answer.custom, set) {
            (Some(custom), Set::Exactly) => custom.selected = own,
            (Some(custom), Set::Add) => custom.selected |= own,
            (Some(custom), Set::Remove) => custom.selected &= !own,
            (None, _) => {}
        }
        if let Some(text) = text {
            if set == Set::Remove || !self.entered.takes_text(at) {
                return said.say("Your own text can be added after numbers only where the question takes text: 1,3 = text.");
            }
            if let Some(why) = too_long(text) {
                return said.say(why);
            }
            answer.set_custom(kind, text);
        }
        let opens = own && set != Set::Remove && answer.custom.is_none();
        let count = answer.count() + usize::from(opens);
        if let Some(gap) =
            self.entered.gap_with(at, count).filter(|gap| !(count == 0 && *gap == Gap::Missing))
        {
            return said.say(self.gap_line(at, gap));
        }
        said.changed = answer != *self.entered.answer(at);
        *self.entered.answer_mut(at) = answer;
        if opens { self.own(at, said) } else { self.answered(at, said) }
    }

    pub(super) fn gap_line(&self, at: usize, gap: Gap) -> String {
        let keeps = if self.entered.answer(at).is_answered() { " Your answer so far stays." } else { "" };
        let text = gap.to_string();
        let mut chars = text.chars();
        let first: String = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
        format!("{first}{}.{keeps}", chars.as_str())
    }

    /// Typed text as the answer. One that a limit leaves no room for is kept, but not counted.
    pub(super) fn text(&mut self, at: usize, text: &str, said: &mut Said) {
        if !self.entered.takes_text(at) {
            return said.say("This question takes no text of your own. Type a number of the list.");
        }
        let saved = self.entered.answer(at).custom.is_some();
        let mut typing = Typing::new(Target::Answer, saved);
        match typing.line(text) {
            Typed::Text(text) => self.typed_answer(at, &text, said),
            // A dash alone is text here; only the prompt for a text says that it removes.
            Typed::Removed => self.typed_answer(at, text, said),
            Typed::More => {
                self.place = Place::Typing(at, typing);
                said.say("Go on with the next line.");
            }
            Typed::Left => self.keep(at, said),
        }
    }

    pub(super) fn typed_answer(&mut self, at: usize, text: &str, said: &mut Said) {
        self.place = Place::Question(at);
        if let Some(why) = too_long(text) {
            return said.say(why);
        }
        let kind = self.entered.kind(at);
        let mut answer = self.entered.answer(at).clone();
        answer.set_custom(kind, text);
        said.changed = true;
        match self.entered.gap_with(at, answer.count()) {
            Some(gap) => {
                if let (Gap::TooMany { .. }, Some(custom)) = (gap, &mut answer.custom) {
                    custom.selected = false;
                }
                *self.entered.answer_mut(at) = answer;
                let row = command::row_count(self.entered.question(at));
                said.say(format!(
                    "{} Your text is kept as row {row}: name it with the numbers you want.",
                    self.gap_line(at, gap)
                ));
            }
            None => {
                *self.entered.answer_mut(at) = answer;
                self.answered(at, said);
            }
        }
    }
}

pub(super) fn too_long(text: &str) -> Option<String> {
    let limit = Limits::default().text_bytes;
    (text.len() > limit).then(|| {
        format!("The text has {} bytes, the limit is {limit}. It was not taken; shorten it.", text.len())
    })
}
