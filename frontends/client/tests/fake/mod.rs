//! A stand-in for the daemon: the real transport, and replies a test decides.

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use askd_client::ConnectOptions;
use askd_wire::connection::Program;
use askd_wire::place::Place;
use askd_wire::role::Role;
use jsonrpsee::server::{ServerBuilder, ServerHandle, serve_with_graceful_shutdown, stop_channel};
use jsonrpsee::types::ErrorObjectOwned;
use jsonrpsee::{Methods, RpcModule};
use serde_json::{Value, json};
use tokio::net::UnixListener;

/// Directories of one test.
pub(crate) struct Home {
    root: tempfile::TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for name in ["run", "state"] {
            let dir = root.path().join(name);
            std::fs::create_dir(&dir).unwrap();
            std::fs::set_permissions(&dir, Permissions::from_mode(0o700)).unwrap();
        }
        Self { root }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.root.path().join("run/askd.sock")
    }

    pub(crate) fn options(&self) -> ConnectOptions {
        let place = Place {
            socket: self.socket(),
            socket_given: true,
            state: self.root.path().join("state"),
            config_file: self.root.path().join("config.json"),
        };
        let uid = self.root.path().metadata().unwrap().uid();
        let client = Program { name: "test".to_owned(), version: "0.1.0".to_owned() };
        ConnectOptions::new(place, uid, client, &[Role::Agent])
    }
}

/// A running stand-in.
pub(crate) struct Fake {
    handle: ServerHandle,
    accepting: tokio::task::JoinHandle<()>,
    socket: PathBuf,
}

/// The methods every stand-in has, in a database of this name.
pub(crate) fn module(store: &str) -> RpcModule<()> {
    let mut module = RpcModule::new(());
    let hello = json!({
        "server": { "name": "askd", "version": "0.1.0" }, "protocol": 1, "instanceId": "i", "store": store,
        "connectionId": "c1", "roles": ["agent"], "seq": 0, "capabilities": []
    });
    module.register_method("initialize", move |_, _, _| hello.clone()).unwrap();
    module
}

/// An error with the daemon's own kind.
pub(crate) fn error(kind: askd_wire::ErrorKind, message: &str) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(kind.code(), message, Some(json!({ "kind": kind.name() })))
}

/// A resolved form as `form/wait` gives it.
pub(crate) fn resolved() -> Value {
    json!({
        "state": "resolved", "outcome": { "kind": "cancelled", "reason": "dismissed" },
        "resolvedBy": { "roles": ["frontend"], "person": false },
        "toolResult": { "content": [{ "type": "text", "text": "no" }], "transcript": [] }
    })
}

impl Fake {
    /// Listens at a socket.
    pub(crate) fn start(socket: &Path, methods: impl Into<Methods>) -> Self {
        let listener = UnixListener::bind(socket).unwrap();
        let (stop, handle) = stop_channel();
        let methods = Arc::new(methods.into());
        let builder = ServerBuilder::default().to_service_builder();
        let accepting = tokio::spawn(async move {
            // Through a pipe of its own, so that aborting this task breaks every connection off.
            let mut pipes = tokio::task::JoinSet::new();
            loop {
                let mut outside = tokio::select! {
                    () = stop.clone().shutdown() => break,
                    accepted = listener.accept() => accepted.unwrap().0,
                };
                let (stream, mut inside) = tokio::io::duplex(64 * 1024);
                pipes.spawn(async move {
                    let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
                });
                let service = builder.clone().build((*methods).clone(), stop.clone());
                let stopped = stop.clone().shutdown();
                tokio::spawn(async move {
                    let _ = serve_with_graceful_shutdown(stream, service, stopped).await;
                });
            }
            // Farewells still go out.
            drop(stop);
            while pipes.join_next().await.is_some() {}
        });
        Self { handle, accepting, socket: socket.to_owned() }
    }

    /// Ends as a daemon does that was killed: the socket stays, connections break off.
    pub(crate) async fn kill(self) {
        self.accepting.abort();
        assert!(self.accepting.await.unwrap_err().is_cancelled());
    }

    /// Stops as a daemon does that was asked to: its connections are closed with a farewell.
    pub(crate) async fn stop(self) {
        self.handle.stop().unwrap();
        tokio::time::timeout(Duration::from_secs(5), self.accepting).await.unwrap().unwrap();
        std::fs::remove_file(&self.socket).unwrap();
    }
}
