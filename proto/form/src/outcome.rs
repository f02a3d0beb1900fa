//! What a form came to, and what an agent gets for it.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::derive_schema;
use crate::form::QuestionType;

/// Live type changes by question id: only the questions presented as something else than `Question::kind`.
pub type PresentedTypes = IndexMap<String, QuestionType>;

derive_schema! {
    /// One question's answer as a response carries it and an outcome keeps it (protocol.md §3).
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct AnswerData {
        /// Selected option values in the person's order, typed text not among them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub values: Vec<String>,
        /// Typed text, byte for byte.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub custom_text: Option<String>,
        /// Note on the question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub note: Option<String>,
        /// Notes on options by value, selected or not.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        pub option_notes: IndexMap<String, String>,
    }
}

impl AnswerData {
    /// Whether an option is selected or text was typed. A note alone is no answer.
    #[must_use]
    pub fn is_answered(&self) -> bool {
        !self.values.is_empty() || self.custom_text.is_some()
    }

    /// Whether any note is there, on the question or on an option, selected or not.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        self.note.is_some() || !self.option_notes.is_empty()
    }

    /// Whether nothing at all was entered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.is_answered() && !self.has_notes()
    }
}

derive_schema! {
    /// What became of a form.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum OutcomeKind {
        /// Answered.
        Submitted,
        /// Sent back for clarification, with what was answered.
        Elaborated,
        /// Not answered; never an approval.
        Cancelled,
    }
}

derive_schema! {
    /// Why a form was cancelled (protocol.md §3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Reason {
        /// The person said no to the form.
        Dismissed,
        /// The agent gave the call up.
        Aborted,
        /// Another form took its place.
        Superseded,
        /// The conversation went away.
        SessionClosed,
        /// Nobody answered in time.
        Expired,
    }
}

derive_schema! {
    /// The end of a form (protocol.md §3).
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Outcome {
        /// What became of it.
        pub kind: OutcomeKind,
        /// Why, only when cancelled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub reason: Option<Reason>,
        /// The normalized response in question order, all notes kept; none when cancelled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub answers: Option<IndexMap<String, AnswerData>>,
    }
}

impl Outcome {
    /// A cancelled outcome, which never carries answers.
    #[must_use]
    pub fn cancelled(reason: Reason) -> Self {
        Self { kind: OutcomeKind::Cancelled, reason: Some(reason), answers: None }
    }
}

derive_schema! {
    /// One piece of what a tool call returns; text is the only kind.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Content {
        /// Always `text`.
        #[serde(rename = "type")]
        pub kind: String,
        /// The text for the agent.
        pub text: String,
    }
}

derive_schema! {
    /// What an agent's tool call returns (protocol.md §3).
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ToolResult {
        /// For the agent.
        pub content: Vec<Content>,
        /// For the person, a line each.
        pub transcript: Vec<String>,
        /// The ask contract's `details`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub details: Option<Value>,
        /// The questionnaire's `structuredContent`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub structured_content: Option<Value>,
    }
}

impl ToolResult {
    /// The text an agent reads.
    #[must_use]
    pub fn text(&self) -> &str {
        self.content.first().map_or("", |c| c.text.as_str())
    }
}

derive_schema! {
    /// One fault in a payload: where, and what to do about it.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Issue {
        /// Like `questions[0].options[2].value`.
        pub path: String,
        /// What was expected and how to mend it.
        pub message: String,
    }
}
