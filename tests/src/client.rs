//! A plain JSON-RPC client over WebSocket frames that hides nothing: every byte it sends is the test's.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use soketto::handshake::{Client as Handshake, ServerResponse};
use tokio::net::UnixStream;
use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::compat::{Compat, TokioAsyncReadCompatExt};

use crate::within;

/// A JSON-RPC error as it came.
#[derive(Debug, Clone, PartialEq)]
pub struct CallError {
    /// The JSON-RPC code.
    pub code: i64,
    /// The sentence for people.
    pub message: String,
    /// The data, null without.
    pub data: Value,
}

impl CallError {
    /// `data.kind`, empty without.
    #[must_use]
    pub fn kind(&self) -> &str {
        self.data["kind"].as_str().unwrap_or_default()
    }
}

type Answer = Result<Value, CallError>;

#[derive(Debug, Default)]
struct Shared {
    waiting: HashMap<u64, oneshot::Sender<Answer>>,
    streams: HashMap<String, Stream>,
    /// Answers without an id of ours: JSON-RPC sends them when it could not read the request's.
    stray: Vec<Value>,
    closed: bool,
}

#[derive(Debug)]
struct Stream {
    give: mpsc::UnboundedSender<Value>,
    take: Option<mpsc::UnboundedReceiver<Value>>,
}

impl Default for Stream {
    fn default() -> Self {
        let (give, take) = mpsc::unbounded_channel();
        Self { give, take: Some(take) }
    }
}

/// A connection. Dropping it closes it.
#[derive(Debug)]
pub struct Client {
    send: mpsc::UnboundedSender<String>,
    shared: Arc<Mutex<Shared>>,
    next: AtomicU64,
    reading: watch::Sender<bool>,
    tasks: [tokio::task::JoinHandle<()>; 2],
    /// The result of `initialize`; null before.
    pub info: Value,
}

impl Client {
    /// Connects without calling anything.
    pub async fn open(socket: &Path) -> Self {
        Self::try_open(socket).await.unwrap_or_else(|e| panic!("connecting to {}: {e}", socket.display()))
    }

    /// Connects, or says why that failed.
    pub async fn try_open(socket: &Path) -> Result<Self, String> {
        let stream = UnixStream::connect(socket).await.map_err(|e| e.to_string())?;
        let mut handshake = Handshake::new(stream.compat(), "localhost", "/");
        match within("the WebSocket handshake", handshake.handshake()).await {
            Ok(ServerResponse::Accepted { .. }) => {}
            other => return Err(format!("{other:?}")),
        }
        let mut builder = handshake.into_builder();
        builder.set_max_message_size(64 << 20);
        builder.set_max_frame_size(64 << 20);
        let (sender, receiver) = builder.finish();
        let shared = Arc::new(Mutex::new(Shared::default()));
        let (send, outgoing) = mpsc::unbounded_channel();
        let (reading, may_read) = watch::channel(true);
        let tasks = [
            tokio::spawn(write(sender, outgoing)),
            tokio::spawn(read(receiver, Arc::clone(&shared), may_read)),
        ];
        Ok(Self { send, shared, next: AtomicU64::new(1), reading, tasks, info: Value::Null })
    }

    /// Connects and initializes in one role; a frontend says that no person works with it.
    pub async fn connect(socket: &Path, role: &str) -> Self {
        let mut params = initialize_params(role);
        if role == "frontend" {
            params["frontend"] = json!({"kind": "test", "human": false});
        }
        Self::connect_with(socket, params).await
    }

    /// Connects and initializes with params of the test's.
    pub async fn connect_with(socket: &Path, params: Value) -> Self {
        let mut client = Self::open(socket).await;
        client.info = client.call("initialize", params).await;
        client
    }

    /// Calls a method that is expected to succeed.
    pub async fn call(&self, method: &str, params: Value) -> Value {
        self.try_call(method, params).await.unwrap_or_else(|e| panic!("{method} was refused: {e:?}"))
    }

    /// Calls a method that is expected to be refused.
    pub async fn refused(&self, method: &str, params: Value) -> CallError {
        match self.try_call(method, params).await {
            Err(error) => error,
            Ok(result) => panic!("{method} was accepted: {result}"),
        }
    }

    /// Calls a method and waits for its answer.
    pub async fn try_call(&self, method: &str, params: Value) -> Answer {
        let answer = self.begin(method, params);
        within(method, answer).await.unwrap_or_else(|_| panic!("the connection ended during {method}"))
    }

