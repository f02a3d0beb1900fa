//! One form on the screen, without any terminal: what is entered, what is shown, what a key does to both.

mod alone;
mod popup;
mod settings;
mod view;

use askd_form::{Digits, Outcome, OutcomeKind};
use askd_interact::interaction::{Behaviour, Effects, Interaction, KeyPress, Keymap, Request, ViewAction};
use askd_interact::settings::Wish;
use askd_wire::form::{Draft, FormSnapshot, FormSummary, Viewer};
use askd_wire::settings::Settings;
use serde_json::Value;

use crate::theme::Theme;

pub(crate) use alone::Alone;
pub use popup::Popup;
pub(crate) use popup::SHOWN;
pub(crate) use settings::{SettingsPane, patch as settings_patch};
pub(crate) use view::{Overlay, OverlayKind, View};

/// What the surroundings say, read once by `main`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// `HOME`, to shorten paths.
    pub home: Option<String>,
    /// Whether `NO_COLOR` is set.
    pub no_color: bool,
    /// Whether `TMUX` is set: what is meant for the terminal itself has to get through tmux.
    pub tmux: bool,
    /// Whether another program draws our frames.
    pub hosted: bool,
}

/// Everything one form screen shows.
#[derive(Debug)]
pub struct App {
    pub(crate) work: Interaction,
    pub(crate) keymap: Keymap,
    pub(crate) settings: Settings,
    pub(crate) theme: Theme,
    pub(crate) summary: FormSummary,
    pub(crate) context: Option<String>,
    pub(crate) viewers: Vec<Viewer>,
    /// Other open forms.
    pub(crate) waiting: usize,
    /// Why the daemon is not there, while it is not.
    pub(crate) lost: Option<String>,
    pub(crate) view: View,
    pub(crate) popup: Popup,
    pub(crate) surroundings: Surroundings,
    /// The settings, while they lie over the form.
    pub(crate) pane: Option<SettingsPane>,
    host_colours: Option<Value>,
}

/// What a key or a paste asks of whoever runs the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// The draft is to be kept.
    pub changed: bool,
    /// What to do now.
    pub request: Option<Request>,
    /// A setting to save.
    pub settings: Option<Wish>,
}

impl From<Effects> for Asked {
    fn from(effects: Effects) -> Self {
        Self { changed: effects.changed, request: effects.request, settings: None }
    }
}

impl App {
    /// A form as the daemon gave it, with what was entered before.
    #[must_use]
    pub fn new(snapshot: FormSnapshot, settings: Settings, surroundings: Surroundings) -> Self {
        let FormSnapshot { summary, form, draft, .. } = snapshot;
        let mut work = Interaction::new(std::sync::Arc::new(form), behaviour(&settings));
        work.set_text_limit(usize::try_from(settings.limits.text_bytes).unwrap_or(usize::MAX));
        if let Some(draft) = draft {
            work.resume(&kept(draft));
        }
        let context = summary.origin.context.clone().filter(|context| !context.trim().is_empty());
        Self {
            work,
            keymap: Keymap::new(&settings.keymaps),
            theme: Theme::new(settings.frontends.theme, surroundings.no_color),
            settings,
            viewers: summary.viewers.clone(),
            context,
            summary,
            waiting: 0,
            lost: None,
            view: View::default(),
            popup: Popup::default(),
            surroundings,
            pane: None,
            host_colours: None,
        }
    }

    /// A key went down.
    pub fn on_key(&mut self, press: &KeyPress) -> Asked {
        if let Some(asked) = self.settings_key(press) {
            return asked;
        }
        if self.view.overlay.is_some() {
            self.overlay_key(press);
            return Asked::default();
        }
        if self.popup_key(press) {
            return Asked { changed: true, ..Asked::default() };
        }
        let before = self.place();
        let effects = self.work.on_key(&self.keymap, press);
        self.after(before, effects)
    }

    /// Text was pasted.
    pub fn on_paste(&mut self, text: &str) -> Asked {
        if self.view.overlay.is_some() || self.pane.is_some() {
            return Asked::default();
        }
        let before = self.place();
        let action = askd_interact::interaction::Action::Paste(text.to_owned());
        let effects = self.work.on(&action, false);
        self.after(before, effects)
    }

    fn place(&self) -> (usize, usize) {
        let row = self.work.current().map_or(self.work.review().row, |(_, page)| page.row);
        (self.work.tab(), row)
    }

    fn after(&mut self, before: (usize, usize), effects: Effects) -> Asked {
        let now = self.place();
        if before.0 != now.0 {
            self.view.turned();
        } else if before != now {
            self.view.moved();
        }
        self.refresh_popup();
        match effects.request {
            Some(Request::View(view)) if self.screen_action(view) => Asked::default(),
            _ => effects.into(),
        }
    }

    /// Does what concerns the screen only; false for what the runner has to do.
    fn screen_action(&mut self, action: ViewAction) -> bool {
        match action {
            ViewAction::Help => self.view.overlay = Some(Overlay::help()),
            ViewAction::Context if self.context.is_some() => self.view.overlay = Some(Overlay::context()),
            ViewAction::Context => {}
            ViewAction::ScrollDown => self.view.scroll(1),
            ViewAction::ScrollUp => self.view.scroll(-1),
            ViewAction::ScrollLeft => self.view.across(-1),
            ViewAction::ScrollRight => self.view.across(1),
            ViewAction::PromptDown => self.view.prompt = self.view.prompt.saturating_add(1),
            ViewAction::PromptUp => self.view.prompt = self.view.prompt.saturating_sub(1),
            ViewAction::Minimise | ViewAction::Redraw | ViewAction::Suspend => return false,
        }
        true
    }

