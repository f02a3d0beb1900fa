//! Why a screen closes, and what is said then.

use askd_form::{Outcome, OutcomeKind, Reason};
use askd_wire::form::{Resolution, ResolvedBy};

use super::Driver;
use crate::app::ended_line;
use crate::attach::Call;

/// Why a screen closed (protocol §9, `closed`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasons {
    /// Sent.
    Submitted,
    /// Sent back for clarification.
    Elaborated,
    /// Dismissed by the person here.
    Cancelled,
    /// Ended by someone else.
    Elsewhere,
    /// Nobody answered in time.
    Expired,
    /// The asking side took it back.
    Aborted,
    /// Closed, the form stays open.
    Minimised,
    /// The settings were closed.
    Done,
    /// It could not go on.
    Failed,
}

impl Reasons {
    /// The word on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Elaborated => "elaborated",
            Self::Cancelled => "cancelled",
            Self::Elsewhere => "elsewhere",
            Self::Expired => "expired",
            Self::Aborted => "aborted",
            Self::Minimised => "minimised",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// How a screen ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// Why.
    pub reason: Reasons,
    /// A line for the person.
    pub message: Option<String>,
    /// The form's end, when it has ended.
    pub resolution: Option<Resolution>,
    /// The signal that told the program to stop, which is to end it now.
    pub signal: Option<i32>,
}

impl Driver {
    pub(super) fn ended(&mut self, outcome: &Outcome, by: &ResolvedBy, ours: bool) {
        let line = self.app.as_ref().map(|app| ended_line(app.work().form(), outcome, by));
        let reason = match (outcome.kind, outcome.reason) {
            (OutcomeKind::Cancelled, Some(Reason::Expired)) => Reasons::Expired,
            (OutcomeKind::Cancelled, Some(Reason::Aborted | Reason::Superseded | Reason::SessionClosed)) => {
                Reasons::Aborted
            }
            _ if !ours => Reasons::Elsewhere,
            (OutcomeKind::Submitted, _) => Reasons::Submitted,
            (OutcomeKind::Elaborated, _) => Reasons::Elaborated,
            (OutcomeKind::Cancelled, _) => Reasons::Cancelled,
        };
        let resolution = Resolution { outcome: outcome.clone(), resolved_by: by.clone() };
        self.closed.get_or_insert(Closed {
            reason,
            message: line,
            resolution: Some(resolution),
            signal: None,
        });
    }

    pub(super) fn ended_alone(&mut self, reason: Reasons) {
        self.closed.get_or_insert(Closed { reason, message: None, resolution: None, signal: None });
    }

    pub(super) fn close(&mut self, reason: Reasons, message: String) {
        self.closed.get_or_insert(Closed { reason, message: Some(message), resolution: None, signal: None });
    }

    pub(crate) fn abort(&mut self) {
        if self.alone.is_some() {
            return self.ended_alone(Reasons::Aborted);
        }
        let presented = self.app.as_ref().map(|app| app.work().presented()).unwrap_or_default();
        self.draft_due = None;
        self.call(Call::Cancel(Reason::Aborted, presented));
    }
}
