//! Accepting connections on the Unix socket and serving each with jsonrpsee, until told to stop.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use jsonrpsee::server::middleware::rpc::RpcServiceBuilder;
use jsonrpsee::server::{
    BatchRequestConfig, Methods, PingConfig, RegisterMethodError, Server, ServerConfig, ServerHandle,
    StopHandle, serve_with_graceful_shutdown, stop_channel,
};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::context::Context;
use super::gate::Gate;
use super::service::ConnectionService;
use super::traffic::{Counted, GONE_AFTER};
use super::{facts, methods};

const PING_EVERY: Duration = Duration::from_secs(30);

/// An answer above this is a fault. Larger than any one form or result may be.
const MAX_RESPONSE_BYTES: u32 = 64 * 1024 * 1024;

/// jsonrpsee's own limits are kept out of the way: ours answer in the protocol's words.
const SLACK: u32 = 64;

/// How long the last events may take to leave, and then the last answers.
const FLUSH_WITHIN: Duration = Duration::from_millis(250);

/// Out of file descriptors, accepting fails at once and for ever; this keeps it from spinning.
const ACCEPT_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// A daemon that serves calls.
#[derive(Debug)]
pub(crate) struct Serving {
    pub(super) context: Arc<Context>,
    accepting: watch::Sender<bool>,
    connections: ServerHandle,
    last_pump: mpsc::Receiver<()>,
    pumps: Option<mpsc::Sender<()>>,
}

/// What [`Context`] needs to count the tasks that pass events on.
pub(crate) fn pump_channel() -> (mpsc::Sender<()>, mpsc::Receiver<()>) {
    mpsc::channel(1)
}

impl Serving {
    /// Begins to accept on `listener`. Peers of another user than `uid` are turned away.
    ///
    /// # Errors
    /// When the methods' table names one twice.
    pub(crate) fn start(
        context: Arc<Context>,
        listener: UnixListener,
        uid: u32,
        (pumps, last_pump): (mpsc::Sender<()>, mpsc::Receiver<()>),
    ) -> Result<Self, RegisterMethodError> {
        let methods: Methods = methods::all(context.clone())?.into();
        let (stop, connections) = stop_channel();
        let (accepting, accept) = watch::channel(true);
        let acceptor = Acceptor { context: context.clone(), methods, stop, uid };
        tokio::spawn(acceptor.run(listener, accept));
        Ok(Self { context, accepting, connections, last_pump, pumps: Some(pumps) })
    }

    /// Waits until a client asks for the end.
    pub(crate) async fn stop_asked(&self) {
        self.context.stop.asked().await;
    }

    /// Ends: no new connections; waiters are released and what was accepted is on disk; the last events
    /// and answers leave; the connections close. What has not left by then is not waited for.
    pub(crate) async fn stop(mut self) {
        self.accepting.send_replace(false);
        self.context.registry.shutdown().await;
        drop(self.pumps.take());
        let flushed = timeout(FLUSH_WITHIN, self.last_pump.recv()).await.is_ok();
        // Fails only when every connection has ended.
        let _ = self.connections.stop();
        let closed = timeout(FLUSH_WITHIN, self.connections.stopped()).await.is_ok();
        tracing::debug!(flushed, closed, "connections closed");
    }
}

struct Acceptor {
    context: Arc<Context>,
    methods: Methods,
    stop: StopHandle,
    uid: u32,
}

impl Acceptor {
    async fn run(self, listener: UnixListener, mut accept: watch::Receiver<bool>) {
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = accept.wait_for(|accept| !accept) => return,
            };
            match accepted {
                Ok((stream, _)) => self.serve(stream),
                Err(error) => {
                    tracing::warn!(%error, "accepting a connection failed");
                    tokio::time::sleep(ACCEPT_AGAIN_AFTER).await;
                }
            }
        }
    }

    fn serve(&self, stream: UnixStream) {
        let pid = match self.check_peer(&stream) {
            Ok(pid) => pid,
            Err(error) => {
                tracing::warn!(%error, "connection refused");
                return;
            }
        };
        let limits = self.context.settings.current().limits;
        if self.context.connections.count() >= limits.connections.saturating_add(SLACK) as usize {
            tracing::warn!(limit = limits.connections, "connection refused: too many are open");
            return;
        }
        let context = self.context.clone();
        let (connection, guard) =
            context.connections.open(facts::of(pid), context.clock.wall(), &context.registry);
        tracing::debug!(connection = %connection.id, "connected");
        let config = ServerConfig::builder()
            .max_request_body_size(u32::try_from(limits.message_bytes).unwrap_or(u32::MAX))
            .max_response_body_size(MAX_RESPONSE_BYTES)
            .max_connections(SLACK)
            .max_subscriptions_per_connection(limits.subscriptions.saturating_add(SLACK))
            .set_batch_request_config(BatchRequestConfig::Disabled)
            .enable_ws_ping(
                PingConfig::new().ping_interval(PING_EVERY).inactive_limit(GONE_AFTER).max_failures(1),
            )
            .build();
        let gate = {
            let context = context.clone();
            RpcServiceBuilder::new().layer_fn(move |inner| Gate { inner, context: context.clone() })
        };
        // Built once a connection: jsonrpsee takes the connection's id from here.
        let inner = Server::builder()
            .set_config(config)
            .set_rpc_middleware(gate)
            .to_service_builder()
            .connection_id(connection.number)
            .build(self.methods.clone(), self.stop.clone());
        let stream = Counted::new(stream, connection.traffic.clone(), guard);
        let service = ConnectionService { inner, context, connection };
        let stopped = self.stop.clone().shutdown();
        tokio::spawn(async move {
            if serve_with_graceful_shutdown(stream, service, stopped).await.is_err() {
                tracing::debug!("a connection ended with an error");
            }
        });
    }

    /// The peer's process, if it is the same user's.
    fn check_peer(&self, stream: &UnixStream) -> io::Result<Option<i32>> {
        let peer = stream.peer_cred()?;
        if peer.uid() != self.uid {
            let why = format!("the peer's user is {}, the daemon's is {}", peer.uid(), self.uid);
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
        }
        Ok(peer.pid())
    }
}
