//! A form as dialogs that another program shows (protocol §9): one request at a time, and nothing that the
//! host does wrong is taken for the person's answer.

use std::future::Future;

use askd_client::{CallError, Client, ConnectError};
use askd_form::{PresentedTypes, Reason, Response};
use askd_interact::steps::{Reply, Step};
use askd_wire::PROTOCOL;
use askd_wire::form::FormSnapshot;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use tokio::time::{Duration, timeout};

use crate::session::{self, Ended, News, Sent, Session};
use crate::{dialogs, words};

mod spare;
mod stdio;

pub use stdio::HostIo;
use stdio::Incoming;

/// How long an answer on its way is waited for when the host goes meanwhile.
const LAST_ANSWER: Duration = Duration::from_secs(1);

/// Why the frontend ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Closed {
    /// The answers were accepted.
    Submitted,
    /// The person cancelled, or the host sent something that was not offered.
    Cancelled,
    /// Somebody else answered; who and what in one line.
    Elsewhere(String),
    /// Nobody answered in time.
    Expired(String),
    /// The owner gave up.
    Aborted,
    /// The host went away; the form stays open with its draft.
    HostGone,
    /// Started beforehand and not needed: the host or the daemon went before a form was named.
    Unused,
    /// What failed, why, and what to do. The form stays as it is.
    Failed(String),
}

impl Closed {
    /// The frontend's exit status.
    #[must_use]
    pub fn status(&self) -> u8 {
        u8::from(matches!(self, Self::Failed(_)))
    }

    fn params(&self) -> Value {
        let (reason, message) = match self {
            Self::Submitted => ("submitted", None),
            Self::Cancelled => ("cancelled", None),
            Self::Elsewhere(message) => ("elsewhere", Some(message)),
            Self::Expired(message) => ("expired", Some(message)),
            Self::Aborted => ("aborted", None),
            Self::HostGone | Self::Unused => ("minimised", None),
            Self::Failed(message) => ("failed", Some(message)),
        };
        match message {
            Some(message) => json!({ "reason": reason, "message": message }),
            None => json!({ "reason": reason }),
        }
    }
}

/// Shows a form through the host until it has ended or the host has; without an id, the form that the host
/// names. `connect` gives a connection with the role frontend; whether a person sees the dialogs is said by the
/// host's key, not by this program.
pub async fn run<C>(connect: C, form_id: Option<&str>, version: &str, mut io: HostIo) -> Closed
where
    C: Future<Output = Result<Client, ConnectError>>,
{
    let opened = match form_id {
        Some(form_id) => {
            let opened = open(connect, form_id, &mut io).await;
            io.notify("hello", &hello(version, form_id, opened.as_ref().ok().map(|(_, shown)| shown)));
            opened
        }
        None => spare::open(connect, version, &mut io).await,
    };
    let closed = match opened {
        Ok((session, shown)) => Host { session, shown, io: &mut io, request: 0 }.run().await,
        Err(Closed::Unused) => return Closed::Unused,
        Err(closed) => closed,
    };
    io.close(&closed.params()).await;
    closed
}

fn hello(version: &str, form_id: &str, shown: Option<&FormSnapshot>) -> Value {
    let mut hello = json!({ "protocol": PROTOCOL, "version": version, "formId": form_id });
    if let Some(shown) = shown {
        hello["formId"] = json!(shown.summary.form_id);
        hello["contract"] = json!(shown.summary.contract);
    }
    hello
}

/// Connects and shows the form. What the host says before `hello` is kept, its end is obeyed.
async fn open<C>(connect: C, form_id: &str, io: &mut HostIo) -> Result<(Session, FormSnapshot), Closed>
where
    C: Future<Output = Result<Client, ConnectError>>,
{
    let opening = async {
        let client = connect.await.map_err(failed)?;
        Session::open(&client, form_id).await.map_err(failed)
    };
    tokio::select! {
        opened = opening => opened,
        () = io.gone() => Err(Closed::HostGone),
    }
}

fn failed(error: impl std::error::Error) -> Closed {
    Closed::Failed(error.to_string())
}

struct Host<'io> {
    session: Session,
    shown: FormSnapshot,
    io: &'io mut HostIo,
    /// Number of the last request.
    request: u64,
}

