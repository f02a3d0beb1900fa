//! A person working on a form: state, actions in, effects out. No terminal, no wire, no clock; terminals and hosts
//! feed the same actions, so that a rule exists once (docs/architecture.md).

pub mod action;
pub mod buffer;
pub mod keys;
pub mod mention;

mod choose;
mod draft;
mod edit;
mod guard;
mod limits;
mod notes;
mod notice;
mod retype;
mod review;
mod tabs;

use std::sync::Arc;

use askd_form::{Answer, CustomText, Form, PresentedTypes, Question, QuestionType, Response, ResponseMode};

pub use action::{Action, ViewAction};
pub use draft::Kept;
pub use edit::{Editor, Target};
pub use keys::{Code, Context, Key, KeyPress, Keymap};
pub use notice::Notice;
pub use review::{Review, ReviewEntry};

/// Settings that change how a form behaves (ask contract, "Supported TUI UX"). They touch the ask contract only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Behaviour {
    /// Submit on arrival at the review when all is answered and there is no note.
    pub auto_submit: bool,
    /// Leaving unsent answers needs a second press.
    pub confirm_dismiss: bool,
    /// Digits on the review need a second press.
    pub double_press: bool,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self { auto_submit: false, confirm_dismiss: true, double_press: true }
    }
}

/// What an action asks of whoever runs the interaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request {
    /// Send [`Interaction::response`] in this mode.
    Submit(ResponseMode),
    /// Cancel the form.
    Cancel,
    /// Open the settings.
    Settings,
    /// Something of the screen's own.
    View(ViewAction),
}

/// What came of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Effects {
    /// Answers, cursor or editor may have changed: the draft is to be kept.
    pub changed: bool,
    /// What to do now.
    pub request: Option<Request>,
}

impl Effects {
    fn changed() -> Self {
        Self { changed: true, request: None }
    }

    fn ask(request: Request) -> Self {
        Self { changed: false, request: Some(request) }
    }
}

/// One question while it is being answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What is entered.
    pub answer: Answer,
    /// The type it is presented as now.
    pub kind: QuestionType,
    /// The highlighted row: an option, or after them the row for typed text.
    pub row: usize,
}

/// A person's work on one form.
#[derive(Debug, Clone)]
pub struct Interaction {
    form: Arc<Form>,
    behaviour: Behaviour,
    pages: Vec<Page>,
    tab: usize,
    review: Review,
    editor: Option<Editor>,
    leaving: bool,
    retyping: bool,
    notice: Option<Notice>,
    text_limit: usize,
    sent: bool,
}

impl Interaction {
    /// Starts on a form. Preselected options are ticked; nothing else is entered.
    #[must_use]
    pub fn new(form: Arc<Form>, behaviour: Behaviour) -> Self {
        let pages = form.questions.iter().map(Page::new).collect();
        let text_limit = askd_form::Limits::default().text_bytes;
        let mut new = Self {
            form,
            behaviour,
            pages,
            tab: 0,
            review: Review::default(),
            editor: None,
            leaving: false,
            retyping: false,
            notice: None,
            text_limit,
            sent: false,
        };
        new.arrive();
        new
    }

    /// Does one action. `repeat` tells that the key is held down: only moving and typing go on then, so that one
    /// press does one thing and a held key never counts as a second press.
    pub fn on(&mut self, action: &Action, repeat: bool) -> Effects {
        if self.sent || (repeat && !repeats(action)) {
            return Effects::default();
        }
        self.notice = None;
        self.settle(action);
        if self.editor.is_some() { self.on_in_editor(action) } else { self.on_in_main(action) }
    }

    /// Does what a key means where the person is.
    pub fn on_key(&mut self, keymap: &Keymap, press: &KeyPress) -> Effects {
        let action = keymap.action(self.context(), press);
        self.on(&action, press.repeat)
    }

    fn on_in_main(&mut self, action: &Action) -> Effects {
        match action {
            Action::NextTab => self.turn(1),
            Action::PreviousTab => self.turn(-1),
            Action::GoTo(tab) => self.go_to(*tab),
            Action::Cancel | Action::Dismiss => self.leave(action),
            Action::Settings => Effects::ask(Request::Settings),
            Action::View(view) => Effects::ask(Request::View(*view)),
            Action::QuestionNote => self.open_question_note(),
            Action::OptionNote => self.open_option_note(),
            Action::ChangeType => self.change_type(),
            _ if self.on_review() => self.on_in_review(action),
            _ => self.on_in_question(action),
        }
    }

    /// The form.
    #[must_use]
    pub fn form(&self) -> &Arc<Form> {
        &self.form
    }

    /// Settings in force.
    #[must_use]
    pub fn behaviour(&self) -> Behaviour {
        self.behaviour
    }

    /// Takes changed settings over. Auto-submit acts at once when it is turned on at the review.
    pub fn set_behaviour(&mut self, behaviour: Behaviour) -> Effects {
        let turned_on = behaviour.auto_submit && !self.behaviour.auto_submit;
        self.behaviour = behaviour;
        if turned_on && self.on_review() && !self.sent { self.auto_submit() } else { Effects::default() }
    }

