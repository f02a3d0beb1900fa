//! A form shown on a connection that may come and go: viewing, drafts, what others do to it, sending.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use askd_client::{CallError, Client, Connection, ConnectionWatch, EventStream, Resume};
use askd_form::{Outcome, PresentedTypes, Reason, Response};
use askd_interact::steps::Entered;
use askd_wire::event::{Event, EventBody, SubscribeParams};
use askd_wire::form::{
    CancelParams, Draft, DraftParams, DraftResult, FormRef, FormSnapshot, FormState, FormSummary, Resolution,
    ResolvedBy, ViewParams,
};
use askd_wire::method::{FormCancel, FormDraft, FormGet, FormView};
use askd_wire::settings::Settings;
use askd_wire::{ErrorKind, Millis};

type Pending<T> = Option<Pin<Box<dyn Future<Output = Result<T, CallError>> + Send>>>;

/// How long a draft that is on its way is waited for when the frontend has to go.
const LAST_DRAFT: Duration = Duration::from_secs(1);

/// The end of a form that somebody else brought about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ended {
    pub(crate) outcome: Outcome,
    pub(crate) by: ResolvedBy,
    pub(crate) at: Millis,
}

/// What happened to the form or the connection.
#[derive(Debug)]
pub(crate) enum News {
    Ended(Box<Ended>),
    /// Another frontend entered something, and nothing here waits to be kept.
    Drafted(Box<Draft>),
    Settings(Box<Settings>),
    Lost,
    Back,
}

/// What became of a response.
#[derive(Debug)]
pub(crate) enum Sent {
    Accepted(Box<Resolution>),
    /// Somebody was first.
    Late(Box<Ended>),
    /// Not taken; the form is as it was.
    Refused(CallError),
}

pub(crate) struct Session {
    client: Client,
    form_id: String,
    view_key: Option<String>,
    events: EventStream,
    connection: ConnectionWatch,
    lost: bool,
    revision: u64,
    /// Entered here and not yet kept by the daemon.
    unkept: Option<Draft>,
    keeping: Pending<DraftResult>,
    /// The draft on its way.
    sent: Option<Draft>,
    viewing: Pending<FormSnapshot>,
    fetching: Pending<FormSnapshot>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("form_id", &self.form_id).field("revision", &self.revision).finish()
    }
}

impl Session {
    /// Shows the form on this client's connection.
    pub(crate) async fn open(client: &Client, form_id: &str) -> Result<(Self, FormSnapshot), CallError> {
        Self::open_with_key(client, form_id, None).await
    }

    /// The same where the host's key is known already.
    pub(crate) async fn open_with_key(
        client: &Client,
        form_id: &str,
        view_key: Option<String>,
    ) -> Result<(Self, FormSnapshot), CallError> {
        let connection = client.watch_connection();
        // Together: the person waits for both, and neither needs the other's answer unless the id was cut.
        let (shown, events) = tokio::join!(
            client.call::<FormView>(view_of(form_id, view_key.clone())),
            client.subscribe(events_of(form_id), Resume::Snapshot),
        );
        let shown = shown?;
        let whole = shown.summary.form_id.clone();
        let events = if whole == form_id {
            events?
        } else {
            client.subscribe(events_of(&whole), Resume::Snapshot).await?
        };
        let form_id = whole;
        let session = Self {
            client: client.clone(),
            form_id,
            view_key,
            events,
            connection,
            lost: false,
            revision: shown.draft_revision,
            unkept: None,
            keeping: None,
            sent: None,
            viewing: None,
            fetching: None,
        };
        Ok((session, shown))
    }

    /// Takes the host's key, which says that a person sees the form.
    pub(crate) fn set_view_key(&mut self, key: String) {
        self.view_key = Some(key);
        self.view();
    }

    /// Waits until the daemon knows of the viewing that was asked for last, so that an answer counts as the
    /// viewer's. Ends at once when there is none on its way.
    pub(crate) async fn viewed(&mut self) {
        if self.viewing.is_some() {
            // A failure shows again in the call that follows.
            let _ = finished(&mut self.viewing).await;
        }
    }

    fn view(&mut self) {
        let client = self.client.clone();
        let params = view_of(&self.form_id, self.view_key.clone());
        self.viewing = Some(Box::pin(async move { client.call::<FormView>(params).await }));
    }

    /// Has what was entered kept by the daemon; the latest wins, and nothing waits for it.
    pub(crate) fn keep(&mut self, draft: Draft) {
        self.unkept = Some(draft);
        self.start_keeping();
    }

