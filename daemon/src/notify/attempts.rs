//! What came of a channel's turn: each is bounded in time, and a failure goes into the record and no further.

use std::future::Future;
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

/// Records a channel's turn.
pub(super) fn record(channel: ChannelKind, result: Result<(), Fault>) -> Attempt {
    let channel_name = channel.name();
    let (status, error) = match result {
        Ok(()) => {
            tracing::debug!(channel = channel_name, "notification handed over");
            (AttemptStatus::Attempted, None)
        }
        Err(Fault::Nobody(why)) => {
            tracing::info!(channel = channel_name, %why, "notification skipped");
            (AttemptStatus::Skipped, Some(why))
        }
        Err(Fault::Failed(why)) => {
            tracing::warn!(channel = channel_name, %why, "notification failed");
            (AttemptStatus::Failed, Some(why))
        }
    };
    Attempt { channel, status, error }
}
