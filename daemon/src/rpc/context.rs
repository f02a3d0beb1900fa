//! What every call can reach: the registry, the settings, the connections, the daemon itself.

use std::sync::Arc;

use askd_wire::Millis;
use tokio::sync::{Notify, mpsc};

use super::connection::Connections;
use crate::config::SettingsStore;
use crate::notify::Notifier;
use crate::registry::{Clock, Registry};

/// Shared by all calls of one daemon.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) registry: Registry,
    pub(crate) settings: Arc<SettingsStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) notifier: Notifier,
    pub(crate) started_at: Millis,
    /// Where it listens, as `daemon/status` tells it.
    pub(crate) listeners: Vec<String>,
    pub(super) connections: Connections,
    pub(super) stop: Stop,
    /// A clone is kept by each task that passes events on; when all are gone the last event is out.
    pub(super) pumps: mpsc::WeakSender<()>,
}

/// The wish of a client that the daemon ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop(Arc<Notify>);

impl Stop {
    /// Asks for it; heard once, also by someone who begins to listen later.
    pub(super) fn ask(&self) {
        self.0.notify_one();
    }

    /// Waits until it is asked for.
    pub(crate) async fn asked(&self) {
        self.0.notified().await;
    }
}
