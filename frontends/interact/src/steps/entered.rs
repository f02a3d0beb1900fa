//! What was entered for a form so far, and what is still missing before it may be sent.

use std::fmt;

use askd_form::{
    Answer, AnswerData, CustomText, Form, PresentedTypes, Question, QuestionType, Response, ResponseMode,
};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

/// A form and everything entered for it. Questions are named by their place, from 0; asking for a place
/// that the form does not have is the caller's fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    form: Form,
    answers: Vec<Answer>,
    presented: PresentedTypes,
}

/// Why a question cannot be sent as it stands (questionnaire, "Parameters": `required`, `min`, `max`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// An answer is required.
    Missing,
    /// Fewer selections than `min`.
    TooFew {
        /// The limit.
        min: usize,
        /// What is there.
        count: usize,
    },
    /// More selections than `max`.
    TooMany {
        /// The limit.
        max: usize,
        /// What is there.
        count: usize,
    },
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("an answer is required"),
            Self::TooFew { min, count } => write!(f, "at least {min} have to be picked, {count} so far"),
            Self::TooMany { max, count } => write!(f, "at most {max} can be picked, these would be {count}"),
        }
    }
}

impl Entered {
    /// Nothing entered yet. Preselected options are not entered: they count once the person takes them.
    #[must_use]
    pub fn new(form: Form) -> Self {
        let answers = vec![Answer::default(); form.questions.len()];
        Self { form, answers, presented: PresentedTypes::new() }
    }

    /// Takes up a draft in place of what is there: answers, live type changes, and from the draft's view the
    /// typed text that is not part of an answer. What does not fit the form is left out.
    pub fn restore(
        &mut self,
        answers: &IndexMap<String, AnswerData>,
        presented: &PresentedTypes,
        view: Option<&Value>,
    ) {
        self.presented = presented
            .iter()
            .filter(|(id, kind)| self.form.question(id).is_some_and(|q| self.allows(q, **kind)))
            .map(|(id, kind)| (id.clone(), *kind))
            .collect();
        for at in 0..self.answers.len() {
            let data = answers.get(&self.form.questions[at].id);
            self.answers[at] = data.map(|data| self.fitting(at, data)).unwrap_or_default();
            if self.answers[at].custom.is_none()
                && self.takes_text(at)
                && let Some(text) = view.and_then(|view| unselected(view, &self.question(at).id))
            {
                self.answers[at].custom = Some(CustomText { text: text.to_owned(), selected: false });
            }
        }
    }

    /// The part of a draft's view that other frontends can use: where the person is (no question at the
    /// review) and the typed texts that are no part of an answer.
    #[must_use]
    pub fn view(&self, at: Option<usize>) -> Value {
        let texts = self.form.questions.iter().zip(&self.answers).filter_map(|(question, answer)| {
            let custom = answer.custom.as_ref().filter(|custom| !custom.selected)?;
            Some((question.id.clone(), Value::String(custom.text.clone())))
        });
        let texts: Map<String, Value> = texts.collect();
        let question = at.map(|at| self.question(at).id.clone());
        json!({ "question": question, "review": at.is_none(), "unselected": texts })
    }

    /// Whether typed text can answer a question.
    #[must_use]
    pub fn takes_text(&self, at: usize) -> bool {
        let question = self.question(at);
        question.custom.is_some() || question.is_typed()
    }

    fn allows(&self, question: &Question, kind: QuestionType) -> bool {
        kind != question.kind && self.form.rules.type_change && question.can_become(kind)
    }

    /// The part of a draft's answer that the question can hold.
    fn fitting(&self, at: usize, data: &AnswerData) -> Answer {
        let (question, kind) = (self.question(at), self.kind(at));
        let offered =
            |value: &str| question.option(value).is_some_and(|option| option.freeform != Some(true));
        let mut answer = Answer::default();
        for value in data.values.iter().filter(|value| offered(value)) {
            answer.select(kind, value);
        }
        if let Some(text) = data.custom_text.as_ref().filter(|_| self.takes_text(at)) {
            answer.set_custom(kind, text);
        }
        if self.form.rules.notes {
            answer.set_note(data.note.as_deref().unwrap_or_default());
            for (value, note) in data.option_notes.iter().filter(|(value, _)| offered(value)) {
                answer.set_option_note(value, note);
            }
        }
        answer
    }

    /// The form.
    #[must_use]
    pub fn form(&self) -> &Form {
        &self.form
    }

    /// How many questions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether the form has no question, which no valid form has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// A question.
    #[must_use]
    pub fn question(&self, at: usize) -> &Question {
        &self.form.questions[at]
    }