    fn start_keeping(&mut self) {
        if self.keeping.is_some() || self.lost {
            return;
        }
        let Some(draft) = self.unkept.take() else { return };
        self.sent = Some(draft.clone());
        let client = self.client.clone();
        let params = DraftParams { form_id: self.form_id.clone(), revision: self.revision, draft };
        self.keeping = Some(Box::pin(async move { client.call::<FormDraft>(params).await }));
    }

    /// Gives a draft on its way a moment to arrive.
    pub(crate) async fn leave(&mut self) {
        let last = async {
            while self.keeping.is_some() {
                let kept = finished(&mut self.keeping).await;
                self.on_kept(kept);
            }
        };
        let _ = tokio::time::timeout(LAST_DRAFT, last).await;
    }

    /// Waits for the next thing that concerns the person. Safe to cancel.
    pub(crate) async fn news(&mut self) -> Result<News, CallError> {
        loop {
            let news = tokio::select! {
                connection = self.connection.changed() => self.on_connection(&connection),
                event = self.events.next() => self.on_event(event?),
                shown = finished(&mut self.viewing) => self.on_shown(shown)?,
                got = finished(&mut self.fetching) => self.on_fetched(got)?,
                kept = finished(&mut self.keeping) => { self.on_kept(kept); None }
            };
            if let Some(news) = news {
                return Ok(news);
            }
        }
    }

    fn on_connection(&mut self, connection: &Connection) -> Option<News> {
        match connection {
            Connection::Reconnecting { .. } if self.lost => None,
            Connection::Reconnecting { .. } => {
                self.lost = true;
                Some(News::Lost)
            }
            // Viewing ended with the connection before.
            Connection::Connected { .. } => {
                let was_lost = std::mem::take(&mut self.lost);
                self.view();
                was_lost.then_some(News::Back)
            }
        }
    }

    fn on_event(&mut self, event: Event) -> Option<News> {
        match event.body {
            EventBody::Snapshot { forms, .. } => {
                let form = forms.into_iter().find(|form| form.form_id == self.form_id)?;
                ended(form).map(News::Ended)
            }
            EventBody::Completed { outcome, resolved_by, .. } if self.is_ours(event.form_id.as_deref()) => {
                Some(News::Ended(Box::new(Ended { outcome, by: *resolved_by, at: event.at })))
            }
            EventBody::Draft { revision, connection_id } if self.is_ours(event.form_id.as_deref()) => {
                let own = self.client.server().is_some_and(|server| server.connection_id == connection_id);
                if !own && revision > self.revision {
                    self.fetch();
                }
                None
            }
            EventBody::SettingsChanged { settings, .. } => Some(News::Settings(settings)),
            _ => None,
        }
    }

    fn is_ours(&self, form_id: Option<&str>) -> bool {
        form_id == Some(self.form_id.as_str())
    }

    fn fetch(&mut self) {
        let client = self.client.clone();
        let params = FormRef { form_id: self.form_id.clone() };
        self.fetching = Some(Box::pin(async move { client.call::<FormGet>(params).await }));
    }

    fn on_shown(&mut self, shown: Result<FormSnapshot, CallError>) -> Result<Option<News>, CallError> {
        match shown {
            Err(error) if error.is_connection() => Ok(None),
            shown => self.on_fetched(shown),
        }
    }

    /// The form as the daemon has it. What was entered elsewhere is taken unless something entered here is
    /// still to be kept: then the person is typing here, and what is here is kept again.
    fn on_fetched(&mut self, got: Result<FormSnapshot, CallError>) -> Result<Option<News>, CallError> {
        let got = match got {
            Ok(got) => got,
            Err(error) if error.is_connection() => return Ok(None),
            Err(error) => return Err(error),
        };
        if let Some(ended) = ended(got.summary) {
            return Ok(Some(News::Ended(ended)));
        }
        let newer = got.draft_revision > self.revision;
        if self.keeping.is_none() {
            self.revision = got.draft_revision;
        }
        if self.unkept.is_some() {
            self.start_keeping();
            return Ok(None);
        }
        let taken = got.draft.filter(|_| newer && self.keeping.is_none());
        Ok(taken.map(|draft| News::Drafted(Box::new(draft))))
    }

