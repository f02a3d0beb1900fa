//! What notifications need to know of the view, and the hint that asks one frontend to ring its terminal.

use std::sync::Arc;

use askd_wire::event::EventBody;

use super::Registry;

/// A frontend that a person works with and that hears hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Terminal {
    /// The connection.
    pub(crate) connection_id: String,
    /// Whether it shows one of the forms in question.
    pub(crate) viewing: bool,
    /// Whether its window has the focus, where it says so.
    pub(crate) focused: Option<bool>,
}

impl Registry {
    /// Whether an open form is never to be notified about; none when it is not open.
    pub(crate) fn is_quiet(&self, form_id: &str) -> Option<bool> {
        self.inner.state().open.get(form_id).map(|open| open.record.meta.quiet)
    }

    /// The frontends that could ring a terminal for these forms. A notification is none.
    pub(crate) fn terminals(&self, forms: &[Arc<str>]) -> Vec<Terminal> {
        let state = self.inner.state();
        let open: Vec<_> = forms.iter().filter_map(|form_id| state.open.get(form_id)).collect();
        let terminal = |connection_id: &String| {
            let viewing = open.iter().flat_map(|open| &open.viewers);
            let viewing = viewing.map(|viewing| &viewing.viewer).find(|v| v.connection_id == *connection_id);
            Terminal {
                connection_id: connection_id.clone(),
                viewing: viewing.is_some(),
                focused: viewing.and_then(|viewer| viewer.focused),
            }
        };
        let readers = state.connections.iter().filter(|(_, attached)| {
            let frontend = attached.reader.as_ref().and_then(|peer| peer.frontend.as_ref());
            frontend.is_some_and(|frontend| frontend.human && frontend.kind != "notification")
        });
        readers.map(|(connection_id, _)| terminal(connection_id)).collect()
    }

    /// Sends a hint to one connection's streams.
    pub(crate) fn hint_to(&self, connection_id: &str, form_id: Option<&str>, body: EventBody) {
        let inner = &self.inner;
        inner.hint_to(&inner.state(), form_id, body, Some(connection_id.into()));
    }
}
