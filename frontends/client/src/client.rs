//! The handle programs hold: typed calls over whatever connection there is now.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use askd_form::{PresentedTypes, Response};
use askd_wire::connection::InitializeResult;
use askd_wire::form::{Resolution, SubmitParams};
use askd_wire::method::{FormSubmit, Method, SettingsGet};
use askd_wire::{Empty, ErrorKind};
use serde_json::value::RawValue;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::connector::establish;
use crate::error::{CallError, ConnectError};
use crate::link::{Failure, Link};
use crate::options::ConnectOptions;
use crate::{reconnect, repeat, replace};

/// How long a call may take, waits apart.
const CALL: Duration = Duration::from_secs(30);
/// Messages below this are under any sensible limit; the daemon is not asked about it.
const SURELY_SMALL: usize = 64 * 1024;
/// Room for what surrounds the params in a message.
const ENVELOPE: usize = 128;

/// A handle on the daemon. Clones share one connection; the last one closes it.
#[derive(Debug, Clone)]
pub struct Client {
    shared: Arc<Shared>,
    _supervisor: Arc<Supervisor>,
}

/// What the supervisor and the handles have in common.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: ConnectOptions,
    pub(crate) state: watch::Sender<State>,
    requests: AtomicU64,
}

/// The connection as it is now.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub(crate) link: Option<Arc<Link>>,
    pub(crate) connection: Connection,
}

/// Whether the daemon is there, for a frontend to show.
#[derive(Debug, Clone, PartialEq)]
pub enum Connection {
    /// Attached.
    Connected {
        /// 1 for the first connection, one more for each after it.
        generation: u64,
        /// What the daemon said about itself.
        server: Arc<InitializeResult>,
    },
    /// Trying to attach again.
    Reconnecting {
        /// How often it was tried.
        attempts: u32,
        /// What the last attempt said.
        why: Option<String>,
    },
}

#[derive(Debug)]
struct Supervisor(JoinHandle<()>);

impl Drop for Supervisor {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Client {
    /// Finds the daemon, or starts it if the options say so, and introduces this program. The handle
    /// reconnects by itself from then on; it starts the daemon again only when it crashed, never when it was
    /// asked to stop.
    ///
    /// # Errors
    /// [`ConnectError`], each with a way out.
    pub async fn connect(options: ConnectOptions) -> Result<Self, ConnectError> {
        let link = establish(&options, &options.roles, true).await?;
        let link = Arc::new(replace::if_older_and_idle(&options, link).await?);
        let connection = Connection::Connected { generation: 1, server: Arc::new(link.server.clone()) };
        let (state, _) = watch::channel(State { link: Some(Arc::clone(&link)), connection });
        let shared = Arc::new(Shared { options, state, requests: AtomicU64::new(0) });
        let supervisor = tokio::spawn(reconnect::supervise(Arc::clone(&shared), link));
        Ok(Self { shared, _supervisor: Arc::new(Supervisor(supervisor)) })
    }

    /// How the connection is now.
    #[must_use]
    pub fn connection(&self) -> Connection {
        self.shared.state.borrow().connection.clone()
    }

    /// The connection's changes, to be watched.
    #[must_use]
    pub fn watch_connection(&self) -> ConnectionWatch {
        ConnectionWatch { state: self.shared.state.subscribe() }
    }

    /// What the daemon said about itself on the present connection; none while there is no connection.
    #[must_use]
    pub fn server(&self) -> Option<Arc<InitializeResult>> {
        match self.connection() {
            Connection::Connected { server, .. } => Some(server),
            Connection::Reconnecting { .. } => None,
        }
    }

    /// The socket the daemon was found at, which its lock file may have named.
    #[must_use]
    pub fn socket(&self) -> Option<std::path::PathBuf> {
        self.shared.state.borrow().link.as_ref().map(|link| link.socket.clone())
    }

    /// Waits until there is a connection, however long that takes.
    pub async fn connected(&self) {
        self.link().await;
    }

    /// One call. It waits for a connection for a while, and is sent again after a lost one where that cannot
    /// change its meaning.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn call<M: Method>(&self, params: M::Params) -> Result<M::Result, CallError> {
        self.call_within::<M>(params, CALL).await
    }

    /// As [`call`](Self::call), for calls that take their time.
    ///
    /// # Errors
    /// [`CallError`].
    pub async fn call_within<M: Method>(
        &self,
        params: M::Params,
        limit: Duration,
    ) -> Result<M::Result, CallError> {
        let reply = |why: String| CallError::Reply { method: M::NAME.to_owned(), why };
        let params = serde_json::value::to_raw_value(&params).map_err(|e| reply(e.to_string()))?;
        let result = self.call_text(M::NAME, params, limit).await?;
        serde_json::from_str(result.get()).map_err(|e| reply(e.to_string()))
    }

