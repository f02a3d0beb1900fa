//! The settings list without a form under it.

use askd_interact::interaction::{KeyPress, Keymap};
use askd_interact::settings::Outcome;
use askd_wire::settings::Settings;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use serde_json::Value;

use super::{SettingsPane, Surroundings};
use crate::draw::settings::{Look, draw};
use crate::theme::Theme;

/// The list and how it looks.
#[derive(Debug)]
pub(crate) struct Alone {
    pub(crate) pane: SettingsPane,
    keymap: Keymap,
    theme: Theme,
    surroundings: Surroundings,
    choice: askd_wire::settings::Theme,
    host_colours: Option<Value>,
}

impl Alone {
    pub(crate) fn new(settings: &Settings, surroundings: Surroundings) -> Self {
        let choice = settings.frontends.theme;
        Self {
            pane: SettingsPane::new(settings),
            keymap: Keymap::new(&settings.keymaps),
            theme: Theme::new(choice, surroundings.no_color),
            surroundings,
            choice,
            host_colours: None,
        }
    }

    pub(crate) fn on_key(&mut self, press: &KeyPress) -> Outcome {
        self.pane.on_key(&self.keymap, press)
    }

    /// Settings changed, here or elsewhere.
    pub(crate) fn on_settings(&mut self, settings: &Settings) {
        self.keymap = Keymap::new(&settings.keymaps);
        self.choice = settings.frontends.theme;
        self.pane.told(settings);
        self.retheme();
    }

    pub(crate) fn on_host_colours(&mut self, colours: Value) {
        self.host_colours = Some(colours);
        self.retheme();
    }

    fn retheme(&mut self) {
        let own = Theme::new(self.choice, self.surroundings.no_color);
        self.theme = match &self.host_colours {
            Some(colours) if !self.surroundings.no_color => own.with_host_colours(colours),
            _ => own,
        };
    }

    pub(crate) fn draw(&mut self, buffer: &mut Buffer) -> Option<Position> {
        let area = buffer.area;
        if area.width == 0 || area.height == 0 {
            return None;
        }
        draw(&mut self.pane, Look { theme: &self.theme, keymap: &self.keymap }, buffer, area)
    }
}
