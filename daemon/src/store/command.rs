//! What can be asked of a store and what comes of it: commands, committed facts, refusals.

use std::sync::Arc;

use askd_form::{Form, ToolResult};
use askd_wire::Millis;
use askd_wire::settings::Settings;
use serde_json::Value;
use serde_json::value::RawValue;

use super::record::{Body, Ending, Record, Request};

/// A change that is made whole or not at all.
#[derive(Debug)]
pub enum Command {
    /// Keeps a new form, or finds the one under the same key.
    Create(Box<Create>),
    /// Ends an open form.
    Resolve(Box<Resolve>),
    /// Marks a result as delivered.
    Acknowledge {
        /// The form.
        form_id: Arc<str>,
        /// Now.
        at: Millis,
    },
    /// Keeps a draft that follows a revision.
    SaveDraft {
        /// The form.
        form_id: Arc<str>,
        /// The revision it follows; 0 for the first.
        revision: u64,
        /// A wire `Draft`, as text.
        json: Arc<str>,
        /// The connection it comes from.
        by: String,
        /// Now.
        at: Millis,
    },
    /// Writes down that settings changed.
    SettingsChanged {
        /// Dotted keys.
        changed: Vec<String>,
        /// All of them.
        settings: Box<Settings>,
        /// Now.
        at: Millis,
    },
    /// Takes the right to notify about a form; refused when it was taken before.
    MarkNotified {
        /// The form.
        form_id: Arc<str>,
    },
    /// Remembers that a connection has waited for the form. Costs no write of its own: it is kept with the
    /// next command that does write, or when the store has been idle for a moment.
    MarkOwned {
        /// The form.
        form_id: Arc<str>,
    },
    /// Removes a finished form and what was said in it. A pending result is settled by that.
    Forget {
        /// The form.
        form_id: Arc<str>,
        /// Now.
        at: Millis,
    },
    /// Removes what need not be kept any longer, a bounded piece at a time.
    Retain(Retain),
    /// Does nothing, after everything before it is on disk and everything other handles committed is told.
    Flush,
}

/// A form to be kept.
#[derive(Debug)]
pub struct Create {
    /// Its record; both event numbers are set by the store.
    pub record: Record,
    /// Normalized.
    pub form: Arc<Form>,
    /// The same as text.
    pub form_json: Arc<str>,
    /// What the agent said just before.
    pub context: Option<Arc<str>>,
    /// Under which a repeated call finds it.
    pub key: Option<String>,
    /// The payload as sent, to be compared under a live key.
    pub params: Value,
    /// Whether a live form is taken up again: its source becomes the record's, and it is started anew.
    pub resume: bool,
    /// How much may be open.
    pub limits: OpenLimits,
}

/// How much may be open (protocol §1).
#[derive(Debug, Clone, Copy)]
pub struct OpenLimits {
    /// Forms.
    pub forms: u64,
    /// Forms of one session.
    pub session: u64,
    /// Bytes of all together.
    pub bytes: u64,
}

/// An end for an open form.
#[derive(Debug)]
pub struct Resolve {
    /// The form.
    pub form_id: Arc<str>,
    /// The end.
    pub ending: Arc<Ending>,
    /// What the agent gets.
    pub result: Arc<ToolResult>,
    /// The submission, where it had an id.
    pub request: Option<Request>,
    /// Whether what was entered stays for a while.
    pub keep_draft: bool,
    /// Only while the draft has this revision: an expiry must not overtake somebody typing.
    pub if_draft: Option<u64>,
}

/// How much is kept (protocol §3, §4; settings `retention`).
#[derive(Debug, Clone, Copy)]
pub struct Retain {
    /// Now.
    pub now: Millis,
    /// Finished forms.
    pub forms: u64,
    /// Milliseconds a finished form is kept.
    pub form_age: Millis,
    /// Events at least.
    pub events: u64,
    /// Milliseconds an event is kept at least.
    pub event_age: Millis,
    /// Milliseconds the draft of a finished form is kept.
    pub draft_age: Millis,
}

/// A durable event as it is stored and sent.
#[derive(Debug, Clone)]
pub struct Logged {
    /// Its number.
    pub seq: u64,
    /// Its kind's wire name.
    pub kind: &'static str,
    /// The form it is about.
    pub form_id: Option<Arc<str>>,
    /// The whole event.
    pub json: Arc<RawValue>,
}

/// Something that is on disk now.
#[derive(Debug, Clone)]
pub struct Committed {
    /// The form it is about; empty for settings.
    pub form_id: Arc<str>,
    /// What happened.
    pub fact: Fact,
    /// The event that tells it; a draft has none.
    pub event: Option<Logged>,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A form was asked, or taken up again.
    Started {
        /// Its record.
        record: Arc<Record>,
        /// Its body.
        body: Body,
    },
    /// A form ended.
    Completed {
        /// How.
        ending: Arc<Ending>,
        /// What the agent gets; none when another handle ended it.
        result: Option<Arc<ToolResult>>,
    },
    /// A remote submission was accepted.
    SubmitAccepted,
    /// A result was delivered.
    Acknowledged,
    /// Settings changed.
    SettingsChanged {
        /// Their revision.
        revision: u64,
    },
    /// A draft was kept.
    DraftKept {
        /// Its revision.
        revision: u64,
        /// The connection it came from.
        by: String,
        /// When.
        at: Millis,
    },
}

/// Which limit was met; the names are those of the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Open forms.
    OpenForms,
    /// Open forms of a session.
    OpenFormsPerSession,
    /// Bytes of all open forms.
    OpenFormBytes,
}

impl Limit {
    /// The setting's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenForms => "openForms",
            Self::OpenFormsPerSession => "openFormsPerSession",
            Self::OpenFormBytes => "openFormBytes",
        }
    }
}

/// Why a command changed nothing.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    /// A live form stands under the key.
    #[error("a live form has the same key")]
    KeyLive {
        /// Which.
        form_id: Arc<str>,
        /// Whether contract and parameters are equal.
        same_payload: bool,
    },
    /// The session has an open background questionnaire.
    #[error("the session has an open background questionnaire")]
    BackgroundOpen {
        /// Which.
        form_id: Arc<str>,
    },
    /// A limit would be passed.
    #[error("a limit is reached: {}", .0.name())]
    LimitReached(Limit),
    /// No such form.
    #[error("there is no such form")]
    UnknownForm,
    /// Ended before.
    #[error("the form was resolved before")]
    AlreadyResolved {
        /// How.
        ending: Arc<Ending>,
    },
    /// The same submission was accepted before.
    #[error("the submission was accepted before")]
    RequestReplayed {
        /// What it came to.
        ending: Arc<Ending>,
    },
    /// Another response was accepted under the same request id.
    #[error("another response was accepted under this request id")]
    RequestConflict,
    /// The draft has moved on.
    #[error("the draft has moved on")]
    StaleDraft {
        /// Its revision.
        revision: u64,
        /// Its text; none when there is no draft.
        json: Option<Arc<str>>,
        /// The connection it came from.
        by: Option<String>,
    },
    /// Still open, so there is nothing to deliver.
    #[error("the form is still open")]
    StillOpen,
    /// Done before; nothing left to do.
    #[error("it was done before")]
    DoneBefore,
    /// The database failed; nothing was kept.
    #[error("{0}")]
    Failed(String),
}
