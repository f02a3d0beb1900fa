//! What keys and pastes do, once the picture was there long enough to be meant by them.

use std::time::Duration;

use askd_form::Reason;
use askd_interact::interaction::{KeyPress, Request, ViewAction};
use askd_interact::settings::Outcome as Pressed;
use tokio::time::Instant;

use super::{Driver, ForScreen, Reasons};
use crate::app::Asked;
use crate::attach::{Call, SettingsCall};

impl Driver {
    /// A key of the person. Before the form is seen and armed it means nothing.
    pub(crate) fn key(&mut self, press: &KeyPress) -> Option<ForScreen> {
        if !self.is_armed() {
            return None;
        }
        self.dirty = true;
        if let Some(alone) = &mut self.alone {
            match alone.on_key(press) {
                Pressed::Stays => {}
                Pressed::Saves(wish) => self.save(wish),
                Pressed::Closed => self.ended_alone(Reasons::Done),
            }
            return None;
        }
        let asked = self.app.as_mut()?.on_key(press);
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

    pub(super) fn is_armed(&self) -> bool {
        self.armed_at.is_some_and(|at| Instant::now() >= at)
    }

    pub(super) fn painted(&mut self) {
        let Some(app) = &self.app else {
            // Nothing here is an answer: it is enough that the list was seen.
            self.armed_at.get_or_insert_with(Instant::now);
            return;
        };
        let delay = Duration::from_millis(app.settings.frontends.arming_delay_ms);
        self.armed_at.get_or_insert_with(|| Instant::now() + delay);
    }

    pub(super) fn asked(&mut self, asked: Asked) -> Option<ForScreen> {
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
        if let Some(wish) = asked.settings {
            self.save(wish);
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
                if let Some(app) = &mut self.app {
                    app.open_settings();
                }
                self.call(Call::Settings(SettingsCall::Get));
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
}