    /// Answers a form under a request id of its own, so that a lost connection neither loses nor doubles it.
    ///
    /// # Errors
    /// [`CallError`]; of kind `alreadyResolved` when somebody was first.
    pub async fn submit(
        &self,
        form_id: &str,
        response: &Response,
        presented_types: PresentedTypes,
    ) -> Result<Resolution, CallError> {
        let response = serde_json::to_value(response)
            .map_err(|e| CallError::Reply { method: FormSubmit::NAME.to_owned(), why: e.to_string() })?;
        let params = SubmitParams {
            form_id: form_id.to_owned(),
            response,
            presented_types: (!presented_types.is_empty()).then_some(presented_types),
            request_id: Some(self.request_id()),
        };
        self.call::<FormSubmit>(params).await
    }

    /// An id no other request of any client has.
    #[must_use]
    pub fn request_id(&self) -> String {
        let number = self.shared.requests.fetch_add(1, Ordering::Relaxed);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        format!("{}-{}-{number}", std::process::id(), now.as_nanos())
    }

    /// One call as text.
    pub(crate) async fn call_text(
        &self,
        method: &str,
        params: Box<RawValue>,
        limit: Duration,
    ) -> Result<Box<RawValue>, CallError> {
        let bytes = params.get().len() + method.len() + ENVELOPE;
        if bytes > SURELY_SMALL && method != SettingsGet::NAME {
            self.check_size(method, bytes).await?;
        }
        loop {
            let link = self.link_in_time(method).await?;
            let Ok(reply) = tokio::time::timeout(limit, link.call(method, params.clone())).await else {
                return Err(CallError::NoAnswer { method: method.to_owned(), seconds: limit.as_secs() });
            };
            match reply {
                Ok(result) => return Ok(result),
                // Nothing was done: the next daemon is asked.
                Err(Failure::Call(error)) if error.kind() == Some(ErrorKind::ShuttingDown) => {
                    link.ended().await;
                }
                Err(Failure::Call(error)) => return Err(error),
                Err(Failure::Lost) if repeat::is_repeatable(method, params.get()) => {
                    link.ended().await;
                }
                Err(Failure::Lost) => return Err(CallError::Disconnected { method: method.to_owned() }),
            }
        }
    }

    /// The daemon answers a message that is too large without saying which call it was, so the size is
    /// looked at before (protocol §8).
    async fn check_size(&self, method: &str, bytes: usize) -> Result<(), CallError> {
        let state = Box::pin(self.call::<SettingsGet>(Empty {})).await?;
        let limit = usize::try_from(state.settings.limits.message_bytes).unwrap_or(usize::MAX);
        if bytes > limit {
            return Err(CallError::TooLarge { method: method.to_owned(), bytes, limit });
        }
        Ok(())
    }

    /// The connection, waiting for it without an end.
    pub(crate) async fn link(&self) -> Arc<Link> {
        let mut state = self.shared.state.subscribe();
        loop {
            let there = state.wait_for(|s| s.link.as_ref().is_some_and(|l| l.is_alive())).await;
            if let Some(link) = there.ok().and_then(|s| s.link.clone()) {
                return link;
            }
        }
    }

    /// The connection, waiting for it as long as a person would.
    pub(crate) async fn link_in_time(&self, method: &str) -> Result<Arc<Link>, CallError> {
        match tokio::time::timeout(self.shared.options.patience, self.link()).await {
            Ok(link) => Ok(link),
            Err(_) => {
                let why = match self.connection() {
                    Connection::Reconnecting { why: Some(why), .. } => why,
                    _ => "Start it with `ask daemon`.".to_owned(),
                };
                Err(CallError::Unreachable { method: method.to_owned(), why })
            }
        }
    }
}

/// Sees the connection change.
#[derive(Debug, Clone)]
pub struct ConnectionWatch {
    state: watch::Receiver<State>,
}

impl ConnectionWatch {
    /// Waits for the next change; never ends while nothing changes. Safe to cancel.
    pub async fn changed(&mut self) -> Connection {
        if self.state.changed().await.is_err() {
            // All handles are gone, and nothing changes any more.
            std::future::pending::<()>().await;
        }
        self.state.borrow_and_update().connection.clone()
    }
}
