//! Checks a response against a form: an outcome, or a path and a reason.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::derive_schema;
use crate::form::Form;
use crate::outcome::{AnswerData, Outcome, PresentedTypes};

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

impl Response {
    /// Reads a response from JSON, telling apart a fault in its kind from one inside an answer. Unknown
    /// fields (`labels`, `indices`) are ignored: they are recomputed, never read.
    ///
    /// # Errors
    /// [`ResponseFault`] with the path of the first fault.
    pub fn parse(value: &Value) -> Result<Self, ResponseFault> {
        let _ = value;
        Err(ResponseFault::Kind("not yet".to_owned()))
    }
}

/// Checks a response against a form as it is presented and gives the outcome it means.
/// `presented` holds live type changes; a change the contract does not allow is a fault.
///
/// # Errors
/// [`AnswerFault`] with the path of the first fault; the form is unaffected.
pub fn check(form: &Form, response: &Response, presented: &PresentedTypes) -> Result<Outcome, AnswerFault> {
    let _ = (form, response, presented);
    Err(AnswerFault { path: String::new(), message: "not yet".to_owned() })
}
