//! Which events a reader asked for.

use std::collections::HashSet;
use std::sync::Arc;

use askd_wire::event::SubscribeParams;

use super::Entry;

/// Kinds that come whatever was asked for (protocol §4, Lag).
const ALWAYS: [&str; 3] = ["snapshot", "lagged", "shutting-down"];

/// A reader's wish.
#[derive(Debug)]
pub(crate) struct Filter {
    connection_id: Arc<str>,
    kinds: Option<HashSet<String>>,
    forms: Option<HashSet<String>>,
}

impl Filter {
    pub(crate) fn new(connection_id: &str, params: &SubscribeParams) -> Self {
        Self {
            connection_id: connection_id.into(),
            kinds: params.kinds.as_ref().map(|kinds| kinds.iter().cloned().collect()),
            forms: params.forms.as_ref().map(|forms| forms.iter().cloned().collect()),
        }
    }

    /// Whether the reader gets the event. What is about no form passes a choice of forms.
    pub(crate) fn passes(&self, entry: &Entry) -> bool {
        if entry.to.as_ref().is_some_and(|to| *to != self.connection_id) {
            return false;
        }
        if ALWAYS.contains(&entry.kind) {
            return true;
        }
        let kind = self.kinds.as_ref().is_none_or(|kinds| kinds.contains(entry.kind));
        let form = match (&self.forms, &entry.form_id) {
            (Some(forms), Some(form_id)) => forms.contains(&**form_id),
            _ => true,
        };
        kind && form
    }
}
