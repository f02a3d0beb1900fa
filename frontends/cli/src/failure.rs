//! What a command gives up with: a text for the person and an exit status for the script.

use std::io::Write;

use askd_client::{CallError, ConnectError};
use askd_form::{Issue, safe_text};
use askd_wire::ErrorKind;
use askd_wire::form::Resolution;
use askd_wire::place::PlaceError;

use crate::exit::Exit;
use crate::view::who;

/// Why a command did not do what it was asked for.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// There is no place to look for the daemon.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The daemon cannot be reached.
    #[error(transparent)]
    Connect(#[from] ConnectError),
    /// A call was refused or lost.
    #[error("{}", call_text(.0))]
    Call(#[from] CallError),
    /// The command line makes no sense beyond what its grammar can tell.
    #[error("{0}")]
    Usage(String),
    /// A payload or an answer that cannot be taken.
    #[error("{0}")]
    Invalid(String),
    /// Anything else.
    #[error("{0}")]
    Other(String),
    /// Whoever read the output has seen enough.
    #[error("")]
    OutputClosed,
}

impl Failure {
    /// The status it ends the program with.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Place(_) | Self::Connect(_) => Exit::Unreachable,
            Self::Call(error) if error.is_connection() => Exit::Unreachable,
            Self::Call(error) => match error.kind() {
                Some(ErrorKind::InvalidInput | ErrorKind::InvalidAnswer) => Exit::Invalid,
                Some(ErrorKind::ShuttingDown) => Exit::Unreachable,
                None if matches!(error, CallError::TooLarge { .. }) => Exit::Invalid,
                _ => Exit::Failed,
            },
            Self::Usage(_) => Exit::Usage,
            Self::Invalid(_) => Exit::Invalid,
            Self::Other(_) => Exit::Failed,
            Self::OutputClosed => Exit::Done,
        }
    }

    /// Tells the person, on stderr.
    pub(crate) fn report(&self) {
        let text = self.to_string();
        if !text.is_empty() {
            // When stderr is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "ask: {}", safe_text::block(&text));
        }
    }
}

/// The daemon's words, with what its data adds for a person.
fn call_text(error: &CallError) -> String {
    let CallError::Rpc(rpc) = error else { return error.to_string() };
    let mut text = rpc.message.clone();
    let data = rpc.to_data();
    match rpc.kind {
        ErrorKind::InvalidInput => {
            let issues = data.get("issues").cloned().unwrap_or_default();
            let issues = serde_json::from_value::<Vec<Issue>>(issues).unwrap_or_default();
            if !issues.is_empty() {
                text = "The form was not asked, as it is not valid. Mend this and ask again:".to_owned();
            }
            for issue in issues {
                text.push_str(&format!("\n- {}: {}", issue.path, issue.message));
            }
        }
        ErrorKind::InvalidAnswer => {
            if let Some(path) = data.get("path").and_then(|p| p.as_str())
                && !text.contains(path)
            {
                text.push_str(&format!(" (at {path})"));
            }
        }
        ErrorKind::AlreadyResolved => {
            if let Ok(resolution) = serde_json::from_value::<Resolution>(data) {
                let outcome = who::outcome(&resolution.outcome);
                let by = who::resolved_by(&resolution.resolved_by);
                return format!(
                    "The form was {outcome} before, by {by}; nothing was changed. See it with `ask show`."
                );
            }
        }
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use askd_wire::RpcError;
    use serde_json::json;

    use super::*;

    fn rpc(kind: ErrorKind) -> Failure {
        CallError::Rpc(RpcError::new(kind, "No.")).into()
    }

    #[test]
    fn each_failure_has_its_status() {
        let lost = CallError::Disconnected { method: "form/create".to_owned() };
        assert_eq!(Failure::from(lost).exit().code(), 7);
        assert_eq!(rpc(ErrorKind::InvalidInput).exit().code(), 6);
        assert_eq!(rpc(ErrorKind::InvalidAnswer).exit().code(), 6);
        assert_eq!(rpc(ErrorKind::AlreadyResolved).exit().code(), 1);
        assert_eq!(rpc(ErrorKind::UnknownForm).exit().code(), 1);
        assert_eq!(rpc(ErrorKind::ShuttingDown).exit().code(), 7);
        assert_eq!(Failure::Usage(String::new()).exit().code(), 2);
        assert_eq!(Failure::OutputClosed.exit().code(), 0);
        let running = ConnectError::NotRunning { socket: "/s".into() };
        assert_eq!(Failure::from(running).exit().code(), 7);
    }

    #[test]
    fn issues_are_listed() {
        let error = RpcError::new(ErrorKind::InvalidInput, "1 fault, in data.")
            .with("issues", json!([{ "path": "questions[0].id", "message": "give an id" }]));
        let text = Failure::from(CallError::Rpc(error)).to_string();
        assert_eq!(
            text,
            "The form was not asked, as it is not valid. Mend this and ask again:\n- questions[0].id: give an id"
        );
    }
}
