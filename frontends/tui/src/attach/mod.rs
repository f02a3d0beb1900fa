//! The daemon's side of a form screen: calls in order, and what the daemon tells. The screen never waits for it.

mod calls;
mod news;
mod settings;

use askd_client::Client;
use askd_form::{Outcome, PresentedTypes, Reason, Response};
use askd_wire::form::{Draft, FormSnapshot, ResolvedBy, Viewer};
use askd_wire::settings::{Settings, SettingsState};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

pub(crate) use settings::SettingsCall;

use crate::ring::Ring;

/// What the screen asks of the daemon.
#[derive(Debug)]
pub(crate) enum Call {
    /// Say that the form is shown here; the key is remembered.
    View {
        focused: Option<bool>,
        key: Option<String>,
    },
    /// Keep the draft.
    Keep(Box<Draft>),
    /// Read the form again: somebody else kept a draft.
    Reread,
    /// See or change settings.
    Settings(SettingsCall),
    Submit(Box<Response>, PresentedTypes),
    Cancel(Reason, PresentedTypes),
}

/// What the daemon tells.
#[derive(Debug)]
pub(crate) enum News {
    /// The form and the settings in force.
    Opened(Box<FormSnapshot>, Box<Settings>),
    /// The form as it is now, with what others entered.
    Reread(Box<FormSnapshot>),
    /// A call is done, whatever came of it.
    Done,
    /// The draft was kept.
    Kept,
    /// The draft was not kept.
    NotKept(String),
    /// A call said that the form ended; `ours` when it was this call that ended it.
    Ended {
        outcome: Outcome,
        by: Box<ResolvedBy>,
        ours: bool,
    },
    /// An event said that the form ended.
    Completed {
        outcome: Outcome,
        by: Box<ResolvedBy>,
    },
    /// The response was refused; the form is still open.
    Refused(String),
    /// Somebody else kept a draft.
    OtherDraft,
    Others {
        viewers: Vec<Viewer>,
        waiting: usize,
    },
    Settings(Box<Settings>),
    /// What came of a [`SettingsCall`].
    SettingsAnswer {
        answer: Result<Box<SettingsState>, String>,
        to_wish: bool,
    },
    /// This frontend is to ring its terminal.
    Ring(Ring),
    /// The connection is lost, or is there again.
    Connection {
        lost: Option<String>,
    },
    /// Attached again, perhaps to another daemon: what is shown and kept has to be said again.
    Reattached,
    /// Nothing more can be done.
    Failed(String),
}

/// Both tasks of the attachment; they end with it.
#[derive(Debug)]
pub(crate) struct Attachment {
    calls: UnboundedSender<Call>,
    pub(crate) news: UnboundedReceiver<News>,
    tasks: Vec<JoinHandle<()>>,
}

impl Attachment {
    /// Shows a form over a connection.
    pub(crate) fn new(client: Client, form_id: String, focused: Option<bool>) -> Self {
        let (calls, todo) = unbounded_channel();
        let (tell, news) = unbounded_channel();
        let caller = tokio::spawn(calls::run(client.clone(), form_id.clone(), focused, todo, tell.clone()));
        let listener = tokio::spawn(news::run(client, form_id, tell));
        Self { calls, news, tasks: vec![caller, listener] }
    }

    /// Attaches the settings alone.
    pub(crate) fn for_settings(client: Client) -> Self {
        let (calls, todo) = unbounded_channel();
        let (tell, news) = unbounded_channel();
        let caller = tokio::spawn(settings::run(client.clone(), todo, tell.clone()));
        // No form has the empty id: what comes is of the settings and the connection.
        let listener = tokio::spawn(news::run(client, String::new(), tell));
        Self { calls, news, tasks: vec![caller, listener] }
    }

    /// Makes a call; [`News::Done`] follows in any case.
    pub(crate) fn call(&self, call: Call) {
        // The task ends only with this value.
        let _ = self.calls.send(call);
    }
}

impl Drop for Attachment {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}
