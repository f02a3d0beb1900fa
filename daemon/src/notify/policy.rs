//! When a form is notified about: once, as soon as somebody could answer it or nobody will see it by itself.

use std::sync::Arc;

use askd_wire::Millis;
use indexmap::IndexMap;

/// How long a new form waits for a frontend that shows it.
const GRACE: Millis = 500;

/// Forms that come due this soon are told together with one that is due.
const TOGETHER: Millis = 250;

/// Which open forms were notified about and which will be. Times are those of the steady clock.
#[derive(Debug, Default)]
pub(super) struct Policy {
    forms: IndexMap<Arc<str>, Turn>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    /// Comes at this time, or earlier when a frontend shows the form.
    Due(Millis),
    /// Has come.
    Taken,
}

impl Policy {
    /// A form has been open for `age`, which is not trusted: the wall clock may have been set. One that is known already keeps its turn: it may have been taken up again.
    pub(super) fn opened(&mut self, form_id: &str, age: Millis, now: Millis) {
        if !self.forms.contains_key(form_id) {
            let due = now.saturating_add(GRACE.saturating_sub(age).clamp(0, GRACE));
            self.forms.insert(form_id.into(), Turn::Due(due));
        }
    }

    /// A frontend of this kind shows a form.
    pub(super) fn viewed(&mut self, form_id: &str, kind: &str, now: Millis) {
        if let Some(Turn::Due(due)) = self.forms.get_mut(form_id)
            && is_rich(kind)
        {
            *due = now.min(*due);
        }
    }

    /// A form is no longer open.
    pub(super) fn closed(&mut self, form_id: &str) {
        self.forms.shift_remove(form_id);
    }

    /// Forgets all forms but those that `is_open` knows.
    pub(super) fn retain(&mut self, is_open: impl Fn(&str) -> bool) {
        self.forms.retain(|form_id, _| is_open(form_id));
    }

    /// When the next form's turn comes.
    pub(super) fn next_due(&self) -> Option<Millis> {
        let due = |turn: &Turn| if let Turn::Due(due) = turn { Some(*due) } else { None };
        self.forms.values().filter_map(due).min()
    }

    /// Takes the turns that have come, in the order of the forms; each is given once.
    pub(super) fn take_due(&mut self, now: Millis) -> Vec<Arc<str>> {
        if self.next_due().is_none_or(|due| due > now) {
            return Vec::new();
        }
        let soon = now.saturating_add(TOGETHER);
        let mut taken = Vec::new();
        for (form_id, turn) in &mut self.forms {
            if matches!(turn, Turn::Due(due) if *due <= soon) {
                *turn = Turn::Taken;
                taken.push(form_id.clone());
            }
        }
        taken
    }
}

/// Whether a frontend of this kind opens something that a person may not be looking at: the line mode asks
/// where it was started, a notification is what this is about, and a program without a kind shows nothing.
fn is_rich(kind: &str) -> bool {
    !matches!(kind, "" | "line" | "notification")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: Millis = 0;

    fn at(ms: Millis) -> Millis {
        10_000 + ms
    }

    fn taken(policy: &mut Policy, ms: Millis) -> Vec<String> {
        policy.take_due(at(ms)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nobody_shows_it_for_half_a_second() {
        let mut policy = Policy::default();
        policy.opened("a", NEW, at(0));
        assert_eq!(policy.next_due(), Some(at(500)));
        assert_eq!(taken(&mut policy, 499), [""; 0]);
        assert_eq!(taken(&mut policy, 500), ["a"]);
        assert_eq!(policy.next_due(), None);
        assert_eq!(taken(&mut policy, 10_000), [""; 0]);
    }

    #[test]
    fn the_first_rich_frontend_makes_it_due_at_once() {
        let mut policy = Policy::default();
        policy.opened("a", NEW, at(0));
        policy.viewed("a", "line", at(10));
        policy.viewed("a", "notification", at(10));
        policy.viewed("a", "", at(10));
        assert_eq!(taken(&mut policy, 20), [""; 0]);
        policy.viewed("a", "tui", at(30));
        assert_eq!(taken(&mut policy, 30), ["a"]);
        policy.viewed("a", "dialog", at(40));
        assert_eq!(taken(&mut policy, 10_000), [""; 0], "once");
    }

    #[test]
    fn an_old_form_is_due_at_once_and_one_taken_up_again_is_not() {
        let mut policy = Policy::default();
        policy.opened("old", 3_600_000, at(0));
        assert_eq!(taken(&mut policy, 0), ["old"]);
        policy.opened("old", NEW, at(5));
        assert_eq!(policy.next_due(), None);
    }

    #[test]
    fn a_form_that_ended_in_time_is_never_due() {
        let mut policy = Policy::default();
        policy.opened("a", NEW, at(0));
        policy.opened("b", NEW, at(0));
        policy.closed("a");
        policy.retain(|form_id| form_id != "b");
        assert_eq!(taken(&mut policy, 10_000), [""; 0]);
    }

    #[test]
    fn forms_asked_in_one_go_are_told_in_one_go() {
        let mut policy = Policy::default();
        for (form_id, ms) in [("a", 0), ("b", 100), ("c", 250), ("d", 251)] {
            policy.opened(form_id, NEW, at(ms));
        }
        assert_eq!(taken(&mut policy, 500), ["a", "b", "c"]);
        assert_eq!(policy.next_due(), Some(at(751)));
    }
}