impl Host<'_> {
    async fn run(mut self) -> Closed {
        if let Some(ended) = session::ended(self.shown.summary.clone()) {
            return closed_elsewhere(&self.shown, &ended);
        }
        let mut dialogs = dialogs::begin(&self.shown);
        loop {
            let (method, params) = match dialogs.next() {
                Step::Done(response) => match self.send(&response, dialogs.entered().presented()).await {
                    Ok(()) if response == Response::Cancel => return Closed::Cancelled,
                    Ok(()) => return Closed::Submitted,
                    Err(Stop::Closed(closed)) => return closed,
                    Err(Stop::Refused(why)) => {
                        dialogs.refused(&why);
                        continue;
                    }
                },
                // Hosts are asked for one row at a time (protocol §9), so that no card is begun above.
                Step::Tick { title, rows } => {
                    let rows: Vec<String> = rows.into_iter().map(|(row, _)| row).collect();
                    ("select", json!({ "title": title, "options": rows }))
                }
                Step::Select { title, rows } => ("select", json!({ "title": title, "options": rows })),
                Step::Input { title, placeholder } => {
                    ("input", json!({ "title": title, "placeholder": placeholder }))
                }
            };
            self.request += 1;
            self.io.request(self.request, method, &params);
            match self.reply().await {
                Ok(reply) => dialogs.answer(reply),
                Err(closed) => {
                    self.session.leave().await;
                    return closed;
                }
            }
            self.session.keep(dialogs::draft(&dialogs));
        }
    }

    /// Waits for the answer to the request that is open. Answers to others are ignored: the host has
    /// answered twice, or out of order.
    async fn reply(&mut self) -> Result<Reply, Closed> {
        loop {
            let incoming = tokio::select! {
                biased;
                news = self.session.news() => match news {
                    Ok(News::Ended(ended)) => {
                        self.io.notify("close", &json!({ "id": self.request }));
                        return Err(closed_elsewhere(&self.shown, &ended));
                    }
                    // What is entered in another window meanwhile does not change rows that are shown.
                    Ok(News::Drafted(_) | News::Settings(_) | News::Lost | News::Back) => continue,
                    Err(error) => return Err(Closed::Failed(error.to_string())),
                },
                incoming = self.io.next() => incoming,
            };
            match incoming {
                Incoming::Reply { id, result } if id == json!(self.request) => return understood(result),
                Incoming::Reply { .. } => {}
                Incoming::Broken => self.io.complain(),
                Incoming::Notification { method, params } => match method.as_str() {
                    "viewKey" => self.take_key(&params),
                    "abort" => return Err(self.abort().await),
                    _ => {}
                },
                Incoming::End => return Err(Closed::HostGone),
            }
        }
    }

    fn take_key(&mut self, params: &Value) {
        if let Some(key) = params["key"].as_str() {
            self.session.set_view_key(key.to_owned());
        }
    }

    async fn abort(&mut self) -> Closed {
        match self.session.abort().await {
            Sent::Accepted(_) => Closed::Aborted,
            Sent::Late(ended) => closed_elsewhere(&self.shown, &ended),
            Sent::Refused(error) => Closed::Failed(error.to_string()),
        }
    }

    /// Sends the response, again and again while the daemon is away: there is nothing else left to do. The
    /// person has answered, so that a host that goes or gives up now waits a moment for the answer.
    async fn send(&mut self, response: &Response, presented: &PresentedTypes) -> Result<(), Stop> {
        loop {
            let mut leaving = None;
            let sent = {
                let sending = self.session.send(response, presented);
                tokio::pin!(sending);
                loop {
                    let incoming = tokio::select! {
                        biased;
                        sent = &mut sending => break Some(sent),
                        incoming = self.io.next() => incoming,
                    };
                    leaving = match incoming {
                        Incoming::End => Some(Leaving::Gone),
                        Incoming::Notification { method, .. } if method == "abort" => Some(Leaving::Abort),
                        _ => continue,
                    };
                    break timeout(LAST_ANSWER, &mut sending).await.ok();
                }
            };
            match (sent, leaving) {
                (Some(Sent::Accepted(_)), _) => return Ok(()),
                (Some(Sent::Late(ended)), _) => {
                    return Err(Stop::Closed(closed_elsewhere(&self.shown, &ended)));
                }
                (_, Some(Leaving::Gone)) => return Err(Stop::Closed(Closed::HostGone)),
                (_, Some(Leaving::Abort)) => return Err(Stop::Closed(self.abort().await)),
                (Some(Sent::Refused(error)), None) if !error.is_connection() => return Err(refusal(&error)),
                (_, None) => {
                    let back = self.session.connected();
                    tokio::select! {
                        () = back => {}
                        () = self.io.gone() => return Err(Stop::Closed(Closed::HostGone)),
                    }
                }
            }
        }
    }
}

/// What the host does while an answer is on its way.
enum Leaving {
    Gone,
    Abort,
}

/// Why a response was not taken.
enum Stop {
    Closed(Closed),
    /// The form is asked again with this reason.
    Refused(String),
}

fn refusal(error: &CallError) -> Stop {
    if session::can_be_mended(error) {
        Stop::Refused(error.to_string())
    } else {
        Stop::Closed(Closed::Failed(error.to_string()))
    }
}

/// A reply read. One that is neither a choice nor a dismissal is the host's fault and says nothing about
/// what the person wants.
fn understood(result: Option<Value>) -> Result<Reply, Closed> {
    let result = result.unwrap_or_default();
    match (&result["cancelled"], &result["value"]) {
        (Value::Bool(true), _) => Ok(Reply::Cancelled),
        (_, Value::String(value)) => Ok(Reply::Value(value.clone())),
        _ => Err(Closed::Failed(
            "The host answered a dialog with neither {\"value\":string} nor {\"cancelled\":true}, so nothing was \
             taken from it. The form stays open; answer it with another frontend, or mend the host."
                .to_owned(),
        )),
    }
}

fn closed_elsewhere(shown: &FormSnapshot, ended: &Ended) -> Closed {
    let at = words::clock(ended.at, &TimeZone::system());
    let message = words::ended(&shown.form, &ended.outcome, &ended.by, &at);
    match ended.outcome.reason {
        Some(Reason::Expired) => Closed::Expired(message),
        Some(Reason::Aborted | Reason::Superseded | Reason::SessionClosed) => Closed::Aborted,
        Some(Reason::Dismissed) | None => Closed::Elsewhere(message),
    }
}
