//! The view: open forms and who is at them. Forms enter and leave it only by folding commits.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use askd_form::{Form, ToolResult};
use askd_wire::Millis;
use askd_wire::form::{Owner, Viewer};
use tokio::sync::oneshot;

use crate::events::Presence;
use crate::peer::Peer;
use crate::store::{Body, Ending, Record};

/// An open form that nobody waits for counts as orphaned after this time (protocol §3, Wait).
const ORPHANED_AFTER: Millis = 60_000;
/// A draft keeps an expired form this long after its last change (protocol §3, Expiry).
const DRAFT_GRACE: Millis = 60_000;
/// A draft keeps an expired form at most this long.
const GRACE_CEILING: Millis = 10 * 60_000;

/// Forms held parsed.
const RECENT: usize = 32;

/// What a waiter is given.
#[derive(Debug, Clone)]
pub(super) struct Finished {
    pub(super) ending: Arc<Ending>,
    pub(super) result: Arc<ToolResult>,
}

/// A connection that shows a form.
#[derive(Debug)]
pub(super) struct Viewing {
    pub(super) viewer: Viewer,
    /// Since when, by the steady clock.
    pub(super) since: Millis,
    /// Whether it gave the form's view key.
    pub(super) keyed: bool,
}

/// A draft's mark, by the steady clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Draft {
    pub(super) revision: u64,
    pub(super) changed: Millis,
}

/// An open form.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) record: Arc<Record>,
    pub(super) body: Body,
    pub(super) draft: Option<Draft>,
    pub(super) viewers: Vec<Viewing>,
    /// Connections that have waited for it and are open.
    pub(super) owners: Vec<String>,
    /// Whether there ever was one.
    pub(super) owned: bool,
    /// Since when there is none, by the steady clock.
    pub(super) detached: Millis,
    pub(super) waiters: Vec<(u64, oneshot::Sender<Finished>)>,
    /// When it expires, by the steady clock.
    pub(super) deadline: Option<Millis>,
}

impl Open {
    pub(super) fn owner(&self, now: Millis) -> Owner {
        let attached = !self.owners.is_empty();
        let orphaned = self.owned && !attached && now - self.detached >= ORPHANED_AFTER;
        Owner { attached, orphaned }
    }

    pub(super) fn presence(&self, now: Millis) -> Presence {
        Presence {
            owner: self.owner(now),
            viewers: self.viewers.iter().map(|viewing| viewing.viewer.clone()).collect(),
            drafted: self.draft.is_some(),
        }
    }

    /// When the form really ends: its deadline, put off while somebody types, but not for ever.
    pub(super) fn due(&self) -> Option<Millis> {
        let deadline = self.deadline?;
        let typed = self.draft.map_or(deadline, |draft| draft.changed.saturating_add(DRAFT_GRACE));
        Some(typed.clamp(deadline, deadline.saturating_add(GRACE_CEILING)))
    }
}

/// A connection that has said who it is.
#[derive(Debug, Default)]
pub(super) struct Attached {
    /// Forms it created or waited for: those it may answer by `remote/submit` as an agent.
    pub(super) asked: HashSet<Arc<str>>,
    /// Who it is, once it has subscribed to events that `notify` is among.
    pub(super) reader: Option<Arc<Peer>>,
}

/// The whole view.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) seq: u64,
    pub(super) settings_revision: u64,
    pub(super) open: HashMap<Arc<str>, Open>,
    /// Open forms by the event that started them: oldest first.
    pub(super) order: BTreeMap<u64, Arc<str>>,
    /// Open forms by deadline.
    pub(super) deadlines: BTreeSet<(Millis, u64)>,
    pub(super) connections: HashMap<String, Attached>,
    /// The newest forms parsed: most are answered soon or late, few in between.
    pub(super) recent: VecDeque<Arc<Form>>,
    pub(super) next_waiter: u64,
    pub(super) closing: bool,
}

impl State {
    pub(super) fn insert(&mut self, open: Open) {
        if let Some(form) = open.body.form.held() {
            self.recent.push_back(form);
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        let record = &open.record;
        self.order.insert(record.start_seq, record.id.clone());
        if let Some(deadline) = open.deadline {
            self.deadlines.insert((deadline, record.start_seq));
        }
        self.open.insert(record.id.clone(), open);
    }

    pub(super) fn remove(&mut self, form_id: &str) -> Option<Open> {
        let open = self.open.remove(form_id)?;
        self.order.remove(&open.record.start_seq);
        if let Some(deadline) = open.deadline {
            self.deadlines.remove(&(deadline, open.record.start_seq));
        }
        Some(open)
    }

    /// Open forms in order, those started after `after`.
    pub(super) fn ordered(&self, after: Option<u64>) -> impl Iterator<Item = &Open> {
        let from = after.map_or(0, |after| after.saturating_add(1));
        self.order.range(from..).filter_map(|(_, id)| self.open.get(id))
    }

    /// Forms to be ended now, and when to look again.
    pub(super) fn due(&self, now: Millis) -> (Vec<Arc<str>>, Option<Millis>) {
        let (mut due, mut next) = (Vec::new(), None::<Millis>);
        for (deadline, start_seq) in &self.deadlines {
            if next.is_some_and(|next| next <= *deadline) {
                break;
            }
            let Some(open) = self.order.get(start_seq).and_then(|id| self.open.get(id)) else { continue };
            match open.due() {
                Some(at) if at <= now => due.push(open.record.id.clone()),
                Some(at) => next = Some(next.map_or(at, |next| next.min(at))),
                None => {}
            }
        }
        (due, next)
    }
}
