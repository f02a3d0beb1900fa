//! Calls over the wire: listeners, limits, who the peer is; params in, registry, result out.

mod connection;
mod context;
mod error;
mod facts;
mod gate;
mod methods;
mod params;
mod server;
mod service;
mod traffic;

use std::sync::Arc;

pub(crate) use facts::of as facts_of;
pub(crate) use server::Serving;
use tokio::net::UnixListener;

use self::context::Context;
use crate::config::SettingsStore;
use crate::notify::{Notifier, Surroundings};
use crate::registry::{Clock, Registry};

/// What is served, and by whom.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) registry: Registry,
    pub(crate) settings: Arc<SettingsStore>,
    pub(crate) clock: Arc<dyn Clock>,
    /// Where it listens, as `daemon/status` tells it.
    pub(crate) listeners: Vec<String>,
    /// The user whose processes may connect.
    pub(crate) uid: u32,
    /// What notifications find around the daemon.
    pub(crate) surroundings: Surroundings,
}

impl Service {
    /// Begins to serve; call it inside a Tokio runtime.
    ///
    /// # Errors
    /// When the methods' table names one twice.
    pub(crate) fn start(
        self,
        listener: UnixListener,
    ) -> Result<Serving, jsonrpsee::server::RegisterMethodError> {
        let pumps = server::pump_channel();
        let notifier = Notifier::start(
            self.registry.clone(),
            self.settings.watch(),
            self.clock.clone(),
            self.surroundings,
        );
        let context = Context {
            started_at: self.clock.wall(),
            registry: self.registry,
            settings: self.settings,
            clock: self.clock,
            notifier,
            listeners: self.listeners,
            connections: connection::Connections::default(),
            stop: context::Stop::default(),
            pumps: pumps.0.downgrade(),
        };
        Serving::start(Arc::new(context), listener, self.uid, pumps)
    }
}

#[cfg(test)]
mod tests;
