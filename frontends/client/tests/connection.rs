//! Connections that end, and what goes on after them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

mod fake;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use askd_client::{CallError, Client, ConnectError, Connection};
use askd_wire::ErrorKind;
use askd_wire::form::{CreateParams, FormRef};
use askd_wire::method::{FormAck, FormCreate, FormGet};
use fake::{Fake, Home, error, module, resolved};

/// Longer than anything here takes.
const DEADLINE: Duration = Duration::from_secs(10);

async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(DEADLINE, future).await {
        Ok(value) => value,
        Err(_) => panic!("{what} did not come within {DEADLINE:?}"),
    }
}

#[tokio::test]
async fn nobody_there_is_told_with_the_way_out() {
    let home = Home::new();
    let error = Client::connect(home.options()).await.unwrap_err();
    assert_eq!(error, ConnectError::NotRunning { socket: home.socket() });
    assert!(error.to_string().contains("ask daemon"), "{error}");
}

#[tokio::test]
async fn something_else_at_the_socket_is_told_from_a_daemon() {
    let home = Home::new();
    let listener = tokio::net::UnixListener::bind(home.socket()).unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            use tokio::io::AsyncWriteExt;
            let _ = stream.write_all(b"220 mail.example.org ESMTP\r\n").await;
        }
    });
    let error = within("the refusal", Client::connect(home.options())).await.unwrap_err();
    assert!(matches!(error, ConnectError::Handshake { .. }), "{error}");
}

#[tokio::test]
async fn waiting_goes_on_with_the_next_daemon() {
    let home = Home::new();
    let waits = Arc::new(AtomicUsize::new(0));
    let mut first = module("s");
    let counted = Arc::clone(&waits);
    first
        .register_async_method("form/wait", move |_, _, _| {
            counted.fetch_add(1, Ordering::SeqCst);
            async { std::future::pending::<serde_json::Value>().await }
        })
        .unwrap();
    let first = Fake::start(&home.socket(), first);
    let client = Client::connect(home.options()).await.unwrap();
    let mut connection = client.watch_connection();
    let waiting = tokio::spawn({
        let client = client.clone();
        async move { client.wait("f").await }
    });
    within("the first wait", async {
        while waits.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    // A daemon that is killed: the handler is dropped without a reply.
    first.kill().await;
    let lost = within("the loss", connection.changed()).await;
    assert!(matches!(lost, Connection::Reconnecting { .. }), "{lost:?}");

    std::fs::remove_file(home.socket()).unwrap();
    let mut second = module("s");
    second.register_method("form/wait", |_, _, _| resolved()).unwrap();
    let _second = Fake::start(&home.socket(), second);
    let outcome = within("the answer", waiting).await.unwrap().unwrap();
    assert_eq!(outcome.tool_result.text(), "no");
    let back = client.connection();
    assert!(matches!(back, Connection::Connected { generation: 2, .. }), "{back:?}");
}

#[tokio::test]
async fn waiting_ends_when_the_form_is_not_there() {
    let home = Home::new();
    let mut module = module("s");
    let unknown = |_: jsonrpsee::types::Params<'_>, _: &(), _: &jsonrpsee::Extensions| {
        Err::<(), _>(error(ErrorKind::UnknownForm, "No such form."))
    };
    module.register_method("form/wait", unknown).unwrap();
    let _fake = Fake::start(&home.socket(), module);
    let client = Client::connect(home.options()).await.unwrap();
    let failed = within("the error", client.wait("f")).await.unwrap_err();
    assert_eq!(failed.kind(), Some(ErrorKind::UnknownForm));
    assert_eq!(failed.to_string(), "No such form.");
}

#[tokio::test]
async fn a_call_that_was_refused_in_a_shutdown_is_made_again() {
    let home = Home::new();
    let going = |_: jsonrpsee::types::Params<'_>, _: &(), _: &jsonrpsee::Extensions| {
        Err::<(), _>(error(ErrorKind::ShuttingDown, "Going."))
    };
    let mut first = module("s");
    first.register_method("form/ack", going).unwrap();
    let first = Fake::start(&home.socket(), first);
    let client = Client::connect(home.options()).await.unwrap();
    let acknowledging = tokio::spawn({
        let client = client.clone();
        async move { client.call::<FormAck>(FormRef { form_id: "f".to_owned() }).await }
    });
    tokio::task::yield_now().await;
    first.stop().await;
    let mut second = module("s");
    let done = serde_json::json!({ "delivery": "acknowledged", "first": true });
    second.register_method("form/ack", move |_, _, _| done.clone()).unwrap();
    let _second = Fake::start(&home.socket(), second);
    assert!(within("the reply", acknowledging).await.unwrap().unwrap().first);
}

#[tokio::test]
async fn what_cannot_be_repeated_is_reported_as_unknown() {
    let home = Home::new();
    let mut module = module("s");
    let (called, mut calls) = tokio::sync::mpsc::unbounded_channel();
    for method in ["form/create", "form/get"] {
        let called = called.clone();
        module
            .register_async_method(method, move |_, _, _| {
                let _ = called.send(());
                async { std::future::pending::<serde_json::Value>().await }
            })
            .unwrap();
    }
    let fake = Fake::start(&home.socket(), module);
    let client = Client::connect(home.options()).await.unwrap();
    let creating = tokio::spawn({
        let client = client.clone();
        async move { client.call::<FormCreate>(CreateParams::default()).await }
    });
    let getting = tokio::spawn({
        let client = client.clone();
        async move { client.call::<FormGet>(FormRef { form_id: "f".to_owned() }).await }
    });
    for _ in 0..2 {
        within("the call", calls.recv()).await;
    }
    fake.kill().await;
    let failed = within("the error", creating).await.unwrap().unwrap_err();
    assert_eq!(failed, CallError::Disconnected { method: "form/create".to_owned() });
    assert!(!getting.is_finished(), "reading is tried again with the next daemon");
    getting.abort();
}

#[tokio::test]
async fn a_message_the_daemon_would_not_take_is_not_sent() {
    let home = Home::new();
    let mut module = module("s");
    let settings = serde_json::json!({
        "settings": { "limits": { "messageBytes": 100_000 } }, "revision": 1, "file": "/c", "writable": true,
        "notices": [], "sources": {}
    });
    module.register_method("settings/get", move |_, _, _| settings.clone()).unwrap();
    let _fake = Fake::start(&home.socket(), module);
    let client = Client::connect(home.options()).await.unwrap();
    let params = CreateParams { params: serde_json::json!("x".repeat(100_000)), ..CreateParams::default() };
    let failed = within("the error", client.call::<FormCreate>(params)).await.unwrap_err();
    assert!(matches!(failed, CallError::TooLarge { limit: 100_000, .. }), "{failed}");
}
