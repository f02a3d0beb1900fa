//! A daemon's wire side in this process: its own directories, its own socket, the embedded store.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jsonrpsee::client_transport::ws::{Url, WsTransportClientBuilder};
use jsonrpsee::core::ClientError;
use jsonrpsee::core::client::{Client, ClientBuilder, ClientT as _};
use jsonrpsee::core::params::ObjectParams;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{UnixListener, UnixStream};

use super::super::{Service, Serving};
use crate::config::SettingsStore;
use crate::registry::{Registry, SystemClock};
use crate::store::SqliteStore;

/// Longer than anything here takes; what takes longer hangs.
pub(super) const DEADLINE: Duration = Duration::from_secs(10);

pub(in crate::rpc) struct Daemon {
    dir: TempDir,
    pub(in crate::rpc) serving: Serving,
}

impl Daemon {
    pub(in crate::rpc) async fn start() -> Self {
        Self::with_settings(&json!({ "schemaVersion": 5 })).await
    }

    pub(super) async fn with_settings(settings: &Value) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("config.json");
        std::fs::write(&file, settings.to_string()).unwrap();
        let settings = Arc::new(SettingsStore::open(file));
        let store = Arc::new(SqliteStore::open(&dir.path().join("askd.db")).unwrap());
        let clock = Arc::new(SystemClock);
        let registry =
            Registry::open(store, clock.clone(), settings.watch(), "instance".to_owned()).await.unwrap();
        let listener = UnixListener::bind(dir.path().join("a.sock")).unwrap();
        let uid = rustix::process::geteuid().as_raw();
        let service = Service {
            registry,
            settings,
            clock,
            listeners: vec!["unix:a.sock".to_owned()],
            uid,
            surroundings: crate::notify::Surroundings::default(),
        };
        let serving = service.start(listener).unwrap();
        Self { dir, serving }
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.dir.path().join("a.sock")
    }

    pub(super) fn settings_file(&self) -> Value {
        serde_json::from_slice(&std::fs::read(self.dir.path().join("config.json")).unwrap()).unwrap()
    }

    pub(super) async fn stream(&self) -> UnixStream {
        UnixStream::connect(self.socket()).await.unwrap()
    }

    /// A connection that has not said who it is.
    pub(super) async fn unknown(&self) -> Caller {
        let url = Url::parse("ws://localhost/").unwrap();
        let (sender, receiver) =
            WsTransportClientBuilder::default().build_with_stream(url, self.stream().await).await.unwrap();
        Caller(ClientBuilder::default().request_timeout(DEADLINE).build_with_tokio(sender, receiver))
    }

    pub(super) async fn connect(&self, role: &str) -> Caller {
        let caller = self.unknown().await;
        caller.call("initialize", introduction(role)).await.unwrap();
        caller
    }

    /// One HTTP exchange; gives the status and the body as JSON.
    pub(super) async fn post(&self, headers: &str, body: &str) -> (u16, Value) {
        let mut stream = self.stream().await;
        let request = format!(
            "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }
}

pub(super) fn introduction(role: &str) -> Value {
    json!({ "client": { "name": "test", "version": "1" }, "roles": role, "protocol": 1 })
}

pub(super) fn question() -> Value {
    let options = json!([{ "value": "a", "label": "A" }, { "value": "b", "label": "B" }]);
    json!({ "questions": [{ "id": "q", "prompt": "Which?", "type": "single", "options": options }] })
}

/// What a refused call tells.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) code: i32,
    pub(super) message: String,
    pub(super) data: Value,
}

impl Refusal {
    pub(super) fn kind(&self) -> &str {
        self.data["kind"].as_str().unwrap_or("")
    }
}

pub(super) struct Caller(pub(super) Client);

impl Caller {
    pub(super) async fn call(&self, method: &str, params: Value) -> Result<Value, Refusal> {
        let mut object = ObjectParams::new();
        for (key, value) in params.as_object().unwrap() {
            object.insert(key, value).unwrap();
        }
        self.raw(method, object).await
    }

    pub(super) async fn raw(
        &self,
        method: &str,
        params: impl jsonrpsee::core::traits::ToRpcParams + Send,
    ) -> Result<Value, Refusal> {
        match self.0.request::<Value, _>(method, params).await {
            Ok(value) => Ok(value),
            Err(ClientError::Call(error)) => Err(Refusal {
                code: error.code(),
                message: error.message().to_owned(),
                data: error.data().map(|data| serde_json::from_str(data.get()).unwrap()).unwrap_or_default(),
            }),
            Err(error) => panic!("{method}: {error}"),
        }
    }

    pub(super) async fn kind(&self, method: &str, params: Value) -> String {
        self.call(method, params).await.unwrap_err().kind().to_owned()
    }
}

/// A WebSocket by hand, for clients that do not behave.
pub(super) struct RawSocket(pub(super) UnixStream);

impl RawSocket {
    pub(super) async fn open(daemon: &Daemon) -> Self {
        let mut stream = daemon.stream().await;
        let request = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.unwrap());
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        Self(stream)
    }

    /// Sends one text frame, masked with zeros.
    pub(super) async fn send(&mut self, text: &str) {
        let mut frame = vec![0x81];
        match text.len() {
            length @ 0..=125 => frame.push(0x80 | u8::try_from(length).unwrap()),
            length @ 126..=65_535 => {
                frame.push(0x80 | 126);
                frame.extend(u16::try_from(length).unwrap().to_be_bytes());
            }
            length => {
                frame.push(0x80 | 127);
                frame.extend((length as u64).to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.write_all(&frame).await.unwrap();
    }

    /// Reads one text frame; skips pings.
    pub(super) async fn read(&mut self) -> Value {
        loop {
            let head = self.0.read_u8().await.unwrap();
            let length = match self.0.read_u8().await.unwrap() {
                126 => usize::from(self.0.read_u16().await.unwrap()),
                127 => usize::try_from(self.0.read_u64().await.unwrap()).unwrap(),
                short => usize::from(short),
            };
            let mut payload = vec![0; length];
            self.0.read_exact(&mut payload).await.unwrap();
            if head & 0x0f == 1 {
                return serde_json::from_slice(&payload).unwrap();
            }
        }
    }

    pub(super) async fn call(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
            .await;
    }
}
