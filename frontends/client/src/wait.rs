//! Waiting for an answer: people take hours, so this has no end of its own.

use std::time::Duration;

use askd_form::{Outcome, ToolResult};
use askd_wire::ErrorKind;
use askd_wire::form::{ResolvedBy, WaitParams, WaitResult};
use askd_wire::method::FormWait;
use tokio::time::Instant;

use crate::client::Client;
use crate::error::CallError;

/// The longest one call may wait (protocol §3).
const ONE_CALL: Duration = Duration::from_secs(240);
/// How much longer its reply may take.
const REPLY: Duration = Duration::from_secs(30);
/// After a refusal that passes.
const BREATH: Duration = Duration::from_secs(1);

/// The end of a form, as its owner gets it.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// What became of it.
    pub outcome: Outcome,
    /// By whom.
    pub resolved_by: ResolvedBy,
    /// For the agent.
    pub tool_result: ToolResult,
}

impl Client {
    /// Waits until the form is resolved. Lost connections and restarts of the daemon only interrupt it: it
    /// attaches again, as the form's owner too.
    ///
    /// # Errors
    /// [`CallError`] when waiting is pointless: there is no such form, or this client may not wait for it.
    pub async fn wait(&self, form_id: &str) -> Result<Resolved, CallError> {
        loop {
            if let Some(resolved) = self.wait_once(form_id, ONE_CALL).await? {
                return Ok(resolved);
            }
        }
    }

    /// As [`wait`](Self::wait), for at most this long; none when the form is still open then.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    pub async fn wait_for(&self, form_id: &str, at_most: Duration) -> Result<Option<Resolved>, CallError> {
        let end = Instant::now() + at_most;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let once = self.wait_once(form_id, left.min(ONE_CALL));
            // A daemon that is away does not make the wait longer.
            let Ok(result) = tokio::time::timeout(left.max(BREATH), once).await else { return Ok(None) };
            match result? {
                Some(resolved) => return Ok(Some(resolved)),
                None if Instant::now() >= end => return Ok(None),
                None => {}
            }
        }
    }

    async fn wait_once(&self, form_id: &str, at_most: Duration) -> Result<Option<Resolved>, CallError> {
        self.connected().await;
        let timeout_ms = u64::try_from(at_most.as_millis()).unwrap_or(u64::MAX);
        let params = WaitParams { form_id: form_id.to_owned(), timeout_ms: Some(timeout_ms) };
        match self.call_within::<FormWait>(params, at_most + REPLY).await {
            Ok(WaitResult::Open) => Ok(None),
            Ok(WaitResult::Resolved { outcome, resolved_by, tool_result }) => {
                Ok(Some(Resolved { outcome, resolved_by, tool_result }))
            }
            Err(error) if error.is_connection() => Ok(None),
            Err(error) if error.kind() == Some(ErrorKind::Overloaded) => {
                tokio::time::sleep(BREATH).await;
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}
