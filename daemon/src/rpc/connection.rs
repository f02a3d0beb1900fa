//! The open connections: who is attached, and what belongs to one connection while it lasts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use askd_wire::Millis;
use askd_wire::daemon::ConnectionStatus;

use super::traffic::Traffic;
use crate::peer::{Peer, PeerFacts};
use crate::registry::Registry;

/// One connection, from accept to end.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) number: u32,
    pub(super) id: String,
    pub(super) facts: PeerFacts,
    pub(super) since: Millis,
    pub(super) traffic: Arc<Traffic>,
    /// Set once, by `initialize`.
    pub(super) peer: OnceLock<Arc<Peer>>,
    /// Calls in flight, waits apart.
    pub(super) calls: Gauge,
    pub(super) subscriptions: Gauge,
    /// How many single calls came over it.
    singles: AtomicU32,
}

impl Connection {
    /// A name for one single call: several may come over one connection, even at once, and the end of one
    /// is not the end of another.
    pub(super) fn next_single_id(&self) -> String {
        format!("{}.{}", self.id, self.singles.fetch_add(1, Relaxed) + 1)
    }
}

/// Counts what is going on, up to a limit.
#[derive(Debug, Clone, Default)]
pub(super) struct Gauge(Arc<AtomicU32>);

impl Gauge {
    /// Counts one more until the guard is dropped; none when `limit` are going on.
    pub(super) fn enter(&self, limit: u32) -> Option<Entered> {
        let entered = self.0.fetch_update(Relaxed, Relaxed, |now| (now < limit).then_some(now + 1));
        entered.ok().map(|_| Entered(self.0.clone()))
    }
}

/// One thing that is going on.
#[derive(Debug)]
pub(super) struct Entered(Arc<AtomicU32>);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// All open connections.
#[derive(Debug, Default, Clone)]
pub(super) struct Connections {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    last: AtomicU32,
    open: Mutex<BTreeMap<u32, Arc<Connection>>>,
}

impl Connections {
    /// Enters a new connection; it is open until the guard is dropped.
    pub(super) fn open(
        &self,
        facts: PeerFacts,
        since: Millis,
        registry: &Registry,
    ) -> (Arc<Connection>, OpenConnection) {
        let number = self.inner.last.fetch_add(1, Relaxed) + 1;
        let connection = Arc::new(Connection {
            number,
            id: format!("c{number}"),
            facts,
            since,
            traffic: Arc::new(Traffic::default()),
            peer: OnceLock::new(),
            calls: Gauge::default(),
            subscriptions: Gauge::default(),
            singles: AtomicU32::default(),
        });
        self.lock().insert(number, connection.clone());
        let guard = OpenConnection {
            connections: self.clone(),
            registry: registry.clone(),
            connection: connection.clone(),
        };
        (connection, guard)
    }

    /// How many are open.
    pub(super) fn count(&self) -> usize {
        self.lock().len()
    }

    /// All of them, oldest first.
    pub(super) fn status(&self) -> Vec<ConnectionStatus> {
        self.lock().values().map(|connection| describe(connection)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, Arc<Connection>>> {
        self.inner.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn describe(connection: &Connection) -> ConnectionStatus {
    let peer = connection.peer.get();
    ConnectionStatus {
        connection_id: connection.id.clone(),
        roles: peer.map(|peer| peer.roles.clone()).unwrap_or_default(),
        client: peer.map(|peer| peer.client.clone()),
        kind: peer.and_then(|peer| peer.frontend.as_ref()).map(|frontend| frontend.kind.clone()),
        since: connection.since,
        pid: connection.facts.pid,
    }
}

/// Keeps a connection in the table. Dropped with its stream, which is when it has really ended.
#[derive(Debug)]
pub(super) struct OpenConnection {
    connections: Connections,
    registry: Registry,
    connection: Arc<Connection>,
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.connection.number);
        self.registry.disconnected(&self.connection.id);
        tracing::debug!(connection = %self.connection.id, "disconnected");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gauge_stops_at_its_limit_and_counts_down_with_the_guards() {
        let gauge = Gauge::default();
        let first = gauge.enter(2);
        let second = gauge.enter(2);
        assert!(first.is_some() && second.is_some());
        assert!(gauge.enter(2).is_none());
        drop(first);
        assert!(gauge.enter(2).is_some());
    }
}
