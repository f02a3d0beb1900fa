//! The form as portable dialogs, one `select` or `input` at a time (ask contract, "Runtime modes"; the
//! questionnaire, "Modes"). A form whose answers are advisory takes one dialog a question and a dismissal
//! skips it; one that enforces them asks until they fit, and a dismissal can only mean to cancel.

use askd_form::{Limits, QuestionType, Response, ResponseMode};

use super::entered::{Entered, Gap};
use super::words;

mod rows;

use rows::Row;

/// What to show now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Choose one of these rows. All rows are different single lines.
    Select {
        /// One line.
        title: String,
        /// What to choose from.
        rows: Vec<String>,
    },
    /// Tick any of these rows, shown by frontends that have [`cards`](Dialogs::with_cards). All rows are
    /// different single lines.
    Tick {
        /// One line.
        title: String,
        /// What to choose from, and what is ticked now.
        rows: Vec<(String, bool)>,
    },
    /// Type something.
    Input {
        /// One line.
        title: String,
        /// Shown while nothing is typed.
        placeholder: String,
    },
    /// Nothing more to ask; send this.
    Done(Response),
}

/// What came back for a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// The chosen row word for word, or the typed text.
    Value(String),
    /// All rows that are ticked, word for word.
    Ticked(Vec<String>),
    /// The dialog was dismissed.
    Cancelled,
}

/// What dismissing a dialog does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dismissal {
    /// Leaves the question without an answer and goes on.
    Skip,
    /// Returns to the rows of the question.
    Back,
    /// Cancels the form.
    Cancel,
}

/// The dialogs of one form.
#[derive(Debug, Clone)]
pub struct Dialogs {
    entered: Entered,
    at: usize,
    typing: bool,
    cards: bool,
    reason: Option<String>,
    end: Option<Response>,
}

impl Dialogs {
    /// Begins with the first question; `entered` may hold a draft.
    #[must_use]
    pub fn new(entered: Entered) -> Self {
        Self::starting_at(entered, 0)
    }

    /// Begins with a later question, where an earlier run of these dialogs was left.
    #[must_use]
    pub fn starting_at(entered: Entered, at: usize) -> Self {
        let at = at.min(entered.len().saturating_sub(1));
        let mut dialogs = Self { entered, at, typing: false, cards: false, reason: None, end: None };
        if dialogs.entered.is_empty() {
            dialogs.finish();
        } else {
            dialogs.arrive();
        }
        dialogs
    }

    /// The same for a frontend that can show several ticks at once: a multiple choice is one card then,
    /// whatever the contract.
    #[must_use]
    pub fn with_cards(mut self) -> Self {
        self.cards = true;
        self
    }

    /// What was entered so far.
    #[must_use]
    pub fn entered(&self) -> &Entered {
        &self.entered
    }

    /// The place of the question being asked.
    #[must_use]
    pub fn position(&self) -> usize {
        self.at
    }

    /// What to show now. The same until a reply comes.
    #[must_use]
    pub fn next(&self) -> Step {
        if let Some(response) = &self.end {
            return Step::Done(response.clone());
        }
        if self.typing {
            let placeholder = rows::placeholder(self.entered.question(self.at), self.entered.kind(self.at));
            return Step::Input { title: self.title(), placeholder };
        }
        if self.card() {
            let rows = rows::card(&self.entered, self.at);
            let rows = rows.into_iter().map(|row| (row.text, row.ticked)).collect();
            return Step::Tick { title: self.title(), rows };
        }
        let rows = rows::of(&self.entered, self.at).into_iter().map(|(_, text)| text).collect();
        Step::Select { title: self.title(), rows }
    }

