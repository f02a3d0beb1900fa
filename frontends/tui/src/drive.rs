//! One form on one screen, whatever the screen is: keys and the daemon's news in, calls and a picture out. It decides
//! when a draft is kept and when the screen closes.

use std::path::PathBuf;
use std::time::Duration;

use askd_client::Client;
use askd_form::{Outcome, OutcomeKind, Reason};
use askd_interact::interaction::{KeyPress, Notice, Request, ViewAction};
use askd_wire::form::{Draft, Resolution, ResolvedBy};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;

use crate::app::{App, Asked, Surroundings, ended_line};
use crate::attach::{Attachment, Call, News};
use crate::complete::{Completer, Found};

/// How old a change may be before its draft is sent; with the call it stays under the 150 ms that are promised.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// How long the last draft may take when the screen has to go at once.
const LAST_DRAFT: Duration = Duration::from_millis(400);

/// Why a screen closed (protocol §9, `closed`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reasons {
    /// Sent.
    Submitted,
    /// Sent back for clarification.
    Elaborated,
    /// Dismissed by the person here.
    Cancelled,
    /// Ended by someone else.
    Elsewhere,
    /// Nobody answered in time.
    Expired,
    /// The asking side took it back.
    Aborted,
    /// Closed, the form stays open.
    Minimised,
    /// It could not go on.
    Failed,
}

impl Reasons {
    /// The word on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Elaborated => "elaborated",
            Self::Cancelled => "cancelled",
            Self::Elsewhere => "elsewhere",
            Self::Expired => "expired",
            Self::Aborted => "aborted",
            Self::Minimised => "minimised",
            Self::Failed => "failed",
        }
    }
}

/// How a screen ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// Why.
    pub reason: Reasons,
    /// A line for the person.
    pub message: Option<String>,
    /// The form's end, when it has ended.
    pub resolution: Option<Resolution>,
    /// The signal that told the program to stop, which is to end it now.
    pub signal: Option<i32>,
}

/// What the runner of a screen has to do itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ForScreen {
    Redraw,
    Suspend,
}

/// Something that happened beside the runner's own input.
#[derive(Debug)]
pub(crate) enum Happened {
    News(News),
    Found(Found),
    Timer,
}

pub(crate) struct Driver {
    attachment: Attachment,
    found: UnboundedReceiver<Found>,
    completer: Completer,
    completions: tokio::sync::mpsc::UnboundedSender<Found>,
    app: Option<App>,
    surroundings: Surroundings,
    host_colours: Option<Value>,
    /// Calls that are not done yet.
    open_calls: usize,
    /// How the form ended, as an event told it while a call was open.
    completed: Option<(Outcome, Box<ResolvedBy>)>,
    draft_due: Option<Instant>,
    last_draft: Option<Draft>,
    /// A draft was on its way, or is not kept yet.
    unkept: bool,
    focused: Option<bool>,
    /// No key counts before this: armed by the first picture.
    armed_at: Option<Instant>,
    pub(crate) dirty: bool,
    pub(crate) closed: Option<Closed>,
}

impl Driver {
    pub(crate) fn new(
        client: Client,
        form_id: String,
        surroundings: Surroundings,
        focused: Option<bool>,
    ) -> Self {
        let (completions, found) = unbounded_channel();
        Self {
            attachment: Attachment::new(client, form_id, focused),
            found,
            completer: Completer::new(None, completions.clone()),
            completions,
            app: None,
            surroundings,
            host_colours: None,
            open_calls: 0,
            completed: None,
            draft_due: None,
            last_draft: None,
            unkept: false,
            focused,
            armed_at: None,
            dirty: false,
            closed: None,
        }
    }

