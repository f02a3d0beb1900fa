//! Telling the person that a question waits: once for each form, over the channels of the settings, and no
//! longer than it waits.
//!
//! `feed` hears the events, `policy` says when a form's turn has come, `delivery` takes the turn in the store
//! and runs the channels. A channel that fails or hangs delays the next notification and nothing else.

mod attempts;
mod channel;
mod delivery;
mod feed;
#[cfg(test)]
mod fixture;
mod forms;
mod peer;
mod policy;
mod surroundings;
mod text;

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use askd_wire::notification::{Attempt, ChannelKind, DoneParams, TestParams, TestResult};
use askd_wire::settings::{Channel, Settings};
use indexmap::IndexSet;
use tokio::sync::{mpsc, watch};

use crate::peer::Peer;
use crate::registry::{Clock, Registry};
use attempts::{Attempts, Fault};
use channel::desktop::Desktop;
use channel::terminal::Terminals;
pub use surroundings::Surroundings;

/// The notifier. Cheap to clone; every clone is the same one.
#[derive(Debug, Clone)]
pub struct Notifier {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    registry: Registry,
    settings: watch::Receiver<Arc<Settings>>,
    clock: Arc<dyn Clock>,
    surroundings: Arc<Surroundings>,
    desktop: Desktop,
    terminals: Terminals,
    attempts: Attempts,
    /// Open forms that were notified about, in that order.
    told: Mutex<IndexSet<Arc<str>>>,
}

impl Notifier {
    /// Starts to listen and to notify; call it inside a Tokio runtime. It ends with the registry's events.
    #[must_use]
    pub fn start(
        registry: Registry,
        settings: watch::Receiver<Arc<Settings>>,
        clock: Arc<dyn Clock>,
        surroundings: Surroundings,
    ) -> Self {
        let surroundings = Arc::new(surroundings);
        let forms = Arc::new(registry.clone());
        let desktop = Desktop::start(surroundings.clone(), settings.clone(), clock.clone(), forms);
        let inner = Arc::new(Inner {
            registry,
            settings,
            clock,
            surroundings,
            desktop,
            terminals: Terminals::default(),
            attempts: Attempts::default(),
            told: Mutex::default(),
        });
        // Without a bound: what waits is ids of open forms, each once.
        let (due, taken) = mpsc::unbounded_channel();
        tokio::spawn(feed::follow(inner.clone(), due));
        tokio::spawn(delivery::deliver(inner.clone(), taken));
        Self { inner }
    }

    /// `notification/test`: tries the channels, whether notifications are enabled or not.
    pub async fn test(&self, peer: &Peer, params: TestParams) -> TestResult {
        let configured = self.inner.settings.borrow().notifications.channels.clone();
        let attempts = match params.channel {
            None => self.inner.try_all(&configured, peer).await,
            Some(ChannelKind::Command) => {
                let commands: Vec<_> =
                    configured.into_iter().filter(|channel| matches!(channel, Channel::Command(_))).collect();
                if commands.is_empty() {
                    let none = Fault::nobody("no command is among notifications.channels");
                    vec![self.inner.attempts.record(ChannelKind::Command, Err(none))]
                } else {
                    self.inner.try_all(&commands, peer).await
                }
            }
            Some(kind) => vec![self.inner.try_one(kind, peer).await],
        };
        TestResult { attempts }
    }

    /// `notification/done`: a frontend has rung its terminal, or could not.
    pub fn done(&self, peer: &Peer, params: DoneParams) {
        self.inner.terminals.done(&peer.connection_id, params);
    }
}

impl Inner {
    async fn try_all(&self, channels: &[Channel], peer: &Peer) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        for channel in channels {
            attempts.push(match channel {
                Channel::Command(command) => delivery::try_command(self, &command.command).await,
                Channel::Name(name) => self.try_one(delivery::kind(*name), peer).await,
            });
        }
        attempts
    }

    async fn try_one(&self, kind: ChannelKind, peer: &Peer) -> Attempt {
        delivery::try_channel(self, kind, &peer.connection_id).await
    }

    /// A form is no longer open. The desktop may show one that was told of by the daemon before.
    fn ended(&self, form_id: &str) {
        let told = self.told().shift_take(form_id);
        self.desktop.ended(told.unwrap_or_else(|| form_id.into()));
    }

    /// These forms and no others are open.
    fn only_open(&self, open: HashSet<Arc<str>>) {
        self.told().retain(|form_id| open.contains(form_id));
        self.desktop.only_open(open);
    }

    fn told(&self) -> MutexGuard<'_, IndexSet<Arc<str>>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
