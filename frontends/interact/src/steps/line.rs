//! Line mode: the whole form by lines of text, on a terminal or through a pipe. Every line printed is final,
//! every line read does one thing, and nothing is sent that was not confirmed by typing.

use askd_form::{Dismiss, Response, ResponseMode};

use super::entered::Entered;
use super::words::flat;

mod answer;
mod command;
mod numbers;
mod retype;
mod review;
mod show;
mod texts;
mod typing;

use command::Command;
use review::Action;
use typing::{Target, Typing};

/// Settings of the ask contract that line mode keeps (`behaviour`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LineOptions {
    /// Send on arrival at the review when everything is answered and no note was written.
    pub auto_submit: bool,
    /// Ask again before leaving a form with something entered.
    pub confirm_dismiss: bool,
}

impl Default for LineOptions {
    fn default() -> Self {
        Self { auto_submit: false, confirm_dismiss: true }
    }
}

/// What a line led to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// To print, in order.
    pub lines: Vec<String>,
    /// Whether something entered has changed, so that a draft is due.
    pub changed: bool,
    /// The response to send; nothing while the form goes on.
    pub end: Option<Response>,
}

impl Said {
    fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Question(usize),
    Typing(usize, Typing),
    Review,
}

/// A form being worked line by line.
#[derive(Debug, Clone)]
pub struct LineMode {
    entered: Entered,
    options: LineOptions,
    place: Place,
    /// The review was reached; a changed question leads back to it.
    reviewed: bool,
    leaving: bool,
    retyping: bool,
}

impl LineMode {
    /// Begins with the first question that has no answer yet, or with the review when all have one.
    #[must_use]
    pub fn new(entered: Entered, options: LineOptions) -> Self {
        let open = (0..entered.len()).find(|at| !entered.answer(*at).is_answered());
        let drafted = open != Some(0) && entered.is_dirty();
        let place = match open {
            Some(at) => Place::Question(at),
            None if drafted && entered.form().has_review() => Place::Review,
            None => Place::Question(0),
        };
        let reviewed = place == Place::Review;
        Self { entered, options, place, reviewed, leaving: false, retyping: false }
    }

    /// What was entered so far.
    #[must_use]
    pub fn entered(&self) -> &Entered {
        &self.entered
    }

    /// Settings that changed while the form is open.
    pub fn set_options(&mut self, options: LineOptions) {
        self.options = options;
    }

    /// Whether a text is being typed, so that lines are taken as they are.
    #[must_use]
    pub fn is_typing(&self) -> bool {
        matches!(self.place, Place::Typing(..))
    }

    /// The place of the question being asked; none at the review.
    #[must_use]
    pub fn position(&self) -> Option<usize> {
        match self.place {
            Place::Question(at) | Place::Typing(at, _) => Some(at),
            Place::Review => None,
        }
    }

    /// Takes what another frontend has entered in place of this one's, and prints where that leads.
    pub fn replace(&mut self, entered: Entered) -> Said {
        self.entered = entered;
        let mut said = Said::default();
        for at in 0..self.entered.len() {
            said.say(format!("  {}", show::echo(&self.entered, at)));
        }
        match self.place.clone() {
            Place::Typing(..) => {}
            Place::Question(at) => said.say(show::hint(&self.entered, at)),
            Place::Review => said.say(review::hint(&self.entered)),
        }
        said
    }

    /// What to print first: the question or review that waits.
    #[must_use]
    pub fn open(&self) -> Vec<String> {
        let mut said = Said::default();
        self.show(&mut said);
        said.lines
    }

    /// The daemon refused what was sent: says so and goes on where it can be mended.
    pub fn refused(&mut self, why: &str) -> Said {
        let mut said = Said::default();
        said.say(format!("Not sent: {}", flat(why)));
        self.place = match self.entered.first_gap() {
            Some((at, _)) => Place::Question(at),
            None if self.entered.form().has_review() => Place::Review,
            None => Place::Question(0),
        };
        self.show(&mut said);
        said
    }

    /// Takes one line, without its line end. A line that cannot be used changes nothing and is answered with
    /// what can.
    pub fn line(&mut self, line: &str) -> Said {
        let mut said = Said::default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.chars().any(|c| (c.is_control() && c != '\t') || c == char::REPLACEMENT_CHARACTER) {
            said.say("That line holds control characters (arrow keys do nothing here); it was not taken. Type it again.");
            return said;
        }
        match self.place.clone() {
            Place::Question(at) => self.at_question(at, line, &mut said),
            Place::Typing(at, typing) => self.at_typing(at, typing, line, &mut said),
            Place::Review => self.at_review(line, &mut said),
        }
        said
    }

    fn show(&self, said: &mut Said) {
        match &self.place {
            Place::Question(at) => {
                said.lines.extend(show::question(&self.entered, *at));
                said.say(show::hint(&self.entered, *at));
            }
            Place::Typing(at, typing) => self.show_typing(*at, typing, said),
            Place::Review => {
                said.lines.extend(review::show(&self.entered));
                said.say(review::hint(&self.entered));
            }
        }
    }

