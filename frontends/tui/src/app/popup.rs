//! File names offered while one is typed after `@`.

use askd_interact::interaction::mention::{Mention, complete, mention};
use askd_interact::interaction::{Code, KeyPress};

use super::App;

/// The names offered now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Popup {
    mention: Option<Mention>,
    names: Vec<String>,
    row: usize,
    /// The person chose a row; Enter takes it then.
    moved: bool,
    /// Closed by hand until another name is begun.
    shut: Option<usize>,
    /// A question to the searcher that is not answered yet.
    wanted: Option<String>,
}

/// Names shown at once.
pub(crate) const SHOWN: usize = 8;

impl Popup {
    /// The names, best first; empty when nothing is offered.
    #[must_use]
    pub fn names(&self) -> &[String] {
        if self.mention.is_some() { &self.names } else { &[] }
    }

    /// The highlighted name.
    #[must_use]
    pub fn row(&self) -> usize {
        self.row
    }

    /// What to search for, once: the query of a name being typed.
    pub fn take_wanted(&mut self) -> Option<String> {
        self.wanted.take()
    }
}

impl App {
    /// What was found for a query; of use only if it is still the one being typed.
    pub fn on_found(&mut self, query: &str, names: Vec<String>) {
        if self.popup.mention.as_ref().is_some_and(|mention| mention.query == query) {
            self.popup.names = names;
            self.popup.row = 0;
            self.popup.moved = false;
        }
    }

    /// The popup, to search for what it wants.
    pub fn popup_mut(&mut self) -> &mut Popup {
        &mut self.popup
    }

    pub(super) fn refresh_popup(&mut self) {
        let found = self.work.editor().and_then(|editor| mention(&editor.text));
        let shut = self.popup.shut;
        match found {
            Some(found) if shut != Some(found.range.start) => {
                if self.popup.mention.as_ref() != Some(&found) {
                    self.popup.wanted = Some(found.query.clone());
                    self.popup.mention = Some(found);
                }
            }
            Some(_) => {}
            None => self.popup = Popup::default(),
        }
    }

    /// Keys that belong to the offered names. Enter belongs to them only after one was chosen with the arrows, so
    /// that it always sends what is written otherwise.
    pub(super) fn popup_key(&mut self, press: &KeyPress) -> bool {
        let Some(mention) = self.popup.mention.clone().filter(|_| !self.popup.names().is_empty()) else {
            return false;
        };
        let last = self.popup.names().len().min(SHOWN) - 1;
        let plain = press.key.filter(|key| key.is_unmodified()).map(|key| key.code);
        match plain {
            Some(Code::Down) => self.popup.row = (self.popup.row + 1).min(last),
            Some(Code::Up) => self.popup.row = self.popup.row.saturating_sub(1),
            Some(Code::Esc) => {
                self.popup = Popup { shut: Some(mention.range.start), ..Popup::default() };
                return true;
            }
            Some(Code::Tab) => return self.accept(&mention),
            Some(Code::Enter) if self.popup.moved => return self.accept(&mention),
            _ => return false,
        }
        self.popup.moved = true;
        true
    }

    fn accept(&mut self, mention: &Mention) -> bool {
        let Some(name) = self.popup.names.get(self.popup.row).cloned() else { return false };
        if let Some(editor) = self.work.editor_mut() {
            complete(&mut editor.text, mention, &name);
        }
        self.popup = Popup::default();
        self.refresh_popup();
        true
    }
}