    /// The next thing that happens beside the runner's input. Safe to cancel.
    pub(crate) async fn happens(&mut self) -> Happened {
        let timer = async {
            match self.draft_due {
                Some(due) => tokio::time::sleep_until(due).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            Some(news) = self.attachment.news.recv() => Happened::News(news),
            Some(found) = self.found.recv() => Happened::Found(found),
            () = timer => Happened::Timer,
        }
    }

    /// What is there already, without waiting.
    pub(crate) fn ready(&mut self) -> Option<Happened> {
        let news = self.attachment.news.try_recv().ok().map(Happened::News);
        news.or_else(|| self.found.try_recv().ok().map(Happened::Found))
    }

    pub(crate) fn take(&mut self, happened: Happened) {
        match happened {
            Happened::News(news) => self.on_news(news),
            Happened::Found(found) => {
                self.completer.answered();
                if let Some(app) = &mut self.app {
                    app.on_found(&found.query, found.names);
                }
                self.dirty = true;
            }
            Happened::Timer => self.flush(),
        }
    }

    fn on_news(&mut self, news: News) {
        match news {
            News::Opened(snapshot, settings) => self.open(*snapshot, *settings),
            News::Done => {
                self.open_calls = self.open_calls.saturating_sub(1);
                if self.open_calls == 0
                    && let Some((outcome, by)) = self.completed.take()
                {
                    self.ended(&outcome, &by, false);
                }
            }
            News::Kept => self.unkept = false,
            News::NotKept(why) => {
                if !why.is_empty() {
                    self.tell(format!("What you entered is not kept yet: {why}"));
                }
            }
            News::Ended { outcome, by, ours } => self.ended(&outcome, &by, ours),
            // The event may overtake the result of the call that made it true, which knows better whose it was.
            News::Completed { outcome, by } if self.open_calls > 0 => self.completed = Some((outcome, by)),
            News::Completed { outcome, by } => self.ended(&outcome, &by, false),
            News::Refused(why) => {
                if let Some(app) = &mut self.app {
                    app.work_mut().refused(why);
                }
            }
            News::OtherDraft => {
                if !self.has_news_of_its_own() {
                    self.call(Call::Reread);
                }
            }
            News::Reread(snapshot) => self.reread(*snapshot),
            News::Others { viewers, waiting } => {
                if let Some(app) = &mut self.app {
                    app.on_others(viewers, waiting);
                }
            }
            News::Settings(settings) => {
                if let Some(asked) = self.app.as_mut().map(|app| app.on_settings(*settings)) {
                    self.asked(asked);
                }
            }
            News::Connection { lost } => {
                if let Some(app) = &mut self.app {
                    app.on_connection(lost);
                }
            }
            News::Reattached => self.reattached(),
            News::Failed(why) => {
                if self.app.is_none() {
                    self.close(Reasons::Failed, why);
                } else {
                    self.tell(why);
                }
            }
        }
        self.dirty = true;
    }

    fn open(&mut self, snapshot: askd_wire::form::FormSnapshot, settings: askd_wire::settings::Settings) {
        let root =
            snapshot.summary.origin.cwd.as_deref().map(PathBuf::from).filter(|root| root.is_absolute());
        self.completer = Completer::new(root, self.completions.clone());
        self.last_draft.clone_from(&snapshot.draft);
        let mut app = App::new(snapshot, settings, self.surroundings.clone());
        if let Some(colours) = self.host_colours.take() {
            app.on_host_colours(colours);
        }
        self.app = Some(app);
    }

    /// Whether something was typed here that the daemon has not kept: it wins over other drafts then.
    fn has_news_of_its_own(&self) -> bool {
        self.draft_due.is_some() || self.unkept
    }

    fn reread(&mut self, snapshot: askd_wire::form::FormSnapshot) {
        if self.has_news_of_its_own() {
            return;
        }
        if let (Some(draft), Some(app)) = (snapshot.draft, &mut self.app) {
            if app.work().sent() {
                return;
            }
            self.last_draft = Some(draft.clone());
            app.take_draft(draft);
        }
    }

    /// A new connection knows nothing of this screen.
    fn reattached(&mut self) {
        self.call(Call::View { focused: self.focused, key: None });
        if self.unkept {
            self.last_draft = None;
            self.draft_due = Some(Instant::now());
        }
    }

    fn ended(&mut self, outcome: &Outcome, by: &ResolvedBy, ours: bool) {
        let line = self.app.as_ref().map(|app| ended_line(app.work().form(), outcome, by));
        let reason = match (outcome.kind, outcome.reason) {
            (OutcomeKind::Cancelled, Some(Reason::Expired)) => Reasons::Expired,
            (OutcomeKind::Cancelled, Some(Reason::Aborted | Reason::Superseded | Reason::SessionClosed)) => {
                Reasons::Aborted
            }
            _ if !ours => Reasons::Elsewhere,
            (OutcomeKind::Submitted, _) => Reasons::Submitted,
            (OutcomeKind::Elaborated, _) => Reasons::Elaborated,
            (OutcomeKind::Cancelled, _) => Reasons::Cancelled,
        };
        let resolution = Resolution { outcome: outcome.clone(), resolved_by: by.clone() };
        self.closed.get_or_insert(Closed {
            reason,
            message: line,
            resolution: Some(resolution),
            signal: None,
        });
    }

    fn close(&mut self, reason: Reasons, message: String) {
        self.closed.get_or_insert(Closed { reason, message: Some(message), resolution: None, signal: None });
    }

    fn tell(&mut self, what: String) {
        if let Some(app) = &mut self.app {
            app.work_mut().tell(Notice::Said(what));
        }
        self.dirty = true;
    }

    fn call(&mut self, call: Call) {
        self.open_calls += 1;
        self.attachment.call(call);
    }

    /// A key of the person. Before the form is seen and armed it means nothing.
    pub(crate) fn key(&mut self, press: &KeyPress) -> Option<ForScreen> {
        if !self.is_armed() {
            return None;
        }
        let asked = self.app.as_mut()?.on_key(press);
        self.dirty = true;
        self.asked(asked)
    }

    pub(crate) fn paste(&mut self, text: &str) {
        if !self.is_armed() {
            return;
        }
        if let Some(asked) = self.app.as_mut().map(|app| app.on_paste(text)) {
            self.dirty = true;
            self.asked(asked);
        }
    }

    fn is_armed(&self) -> bool {
        self.armed_at.is_some_and(|at| Instant::now() >= at)
    }

    fn asked(&mut self, asked: Asked) -> Option<ForScreen> {
        if self.app.as_ref().is_some_and(|app| app.work().editor().is_some()) {
            self.completer.warm();
        }
        let wanted = self.app.as_mut().and_then(|app| app.popup_mut().take_wanted());
        if let Some(query) = wanted {
            self.completer.ask(query);
        }
        if asked.changed {
            self.changed();
        }
        let app = self.app.as_ref()?;
        match asked.request? {
            Request::Submit(mode) => {
                let response = Box::new(app.work().response(mode));
                let presented = app.work().presented();
                // The answer is the last word; a draft behind it would only be refused.
                self.draft_due = None;
                self.call(Call::Submit(response, presented));
            }
            Request::Cancel => {
                let presented = app.work().presented();
                self.draft_due = None;
                self.call(Call::Cancel(Reason::Dismissed, presented));
            }
            Request::Settings => {
                self.tell(
                    "Settings are changed with `ask settings`; they act on this form at once.".to_owned(),
                );
            }
            Request::View(ViewAction::Minimise) => {
                self.flush();
                self.close(
                    Reasons::Minimised,
                    "The form stays open; `ask answer` shows it again.".to_owned(),
                );
            }
            Request::View(ViewAction::Redraw) => return Some(ForScreen::Redraw),
            Request::View(ViewAction::Suspend) => return Some(ForScreen::Suspend),
            Request::View(_) => {}
        }
        None
    }

    fn changed(&mut self) {
        self.draft_due.get_or_insert_with(|| Instant::now() + DEBOUNCE);
    }

    /// Sends the draft now, if there is one that the daemon does not have. A form that was only looked at has none.
    pub(crate) fn flush(&mut self) {
        let due = self.draft_due.take().is_some();
        let Some(app) = self.app.as_ref().filter(|app| due && !app.work().sent()) else { return };
        let draft = app.draft();
        let untouched = self.last_draft.is_none() && !app.is_dirty();
        if untouched || self.last_draft.as_ref() == Some(&draft) {
            return;
        }
        self.last_draft = Some(draft.clone());
        self.unkept = true;
        self.call(Call::Keep(Box::new(draft)));
    }

    /// Waits a moment for what is on its way to the daemon.
    pub(crate) async fn last_words(&mut self) {
        self.flush();
        let end = Instant::now() + LAST_DRAFT;
        while self.open_calls > 0 {
            let Ok(happened) = tokio::time::timeout_at(end, self.happens()).await else { return };
            self.take(happened);
        }
    }

    pub(crate) fn focus(&mut self, focused: bool) {
        if self.focused != Some(focused) {
            self.focused = Some(focused);
            self.call(Call::View { focused: Some(focused), key: None });
        }
    }

    pub(crate) fn view_key(&mut self, key: String) {
        self.call(Call::View { focused: self.focused, key: Some(key) });
    }

    pub(crate) fn abort(&mut self) {
        let presented = self.app.as_ref().map(|app| app.work().presented()).unwrap_or_default();
        self.draft_due = None;
        self.call(Call::Cancel(Reason::Aborted, presented));
    }

    pub(crate) fn host_colours(&mut self, colours: Value) {
        match &mut self.app {
            Some(app) => app.on_host_colours(colours),
            None => self.host_colours = Some(colours),
        }
        self.dirty = true;
    }

    /// Whether everything that was done has had its effect: the form is there, no call is open, no draft waits, no
    /// name is searched.
    pub(crate) fn is_settled(&self) -> bool {
        self.closed.is_some()
            || (self.app.is_some()
                && self.open_calls == 0
                && self.draft_due.is_none()
                && !self.completer.is_busy())
    }

    /// Draws the form at a size. The first picture starts the arming delay.
    pub(crate) fn draw(&mut self, columns: u16, rows: u16) -> Option<(Buffer, Option<Position>)> {
        let app = self.app.as_mut()?;
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let cursor = crate::draw::draw(app, &mut buffer);
        self.painted();
        self.dirty = false;
        Some((buffer, cursor))
    }

    fn painted(&mut self) {
        let Some(app) = &self.app else { return };
        let delay = Duration::from_millis(app.settings.frontends.arming_delay_ms);
        self.armed_at.get_or_insert_with(|| Instant::now() + delay);
    }
}
