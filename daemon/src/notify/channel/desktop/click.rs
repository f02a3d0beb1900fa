//! What a click on a notification does. It counts only from the process that was shown the notification, for
//! the one that is shown now, by its nonce, and not so soon that it was meant for something else.

use std::sync::Arc;

use askd_wire::{ErrorKind, Millis};

use super::super::super::attempts::{LIMIT, bounded};
use super::super::super::surroundings::Surroundings;
use super::super::super::text::Text;
use super::actions::{self, Click, Key};
use super::connection::{Signal, SignalEvent};
use super::open::{self, Wanted};
use super::worker::{SILENT, Worker};
use crate::peer::PeerFacts;
use crate::rpc;

/// A click this soon after something appeared was meant for what was there before.
const ARMING: Millis = 500;

const TOO_LATE: &str = "Too late: this question no longer waits. Your click changed nothing.";

impl Worker {
    /// A signal came.
    pub(super) async fn heard(&mut self, signal: Signal) {
        let shown = self
            .shown
            .as_mut()
            .filter(|shown| shown.kept.id == signal.id && shown.kept.server == signal.sender);
        match (signal.event, shown) {
            (SignalEvent::Closed, Some(shown)) => {
                shown.gone = true;
                let answered = shown.kept.answered().map(str::to_owned);
                self.keeper.save(None).await;
                if let Some(form_id) = answered {
                    self.forms.shows(&form_id, false).await;
                }
            }
            (SignalEvent::Token(token), Some(_)) => self.token = Some((signal.id, token)),
            (SignalEvent::Action(key), shown) => {
                let read = shown.map(|shown| {
                    let soon = self.clock.steady() - shown.since < ARMING;
                    (actions::read(&key, &shown.kept.nonce, shown.kept.answers), soon)
                });
                match read {
                    Some((Key::Known(_), true)) => {
                        tracing::debug!("a click came too soon and was not counted")
                    }
                    Some((Key::Known(click), false)) => self.clicked(click).await,
                    _ if self.was_shown(&signal.sender, signal.id, &key) => self.too_late().await,
                    _ => tracing::debug!("a click on no notification of ours was not counted"),
                }
            }
            _ => {}
        }
    }

    /// Whether the key belongs to a notification that was shown before.
    fn was_shown(&self, server: &str, id: u32, key: &str) -> bool {
        self.past.iter().any(|kept| {
            let known = actions::read(key, &kept.nonce, kept.answers) != Key::Foreign;
            kept.id == id && kept.server == server && known
        })
    }

    async fn clicked(&mut self, click: Click) {
        let Some(shown) = &self.shown else { return };
        let (id, forms) = (shown.kept.id, shown.kept.forms.clone());
        let Some(first) = forms.first() else { return self.too_late().await };
        let Some(form) = self.forms.open_form(first).await else { return self.too_late().await };
        match click {
            Click::Open => {
                let token = self.token.take().filter(|(of, _)| *of == id).map(|(_, token)| token);
                let only = (forms.len() == 1).then_some(&**first);
                let wanted = Wanted { form: only, oldest: first, token: token.as_deref() };
                let command = self.settings.borrow().notifications.open_command.clone();
                let surroundings = self.at_the_desktop().await;
                if let Err(why) = open::open(&surroundings, command.as_deref(), wanted) {
                    tracing::warn!("a form could not be opened from its notification");
                    self.say(&why).await;
                }
            }
            Click::Answer(place) => {
                let Some(response) = actions::response(&form, place) else { return };
                let server = self.server_facts().await;
                match self.forms.answer(first, response, server).await {
                    Ok(()) => {}
                    Err(error)
                        if matches!(error.kind, ErrorKind::AlreadyResolved | ErrorKind::UnknownForm) =>
                    {
                        self.too_late().await;
                    }
                    Err(error) => {
                        tracing::warn!(kind = error.kind.name(), "an answer by a button was refused");
                        self.say(&format!("Your answer was not taken. {}", error.message)).await;
                    }
                }
            }
        }
    }

    /// The surroundings with a display: a daemon that was started before the desktop, or over ssh, has to ask
    /// for it.
    async fn at_the_desktop(&mut self) -> Arc<Surroundings> {
        if self.surroundings.has_display() {
            return self.surroundings.clone();
        }
        let session = bounded(LIMIT, SILENT, async { self.bus().await?.session_environment().await }).await;
        match session {
            Ok(session) => Arc::new(self.surroundings.with_display(&session)),
            Err(_) => self.surroundings.clone(),
        }
    }

    /// What the system says about the process that shows notifications.
    async fn server_facts(&mut self) -> PeerFacts {
        let pid = bounded(LIMIT, SILENT, async { self.bus().await?.pid().await }).await;
        rpc::facts_of(pid.ok())
    }

    async fn too_late(&mut self) {
        self.say(TOO_LATE).await;
    }

    async fn say(&mut self, text: &str) {
        if let Err(error) = self.word(&Text::plain(text)).await {
            tracing::warn!(%error, "a word to the person could not be shown");
        }
    }
}
