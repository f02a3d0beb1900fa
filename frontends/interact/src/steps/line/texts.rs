//! Texts typed at their own prompt: an answer, a note on the question, a note on an option.

use super::answer::too_long;
use super::typing::{Target, Typed, Typing};
use super::{LineMode, Place, Said, show};
use crate::steps::words::{flat, label};

impl LineMode {
    pub(super) fn show_typing(&self, at: usize, typing: &Typing, said: &mut Said) {
        let answer = self.entered.answer(at);
        let (what, saved) = match &typing.target {
            Target::Answer => {
                ("Your text".to_owned(), answer.custom.as_ref().map(|custom| custom.text.as_str()))
            }
            Target::Note => ("Note on the question".to_owned(), answer.note.as_deref()),
            Target::OptionNote(value) => {
                let name = self.entered.question(at).option(value).map(label).unwrap_or_default();
                (format!("Note on {name}"), answer.option_notes.get(value).map(String::as_str))
            }
        };
        said.lines.extend(show::typing(&what, saved, typing.is_block()));
    }

    pub(super) fn type_in(&mut self, at: usize, target: Target, said: &mut Said) {
        let answer = self.entered.answer(at);
        let saved = match &target {
            Target::Answer => answer.custom.is_some(),
            Target::Note => answer.note.is_some(),
            Target::OptionNote(value) => answer.option_notes.contains_key(value),
        };
        self.go(Place::Typing(at, Typing::new(target, saved)), said);
    }

    pub(super) fn at_typing(&mut self, at: usize, mut typing: Typing, line: &str, said: &mut Said) {
        let typed = typing.line(line);
        let target = typing.target.clone();
        match typed {
            Typed::More => {
                if !self.has_begun() && typing.is_block() {
                    said.say("As many lines as you like; a dot alone ends the text.");
                }
                self.place = Place::Typing(at, typing);
                return;
            }
            Typed::Left => match self.entered.answer(at).custom.clone() {
                // The row for typed text was named, and its text is there already.
                Some(custom) if target == Target::Answer && !custom.selected => {
                    return self.typed_answer(at, &custom.text, said);
                }
                _ => said.say("Nothing changed."),
            },
            Typed::Removed => self.set_text(at, &target, "", said),
            Typed::Text(text) if target == Target::Answer => return self.typed_answer(at, &text, said),
            Typed::Text(text) => match too_long(&text) {
                Some(why) => said.say(why),
                None => self.set_text(at, &target, &text, said),
            },
        }
        self.place = Place::Question(at);
        said.say(show::hint(&self.entered, at));
    }

    pub(super) fn has_begun(&self) -> bool {
        matches!(&self.place, Place::Typing(_, typing) if typing.has_begun())
    }

    pub(super) fn set_text(&mut self, at: usize, target: &Target, text: &str, said: &mut Said) {
        let kind = self.entered.kind(at);
        let answer = self.entered.answer_mut(at);
        said.changed = true;
        let done = |what: &str| {
            if text.is_empty() { format!("{what} removed.") } else { format!("{what}: {}", flat(text)) }
        };
        match target {
            Target::Answer => {
                answer.set_custom(kind, text);
                said.say(done("Your text"));
            }
            Target::Note => {
                answer.set_note(text);
                said.say(done("Note on the question"));
            }
            Target::OptionNote(value) => {
                answer.set_option_note(value, text);
                let name = self.entered.question(at).option(value).map(label).unwrap_or_default();
                said.say(done(&format!("Note on {name}")));
            }
        }
    }
}
