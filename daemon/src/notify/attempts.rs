//! What came of a channel's turn: each is bounded in time, and a failure goes into the record and no further.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use askd_wire::notification::{Attempt, AttemptStatus, ChannelKind};

/// How long a channel may take.
pub(super) const LIMIT: Duration = Duration::from_secs(2);

/// Why a channel's turn came to nothing. The sentence holds no question text: it is logged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// There was nothing to hand it to.
    #[error("{0}")]
    Nobody(String),
    /// It could not be handed over.
    #[error("{0}")]
    Failed(String),
}

impl Fault {
    pub(super) fn failed(why: impl Into<String>) -> Self {
        Self::Failed(why.into())
    }

    pub(super) fn nobody(why: impl Into<String>) -> Self {
        Self::Nobody(why.into())
    }
}

/// Waits for a channel no longer than `limit`; `late` says what did not happen by then.
pub(super) async fn bounded<T>(
    limit: Duration,
    late: &str,
    turn: impl Future<Output = Result<T, Fault>>,
) -> Result<T, Fault> {
    match tokio::time::timeout(limit, turn).await {
        Ok(result) => result,
        Err(_) => Err(Fault::failed(format!("{late} within {} seconds", limit.as_secs()))),
    }
}

/// What came of the channels so far. A fault is logged when it is new: a machine without a desktop would
/// otherwise fill its log with the same line.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    last: Mutex<HashMap<&'static str, String>>,
}

impl Attempts {
    /// Records a channel's turn.
    pub(super) fn record(&self, channel: ChannelKind, result: Result<(), Fault>) -> Attempt {
        let (status, error) = match result {
            Ok(()) => (AttemptStatus::Attempted, None),
            Err(Fault::Nobody(why)) => (AttemptStatus::Skipped, Some(why)),
            Err(Fault::Failed(why)) => (AttemptStatus::Failed, Some(why)),
        };
        let channel_name = channel.name();
        let new = self.is_new(channel_name, error.as_deref());
        match (status, error.as_deref()) {
            (AttemptStatus::Failed, Some(why)) if new => {
                tracing::warn!(channel = channel_name, why, "notification failed");
            }
            (AttemptStatus::Skipped, Some(why)) if new => {
                tracing::info!(channel = channel_name, why, "notification skipped");
            }
            (_, why) => tracing::debug!(channel = channel_name, why, ?status, "notification"),
        }
        Attempt { channel, status, error }
    }

    /// Whether the channel said something else the last time.
    fn is_new(&self, channel: &'static str, why: Option<&str>) -> bool {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match why {
            Some(why) => last.insert(channel, why.to_owned()),
            None => last.remove(channel),
        };
        before.as_deref() != why
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_new_once_until_it_is_gone() {
        let attempts = Attempts::default();
        assert!(attempts.is_new("desktop", Some("no bus")));
        assert!(!attempts.is_new("desktop", Some("no bus")));
        assert!(attempts.is_new("bell", Some("no bus")));
        assert!(attempts.is_new("desktop", Some("silent")));
        assert!(attempts.is_new("desktop", None));
        assert!(attempts.is_new("desktop", Some("silent")));
    }

    #[tokio::test(start_paused = true)]
    async fn a_turn_ends_at_its_limit() {
        let result = bounded::<()>(LIMIT, "it did not answer", std::future::pending()).await;
        assert_eq!(result, Err(Fault::failed("it did not answer within 2 seconds")));
    }
}
