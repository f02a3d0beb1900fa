//! Folding commits into the view and passing them on: the only way anything of a form changes here.

use std::sync::Arc;

use askd_form::tool_result;
use askd_wire::Millis;
use askd_wire::event::{Event, EventBody};

use super::Inner;
use super::state::{Draft, Finished, Open, State};
use crate::store::{Body, Committed, DraftMark, Ending, Fact, Record};

impl Inner {
    /// Is called by the store, in the order of the commits.
    pub(super) fn fold(&self, committed: &[Committed]) {
        let mut state = self.state();
        for commit in committed {
            if let Some(event) = &commit.event {
                state.seq = event.seq;
            }
            match &commit.fact {
                Fact::Started { record, body } => self.started(&mut state, record, body, commit),
                Fact::Completed { ending, result } => {
                    self.publish(commit);
                    if let Some(open) = state.remove(&commit.form_id) {
                        finish(open, ending, result.clone());
                    }
                }
                Fact::Acknowledged => {
                    for attached in state.connections.values_mut() {
                        attached.asked.remove(&commit.form_id);
                    }
                    self.publish(commit);
                }
                Fact::SettingsChanged { revision } => {
                    state.settings_revision = *revision;
                    self.publish(commit);
                }
                Fact::SubmitAccepted => self.publish(commit),
                Fact::DraftKept { revision, by, .. } => {
                    let changed = self.clock.steady();
                    if let Some(open) = state.open.get_mut(&commit.form_id) {
                        open.draft = Some(Draft { revision: *revision, changed });
                        let body = EventBody::Draft { revision: *revision, connection_id: by.clone() };
                        self.hint(&state, Some(&commit.form_id), body);
                    }
                }
            }
        }
    }

    fn started(&self, state: &mut State, record: &Arc<Record>, body: &Body, commit: &Committed) {
        if let Some(open) = state.open.get_mut(&record.id) {
            // Taken up again: whoever is at it stays at it, and a mirror that has just put the event's
            // empty lists in place of its own is told.
            open.record = record.clone();
            self.publish(commit);
            let viewing =
                open.viewers.iter().map(|viewing| EventBody::Viewing { viewer: viewing.viewer.clone() });
            let owner = (!open.owners.is_empty()).then_some(EventBody::Owner { attached: true });
            for body in viewing.chain(owner).collect::<Vec<_>>() {
                self.hint(state, Some(&record.id), body);
            }
            return;
        }
        let open = self.opened(record.clone(), body.clone(), false, None);
        let timed = open.deadline.is_some();
        state.insert(open);
        self.publish(commit);
        if timed {
            self.timers.notify_one();
        }
    }

    /// A form as the view holds it. What is kept by the wall clock is set against the steady one, so that a
    /// clock that is set later moves nothing; and a clock that was set back while nobody looked prolongs
    /// nothing beyond the time that was asked for.
    pub(super) fn opened(
        &self,
        record: Arc<Record>,
        body: Body,
        owned: bool,
        draft: Option<DraftMark>,
    ) -> Open {
        let (wall, steady) = (self.clock.wall(), self.clock.steady());
        let deadline = record.expires_at.map(|at| {
            let left = at.saturating_sub(wall).min(at.saturating_sub(record.created_at));
            steady.saturating_add(left)
        });
        let age = |at: Millis| wall.saturating_sub(at).max(0);
        let draft = draft.map(|mark| Draft { revision: mark.revision, changed: steady - age(mark.at) });
        Open {
            record,
            body,
            draft,
            viewers: Vec::new(),
            owners: Vec::new(),
            owned,
            detached: steady,
            waiters: Vec::new(),
            deadline,
        }
    }

    fn publish(&self, commit: &Committed) {
        if let Some(event) = &commit.event {
            self.hub.publish(event);
        }
    }

    /// Publishes a hint under the registry's lock, which puts it in its place in the stream.
    pub(super) fn hint(&self, state: &State, form_id: Option<&str>, body: EventBody) {
        self.hint_to(state, form_id, body, None);
    }

    /// The same for one connection's streams.
    pub(super) fn hint_to(
        &self,
        state: &State,
        form_id: Option<&str>,
        body: EventBody,
        to: Option<Arc<str>>,
    ) {
        let form_id = form_id.map(str::to_owned);
        self.hub.hint(&Event { seq: state.seq, at: self.clock.wall(), form_id, body }, to);
    }
}

/// Gives every waiter the end. Without a result, which is when another daemon on the same database ended
/// the form, it is made again from what was kept.
fn finish(open: Open, ending: &Arc<Ending>, result: Option<Arc<askd_form::ToolResult>>) {
    if open.waiters.is_empty() {
        return;
    }
    let result = match result {
        Some(result) => result,
        None => match open.body.form.form() {
            Ok(form) => Arc::new(tool_result(&form, &ending.outcome, &ending.presented)),
            Err(error) => {
                tracing::error!(%error, form = %open.record.id, "a form could not be read for its waiters");
                return;
            }
        },
    };
    for (_, waiter) in open.waiters {
        let _ = waiter.send(Finished { ending: ending.clone(), result: result.clone() });
    }
}
