//! What the daemon's events mean for one form screen.

use askd_client::{Change, Client, Connection, LiveMirror};
use askd_wire::form::FormRef;
use askd_wire::method::{FormGet, NotificationDone};
use askd_wire::notification::{AttemptStatus, DoneParams};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;

use super::{News, calls};
use crate::ring::Ring;

pub(super) async fn run(client: Client, form_id: String, tell: UnboundedSender<News>) {
    let mut live = match client.mirror().await {
        Ok(live) => live,
        Err(error) => {
            let _ = tell.send(News::Failed(error.to_string()));
            return;
        }
    };
    let mut told = false;
    let _ = tell.send(others(&live, &form_id));
    loop {
        let change = match live.changed().await {
            Ok(change) => change,
            Err(error) => {
                let _ = tell.send(News::Connection { lost: Some(error.to_string()) });
                return;
            }
        };
        let own = client.server().map(|server| server.connection_id.clone());
        let news = match change {
            Change::Completed { form_id: ended, outcome, resolved_by } if ended == form_id => {
                Some(News::Completed { outcome, by: resolved_by })
            }
            Change::Drafted { form_id: drafted, connection_id, .. } if drafted == form_id => {
                (own.as_deref() != Some(connection_id.as_str())).then_some(News::OtherDraft)
            }
            Change::Settings { settings, .. } => Some(News::Settings(settings)),
            Change::Notify { channel, title, message, token, .. } => {
                let (ring, rung) = Ring::new(channel, title, message);
                // Beside the other calls: a draft that is tried again must not make the answer late.
                tokio::spawn(told_of(client.clone(), token, rung));
                Some(News::Ring(ring))
            }
            Change::Connection(Connection::Reconnecting { why, .. }) => {
                let first = !std::mem::replace(&mut told, true);
                first.then(|| News::Connection { lost: Some(why.unwrap_or_default()) })
            }
            Change::Connection(Connection::Connected { .. }) => {
                told = false;
                let _ = tell.send(News::Connection { lost: None });
                Some(News::Reattached)
            }
            Change::Reset if !live.forms().contains_key(&form_id) => missed(&client, &form_id).await,
            Change::Reset | Change::Updated { .. } | Change::Started { .. } | Change::Completed { .. } => {
                Some(others(&live, &form_id))
            }
            _ => None,
        };
        if let Some(news) = news
            && tell.send(news).is_err()
        {
            return;
        }
    }
}

/// Tells the daemon what came of a ring; one that nobody took up was not rung.
async fn told_of(client: Client, token: String, rung: oneshot::Receiver<Result<(), String>>) {
    let result = rung.await.unwrap_or_else(|_| Err("the frontend closed".to_owned()));
    let (status, error) = match result {
        Ok(()) => (AttemptStatus::Attempted, None),
        Err(why) => (AttemptStatus::Failed, Some(why)),
    };
    // A daemon that cannot be told has given the ring up.
    let _ = client.call::<NotificationDone>(DoneParams { token, status, error }).await;
}

fn others(live: &LiveMirror, form_id: &str) -> News {
    let viewers = live.forms().get(form_id).map(|form| form.viewers.clone()).unwrap_or_default();
    let waiting = live.forms().keys().filter(|id| *id != form_id).count();
    News::Others { viewers, waiting }
}

/// The form ended while nobody listened.
async fn missed(client: &Client, form_id: &str) -> Option<News> {
    let snapshot = client.call::<FormGet>(FormRef { form_id: form_id.to_owned() }).await.ok()?;
    calls::ended(&snapshot.summary)
}
