//! The settings as a list: which row is highlighted, what a key changes, what is put back when it was not saved.
//!
//! The rows are the ask contract's ("Settings modal"), with the two toggles of desktop notifications behind them.

mod keys;
mod toggle;

use std::time::Duration;

pub use keys::{SettingsAction, action};
pub use toggle::{TOGGLES, Toggle};

/// The second press of the reset has to come within this time.
pub const CONFIRM: Duration = Duration::from_secs(3);

/// What the list shows beside its own state, as the daemon tells it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The toggles that are on.
    pub on: Vec<Toggle>,
    /// Toggles that something above the file fixes, with its name.
    pub fixed: Vec<(Toggle, String)>,
    /// Absolute path of the settings file; none until it was told.
    pub file: Option<String>,
    /// Whether a save can succeed.
    pub writable: bool,
    /// Faults of the settings.
    pub notices: Vec<String>,
}

/// A row of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// On or off.
    Toggle(Toggle),
    /// Everything back to its default.
    Reset,
}

/// What is to be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// One setting.
    Set(Toggle, bool),
    /// All of them.
    Reset,
}

/// What came of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing beyond the list itself.
    Stays,
    /// The list is to be closed.
    Closed,
    /// Something is to be saved; [`SettingsList::saved`] or [`SettingsList::refused`] follows.
    Saves(Wish),
}

/// What the person is told below the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The reset waits for its second press.
    ResetAgain,
    /// All settings are back.
    WasReset,
    /// A change was not saved and is put back: why, and what to do.
    NotSaved(String),
    /// A change was saved and has no effect, or not yet.
    Remark(String),
}

/// The list.
#[derive(Debug, Clone, Default)]
pub struct SettingsList {
    facts: Facts,
    row: usize,
    /// Wishes that are on their way, oldest first. They show as if they were saved.
    sent: Vec<Wish>,
    /// When the reset was pressed first.
    armed: Option<Duration>,
    said: Option<Said>,
}

impl SettingsList {
    /// The list over what is known.
    #[must_use]
    pub fn new(facts: Facts) -> Self {
        Self { facts, ..Self::default() }
    }

    /// Does one action. `now` is the time on any clock that does not go back; `repeat` tells that the key is held
    /// down, which moves on and does nothing else.
    pub fn on(&mut self, action: SettingsAction, now: Duration, repeat: bool) -> Outcome {
        if repeat && !action.moves() {
            return Outcome::Stays;
        }
        let armed = self.armed.take();
        self.said = None;
        match action {
            SettingsAction::Next => self.row = (self.row + 1).min(TOGGLES.len()),
            SettingsAction::Previous => self.row = self.row.saturating_sub(1),
            SettingsAction::First => self.row = 0,
            SettingsAction::Last => self.row = TOGGLES.len(),
            SettingsAction::Close => return Outcome::Closed,
            SettingsAction::Toggle => return self.press(armed, now),
            SettingsAction::Other => {}
        }
        Outcome::Stays
    }

    fn press(&mut self, armed: Option<Duration>, now: Duration) -> Outcome {
        let wish = match self.row() {
            Row::Toggle(toggle) => Wish::Set(toggle, !self.is_on(toggle)),
            Row::Reset if armed.is_some_and(|at| now.saturating_sub(at) <= CONFIRM) => Wish::Reset,
            Row::Reset => {
                self.armed = Some(now);
                self.said = Some(Said::ResetAgain);
                return Outcome::Stays;
            }
        };
        self.sent.push(wish);
        Outcome::Saves(wish)
    }

    /// The oldest wish was saved; `facts` are what holds now, `remark` what there is to tell about it.
    pub fn saved(&mut self, facts: Facts, remark: Option<String>) {
        self.facts = facts;
        if self.sent.is_empty() {
            return;
        }
        let wish = self.sent.remove(0);
        match (remark, wish) {
            (Some(remark), _) => self.said = Some(Said::Remark(remark)),
            (None, Wish::Reset) => self.said = Some(Said::WasReset),
            (None, Wish::Set(toggle, true)) if toggle.is_for_new_forms() => {
                self.said = Some(Said::Remark("It counts for forms that are made from now on.".to_owned()));
            }
            _ => {}
        }
    }

    /// The oldest wish was not saved: what it changed is put back.
    pub fn refused(&mut self, why: impl Into<String>) {
        if !self.sent.is_empty() {
            self.sent.remove(0);
        }
        self.said = Some(Said::NotSaved(why.into()));
    }

    /// Something changed elsewhere, or was read anew.
    pub fn told(&mut self, facts: Facts) {
        self.facts = facts;
    }

    /// The toggles that are on were told, nothing else.
    pub fn told_on(&mut self, on: Vec<Toggle>) {
        self.facts.on = on;
    }

    /// What is known.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The rows, from the top.
    pub fn rows() -> impl Iterator<Item = Row> {
        TOGGLES.iter().map(|toggle| Row::Toggle(*toggle)).chain([Row::Reset])
    }

    /// The highlighted row.
    #[must_use]
    pub fn row(&self) -> Row {
        TOGGLES.get(self.row).map_or(Row::Reset, |toggle| Row::Toggle(*toggle))
    }

    /// Its position.
    #[must_use]
    pub fn position(&self) -> usize {
        self.row
    }

    /// Whether a toggle shows as on.
    #[must_use]
    pub fn is_on(&self, toggle: Toggle) -> bool {
        let mut newest_first = self.sent.iter().rev();
        let wished = newest_first.find_map(|wish| match wish {
            Wish::Set(wished, on) if *wished == toggle => Some(*on),
            _ => None,
        });
        wished.unwrap_or_else(|| self.facts.on.contains(&toggle))
    }

    /// What fixes a toggle, if something above the file does.
    #[must_use]
    pub fn fixed_by(&self, toggle: Toggle) -> Option<&str> {
        self.facts.fixed.iter().find(|(fixed, _)| *fixed == toggle).map(|(_, by)| by.as_str())
    }

    /// What the person is told.
    #[must_use]
    pub fn said(&self) -> Option<&Said> {
        self.said.as_ref()
    }
}

#[cfg(test)]
mod tests;
