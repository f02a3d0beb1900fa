//! What the daemon's news do to the screen.

use std::path::PathBuf;

use askd_wire::form::FormSnapshot;
use askd_wire::settings::Settings;
use tokio::time::Instant;

use super::{Driver, Reasons};
use crate::app::App;
use crate::attach::{Call, News, SettingsCall};
use crate::complete::Completer;

impl Driver {
    pub(super) fn on_news(&mut self, news: News) {
        match news {
            News::Ring(ring) => return self.rings.push(ring),
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
                self.settings(*settings);
            }
            News::SettingsAnswer { answer, to_wish } => self.settings_answer(&answer, to_wish),
            News::Connection { lost } => {
                if let Some(app) = &mut self.app {
                    app.on_connection(lost);
                }
            }
            News::Reattached => self.reattached(),
            News::Failed(why) => {
                if self.app.is_none() && self.alone.is_none() {
                    self.close(Reasons::Failed, why);
                } else {
                    self.tell(why);
                }
            }
        }
        self.dirty = true;
    }

    pub(super) fn open(&mut self, snapshot: FormSnapshot, settings: Settings) {
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

    /// A new connection knows nothing of this screen.
    pub(super) fn reattached(&mut self) {
        if self.alone.is_some() {
            self.call(Call::Settings(SettingsCall::Get));
            return;
        }
        self.call(Call::View { focused: self.focused, key: None });
        if self.unkept {
            self.last_draft = None;
            self.draft_due = Some(Instant::now());
        }
    }
}
