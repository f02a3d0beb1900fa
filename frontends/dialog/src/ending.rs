//! How answering a form ended, where this program is the one that shows it.

use askd_form::{OutcomeKind, Reason};
use askd_wire::form::Resolution;

use crate::session::Ended;

/// How answering a form ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// The answers were sent and accepted.
    Submitted(Box<Resolution>),
    /// The form was sent back for elaboration.
    Elaborated(Box<Resolution>),
    /// The person cancelled.
    Cancelled(Box<Resolution>),
    /// Somebody else was first, or the asking side gave up.
    Elsewhere(Box<Resolution>),
    /// Nobody answered in time.
    Expired(Box<Resolution>),
}

impl Ending {
    /// How the form ended, by whomever.
    #[must_use]
    pub fn resolution(&self) -> &Resolution {
        match self {
            Self::Submitted(r)
            | Self::Elaborated(r)
            | Self::Cancelled(r)
            | Self::Elsewhere(r)
            | Self::Expired(r) => r,
        }
    }

    /// What was sent from here was accepted.
    pub(crate) fn accepted(resolution: Box<Resolution>) -> Self {
        match resolution.outcome.kind {
            OutcomeKind::Submitted => Self::Submitted(resolution),
            OutcomeKind::Elaborated => Self::Elaborated(resolution),
            OutcomeKind::Cancelled => Self::Cancelled(resolution),
        }
    }
}

impl From<Ended> for Ending {
    fn from(ended: Ended) -> Self {
        let expired = ended.outcome.reason == Some(Reason::Expired);
        let resolution = Box::new(Resolution { outcome: ended.outcome, resolved_by: ended.by });
        if expired { Self::Expired(resolution) } else { Self::Elsewhere(resolution) }
    }
}
