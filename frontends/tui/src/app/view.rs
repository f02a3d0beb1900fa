//! What is scrolled where, and what lies over the form.

use askd_interact::interaction::{Code, KeyPress};

use super::App;

/// Where the screen is scrolled to. Drawing brings the numbers into range.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    /// First row of the option list that is shown, and how many of its lines are above the screen.
    pub(crate) top: (usize, usize),
    /// Lines the focused row is scrolled on, where it is taller than the list.
    pub(crate) within: usize,
    /// Lines the prompt is scrolled on.
    pub(crate) prompt: usize,
    /// Lines and columns the pane beside or below the list is scrolled on.
    pub(crate) pane: (usize, usize),
    /// Whether the pane has the list's place, where there is no room for both.
    pub(crate) pane_only: bool,
    /// Whether there is a pane, and whether it shares the screen with the list: told by the last drawing.
    pub(crate) has_pane: bool,
    pub(crate) pane_fits: bool,
    /// First row of the open editor that is shown.
    pub(crate) editor_top: usize,
    pub(crate) overlay: Option<Overlay>,
}

/// Text over the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Overlay {
    pub(crate) kind: OverlayKind,
    pub(crate) top: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OverlayKind {
    /// The keys in force.
    Help,
    /// What the agent said before it asked.
    Context,
}

impl Overlay {
    pub(crate) fn help() -> Self {
        Self { kind: OverlayKind::Help, top: 0 }
    }

    pub(crate) fn context() -> Self {
        Self { kind: OverlayKind::Context, top: 0 }
    }
}

/// Lines or columns of one scroll key.
const STEP: isize = 4;

impl View {
    /// Another tab is open.
    pub(crate) fn turned(&mut self) {
        *self = Self::default();
    }

    /// Another row is focused.
    pub(crate) fn moved(&mut self) {
        self.within = 0;
        self.pane = (0, 0);
        self.pane_only = false;
        self.editor_top = 0;
    }

    pub(crate) fn scroll(&mut self, direction: isize) {
        if !self.has_pane {
            self.within = self.within.saturating_add_signed(direction * STEP / 2);
            return;
        }
        if !self.pane_fits && !self.pane_only {
            self.pane_only = direction > 0;
            return;
        }
        if self.pane_only && direction < 0 && self.pane.0 == 0 {
            self.pane_only = false;
            return;
        }
        self.pane.0 = self.pane.0.saturating_add_signed(direction * STEP);
    }

    pub(crate) fn across(&mut self, direction: isize) {
        self.pane.1 = self.pane.1.saturating_add_signed(direction * STEP * 2);
    }
}

impl App {
    /// Keys while something lies over the form: moving scrolls, everything else closes it.
    pub(super) fn overlay_key(&mut self, press: &KeyPress) {
        let Some(overlay) = &mut self.view.overlay else { return };
        let by = match press.key.map(|key| key.code) {
            Some(Code::Down) => 1,
            Some(Code::Up) => -1,
            Some(Code::PageDown | Code::Char(' ')) => 8,
            Some(Code::PageUp) => -8,
            Some(Code::Home) => isize::MIN,
            Some(Code::End) => 100_000,
            _ if press.repeat => 0,
            _ => {
                self.view.overlay = None;
                return;
            }
        };
        overlay.top = overlay.top.saturating_add_signed(by);
    }
}
