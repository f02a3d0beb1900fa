//! The dialogs of a form and the draft they leave, the same whoever shows them.

use askd_interact::steps::Dialogs;
use askd_wire::form::{Draft, FormSnapshot};
use serde_json::json;

use crate::session;

/// The dialogs, from where an earlier run left them. Where other frontends left the form says nothing about
/// which questions were seen, so that their drafts begin at the first.
pub(crate) fn begin(shown: &FormSnapshot) -> Dialogs {
    let entered = session::entered(shown);
    let view = shown.draft.as_ref().and_then(|draft| draft.view.as_ref());
    let ours = view.filter(|view| view["frontend"] == "dialog");
    let question = ours.and_then(|view| view["question"].as_str());
    let at = shown.form.questions.iter().position(|q| Some(q.id.as_str()) == question);
    Dialogs::starting_at(entered, at.unwrap_or(0))
}

/// What was entered so far.
pub(crate) fn draft(dialogs: &Dialogs) -> Draft {
    let mut view = dialogs.entered().view(Some(dialogs.position()));
    view["frontend"] = json!("dialog");
    session::draft(dialogs.entered(), view)
}
