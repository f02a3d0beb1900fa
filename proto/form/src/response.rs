//! Checks a response against a form: an outcome, or a path and a reason.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::Limits;
use crate::derive_schema;
use crate::form::Form;
use crate::outcome::{AnswerData, Outcome, OutcomeKind, PresentedTypes, Reason};

mod read;
mod rules;

derive_schema! {
    /// How an answered form is meant.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ResponseMode {
        /// Done.
        #[default]
        Submit,
        /// Clarify first.
        Elaborate,
    }
}

derive_schema! {
    /// What a frontend or bridge sends (protocol.md §3).
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(tag = "kind", rename_all = "lowercase")]
    pub enum Response {
        /// Answers by question id; questions left out are unanswered.
        Answer {
            /// `submit` when left out.
            #[serde(default)]
            #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
            mode: ResponseMode,
            /// By question id.
            answers: IndexMap<String, AnswerData>,
        },
        /// The person dismisses the form.
        Cancel,
    }
}

/// Why a value is no response.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResponseFault {
    /// Not an object, or an unknown `kind`: the remote contract's `invalid_request`.
    #[error("{0}")]
    Kind(String),
    /// Anything inside an answer or its mode: `invalid_answer`.
    #[error(transparent)]
    Answer(#[from] AnswerFault),
}

/// What is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {message}")]
pub struct AnswerFault {
    /// Like `answers.db.values[1]`.
    pub path: String,
    /// What was expected.
    pub message: String,
}

impl AnswerFault {
    fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl Response {
    /// Reads a response from JSON, telling apart a fault in its kind from one inside an answer. Unknown
    /// fields (`labels`, `indices`) are ignored: they are recomputed, never read.
    ///
    /// # Errors
    /// [`ResponseFault`] with the path of the first fault.
    pub fn parse(value: &Value) -> Result<Self, ResponseFault> {
        read::response(value)
    }
}

/// Checks a response against a form as it is presented and gives the outcome it means, with the default
/// limit on the size of a text. `presented` holds live type changes; a change the contract does not allow is
/// a fault.
///
/// # Errors
/// [`AnswerFault`] with the path of the first fault; the form is unaffected.
pub fn check(form: &Form, response: &Response, presented: &PresentedTypes) -> Result<Outcome, AnswerFault> {
    check_within(form, response, presented, Limits::default().text_bytes)
}

/// As [`check`], with the most bytes that a typed text or a note may have.
///
/// # Errors
/// [`AnswerFault`] with the path of the first fault; the form is unaffected.
pub fn check_within(
    form: &Form,
    response: &Response,
    presented: &PresentedTypes,
    text_bytes: usize,
) -> Result<Outcome, AnswerFault> {
    check_presented(form, presented)?;
    let Response::Answer { mode, answers } = response else {
        return Ok(Outcome::cancelled(Reason::Dismissed));
    };
    if *mode == ResponseMode::Elaborate && !form.rules.elaborate {
        let message = "this form cannot be sent back for elaboration; submit or cancel it";
        return Err(AnswerFault::new("mode", message));
    }
    let answers = rules::normalized(form, answers, presented, text_bytes)?;
    let kind = match mode {
        ResponseMode::Submit => OutcomeKind::Submitted,
        ResponseMode::Elaborate => OutcomeKind::Elaborated,
    };
    Ok(Outcome { kind, reason: None, answers: Some(answers) })
}

/// Checks live type changes alone, as a cancelled form carries them too.
///
/// # Errors
/// [`AnswerFault`] at `presentedTypes.<question id>`.
pub fn check_presented(form: &Form, presented: &PresentedTypes) -> Result<(), AnswerFault> {
    for (id, kind) in presented {
        let path = || format!("presentedTypes.{id}");
        let Some(question) = form.question(id) else {
            return Err(AnswerFault::new(path(), "no question of the form has this id"));
        };
        let allowed =
            if form.rules.type_change { question.can_become(*kind) } else { *kind == question.kind };
        if !allowed {
            let message =
                format!("a {} question cannot be presented as {}", question.kind.name(), kind.name());
            return Err(AnswerFault::new(path(), message));
        }
    }
    Ok(())
}
