//! One live connection: WebSocket over the socket, introduced, with calls as text.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use askd_wire::connection::{InitializeParams, InitializeResult, Program};
use askd_wire::method::{Initialize, Method};
use askd_wire::role::{Role, Roles};
use askd_wire::{ErrorKind, PROTOCOL, RpcError};
use jsonrpsee::client_transport::ws::{Url, WsError, WsTransportClientBuilder};
use jsonrpsee::core::client::{
    Client as Rpc, ClientBuilder, ClientT, Error, Subscription, SubscriptionClientT,
};
use jsonrpsee::core::traits::ToRpcParams;
use jsonrpsee::types::ErrorObjectOwned;
use serde_json::value::RawValue;

use crate::error::{CallError, ConnectError};
use crate::find::Found;
use crate::options::ConnectOptions;

/// Room for a form that is larger than a usual message, and a whole tool result (protocol §1).
const MESSAGE_MAX: u32 = 16 * 1024 * 1024;
/// Longer than any call may take; each call has its own limit.
const RPC_TIMEOUT: Duration = Duration::from_secs(3600);
/// For the handshake and the introduction together.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Calls this client has in flight at most; the daemon's own limit leaves waits out.
const CALLS_MAX: usize = 4096;
/// Events kept for a reader that is busy, before the subscription is ended and taken up again.
const EVENTS_MAX: usize = 4096;

/// A connection after its introduction.
#[derive(Debug)]
pub(crate) struct Link {
    rpc: Rpc,
    /// What the daemon said about itself.
    pub(crate) server: InitializeResult,
    /// Where it was found.
    pub(crate) socket: std::path::PathBuf,
    /// Whether the daemon announced that it is going.
    announced: AtomicBool,
}

/// Why a call on this connection gave nothing.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The daemon answered with an error, or the answer was not understood.
    Call(CallError),
    /// The connection is gone.
    Lost,
}

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The daemon said goodbye.
    Closed,
    /// It broke off: a daemon that crashed or was killed, or one whose farewell did not come through.
    Broken,
}

/// Params that are JSON text already.
#[derive(Debug)]
pub(crate) struct Text(pub(crate) Box<RawValue>);

impl ToRpcParams for Text {
    fn to_rpc_params(self) -> Result<Option<Box<RawValue>>, serde_json::Error> {
        Ok(Some(self.0))
    }
}

impl Link {
    /// Shakes hands and introduces this client with these roles.
    pub(crate) async fn open(
        found: Found,
        options: &ConnectOptions,
        roles: &[Role],
    ) -> Result<Self, ConnectError> {
        let socket = found.socket.clone();
        let opening = Self::open_unbounded(found, options, roles);
        match tokio::time::timeout(HANDSHAKE, opening).await {
            Ok(result) => result,
            Err(_) => {
                let why = format!("no answer within {} s", HANDSHAKE.as_secs());
                Err(ConnectError::Handshake { socket, why })
            }
        }
    }

    async fn open_unbounded(
        found: Found,
        options: &ConnectOptions,
        roles: &[Role],
    ) -> Result<Self, ConnectError> {
        let Found { stream, socket } = found;
        let failed = |why: String| ConnectError::Handshake { socket: socket.clone(), why };
        let url = Url::parse("ws://localhost/").map_err(|e| failed(e.to_string()))?;
        let (sender, receiver) = WsTransportClientBuilder::default()
            .max_request_size(MESSAGE_MAX)
            .max_response_size(MESSAGE_MAX)
            .build_with_stream(url, stream)
            .await
            .map_err(|e| failed(e.to_string()))?;
        let rpc = ClientBuilder::default()
            .request_timeout(RPC_TIMEOUT)
            .max_concurrent_requests(CALLS_MAX)
            .max_buffer_capacity_per_subscription(EVENTS_MAX)
            .build_with_tokio(sender, receiver);
        let params = InitializeParams {
            client: options.client.clone(),
            roles: Roles::Many(roles.to_vec()),
            protocol: PROTOCOL,
            frontend: options.frontend.clone(),
        };
        let params = serde_json::value::to_raw_value(&params).map_err(|e| failed(e.to_string()))?;
        let server = match rpc.request::<InitializeResult, _>(Initialize::NAME, Text(params)).await {
            Ok(server) => server,
            Err(Error::Call(error)) => return Err(refused(error, &options.client)),
            Err(error) => return Err(failed(error.to_string())),
        };
        Ok(Self { rpc, server, socket, announced: AtomicBool::new(false) })
    }

