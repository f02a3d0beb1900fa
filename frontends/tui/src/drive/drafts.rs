//! When a draft is sent, and whose counts: what is typed here wins over what others kept.

use std::time::Duration;

use askd_wire::form::FormSnapshot;
use tokio::time::Instant;

use super::Driver;
use crate::attach::Call;

/// How old a change may be before its draft is sent; with the call it stays under the 150 ms that are promised.
const DEBOUNCE: Duration = Duration::from_millis(100);
/// How long the last draft may take when the screen has to go at once.
const LAST_DRAFT: Duration = Duration::from_millis(400);

impl Driver {
    /// Whether something was typed here that the daemon has not kept: it wins over other drafts then.
    pub(super) fn has_news_of_its_own(&self) -> bool {
        self.draft_due.is_some() || self.unkept
    }

    pub(super) fn reread(&mut self, snapshot: FormSnapshot) {
        if self.has_news_of_its_own() {
            return;
        }
        if let (Some(draft), Some(app)) = (snapshot.draft, &mut self.app) {
            if app.work().sent() {
                return;
            }
            self.last_draft = Some(draft.clone());
            app.take_draft(draft);
        }
    }

    pub(super) fn changed(&mut self) {
        self.draft_due.get_or_insert_with(|| Instant::now() + DEBOUNCE);
    }

    /// Sends the draft now, if there is one that the daemon does not have. A form that was only looked at has none.
    pub(crate) fn flush(&mut self) {
        let due = self.draft_due.take().is_some();
        let Some(app) = self.app.as_ref().filter(|app| due && !app.work().sent()) else { return };
        let draft = app.draft();
        let untouched = self.last_draft.is_none() && !app.is_dirty();
        if untouched || self.last_draft.as_ref() == Some(&draft) {
            return;
        }
        self.last_draft = Some(draft.clone());
        self.unkept = true;
        self.call(Call::Keep(Box::new(draft)));
    }

    /// Waits a moment for what is on its way to the daemon.
    pub(crate) async fn last_words(&mut self) {
        self.flush();
        let end = Instant::now() + LAST_DRAFT;
        while self.open_calls > 0 {
            let Ok(happened) = tokio::time::timeout_at(end, self.happens()).await else { return };
            self.take(happened);
        }
    }
}