    fn on_kept(&mut self, kept: Result<DraftResult, CallError>) {
        let sent = self.sent.take();
        let again = match kept {
            Ok(kept) => {
                self.revision = kept.revision;
                false
            }
            Err(CallError::Rpc(error)) if error.kind == ErrorKind::Conflict => {
                // Somebody kept another one meanwhile; where the person types wins.
                let revision = error.data.get("revision").and_then(serde_json::Value::as_u64);
                let moved = revision.is_some_and(|revision| revision != self.revision);
                self.revision = revision.unwrap_or(self.revision);
                moved
            }
            // Too large, or the form has ended: the same again would be refused again.
            Err(error) => error.is_connection(),
        };
        if again && self.unkept.is_none() {
            self.unkept = sent;
        }
        self.start_keeping();
    }

    /// Sends a response; dismissals too, as a response can be sent again after a lost connection.
    pub(crate) async fn send(&mut self, response: &Response, presented: &PresentedTypes) -> Sent {
        self.viewed().await;
        let error = match self.client.submit(&self.form_id, response, presented.clone()).await {
            Ok(resolution) => return Sent::Accepted(Box::new(resolution)),
            Err(error) => error,
        };
        if error.kind() != Some(ErrorKind::AlreadyResolved) {
            return Sent::Refused(error);
        }
        self.how_it_ended(error).await
    }

    /// Withdraws the form for its owner.
    pub(crate) async fn abort(&mut self) -> Sent {
        let params =
            CancelParams { form_id: self.form_id.clone(), reason: Reason::Aborted, presented_types: None };
        match self.client.call::<FormCancel>(params).await {
            Ok(resolution) => Sent::Accepted(Box::new(resolution)),
            Err(error) if error.kind() == Some(ErrorKind::AlreadyResolved) => self.how_it_ended(error).await,
            Err(error) => Sent::Refused(error),
        }
    }

    /// Waits for a connection.
    pub(crate) async fn connected(&mut self) {
        self.client.connected().await;
    }

    /// The end that stood in the way of a call.
    async fn how_it_ended(&mut self, error: CallError) -> Sent {
        let params = FormRef { form_id: self.form_id.clone() };
        match self.client.call::<FormGet>(params).await.map(|form| ended(form.summary)) {
            Ok(Some(ended)) => Sent::Late(ended),
            Ok(None) => Sent::Refused(error),
            Err(error) => Sent::Refused(error),
        }
    }
}

fn view_of(form_id: &str, view_key: Option<String>) -> ViewParams {
    ViewParams { form_id: form_id.to_owned(), focused: None, view_key }
}

fn events_of(form_id: &str) -> SubscribeParams {
    SubscribeParams {
        kinds: Some(["completed", "draft", "settings-changed"].map(str::to_owned).to_vec()),
        forms: Some(vec![form_id.to_owned()]),
        ..SubscribeParams::default()
    }
}

/// How a form ended, if it did.
pub(crate) fn ended(form: FormSummary) -> Option<Box<Ended>> {
    if form.state == FormState::Open {
        return None;
    }
    let at = form.resolved_at.unwrap_or(form.created_at);
    Some(Box::new(Ended { outcome: form.outcome?, by: form.resolved_by.unwrap_or_default(), at }))
}

/// Waits for a call on its way; without one, for ever.
async fn finished<T>(slot: &mut Pending<T>) -> Result<T, CallError> {
    match slot {
        Some(call) => {
            let result = call.as_mut().await;
            *slot = None;
            result
        }
        None => std::future::pending().await,
    }
}

/// Whether answering in another way can mend a refusal; otherwise it is the end of this frontend.
pub(crate) fn can_be_mended(refused: &CallError) -> bool {
    matches!(refused.kind(), Some(ErrorKind::InvalidAnswer | ErrorKind::StoreFailed | ErrorKind::Overloaded))
}

/// The state to begin with: nothing entered, or the draft.
pub(crate) fn entered(shown: &FormSnapshot) -> Entered {
    let mut entered = Entered::new(shown.form.clone());
    if let Some(draft) = &shown.draft {
        restore(&mut entered, draft);
    }
    entered
}

/// Takes a draft up.
pub(crate) fn restore(entered: &mut Entered, draft: &Draft) {
    let none = PresentedTypes::new();
    let presented = draft.presented_types.as_ref().unwrap_or(&none);
    entered.restore(&draft.answers, presented, draft.view.as_ref());
}

/// What is entered, as a draft.
pub(crate) fn draft(entered: &Entered, view: serde_json::Value) -> Draft {
    let presented = entered.presented();
    Draft {
        answers: entered.answers(),
        presented_types: (!presented.is_empty()).then(|| presented.clone()),
        view: Some(view),
    }
}
