//! Who is attached: connections, the forms they own, the forms they show.

use std::sync::Arc;

use askd_wire::event::EventBody;

use super::state::{Attached, State};
use super::{Inner, Registry};
use crate::peer::Peer;
use crate::store::Command;

impl Registry {
    /// A connection is there, after `initialize`. A single HTTP call is none.
    pub fn connected(&self, peer: &Arc<Peer>) {
        let id = peer.connection_id.clone();
        self.inner.state().connections.insert(id, Attached::default());
    }

    /// A connection is gone: its viewers leave, its owners detach.
    pub fn disconnected(&self, connection_id: &str) {
        let inner = &self.inner;
        let mut state = inner.state();
        state.connections.remove(connection_id);
        let at: Vec<Arc<str>> = state
            .open
            .values()
            .filter(|open| {
                open.owners.iter().any(|owner| owner == connection_id)
                    || open.viewers.iter().any(|viewing| viewing.viewer.connection_id == connection_id)
            })
            .map(|open| open.record.id.clone())
            .collect();
        for form_id in at {
            inner.stop_viewing(&mut state, connection_id, &form_id);
            inner.detach(&mut state, connection_id, &form_id);
        }
    }
}

impl Inner {
    /// Remembers that a connection asked for a form or waited for it.
    pub(super) fn associate(&self, peer: &Peer, form_id: &str) {
        if let Some(attached) = self.state().connections.get_mut(&peer.connection_id) {
            attached.asked.insert(form_id.into());
        }
    }

    /// Whether a connection asked for a form or waited for it.
    pub(super) fn associated(&self, peer: &Peer, form_id: &str) -> bool {
        let state = self.state();
        state.connections.get(&peer.connection_id).is_some_and(|attached| attached.asked.contains(form_id))
    }

    /// A connection waits for an open form: it owns it from now on. Gives the connection's id when it lives
    /// no longer than the call.
    pub(super) fn attach(&self, state: &mut State, peer: &Peer, form_id: &Arc<str>) -> Option<String> {
        let connection_id = &peer.connection_id;
        let lasting = match state.connections.get_mut(connection_id) {
            Some(attached) => {
                attached.asked.insert(form_id.clone());
                true
            }
            None => false,
        };
        let open = state.open.get_mut(form_id)?;
        if !open.owners.contains(connection_id) {
            open.owners.push(connection_id.clone());
            let (alone, first) = (open.owners.len() == 1, !open.owned);
            open.owned = true;
            if alone {
                self.hint(state, Some(form_id), EventBody::Owner { attached: true });
            }
            if first {
                // Nobody waits for this to be on disk: it only tells an orphan after a restart.
                drop(self.store.apply(Command::MarkOwned { form_id: form_id.clone() }));
            }
        }
        (!lasting).then(|| connection_id.clone())
    }

    /// A connection owns an open form no longer.
    pub(super) fn detach(&self, state: &mut State, connection_id: &str, form_id: &str) {
        let Some(open) = state.open.get_mut(form_id) else { return };
        let before = open.owners.len();
        open.owners.retain(|owner| owner != connection_id);
        if before > 0 && open.owners.is_empty() {
            open.detached = self.clock.steady();
            self.hint(state, Some(form_id), EventBody::Owner { attached: false });
        }
    }

    /// A connection shows an open form no longer.
    pub(super) fn stop_viewing(&self, state: &mut State, connection_id: &str, form_id: &str) {
        let Some(open) = state.open.get_mut(form_id) else { return };
        let before = open.viewers.len();
        open.viewers.retain(|viewing| viewing.viewer.connection_id != connection_id);
        if open.viewers.len() < before {
            let body = EventBody::Left { connection_id: connection_id.to_owned() };
            self.hint(state, Some(form_id), body);
        }
    }
}