    /// Takes the reply to [`next`](Self::next). A row that was not offered cancels the form. After the end
    /// replies change nothing.
    pub fn answer(&mut self, reply: Reply) {
        if self.end.is_some() {
            return;
        }
        self.reason = None;
        match (self.typing, reply) {
            (_, Reply::Cancelled) => match self.dismissal() {
                Dismissal::Skip => self.skip(),
                Dismissal::Back => self.typing = false,
                Dismissal::Cancel => self.end = Some(Response::Cancel),
            },
            (false, Reply::Value(text)) if self.card() => self.ticked(&[text]),
            (false, Reply::Ticked(texts)) if self.card() => self.ticked(&texts),
            (_, Reply::Ticked(_)) => self.end = Some(Response::Cancel),
            (false, Reply::Value(text)) => {
                let offered = rows::of(&self.entered, self.at);
                match offered.into_iter().find(|(_, row)| *row == text) {
                    Some((row, _)) => self.picked(row),
                    None => self.end = Some(Response::Cancel),
                }
            }
            (true, Reply::Value(text)) => self.typed(&text),
        }
    }

    /// What dismissing the dialog that is shown now does.
    #[must_use]
    pub fn dismissal(&self) -> Dismissal {
        if self.typing && !self.is_typed() && (self.enforced() || self.card()) {
            Dismissal::Back
        } else if self.enforced() {
            Dismissal::Cancel
        } else {
            Dismissal::Skip
        }
    }

    /// The daemon refused the response: asks the first question that does not fit, else the last one, again.
    pub fn refused(&mut self, why: &str) {
        self.end = None;
        self.at = self.entered.first_gap().map_or(self.entered.len().saturating_sub(1), |(at, _)| at);
        self.arrive();
        self.reason = Some(words::flat(why));
    }

    fn enforced(&self) -> bool {
        self.entered.form().rules.enforced
    }

    fn is_typed(&self) -> bool {
        self.entered.question(self.at).is_typed()
    }

    /// Whether several rows of the question can be ticked: on a card, else only where the answer is enforced,
    /// as the ask contract takes one row or typed text for a multiple choice.
    fn ticks(&self) -> bool {
        self.card() || rows::ticks(&self.entered, self.at)
    }

    fn card(&self) -> bool {
        self.cards && self.entered.kind(self.at) == QuestionType::Multi && !self.is_typed()
    }

    /// Takes a whole card. Newly ticked options come after those that were ticked before.
    fn ticked(&mut self, texts: &[String]) {
        let offered = rows::card(&self.entered, self.at);
        let place = |text: &String| offered.iter().find(|row| row.text == *text).map(|row| row.row);
        let Some(picked) = texts.iter().map(place).collect::<Option<Vec<Row>>>() else {
            self.end = Some(Response::Cancel);
            return;
        };
        let options = &self.entered.question(self.at).options;
        let value = |row: &Row| match row {
            Row::Choice(index) => options.get(*index).map(|option| option.value.clone()),
            Row::Other | Row::Skip | Row::Done => None,
        };
        let values: Vec<String> = picked.iter().filter_map(value).collect();
        let answer = self.entered.answer_mut(self.at);
        answer.values.retain(|value| values.contains(value));
        for value in values {
            answer.select(QuestionType::Multi, &value);
        }
        let own = picked.contains(&Row::Other);
        let counted = answer.custom.as_ref().is_some_and(|custom| custom.selected);
        if counted && !own {
            answer.toggle_custom();
        }
        if own && !counted {
            match self.over_max() {
                Some(gap) => self.because(gap),
                None => self.typing = true,
            }
        } else {
            self.confirm();
        }
    }

    /// Goes on when what is ticked fits.
    fn confirm(&mut self) {
        match self.entered.gap(self.at) {
            Some(gap) => self.because(gap),
            None => self.advance(),
        }
    }

    fn picked(&mut self, row: Row) {
        match row {
            Row::Choice(index) => {
                let value = self.entered.question(self.at).options[index].value.clone();
                if self.ticks() { self.tick(&value) } else { self.choose(&value) }
            }
            Row::Other => {
                let counted = self.entered.answer(self.at).custom.as_ref().is_some_and(|c| c.selected);
                match self.over_max() {
                    Some(gap) if self.ticks() && !counted => self.because(gap),
                    _ => self.typing = true,
                }
            }
            Row::Skip => self.skip(),
            Row::Done => self.confirm(),
        }
    }