    fn go(&mut self, place: Place, said: &mut Said) {
        self.place = place;
        self.show(said);
    }

    /// A dismissal: asks once more where that is due.
    fn leave(&mut self, again: bool, said: &mut Said) {
        let asks = match self.entered.form().rules.dismiss {
            Dismiss::WhenDirty => self.options.confirm_dismiss && self.entered.is_dirty(),
            Dismiss::Twice => true,
        };
        if asks && !again {
            self.leaving = true;
            said.say("This cancels the form, and what you entered is not sent. Type q again to cancel, anything else goes on.");
        } else {
            said.end = Some(Response::Cancel);
        }
    }

    fn at_question(&mut self, at: usize, line: &str, said: &mut Said) {
        let leaving = std::mem::take(&mut self.leaving);
        let retyping = std::mem::take(&mut self.retyping);
        let command = match command::parse(line, &self.entered, at) {
            Ok(command) => command,
            Err(why) => return said.say(why),
        };
        match command {
            Command::Empty => self.keep(at, said),
            Command::Help => {
                said.lines.extend(show::help(&self.entered, at));
                said.say(show::hint(&self.entered, at));
            }
            Command::List => self.show(said),
            Command::Back if at == 0 => said.say("This is the first question."),
            Command::Back => self.go(Place::Question(at - 1), said),
            Command::Skip => self.skip(at, said),
            Command::Review if self.entered.form().has_review() => self.arrive_at_review(said),
            Command::Review => {
                said.say("This form has no review: the answer is sent as soon as you give it.")
            }
            Command::Quit => self.leave(leaving, said),
            Command::Type => self.change_type(at, retyping, said),
            Command::Note if !self.entered.form().rules.notes => said.say("This form takes no notes."),
            Command::Note => self.type_in(at, Target::Note, said),
            Command::OptionNote(_) if !self.entered.form().rules.notes => {
                said.say("This form takes no notes.")
            }
            Command::OptionNote(row) => {
                let value = self.entered.question(at).options[row - 1].value.clone();
                self.type_in(at, Target::OptionNote(value), said);
            }
            Command::Own => self.own(at, said),
            Command::Block if self.entered.takes_text(at) => {
                let saved = self.entered.answer(at).custom.is_some();
                self.go(Place::Typing(at, Typing::block(Target::Answer, saved)), said);
            }
            Command::Block => said.say("This question takes no text of your own. Type a number of the list."),
            Command::Text(text) => self.text(at, &text, said),
            Command::Rows { set, rows, text } => self.rows(at, set, &rows, text.as_deref(), said),
        }
    }

    fn answered(&mut self, at: usize, said: &mut Said) {
        said.say(show::echo(&self.entered, at));
        self.go_on(at, said);
    }

    fn go_on(&mut self, at: usize, said: &mut Said) {
        if !self.reviewed && at + 1 < self.entered.len() {
            self.go(Place::Question(at + 1), said);
        } else if self.entered.form().has_review() {
            self.arrive_at_review(said);
        } else {
            self.finish(ResponseMode::Submit, said);
        }
    }

    fn arrive_at_review(&mut self, said: &mut Said) {
        self.reviewed = true;
        let auto = self.options.auto_submit && !self.entered.form().rules.enforced;
        if auto && self.entered.all_answered() && !self.entered.has_notes() {
            return self.finish(ResponseMode::Submit, said);
        }
        self.go(Place::Review, said);
    }

    fn finish(&mut self, mode: ResponseMode, said: &mut Said) {
        match self.entered.first_gap() {
            Some((at, gap)) => {
                said.say(format!("Not sent. Question {}: {gap}.", at + 1));
                self.go(Place::Question(at), said);
            }
            None => said.end = Some(self.entered.response(mode)),
        }
    }

    fn at_review(&mut self, line: &str, said: &mut Said) {
        let leaving = std::mem::take(&mut self.leaving);
        let text = line.trim();
        if let Some(action) = review::named(&self.entered, text) {
            return match action {
                Action::Submit => self.finish(ResponseMode::Submit, said),
                Action::Elaborate => self.finish(ResponseMode::Elaborate, said),
                Action::Cancel => said.end = Some(Response::Cancel),
                Action::Change(at) => self.go(Place::Question(at), said),
            };
        }
        match command::letter(text.strip_prefix(':').unwrap_or(text)) {
            Some(Command::Back) => self.go(Place::Question(self.entered.len() - 1), said),
            Some(Command::Quit) => self.leave(leaving, said),
            Some(Command::Review | Command::List | Command::Help) => self.show(said),
            _ if text.is_empty() => said.say(format!("Nothing is sent yet. {}", review::hint(&self.entered))),
            _ => said.say(format!("That is no entry of the list. {}", review::hint(&self.entered))),
        }
    }
}
