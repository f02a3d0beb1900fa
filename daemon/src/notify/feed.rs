//! The notifier's place in the stream of events: it is told what every subscriber is told, and no more.

use std::collections::HashSet;
use std::sync::Arc;

use askd_wire::Millis;
use askd_wire::event::SubscribeParams;
use serde::Deserialize;
use tokio::sync::mpsc;

use super::policy::Policy;
use super::{Inner, peer};
use crate::events::Subscription;

/// The kinds that decide when to notify, beside the ones that come always.
const KINDS: [&str; 3] = ["started", "viewing", "completed"];

/// The parts of an event that matter here; the rest, which may be large, is passed over unread.
#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Heard {
    Snapshot {
        last: bool,
        forms: Vec<Form>,
    },
    Started {
        form: Form,
    },
    Viewing {
        form_id: String,
        viewer: Viewer,
    },
    Completed {
        form_id: String,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Form {
    form_id: String,
    created_at: Millis,
    viewers: Vec<Viewer>,
}

#[derive(Debug, Deserialize)]
struct Viewer {
    kind: String,
}

/// Reads the stream until the daemon goes, and passes forms on when their turn has come.
pub(super) async fn follow(inner: Arc<Inner>, due: mpsc::UnboundedSender<Vec<Arc<str>>>) {
    let params =
        SubscribeParams { kinds: Some(KINDS.map(str::to_owned).to_vec()), ..SubscribeParams::default() };
    let mut stream = match inner.registry.subscribe(&peer::notifier(None), params).await {
        Ok(stream) => stream,
        Err(error) => return tracing::error!(%error, "notifications are off: the events cannot be read"),
    };
    let mut policy = Policy::default();
    let mut open = HashSet::new();
    while let Some(heard) = next(&inner, &mut stream, &policy).await {
        let now = inner.clock.steady();
        match heard {
            Some(Heard::Snapshot { last, forms }) => {
                for form in forms {
                    open.insert(Arc::from(form.form_id.as_str()));
                    opened(&inner, &mut policy, &form, now);
                }
                if last {
                    let open = std::mem::take(&mut open);
                    policy.retain(|form_id| open.contains(form_id));
                    inner.only_open(open);
                }
            }
            Some(Heard::Started { form }) => opened(&inner, &mut policy, &form, now),
            Some(Heard::Viewing { form_id, viewer }) => policy.viewed(&form_id, &viewer.kind, now),
            Some(Heard::Completed { form_id }) => {
                policy.closed(&form_id);
                inner.ended(&form_id);
            }
            Some(Heard::Other) | None => {}
        }
        let forms = policy.take_due(now);
        if !forms.is_empty() && due.send(forms).is_err() {
            return;
        }
    }
}

/// The next event, or nothing when a turn has come; none at the stream's end.
async fn next(inner: &Inner, stream: &mut Subscription, policy: &Policy) -> Option<Option<Heard>> {
    let turn = async {
        match policy.next_due() {
            Some(due) => inner.clock.sleep_until(due).await,
            None => std::future::pending().await,
        }
    };
    tokio::select! {
        // Events first: a form that was just answered or shown is not told of by the clock.
        biased;
        event = stream.next() => {
            let event = event?;
            match serde_json::from_str(event.get()) {
                Ok(heard) => Some(Some(heard)),
                Err(error) => {
                    tracing::error!(line = error.line(), "an event could not be read for notifications");
                    Some(None)
                }
            }
        }
        () = turn => Some(None),
    }
}

fn opened(inner: &Inner, policy: &mut Policy, form: &Form, now: Millis) {
    let age = inner.clock.wall().saturating_sub(form.created_at);
    policy.opened(&form.form_id, age, now);
    for viewer in &form.viewers {
        policy.viewed(&form.form_id, &viewer.kind, now);
    }
}
