//! What is kept of a form: the record that lists need, the body that only a form's reader needs, its end.

use std::sync::{Arc, Weak};

use askd_form::{Contract, Form, Mode, Outcome, PresentedTypes};
use askd_wire::Millis;
use askd_wire::form::{Delivery, Origin, Requires, ResolvedBy, Source};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::StoreError;

/// What never decides anything inside a transaction, kept as one JSON text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Meta {
    /// What brought the form about.
    pub source: Source,
    /// The tool call it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// Who asks, without `context`.
    pub origin: Origin,
    /// Who has to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<Requires>,
    /// Never notifies.
    #[serde(default)]
    pub quiet: bool,
    /// The form's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// How many questions it has.
    pub question_count: u32,
    /// The first prompt as one harmless line.
    pub first_prompt: String,
    /// Handed by a host to its own frontend.
    pub view_key: String,
}

/// A form without its questions.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The form's id.
    pub id: Arc<str>,
    /// The event that first started it; forms are ordered by it.
    pub start_seq: u64,
    /// The durable event that changed it last.
    pub seq: u64,
    /// Its contract.
    pub contract: Contract,
    /// Whether the agent waits.
    pub mode: Mode,
    /// When it was asked.
    pub created_at: Millis,
    /// When it expires.
    pub expires_at: Option<Millis>,
    /// What it counts against the limit of all open forms.
    pub bytes: u64,
    /// The rest.
    pub meta: Meta,
}

/// A normalized form as the text it is kept as, which is the smallest there is: ten thousand forms that
/// nobody looks at are neither parsed nor held parsed. Whoever wants a form parsed again soon holds it.
#[derive(Debug, Clone)]
pub struct FormText {
    text: Arc<str>,
    parsed: Weak<Form>,
}

impl FormText {
    /// A form that was parsed just now, and its text.
    #[must_use]
    pub fn parsed(form: &Arc<Form>, text: Arc<str>) -> Self {
        Self { text, parsed: Arc::downgrade(form) }
    }

    /// As kept.
    #[must_use]
    pub fn kept(text: Arc<str>) -> Self {
        Self { text, parsed: Weak::new() }
    }

    /// The form while somebody still holds it parsed.
    #[must_use]
    pub fn held(&self) -> Option<Arc<Form>> {
        self.parsed.upgrade()
    }

    /// The form.
    ///
    /// # Errors
    /// [`StoreError`] when the kept text is no form, which means that the database was damaged.
    pub fn form(&self) -> Result<Arc<Form>, StoreError> {
        if let Some(form) = self.held() {
            return Ok(form);
        }
        let form = serde_json::from_str::<Form>(&self.text)
            .map_err(|error| StoreError(format!("a kept form cannot be read: {error}")))?;
        Ok(Arc::new(form))
    }
}

/// The large part of a form.
#[derive(Debug, Clone)]
pub struct Body {
    /// Normalized.
    pub form: FormText,
    /// What the agent said just before.
    pub context: Option<Arc<str>>,
}

/// How a form ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// What became of it.
    pub outcome: Outcome,
    /// By whom.
    pub resolved_by: ResolvedBy,
    /// Live type changes it was answered with.
    pub presented: PresentedTypes,
    /// When.
    pub at: Millis,
}

/// The submission that was accepted, where it had an id.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Its id, unique within the form and the way it came.
    pub id: String,
    /// Whether it came by the remote contract.
    pub remote: bool,
    /// The response as sent.
    pub response: Value,
}

/// What was entered but not sent.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptDraft {
    /// Grows by one with each change.
    pub revision: u64,
    /// A wire `Draft`, as text.
    pub json: Arc<str>,
    /// The connection it came from.
    pub by: String,
    /// When.
    pub at: Millis,
}

/// A draft as far as lists know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DraftMark {
    /// Its revision.
    pub revision: u64,
    /// When it changed last.
    pub at: Millis,
}

/// An open form as the registry loads it.
#[derive(Debug, Clone)]
pub struct OpenForm {
    /// The record.
    pub record: Arc<Record>,
    /// The body.
    pub body: Body,
    /// Whether a connection has ever waited for it.
    pub owned: bool,
    /// Its draft.
    pub draft: Option<DraftMark>,
}

/// A form as the database holds it.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The record.
    pub record: Arc<Record>,
    /// The body; only its context is missing where a list did not ask for bodies.
    pub body: Option<Body>,
    /// How far its result has come.
    pub delivery: Delivery,
    /// Its end, if it has one.
    pub ending: Option<Arc<Ending>>,
    /// The accepted submission.
    pub request: Option<Request>,
    /// The draft's mark.
    pub draft: Option<DraftMark>,
}
