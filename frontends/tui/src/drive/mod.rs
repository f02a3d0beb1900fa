//! One form on one screen, whatever the screen is: keys and the daemon's news in, calls and a picture out.

mod closing;
mod drafts;
mod input;
mod news;
mod settings;

use askd_client::Client;
use askd_form::Outcome;
use askd_interact::interaction::Notice;
use askd_wire::form::{Draft, ResolvedBy};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;

use crate::app::{Alone, App, Surroundings};
use crate::attach::{Attachment, Call, News};
use crate::complete::{Completer, Found};
use crate::ring::Ring;

pub use closing::{Closed, Reasons};

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
    /// The settings, where there is no form.
    alone: Option<Alone>,
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
    /// For the runner to ring.
    pub(crate) rings: Vec<Ring>,
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
        Self::over(Attachment::new(client, form_id, focused), surroundings, focused)
    }

    /// Shows the settings and no form.
    pub(crate) fn for_settings(client: Client, surroundings: Surroundings) -> Self {
        Self::over(Attachment::for_settings(client), surroundings, None)
    }

    fn over(attachment: Attachment, surroundings: Surroundings, focused: Option<bool>) -> Self {
        let (completions, found) = unbounded_channel();
        Self {
            attachment,
            found,
            completer: Completer::new(None, completions.clone()),
            completions,
            app: None,
            alone: None,
            surroundings,
            host_colours: None,
            open_calls: 0,
            completed: None,
            draft_due: None,
            last_draft: None,
            unkept: false,
            focused,
            armed_at: None,
            rings: Vec::new(),
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

    pub(crate) fn focus(&mut self, focused: bool) {
        if self.focused != Some(focused) {
            self.focused = Some(focused);
            if self.alone.is_some() {
                return;
            }
            self.call(Call::View { focused: Some(focused), key: None });
        }
    }

    pub(crate) fn view_key(&mut self, key: String) {
        self.call(Call::View { focused: self.focused, key: Some(key) });
    }

    pub(crate) fn host_colours(&mut self, colours: Value) {
        match (&mut self.app, &mut self.alone) {
            (Some(app), _) => app.on_host_colours(colours),
            (None, Some(alone)) => alone.on_host_colours(colours),
            (None, None) => self.host_colours = Some(colours),
        }
        self.dirty = true;
    }

    /// Whether everything that was done has had its effect: the form is there, no call is open, no draft waits, no
    /// name is searched.
    pub(crate) fn is_settled(&self) -> bool {
        self.closed.is_some()
            || ((self.app.is_some() || self.alone.is_some())
                && self.open_calls == 0
                && self.draft_due.is_none()
                && !self.completer.is_busy())
    }

    /// Whether a terminal multiplexer stands between us and the terminal.
    pub(crate) fn in_tmux(&self) -> bool {
        self.surroundings.tmux
    }

    /// Draws the form at a size. The first picture starts the arming delay.
    pub(crate) fn draw(&mut self, columns: u16, rows: u16) -> Option<(Buffer, Option<Position>)> {
        let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
        let cursor = match (&mut self.app, &mut self.alone) {
            (Some(app), _) => crate::draw::draw(app, &mut buffer),
            (None, Some(alone)) => alone.draw(&mut buffer),
            (None, None) => return None,
        };
        self.painted();
        self.dirty = false;
        Some((buffer, cursor))
    }
}
