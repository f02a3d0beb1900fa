//! The settings on the screen, over a form or alone: what is saved, and what acts at once.

use askd_interact::settings::Wish;
use askd_wire::settings::{Settings, SettingsState};

use super::Driver;
use crate::app::{Alone, settings_patch};
use crate::attach::{Call, SettingsCall};

impl Driver {
    pub(super) fn settings(&mut self, settings: Settings) {
        if let Some(alone) = &mut self.alone {
            alone.on_settings(&settings);
        }
        if let Some(asked) = self.app.as_mut().map(|app| app.on_settings(settings)) {
            self.asked(asked);
        }
    }

    /// What is in force acts at once: the event may come later than the answer.
    pub(super) fn settings_answer(&mut self, answer: &Result<Box<SettingsState>, String>, to_wish: bool) {
        if let Ok(state) = answer {
            if self.app.is_none() && self.alone.is_none() {
                let mut alone = Alone::new(&state.settings, self.surroundings.clone());
                if let Some(colours) = self.host_colours.take() {
                    alone.on_host_colours(colours);
                }
                self.alone = Some(alone);
            }
            self.settings(state.settings.clone());
        }
        let over = self.app.as_mut().and_then(|app| app.pane.as_mut());
        if let Some(pane) = over.or(self.alone.as_mut().map(|alone| &mut alone.pane)) {
            pane.answered(answer, to_wish);
        }
    }

    pub(super) fn save(&mut self, wish: Wish) {
        let call = settings_patch(wish).map_or(SettingsCall::Reset, SettingsCall::Patch);
        self.call(Call::Settings(call));
    }
}
