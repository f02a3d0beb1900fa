//! Clearing out what need not be kept: soon after the start, every now and then, and when much has ended.

use std::sync::{Arc, Weak};

use askd_wire::Millis;

use super::Inner;
use crate::store::{Command, DAY, Refusal, Retain};

/// Events kept whatever their age (protocol §4).
const EVENTS: u64 = 10_000;
/// The first clearing out leaves the start alone.
const FIRST: Millis = 30_000;
const EVERY: Millis = 10 * 60_000;
/// Ends of forms after which it does not wait for the clock.
const ENDS: u32 = 500;

pub(super) fn start(inner: &Arc<Inner>) {
    let registry = Arc::downgrade(inner);
    let first = inner.clock.steady() + FIRST;
    tokio::spawn(async move {
        let mut at = first;
        while pause(&registry, at).await {
            let Some(inner) = registry.upgrade() else { return };
            inner.clear_out().await;
            at = inner.clock.steady() + EVERY;
        }
    });
}

/// Sleeps until it is time. Gives false at the registry's end.
async fn pause(registry: &Weak<Inner>, at: Millis) -> bool {
    let Some(inner) = registry.upgrade() else { return false };
    let (upkeep, mut sleep) = (inner.upkeep.clone(), inner.clock.sleep_until(at));
    // The registry must be able to end while this sleeps.
    drop(inner);
    for _ in 0..ENDS {
        tokio::select! {
            () = &mut sleep => break,
            () = upkeep.notified() => {}
        }
        if registry.upgrade().is_none_or(|inner| inner.state().closing) {
            return false;
        }
    }
    registry.upgrade().is_some_and(|inner| !inner.state().closing)
}

impl Inner {
    /// Clears out piece by piece; other commands get in between.
    pub(super) async fn clear_out(&self) {
        let kept = self.settings().retention;
        loop {
            let retain = Retain {
                now: self.clock.wall(),
                forms: kept.resolved_forms.into(),
                form_age: Millis::from(kept.days).saturating_mul(DAY),
                events: EVENTS,
                event_age: DAY,
                draft_age: DAY,
            };
            match self.store.apply(Command::Retain(retain)).await {
                Ok(_) => {}
                Err(Refusal::DoneBefore) => return,
                Err(refusal) => {
                    tracing::warn!(%refusal, "old forms could not be cleared out");
                    return;
                }
            }
        }
    }
}