    /// Bytes that one typed text may have, where it differs from the protocol's default.
    pub fn set_text_limit(&mut self, bytes: usize) {
        self.text_limit = bytes;
    }

    /// Position of the open tab: a question's, or their number for the review.
    #[must_use]
    pub fn tab(&self) -> usize {
        self.tab
    }

    /// Whether the review is open.
    #[must_use]
    pub fn on_review(&self) -> bool {
        self.tab >= self.pages.len()
    }

    /// All questions as they stand.
    #[must_use]
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// The open question.
    #[must_use]
    pub fn current(&self) -> Option<(&Question, &Page)> {
        Some((self.form.questions.get(self.tab)?, self.pages.get(self.tab)?))
    }

    /// The review.
    #[must_use]
    pub fn review(&self) -> &Review {
        &self.review
    }

    /// The open editor.
    #[must_use]
    pub fn editor(&self) -> Option<&Editor> {
        self.editor.as_ref()
    }

    /// The open editor, for what the screen tells it: its width, a completed name.
    pub fn editor_mut(&mut self) -> Option<&mut Editor> {
        self.editor.as_mut()
    }

    /// What the person is to be told.
    #[must_use]
    pub fn notice(&self) -> Option<&Notice> {
        self.notice.as_ref()
    }

    /// Tells the person something, until the next action.
    pub fn tell(&mut self, notice: Notice) {
        self.notice = Some(notice);
    }

    /// Whether a second press leaves and drops what was entered.
    #[must_use]
    pub fn leaving(&self) -> bool {
        self.leaving
    }

    /// Whether a second press of the type key drops answers.
    #[must_use]
    pub fn retyping(&self) -> bool {
        self.retyping
    }

    /// Whether a response is on its way; nothing is done meanwhile.
    #[must_use]
    pub fn sent(&self) -> bool {
        self.sent
    }

    /// Takes work up again after a response was refused, and says why.
    pub fn refused(&mut self, why: impl Into<String>) {
        self.sent = false;
        self.notice = Some(Notice::Refused(why.into()));
    }

    /// Where keys go.
    #[must_use]
    pub fn context(&self) -> Context {
        match &self.editor {
            None => Context::Main,
            Some(Editor { target: Target::Answer, text, .. }) => {
                let typed = self.current().is_some_and(|(q, _)| q.is_typed());
                let tab_leaves = self.current().is_some_and(|(q, _)| q.kind == QuestionType::Text);
                Context::Editor { empty: text.is_empty(), alone: typed, tab_leaves }
            }
            Some(Editor { text, .. }) => Context::NoteEditor { empty: text.is_empty() },
        }
    }

    /// What would be sent now.
    #[must_use]
    pub fn response(&self, mode: ResponseMode) -> Response {
        Response::Answer { mode, answers: self.answers() }
    }

    /// The questions that are presented as another type than they came as.
    #[must_use]
    pub fn presented(&self) -> PresentedTypes {
        let changed = self.form.questions.iter().zip(&self.pages).filter(|(q, page)| q.kind != page.kind);
        changed.map(|(q, page)| (q.id.clone(), page.kind)).collect()
    }

    fn question(&self) -> Option<&Question> {
        self.form.questions.get(self.tab)
    }

    fn page_mut(&mut self) -> Option<&mut Page> {
        self.pages.get_mut(self.tab)
    }
}

impl Page {
    fn new(question: &Question) -> Self {
        let chosen = question.options.iter().filter(|option| option.selected == Some(true));
        let values = chosen.map(|option| option.value.clone()).collect();
        let answer = Answer { values, ..Answer::default() };
        let mut page = Self { answer, kind: question.kind, row: 0 };
        page.row = page.first_chosen(question).unwrap_or(0);
        page
    }

    /// Rows of the question: its options, and one for typed text.
    #[must_use]
    pub fn rows(question: &Question) -> usize {
        if question.is_typed() { 1 } else { question.options.len() + usize::from(question.custom.is_some()) }
    }

    /// Whether a row is the one for typed text.
    #[must_use]
    pub fn is_custom(question: &Question, row: usize) -> bool {
        question.is_typed() || row >= question.options.len()
    }

    /// Typed text, selected or not.
    #[must_use]
    pub fn custom(&self) -> Option<&CustomText> {
        self.answer.custom.as_ref()
    }

    /// The first row that is selected.
    fn first_chosen(&self, question: &Question) -> Option<usize> {
        let option = question.options.iter().position(|option| self.answer.values.contains(&option.value));
        let custom = self.custom().is_some_and(|custom| custom.selected && question.custom.is_some());
        option.or_else(|| custom.then_some(question.options.len()))
    }
}

/// Whether a held key goes on doing this.
fn repeats(action: &Action) -> bool {
    matches!(
        action,
        Action::NextOption
            | Action::PreviousOption
            | Action::PageDown
            | Action::PageUp
            | Action::NextTab
            | Action::PreviousTab
            | Action::Edit(_)
            | Action::Insert(_)
            | Action::View(_)
    )
}

#[cfg(test)]
mod tests;