    /// One call, without a limit on its time.
    pub(crate) async fn call(&self, method: &str, params: Box<RawValue>) -> Result<Box<RawValue>, Failure> {
        self.rpc.request(method, Text(params)).await.map_err(|error| self.failure(method, error))
    }

    /// A stream of events as text.
    pub(crate) async fn subscribe(
        &self,
        method: &str,
        params: Box<RawValue>,
        unsubscribe: &str,
    ) -> Result<Subscription<Box<RawValue>>, Failure> {
        self.rpc
            .subscribe(method, Text(params), unsubscribe)
            .await
            .map_err(|error| self.failure(method, error))
    }

    /// Remembers that the daemon is going on purpose, however its connection ends.
    pub(crate) fn announce_end(&self) {
        self.announced.store(true, Ordering::Relaxed);
    }

    fn failure(&self, method: &str, error: Error) -> Failure {
        let failure = failure(method, error);
        if let Failure::Call(error) = &failure
            && error.kind() == Some(ErrorKind::ShuttingDown)
        {
            self.announce_end();
        }
        failure
    }

    /// Waits for the connection's end.
    pub(crate) async fn ended(&self) -> Ending {
        let error = self.rpc.on_disconnect().await;
        tracing::debug!(%error, "connection ended");
        let announced = self.announced.load(Ordering::Relaxed);
        if announced || said_goodbye(&error) { Ending::Closed } else { Ending::Broken }
    }

    /// Whether it has not ended.
    pub(crate) fn is_alive(&self) -> bool {
        self.rpc.is_connected()
    }
}

fn said_goodbye(error: &Error) -> bool {
    match error {
        Error::RestartNeeded(inner) => said_goodbye(inner),
        Error::Transport(inner) => matches!(inner.downcast_ref::<WsError>(), Some(WsError::Closed(_))),
        _ => false,
    }
}

fn failure(method: &str, error: Error) -> Failure {
    match error {
        Error::Call(error) => Failure::Call(call_error(method, &error)),
        Error::ParseError(error) => {
            Failure::Call(CallError::Reply { method: method.to_owned(), why: error.to_string() })
        }
        Error::RestartNeeded(_) | Error::Transport(_) | Error::ServiceDisconnect | Error::Custom(_) => {
            Failure::Lost
        }
        other => Failure::Call(CallError::Reply { method: method.to_owned(), why: other.to_string() }),
    }
}

fn call_error(method: &str, error: &ErrorObjectOwned) -> CallError {
    let data: Option<serde_json::Value> = error.data().and_then(|d| serde_json::from_str(d.get()).ok());
    if let Some(own) = data.as_ref().and_then(|d| RpcError::from_data(error.message(), d)) {
        return CallError::Rpc(own);
    }
    let detail = match &data {
        Some(serde_json::Value::String(text)) => format!("{}: {text}", error.message()),
        Some(other) => format!("{}: {other}", error.message()),
        None => error.message().to_owned(),
    };
    CallError::Standard { method: method.to_owned(), code: error.code(), message: detail }
}

fn refused(error: ErrorObjectOwned, client: &Program) -> ConnectError {
    match call_error(Initialize::NAME, &error) {
        CallError::Rpc(mut own) => {
            if own.kind == ErrorKind::Incompatible {
                own.message = format!(
                    "The running daemon does not speak protocol version {PROTOCOL} of this {} {}. Stop it with the `ask stop` of its own version, or install matching versions.",
                    client.name, client.version
                );
            }
            ConnectError::Refused(own)
        }
        other => ConnectError::Refused(RpcError::new(ErrorKind::Incompatible, other.to_string())),
    }
}
