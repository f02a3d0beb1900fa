//! The settings list on the screen: over a form, or alone. What it shows comes from the daemon's `settings/get`.

use std::time::Instant;

use askd_interact::interaction::{KeyPress, Keymap};
use askd_interact::settings::{Facts, Outcome, SettingsList, TOGGLES, Toggle, Wish, action};
use askd_wire::settings::{SettingSource, Settings, SettingsState};
use serde_json::{Value, json};

use super::{App, Asked};

/// The list with what concerns the screen only.
#[derive(Debug)]
pub(crate) struct SettingsPane {
    pub(crate) list: SettingsList,
    opened: Instant,
    /// Lines it is scrolled on beyond what shows the highlighted row; drawing brings it into range.
    pub(crate) scroll: usize,
    /// Lines of the list that were shown last.
    pub(crate) page: usize,
}

impl SettingsPane {
    /// The list before the daemon has told more than what is in force.
    pub(crate) fn new(settings: &Settings) -> Self {
        let facts = Facts { on: on(settings), writable: true, ..Facts::default() };
        Self { list: SettingsList::new(facts), opened: Instant::now(), scroll: 0, page: 1 }
    }

    /// A key went down.
    pub(crate) fn on_key(&mut self, keymap: &Keymap, press: &KeyPress) -> Outcome {
        let pages = [("pageDown", true), ("pageUp", false)];
        if let Some((_, down)) = pages.iter().find(|(name, _)| keymap.is("askd", name, press)) {
            self.scroll = if *down { self.scroll + self.page } else { self.scroll.saturating_sub(self.page) };
            return Outcome::Stays;
        }
        self.scroll = 0;
        self.list.on(action(keymap, press), self.opened.elapsed(), press.repeat)
    }

    /// The daemon's answer to a wish, or to the question what holds.
    pub(crate) fn answered(&mut self, answer: &Result<Box<SettingsState>, String>, to_wish: bool) {
        match answer {
            Ok(state) if to_wish => {
                let remark = state.notices.iter().find(|notice| notice.kind == "settingNotInForce");
                self.list.saved(facts(state), remark.map(|notice| notice.text.clone()));
            }
            Ok(state) => self.list.told(facts(state)),
            Err(why) => self.list.refused(why.clone()),
        }
    }

    /// Settings changed, here or elsewhere.
    pub(crate) fn told(&mut self, settings: &Settings) {
        self.list.told_on(on(settings));
    }
}

/// The merge patch of a wish; none for the reset, which is a call of its own.
pub(crate) fn patch(wish: Wish) -> Option<Value> {
    let Wish::Set(toggle, on) = wish else { return None };
    Some(toggle.key().rsplit('.').fold(json!(on), |inner, name| json!({ name: inner })))
}

fn on(settings: &Settings) -> Vec<Toggle> {
    TOGGLES.into_iter().filter(|toggle| is_on(settings, *toggle)).collect()
}

fn is_on(settings: &Settings, toggle: Toggle) -> bool {
    let (behaviour, notifications) = (&settings.behaviour, &settings.notifications);
    match toggle {
        Toggle::AutoSubmit => behaviour.auto_submit_when_answered_without_notes,
        Toggle::ConfirmDismiss => behaviour.confirm_dismiss_when_dirty,
        Toggle::DoublePress => behaviour.double_press_review_shortcuts,
        Toggle::FooterHints => behaviour.show_footer_hints,
        Toggle::SingleAsMulti => behaviour.present_single_as_multi,
        Toggle::Notifications => notifications.enabled,
        Toggle::AnswerButtons => notifications.answer_buttons,
        Toggle::Privacy => notifications.privacy,
    }
}

fn facts(state: &SettingsState) -> Facts {
    let fixed = TOGGLES.into_iter().filter_map(|toggle| {
        let by = match state.sources.get(toggle.key())? {
            SettingSource::Env => "fixed by the environment",
            SettingSource::Flag => "fixed by a flag",
            SettingSource::Default | SettingSource::File => return None,
        };
        Some((toggle, by.to_owned()))
    });
    let faults = state.notices.iter().filter(|notice| notice.kind != "settingNotInForce");
    Facts {
        on: on(&state.settings),
        fixed: fixed.collect(),
        file: Some(state.file.clone()),
        writable: state.writable,
        notices: faults.map(|notice| notice.text.clone()).collect(),
    }
}

impl App {
    /// Opens the settings over the form.
    pub fn open_settings(&mut self) {
        self.pane = Some(SettingsPane::new(&self.settings));
    }

    pub(super) fn settings_key(&mut self, press: &KeyPress) -> Option<Asked> {
        let pane = self.pane.as_mut()?;
        match pane.on_key(&self.keymap, press) {
            Outcome::Stays => Some(Asked::default()),
            Outcome::Closed => {
                self.pane = None;
                Some(Asked::default())
            }
            Outcome::Saves(wish) => Some(Asked { settings: Some(wish), ..Asked::default() }),
        }
    }
}