    fn choose(&mut self, value: &str) {
        let answer = self.entered.answer_mut(self.at);
        answer.values = vec![value.to_owned()];
        answer.custom = None;
        self.advance();
    }

    fn tick(&mut self, value: &str) {
        let ticked = self.entered.answer(self.at).values.iter().any(|v| v == value);
        match self.over_max() {
            Some(gap) if !ticked => self.because(gap),
            _ => self.entered.answer_mut(self.at).toggle(QuestionType::Multi, value),
        }
    }

    /// The limit that one selection more would break.
    fn over_max(&self) -> Option<Gap> {
        let more = self.entered.answer(self.at).count() + 1;
        self.entered.gap_with(self.at, more).filter(|gap| matches!(gap, Gap::TooMany { .. }))
    }

    fn typed(&mut self, text: &str) {
        let limit = Limits::default().text_bytes;
        if text.len() > limit {
            self.reason = Some(format!("the text has {} bytes, the limit is {limit}", text.len()));
            return;
        }
        let blank = text.trim().is_empty();
        if self.ticks() {
            self.entered.answer_mut(self.at).set_custom(QuestionType::Multi, text);
            self.typing = false;
            if self.card() && !blank {
                self.confirm();
            }
        } else if !blank {
            // One dialog a question: typed text stands alone, on a multiple choice too.
            let answer = self.entered.answer_mut(self.at);
            answer.values.clear();
            answer.set_custom(QuestionType::Single, text);
            self.advance();
        } else if !self.enforced() {
            self.skip();
        } else if !self.is_typed() {
            self.typing = false;
        } else if self.entered.question(self.at).required {
            self.because(Gap::Missing);
        } else {
            self.skip();
        }
    }

    /// Leaves the question unanswered; notes of an earlier draft stay.
    fn skip(&mut self) {
        let answer = self.entered.answer_mut(self.at);
        answer.values.clear();
        answer.custom = None;
        self.advance();
    }

    fn because(&mut self, gap: Gap) {
        self.reason = Some(gap.to_string());
    }

    fn advance(&mut self) {
        self.at += 1;
        if self.at < self.entered.len() {
            self.arrive();
        } else {
            self.at = self.entered.len() - 1;
            self.finish();
        }
    }

    /// Opens the question's first dialog. What the agent preselected is ticked on a card, as the person
    /// confirms the card.
    fn arrive(&mut self) {
        self.reason = None;
        self.typing = self.is_typed();
        if self.ticks() {
            for value in self.entered.preselected(self.at) {
                if self.over_max().is_none() {
                    self.entered.answer_mut(self.at).select(QuestionType::Multi, &value);
                }
            }
        }
    }

    fn finish(&mut self) {
        match self.entered.first_gap() {
            Some((at, gap)) => {
                self.at = at;
                self.arrive();
                self.because(gap);
            }
            None => self.end = Some(self.entered.response(ResponseMode::Submit)),
        }
    }

    fn title(&self) -> String {
        let (form, question) = (self.entered.form(), self.entered.question(self.at));
        let mut title = format!("[{}/{}] ", self.at + 1, self.entered.len());
        if let Some(text) = form.title.as_deref().map(words::flat).filter(|text| !text.is_empty()) {
            title.push_str(&text);
            title.push_str(" — ");
        }
        title.push_str(&words::question_label(question));
        title.push_str(": ");
        title.push_str(&words::flat(&question.prompt));
        let mut add = |part: &str| {
            title.push_str(" — ");
            title.push_str(part);
        };
        if let Some(header) = question.header.as_deref().map(words::flat).filter(|text| !text.is_empty()) {
            add(&header);
        }
        if let Some(limits) = rows::limits(question).filter(|_| self.ticks()) {
            add(&limits);
        }
        let own = self.typing && !self.is_typed();
        if own {
            add(&rows::own_label(&self.entered, self.at));
        }
        if let Some(now) = words::entered_text(question, self.entered.answer(self.at))
            && (own || !self.ticks())
        {
            add(&format!("now: {now}"));
        }
        if let Some(reason) = &self.reason {
            add(reason);
        }
        title
    }
}