    /// The type a question is presented as now.
    #[must_use]
    pub fn kind(&self, at: usize) -> QuestionType {
        let question = self.question(at);
        self.presented.get(&question.id).copied().unwrap_or(question.kind)
    }

    /// What was entered for a question.
    #[must_use]
    pub fn answer(&self, at: usize) -> &Answer {
        &self.answers[at]
    }

    /// The same, to change it.
    pub fn answer_mut(&mut self, at: usize) -> &mut Answer {
        &mut self.answers[at]
    }

    /// Values the agent preselected, while nothing is entered for the question.
    #[must_use]
    pub fn preselected(&self, at: usize) -> Vec<String> {
        if !self.answer(at).is_empty() {
            return Vec::new();
        }
        let marked = self.question(at).options.iter().filter(|option| option.selected == Some(true));
        marked.map(|option| option.value.clone()).collect()
    }

    /// Presents a question as another type; the answer is cut down to what that type can hold. Types the
    /// form does not allow change nothing.
    pub fn present_as(&mut self, at: usize, kind: QuestionType) {
        let question = self.question(at);
        if !self.form.rules.type_change || !question.can_become(kind) {
            return;
        }
        let id = question.id.clone();
        if kind == question.kind {
            self.presented.shift_remove(&id);
        } else {
            self.presented.insert(id, kind);
        }
        if kind.holds_one() {
            self.answers[at].restrict_to_one();
        }
    }

    /// Live type changes.
    #[must_use]
    pub fn presented(&self) -> &PresentedTypes {
        &self.presented
    }

    /// What keeps a question from being sent, if anything. Forms that do not enforce have no gaps.
    #[must_use]
    pub fn gap(&self, at: usize) -> Option<Gap> {
        self.gap_with(at, self.answer(at).count())
    }

    /// The same, if this many were selected.
    #[must_use]
    pub fn gap_with(&self, at: usize, count: usize) -> Option<Gap> {
        if !self.form.rules.enforced {
            return None;
        }
        let question = self.question(at);
        if count == 0 {
            return question.required.then(|| match limit(question.min) {
                Some(min) if min > 1 => Gap::TooFew { min, count },
                _ => Gap::Missing,
            });
        }
        if let Some(min) = limit(question.min).filter(|min| count < *min) {
            return Some(Gap::TooFew { min, count });
        }
        limit(question.max).filter(|max| count > *max).map(|max| Gap::TooMany { max, count })
    }

    /// The first question that cannot be sent as it stands.
    #[must_use]
    pub fn first_gap(&self) -> Option<(usize, Gap)> {
        (0..self.len()).find_map(|at| self.gap(at).map(|gap| (at, gap)))
    }

    /// Whether anything was entered that leaving would lose.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.answers.iter().any(|answer| !answer.is_empty())
    }

    /// Whether every question has an answer.
    #[must_use]
    pub fn all_answered(&self) -> bool {
        self.answers.iter().all(Answer::is_answered)
    }

    /// Whether any note was written.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.answers.iter().any(Answer::has_notes)
    }

    /// The answers as a response or a draft carries them, by question id.
    #[must_use]
    pub fn answers(&self) -> IndexMap<String, AnswerData> {
        let entries = self.form.questions.iter().zip(&self.answers).filter_map(|(question, answer)| {
            let data = data_of(answer);
            (!data.is_empty()).then(|| (question.id.clone(), data))
        });
        entries.collect()
    }

    /// The response that sends what is entered.
    #[must_use]
    pub fn response(&self, mode: ResponseMode) -> Response {
        Response::Answer { mode, answers: self.answers() }
    }
}

/// Text kept without being selected, or still in an open editor, as a draft's view tells it.
fn unselected<'a>(view: &'a Value, id: &str) -> Option<&'a str> {
    let kept = view.get("unselected").and_then(|texts| texts.get(id)).and_then(Value::as_str);
    let editor = view.get("editor").filter(|editor| {
        view["question"].as_str() == Some(id) && editor["target"].as_str() == Some("answer")
    });
    let text = kept.or_else(|| editor.and_then(|editor| editor["text"].as_str()));
    text.filter(|text| !text.trim().is_empty())
}

fn limit(limit: Option<u32>) -> Option<usize> {
    limit.and_then(|limit| usize::try_from(limit).ok())
}

/// Typed text that is kept but not selected is no part of an answer.
fn data_of(answer: &Answer) -> AnswerData {
    let selected = |custom: &CustomText| custom.selected.then(|| custom.text.clone());
    AnswerData {
        values: answer.values.clone(),
        custom_text: answer.custom.as_ref().and_then(selected),
        note: answer.note.clone(),
        option_notes: answer.option_notes.clone(),
    }
}
