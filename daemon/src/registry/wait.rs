//! `form/wait`: any number of waiters, each with its own patience. A waiter never touches its form.

use std::sync::Arc;

use askd_wire::RpcError;
use askd_wire::form::{WaitParams, WaitResult};
use tokio::sync::oneshot;

use super::read::{self, Found};
use super::state::Finished;
use super::{Inner, Registry, faults};
use crate::peer::Peer;

const PATIENCE: u64 = 30_000;
const LONGEST: u64 = 240_000;

/// What a look at the form gave.
enum Looked {
    /// Open; a place among its waiters where one was wanted.
    Open(Option<Waiter>),
    /// Not in the view.
    Elsewhere,
}

/// A place among a form's waiters. Given up when dropped, which is when the call's connection is gone too.
struct Waiter {
    inner: Arc<Inner>,
    form_id: Arc<str>,
    number: u64,
    end: oneshot::Receiver<Finished>,
    /// The connection, where it lives no longer than the call.
    passing: Option<String>,
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut state = self.inner.state();
        if let Some(open) = state.open.get_mut(&self.form_id) {
            open.waiters.retain(|(number, _)| *number != self.number);
        }
        if let Some(connection_id) = self.passing.take() {
            self.inner.detach(&mut state, &connection_id, &self.form_id);
        }
    }
}

impl Registry {
    /// `form/wait`.
    ///
    /// # Errors
    /// `unknownForm`, `storeFailed`, `shuttingDown`.
    pub async fn wait(&self, peer: &Arc<Peer>, params: WaitParams) -> Result<WaitResult, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let patience = params.timeout_ms.unwrap_or(PATIENCE).min(LONGEST);
        let mut looked = self.look(peer, &params.form_id, patience > 0);
        if matches!(looked, Looked::Elsewhere) {
            match inner.find(&params.form_id).await? {
                None => return Err(RpcError::unknown_form(&params.form_id)),
                Some(Found::Kept(kept)) => {
                    inner.associate(peer, &params.form_id);
                    let finished = read::finished(&kept)?;
                    return finished.map(resolved).ok_or_else(|| RpcError::unknown_form(&params.form_id));
                }
                Some(Found::Open(_)) => looked = self.look(peer, &params.form_id, patience > 0),
            }
        }
        let Looked::Open(Some(mut waiter)) = looked else { return Ok(WaitResult::Open) };
        let until = inner.clock.steady().saturating_add(i64::try_from(patience).unwrap_or(i64::MAX));
        tokio::select! {
            biased;
            end = &mut waiter.end => match end {
                Ok(finished) => Ok(resolved(finished)),
                Err(_) => Err(faults::shutting_down()),
            },
            () = inner.clock.sleep_until(until) => Ok(WaitResult::Open),
        }
    }

    fn look(&self, peer: &Arc<Peer>, form_id: &str, stay: bool) -> Looked {
        let inner = &self.inner;
        let mut state = inner.state();
        let number = state.next_waiter;
        let closing = state.closing;
        let Some(open) = state.open.get_mut(form_id) else { return Looked::Elsewhere };
        let form_id = open.record.id.clone();
        let (send, end) = oneshot::channel();
        if stay && !closing {
            open.waiters.push((number, send));
        }
        state.next_waiter += 1;
        let passing = inner.attach(&mut state, peer, &form_id);
        if !stay {
            if let Some(connection_id) = passing {
                inner.detach(&mut state, &connection_id, &form_id);
            }
            return Looked::Open(None);
        }
        Looked::Open(Some(Waiter { inner: inner.clone(), form_id, number, end, passing }))
    }
}

fn resolved(finished: Finished) -> WaitResult {
    WaitResult::Resolved {
        outcome: finished.ending.outcome.clone(),
        resolved_by: finished.ending.resolved_by.clone(),
        tool_result: Arc::unwrap_or_clone(finished.result),
    }
}