    /// Sends a call; the answer comes through the receiver, which ends when the connection does.
    pub fn begin(&self, method: &str, params: Value) -> oneshot::Receiver<Answer> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (give, take) = oneshot::channel();
        let mut shared = lock(&self.shared);
        if !shared.closed {
            shared.waiting.insert(id, give);
            let text = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string();
            let _ = self.send.send(text);
        }
        take
    }

    /// Sends a text as it is.
    pub fn send_raw(&self, text: impl Into<String>) {
        let _ = self.send.send(text.into());
    }

    /// Waits for an answer whose id is null.
    pub async fn stray(&self) -> Value {
        let taken = async {
            loop {
                if let Some(value) = lock(&self.shared).stray.pop() {
                    return value;
                }
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
        };
        within("an answer without id", taken).await
    }

    /// Subscribes to events.
    pub async fn subscribe(&self, params: Value) -> Events {
        let id = self.call("events/subscribe", params).await;
        self.events(&id)
    }

    /// The events of a subscription that was made with [`Client::begin`]; to be taken once.
    #[must_use]
    pub fn events(&self, id: &Value) -> Events {
        let mut shared = lock(&self.shared);
        if shared.closed {
            return Events { id: id.clone(), take: mpsc::unbounded_channel().1 };
        }
        let take = shared.streams.entry(id.to_string()).or_default().take.take();
        Events { id: id.clone(), take: take.expect("a subscription's events are taken once") }
    }

    /// Stops reading from the socket, as a program that hangs does, or goes on with it.
    pub fn set_reading(&self, reading: bool) {
        self.reading.send_replace(reading);
    }

    /// Whether the other side has closed the connection.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        lock(&self.shared).closed
    }

    /// Waits until the other side has closed the connection.
    pub async fn closed(&self) {
        let closed = async {
            while !self.is_closed() {
                tokio::time::sleep(std::time::Duration::from_millis(2)).await;
            }
        };
        within("the end of the connection", closed).await;
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Params of `initialize` for one role.
#[must_use]
pub fn initialize_params(role: &str) -> Value {
    json!({"client": {"name": "askd-tests", "version": "1"}, "roles": [role], "protocol": 1})
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn write(
    mut sender: soketto::Sender<Compat<UnixStream>>,
    mut outgoing: mpsc::UnboundedReceiver<String>,
) {
    while let Some(text) = outgoing.recv().await {
        if sender.send_text_owned(text).await.is_err() || sender.flush().await.is_err() {
            return;
        }
    }
}

async fn read(
    mut receiver: soketto::Receiver<Compat<UnixStream>>,
    shared: Arc<Mutex<Shared>>,
    mut may_read: watch::Receiver<bool>,
) {
    let mut message = Vec::new();
    while may_read.wait_for(|reading| *reading).await.is_ok()
        && receiver.receive_data(&mut message).await.is_ok()
    {
        let value: Value = serde_json::from_slice(&message).expect("the daemon sends JSON");
        message.clear();
        take(&mut lock(&shared), value);
    }
    let mut shared = lock(&shared);
    shared.closed = true;
    shared.waiting.clear();
    shared.streams.clear();
}

fn take(shared: &mut Shared, mut value: Value) {
    if value["method"].is_string() {
        let id = value["params"]["subscription"].to_string();
        // The first events may come before the answer that names the subscription.
        let _ = shared.streams.entry(id).or_default().give.send(value["params"]["result"].take());
    } else if let Some(waiting) = value["id"].as_u64().and_then(|id| shared.waiting.remove(&id)) {
        let answer = match value.get("error") {
            Some(error) => Err(error_of(error)),
            None => Ok(value["result"].take()),
        };
        let _ = waiting.send(answer);
    } else {
        shared.stray.insert(0, value);
    }
}

/// Reads the `error` member of a response.
#[must_use]
pub fn error_of(error: &Value) -> CallError {
    CallError {
        code: error["code"].as_i64().unwrap_or_default(),
        message: error["message"].as_str().unwrap_or_default().to_owned(),
        data: error["data"].clone(),
    }
}

/// A subscription's events, in order.
#[derive(Debug)]
pub struct Events {
    /// The subscription's id, for `events/unsubscribe`.
    pub id: Value,
    take: mpsc::UnboundedReceiver<Value>,
}

impl Events {
    /// The next event; none when the connection has ended.
    pub async fn next(&mut self) -> Option<Value> {
        within("an event", self.take.recv()).await
    }

    /// The next event, however long it takes; none when the connection has ended.
    pub async fn next_or_end(&mut self) -> Option<Value> {
        self.take.recv().await
    }

    /// The next event of a kind; others before it are passed over.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let event = self.next().await.unwrap_or_else(|| panic!("the stream ended before {kind}"));
            if event["kind"] == kind {
                return event;
            }
        }
    }

    /// The forms of the snapshot a stream starts with, after its last part.
    pub async fn snapshot(&mut self) -> Vec<Value> {
        let mut forms = Vec::new();
        loop {
            let part = self.next_of("snapshot").await;
            forms.extend(part["forms"].as_array().expect("forms").iter().cloned());
            if part["last"] == true {
                return forms;
            }
        }
    }
}
