//! What the exit status says (protocol §10).

use std::process::ExitCode;

use askd_form::{Outcome, OutcomeKind, Reason};

/// How the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Submitted, or done.
    Done,
    /// Anything else that went wrong.
    Failed,
    /// The command line makes no sense.
    Usage,
    /// The form was cancelled.
    Cancelled,
    /// The form was sent back for clarification.
    Elaborated,
    /// The form expired, or the time ran out while it was open.
    Expired,
    /// The payload or the answer is not valid.
    Invalid,
    /// The daemon cannot be reached.
    Unreachable,
    /// Answered, but not as expected.
    Otherwise,
}

impl Exit {
    /// The number the caller sees.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failed => 1,
            Self::Usage => 2,
            Self::Cancelled => 3,
            Self::Elaborated => 4,
            Self::Expired => 5,
            Self::Invalid => 6,
            Self::Unreachable => 7,
            Self::Otherwise => 10,
        }
    }

    /// What a form's end means.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match (outcome.kind, outcome.reason) {
            (OutcomeKind::Submitted, _) => Self::Done,
            (OutcomeKind::Elaborated, _) => Self::Elaborated,
            (OutcomeKind::Cancelled, Some(Reason::Expired)) => Self::Expired,
            (OutcomeKind::Cancelled, _) => Self::Cancelled,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_of_a_form_has_its_status() {
        let ended = |kind, reason| Exit::of(&Outcome { kind, reason, answers: None }).code();
        assert_eq!(ended(OutcomeKind::Submitted, None), 0);
        assert_eq!(ended(OutcomeKind::Elaborated, None), 4);
        assert_eq!(ended(OutcomeKind::Cancelled, Some(Reason::Expired)), 5);
        for reason in [Reason::Dismissed, Reason::Aborted, Reason::Superseded, Reason::SessionClosed] {
            assert_eq!(ended(OutcomeKind::Cancelled, Some(reason)), 3);
        }
    }
}
