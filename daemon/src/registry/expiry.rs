//! Ending forms whose time is over. An expiry never approves anything, and waits for somebody who types.

use std::sync::{Arc, Weak};

use askd_form::{Outcome, PresentedTypes, Reason, tool_result};
use askd_wire::Millis;

use super::Inner;
use super::faults;
use crate::store::{Command, Ending, Refusal, Resolve};

/// After a failure of the store, the next try.
const RETRY: Millis = 5_000;

pub(super) fn start(inner: &Arc<Inner>) {
    let registry = Arc::downgrade(inner);
    tokio::spawn(async move { while turn(&registry).await {} });
}

/// Ends what is due and sleeps until something may be. Gives false at the registry's end.
async fn turn(registry: &Weak<Inner>) -> bool {
    let Some(inner) = registry.upgrade() else { return false };
    let clock = inner.clock.clone();
    let now = clock.steady();
    let (due, mut next) = {
        let state = inner.state();
        if state.closing {
            return false;
        }
        state.due(now)
    };
    for form_id in due {
        if let Err(refusal) = inner.expire(&form_id).await {
            tracing::error!(%refusal, form = %form_id, "an expired form could not be ended");
            next = Some(next.map_or(now + RETRY, |next| next.min(now + RETRY)));
        }
    }
    let timers = inner.timers.clone();
    // The registry must be able to end while its timers sleep.
    drop(inner);
    match next {
        Some(at) => tokio::select! { () = clock.sleep_until(at) => {}, () = timers.notified() => {} },
        None => timers.notified().await,
    }
    true
}

impl Inner {
    async fn expire(&self, form_id: &Arc<str>) -> Result<(), Refusal> {
        let Some(open) = self.open_view(form_id) else { return Ok(()) };
        let form = open.body.form.form()?;
        let outcome = Outcome::cancelled(Reason::Expired);
        let presented = PresentedTypes::new();
        let result = Arc::new(tool_result(&form, &outcome, &presented));
        let ending =
            Arc::new(Ending { outcome, resolved_by: faults::daemon(), presented, at: self.clock.wall() });
        let resolve = Resolve {
            form_id: form_id.clone(),
            ending,
            result,
            request: None,
            keep_draft: true,
            if_draft: Some(open.draft_revision),
        };
        match self.store.apply(Command::Resolve(Box::new(resolve))).await {
            // Somebody typed or answered in between; the next turn sees it.
            Err(Refusal::Failed(why)) => Err(Refusal::Failed(why)),
            _ => Ok(()),
        }
    }
}