    /// Settings changed while the form is open; they act at once.
    pub fn on_settings(&mut self, settings: Settings) -> Asked {
        self.keymap = Keymap::new(&settings.keymaps);
        if let Some(pane) = &mut self.pane {
            pane.told(&settings);
        }
        self.settings = settings;
        self.retheme();
        let effects = self.work.set_behaviour(behaviour(&self.settings));
        effects.into()
    }

    /// The host said which colours it uses.
    pub fn on_host_colours(&mut self, colours: Value) {
        self.host_colours = Some(colours);
        self.retheme();
    }

    fn retheme(&mut self) {
        let own = Theme::new(self.settings.frontends.theme, self.surroundings.no_color);
        self.theme = match &self.host_colours {
            Some(colours) if !self.surroundings.no_color => own.with_host_colours(colours),
            _ => own,
        };
    }

    /// Somebody else's draft, where nothing was typed here since.
    pub fn take_draft(&mut self, draft: Draft) {
        self.work.resume(&kept(draft));
        self.view.turned();
        self.refresh_popup();
    }

    /// What would be kept now.
    #[must_use]
    pub fn draft(&self) -> Draft {
        let kept = self.work.keep();
        let presented = Some(kept.presented).filter(|presented| !presented.is_empty());
        Draft { answers: kept.answers, presented_types: presented, view: kept.view }
    }

    /// Whether anything was entered that would be missed.
    #[must_use]
    pub fn is_dirty(&self) -> bool {
        self.work.is_dirty()
    }

    /// The frontend's work on the form.
    #[must_use]
    pub fn work(&self) -> &Interaction {
        &self.work
    }

    /// The work, to tell the person something.
    pub fn work_mut(&mut self) -> &mut Interaction {
        &mut self.work
    }

    /// The daemon is there again, or is not.
    pub fn on_connection(&mut self, lost: Option<String>) {
        self.lost = lost;
    }

    /// Who else shows the form, and how many other forms wait.
    pub fn on_others(&mut self, viewers: Vec<Viewer>, waiting: usize) {
        self.viewers = viewers;
        self.waiting = waiting;
    }
}

/// Behaviour from settings.
fn behaviour(settings: &Settings) -> Behaviour {
    let given = settings.behaviour;
    Behaviour {
        auto_submit: given.auto_submit_when_answered_without_notes,
        confirm_dismiss: given.confirm_dismiss_when_dirty,
        double_press: given.double_press_review_shortcuts,
    }
}

fn kept(draft: Draft) -> askd_interact::interaction::Kept {
    askd_interact::interaction::Kept {
        answers: draft.answers,
        presented: draft.presented_types.unwrap_or_default(),
        view: draft.view,
    }
}

/// One line for a form that ended: who did it and how (screens: "Answered by …").
#[must_use]
pub fn ended_line(form: &askd_form::Form, outcome: &Outcome, by: &askd_wire::form::ResolvedBy) -> String {
    let who = match (&by.client, &by.kind) {
        (Some(client), Some(kind)) if *kind != client.name => format!("{} ({kind})", client.name),
        (Some(client), _) => client.name.clone(),
        (None, _) => "askd".to_owned(),
    };
    let who = askd_form::safe_text::line(&who).into_owned();
    match (outcome.kind, outcome.reason) {
        (OutcomeKind::Submitted, _) => {
            let answers = short_answers(form, outcome);
            if answers.is_empty() {
                format!("Answered by {who}.")
            } else {
                format!("Answered by {who}: {answers}")
            }
        }
        (OutcomeKind::Elaborated, _) => format!("Sent back for elaboration by {who}."),
        (OutcomeKind::Cancelled, Some(askd_form::Reason::Expired)) => {
            "The form expired: nobody answered in time, nothing is decided.".to_owned()
        }
        (OutcomeKind::Cancelled, Some(askd_form::Reason::Dismissed)) => format!("Cancelled by {who}."),
        (OutcomeKind::Cancelled, _) => "The question was withdrawn before anyone answered.".to_owned(),
    }
}

fn short_answers(form: &askd_form::Form, outcome: &Outcome) -> String {
    let answers = outcome.answers.iter().flatten();
    let one = answers.filter_map(|(id, data)| {
        let question = form.question(id)?;
        let labels = data.values.iter().filter_map(|value| question.option(value));
        let mut parts: Vec<String> =
            labels.map(|option| askd_form::safe_text::line(&option.label).into_owned()).collect();
        parts.extend(data.custom_text.as_ref().map(|text| askd_form::safe_text::line(text).into_owned()));
        (!parts.is_empty()).then(|| parts.join(", "))
    });
    one.collect::<Vec<_>>().join("; ")
}

/// Whether the form selects by digit without moving on and has keys for all options (questionnaire).
pub(crate) fn selects_in_bulk(app: &App) -> bool {
    app.work.form().rules.digits == Digits::Select
}
