//! The calls of one screen, one after the other, so that a draft never overtakes an answer.

use askd_client::{CallError, Client};
use askd_form::{Outcome, OutcomeKind};
use askd_wire::form::{CancelParams, Draft, DraftParams, FormRef, FormState, ResolvedBy, ViewParams};
use askd_wire::method::{FormCancel, FormDraft, FormGet, FormView, SettingsGet};
use askd_wire::{Empty, ErrorKind, RpcError};
use serde::Deserialize;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::{Call, News, settings};

/// How often a draft is sent again when others keep theirs at the same time.
const TRIES: usize = 5;

struct Caller {
    client: Client,
    form_id: String,
    focused: Option<bool>,
    key: Option<String>,
    revision: u64,
    tell: UnboundedSender<News>,
}

pub(super) async fn run(
    client: Client,
    form_id: String,
    focused: Option<bool>,
    mut todo: UnboundedReceiver<Call>,
    tell: UnboundedSender<News>,
) {
    let mut caller = Caller { client, form_id, focused, key: None, revision: 0, tell };
    if let Some(news) = caller.open().await {
        caller.say(news);
    }
    while let Some(call) = todo.recv().await {
        let news = caller.make(call).await;
        if let Some(news) = news {
            caller.say(news);
        }
        caller.say(News::Done);
    }
}

impl Caller {
    fn say(&self, news: News) {
        // Nobody listens any more only when the screen is gone.
        let _ = self.tell.send(news);
    }

    async fn open(&mut self) -> Option<News> {
        let view = self.client.call::<FormView>(self.view_params());
        let settings = self.client.call::<SettingsGet>(Empty {});
        let (view, settings) = tokio::join!(view, settings);
        let opened = view.and_then(|snapshot| settings.map(|state| (snapshot, state.settings)));
        let (snapshot, settings) = match opened {
            Ok(opened) => opened,
            Err(error) => return Some(self.ended_or(&error, News::Failed)),
        };
        if let Some(ended) = ended(&snapshot.summary) {
            return Some(ended);
        }
        self.revision = snapshot.draft_revision;
        Some(News::Opened(Box::new(snapshot), Box::new(settings)))
    }

    fn view_params(&self) -> ViewParams {
        ViewParams { form_id: self.form_id.clone(), focused: self.focused, view_key: self.key.clone() }
    }

    async fn make(&mut self, call: Call) -> Option<News> {
        match call {
            Call::View { focused, key } => {
                self.focused = focused.or(self.focused);
                self.key = key.or(self.key.take());
                // A view that fails is said again with the next connection; nothing is lost by it.
                let snapshot = self.client.call::<FormView>(self.view_params()).await.ok()?;
                ended(&snapshot.summary)
            }
            Call::Reread => {
                let params = FormRef { form_id: self.form_id.clone() };
                let snapshot = self.client.call::<FormGet>(params).await.ok()?;
                if let Some(ended) = ended(&snapshot.summary) {
                    return Some(ended);
                }
                self.revision = snapshot.draft_revision;
                Some(News::Reread(Box::new(snapshot)))
            }
            Call::Settings(call) => Some(settings::ask(&self.client, call).await),
            Call::Keep(draft) => Some(self.keep(*draft).await),
            Call::Submit(response, presented) => {
                match self.client.submit(&self.form_id, &response, presented).await {
                    Ok(done) => Some(News::Ended {
                        outcome: done.outcome,
                        by: Box::new(done.resolved_by),
                        ours: true,
                    }),
                    Err(error) => Some(self.ended_or(&error, News::Refused)),
                }
            }
            Call::Cancel(reason, presented) => {
                let presented_types = (!presented.is_empty()).then_some(presented);
                let params = CancelParams { form_id: self.form_id.clone(), reason, presented_types };
                match self.client.call::<FormCancel>(params).await {
                    Ok(done) => Some(News::Ended {
                        outcome: done.outcome,
                        by: Box::new(done.resolved_by),
                        ours: true,
                    }),
                    Err(error) => Some(self.ended_or(&error, News::Refused)),
                }
            }
        }
    }

    /// Keeps a draft. Where another frontend kept one meanwhile, the person typing here wins (protocol §3).
    async fn keep(&mut self, draft: Draft) -> News {
        for _ in 0..TRIES {
            let params =
                DraftParams { form_id: self.form_id.clone(), revision: self.revision, draft: draft.clone() };
            match self.client.call::<FormDraft>(params).await {
                Ok(kept) => {
                    self.revision = kept.revision;
                    return News::Kept;
                }
                Err(CallError::Rpc(error)) if error.kind == ErrorKind::Conflict => {
                    match error.data.get("revision").and_then(serde_json::Value::as_u64) {
                        Some(revision) => self.revision = revision,
                        None => return News::NotKept(error.message),
                    }
                }
                Err(error) if error.is_connection() => return News::NotKept(String::new()),
                Err(error) => return self.ended_or(&error, News::NotKept),
            }
        }
        News::NotKept(String::new())
    }

    fn ended_or(&self, error: &CallError, otherwise: impl Fn(String) -> News) -> News {
        match error {
            CallError::Rpc(rpc) if rpc.kind == ErrorKind::AlreadyResolved => {
                outcome_in(rpc).unwrap_or_else(|| otherwise(error.to_string()))
            }
            _ => otherwise(error.to_string()),
        }
    }
}

/// The end of a form that is over already.
pub(super) fn ended(summary: &askd_wire::form::FormSummary) -> Option<News> {
    if summary.state == FormState::Open {
        return None;
    }
    let nothing = Outcome { kind: OutcomeKind::Cancelled, reason: None, answers: None };
    let outcome = summary.outcome.clone().unwrap_or(nothing);
    let by = Box::new(summary.resolved_by.clone().unwrap_or_default());
    Some(News::Ended { outcome, by, ours: false })
}

fn outcome_in(error: &RpcError) -> Option<News> {
    let outcome = Outcome::deserialize(error.data.get("outcome")?).ok()?;
    let by = ResolvedBy::deserialize(error.data.get("resolvedBy")?).unwrap_or_default();
    Some(News::Ended { outcome, by: Box::new(by), ours: false })
}
