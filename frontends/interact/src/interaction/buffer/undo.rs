//! What undo goes back to: whole texts, bounded in number and bytes. Letters typed or deleted in a row are one step.

/// How a change joins the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Edit {
    /// One letter typed.
    Typing,
    /// One grapheme deleted.
    Deleting,
    /// Anything else, a step of its own.
    Other,
}

const STEPS: usize = 200;
const BYTES: usize = 1 << 20;

#[derive(Debug, Clone, Default)]
pub(super) struct History {
    past: Vec<(String, usize)>,
    future: Vec<(String, usize)>,
    last: Option<Edit>,
}

impl History {
    /// Remembers the text as it is before a change.
    pub(super) fn before(&mut self, edit: Edit, text: &str, cursor: usize) {
        self.future.clear();
        let joins = edit != Edit::Other && self.last == Some(edit);
        self.last = Some(edit);
        if joins {
            return;
        }
        self.past.push((text.to_owned(), cursor));
        let mut bytes: usize = self.past.iter().map(|(text, _)| text.len()).sum();
        while self.past.len() > STEPS || (bytes > BYTES && self.past.len() > 1) {
            bytes -= self.past.remove(0).0.len();
        }
    }

    /// Ends a run of letters, so that the next one is a new step.
    pub(super) fn pause(&mut self) {
        self.last = None;
    }

    pub(super) fn undo(&mut self, text: &str, cursor: usize) -> Option<(String, usize)> {
        self.last = None;
        let found = self.past.pop()?;
        self.future.push((text.to_owned(), cursor));
        Some(found)
    }

    pub(super) fn redo(&mut self, text: &str, cursor: usize) -> Option<(String, usize)> {
        self.last = None;
        let found = self.future.pop()?;
        self.past.push((text.to_owned(), cursor));
        Some(found)
    }
}
