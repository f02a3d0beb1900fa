//! The terminal channels: one frontend is asked to ring its terminal, and says whether it did (protocol §6,
//! `notify`).

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askd_wire::event::EventBody;
use askd_wire::notification::{AttemptStatus, ChannelKind, DoneParams};
use tokio::sync::oneshot;

use super::super::attempts::{Fault, LIMIT, bounded};
use super::super::text::{self, Text};
use crate::registry::{Registry, Terminal};

/// What a frontend was asked and has not answered.
#[derive(Debug)]
struct Asked {
    connection_id: String,
    done: oneshot::Sender<Result<(), Fault>>,
}

/// The terminals of attached frontends.
#[derive(Debug, Default)]
pub(in super::super) struct Terminals {
    asked: Mutex<HashMap<String, Asked>>,
}

/// Takes a question back when nobody waits for its answer any longer.
struct Withdrawn<'a>(&'a Terminals, String);

impl Drop for Withdrawn<'_> {
    fn drop(&mut self) {
        self.0.asked().remove(&self.1);
    }
}

impl Terminals {
    /// Rings the terminal that the person is most likely to hear and least likely to be looking at.
    pub(in super::super) async fn ring(
        &self,
        registry: &Registry,
        channel: ChannelKind,
        forms: &[Arc<str>],
        text: &Text,
        asking: Option<&str>,
    ) -> Result<(), Fault> {
        let Some(connection_id) = chosen(registry.terminals(forms), asking) else {
            return Err(Fault::nobody("no frontend that a person works with is attached"));
        };
        let token = uuid::Uuid::new_v4().simple().to_string();
        let (done, answer) = oneshot::channel();
        self.asked().insert(token.clone(), Asked { connection_id: connection_id.clone(), done });
        let _withdrawn = Withdrawn(self, token.clone());
        let body = EventBody::Notify {
            channel: channel.name().to_owned(),
            title: text.title.to_owned(),
            message: text.message.clone(),
            token,
        };
        registry.hint_to(&connection_id, forms.last().map(AsRef::as_ref), body);
        let answer = async { answer.await.unwrap_or_else(|_| Err(Fault::failed("the daemon is going"))) };
        bounded(LIMIT, "the frontend did not answer", answer).await
    }

    /// A frontend answers. An answer that comes too late, or from another connection, changes nothing.
    pub(in super::super) fn done(&self, connection_id: &str, params: DoneParams) {
        let asked = {
            let mut open = self.asked();
            match open.get(&params.token) {
                Some(asked) if asked.connection_id == connection_id => open.remove(&params.token),
                _ => None,
            }
        };
        let Some(asked) = asked else { return };
        let why = params.error.map(|error| text::one_line(&error)).filter(|error| !error.is_empty());
        let why = |without: &str| why.unwrap_or_else(|| without.to_owned());
        let result = match params.status {
            AttemptStatus::Attempted => Ok(()),
            AttemptStatus::Failed => Err(Fault::Failed(why("the frontend could not ring its terminal"))),
            AttemptStatus::Skipped => Err(Fault::Nobody(why("the frontend has no terminal"))),
        };
        let _ = asked.done.send(result);
    }

    fn asked(&self) -> MutexGuard<'_, HashMap<String, Asked>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The one that asked for it itself, else one that shows the form and is not looked at, else one that shows
/// it, else any.
fn chosen(terminals: Vec<Terminal>, asking: Option<&str>) -> Option<String> {
    let rank = |terminal: &Terminal| {
        let focus = match terminal.focused {
            Some(false) => 0,
            None => 1,
            Some(true) => 2,
        };
        (asking != Some(&*terminal.connection_id), !terminal.viewing, focus, terminal.connection_id.clone())
    };
    terminals.into_iter().min_by_key(rank).map(|terminal| terminal.connection_id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(connection_id: &str, viewing: bool, focused: Option<bool>) -> Terminal {
        Terminal { connection_id: connection_id.to_owned(), viewing, focused }
    }

    #[test]
    fn the_viewing_unfocused_one_comes_first() {
        let mut terminals = vec![
            terminal("idle", false, None),
            terminal("looked-at", true, Some(true)),
            terminal("silent", true, None),
            terminal("aside", true, Some(false)),
        ];
        for expected in ["aside", "silent", "looked-at", "idle"] {
            assert_eq!(chosen(terminals.clone(), None).as_deref(), Some(expected));
            terminals.retain(|terminal| terminal.connection_id != expected);
        }
        assert_eq!(chosen(terminals, None), None);
    }

    #[test]
    fn a_test_rings_where_it_was_asked_for() {
        let terminals = vec![terminal("a", true, Some(false)), terminal("b", false, None)];
        assert_eq!(chosen(terminals.clone(), Some("b")).as_deref(), Some("b"));
        assert_eq!(chosen(terminals, Some("not attached")).as_deref(), Some("a"));
    }

    #[test]
    fn only_the_asked_connection_answers() {
        let terminals = Terminals::default();
        let (done, mut answer) = oneshot::channel();
        terminals.asked().insert("t".to_owned(), Asked { connection_id: "c1".to_owned(), done });
        let params = |status, error: Option<&str>| DoneParams {
            token: "t".to_owned(),
            status,
            error: error.map(str::to_owned),
        };
        terminals.done("c2", params(AttemptStatus::Attempted, None));
        assert!(answer.try_recv().is_err(), "another connection's answer does not count");
        terminals.done("c1", params(AttemptStatus::Failed, Some("no\nterminal\u{1b}[2J")));
        assert_eq!(answer.try_recv(), Ok(Err(Fault::failed("no terminal"))));
        terminals.done("c1", params(AttemptStatus::Attempted, None));
    }
}
