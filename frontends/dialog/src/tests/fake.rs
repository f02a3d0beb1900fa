//! A daemon of one form, inside the test: enough of the protocol for a frontend, and a log of what it did.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use askd_client::{Client, ConnectError, ConnectOptions};
use askd_form::{Contract, Outcome, ParseOptions, PresentedTypes, Reason, Response, check, parse};
use askd_wire::connection::Program;
use askd_wire::place::{Environment, Place};
use askd_wire::role::Role;
use jsonrpsee::server::{
    Methods, RpcModule, ServerBuilder, StopHandle, serve_with_graceful_shutdown, stop_channel,
};
use jsonrpsee::types::ErrorObjectOwned;
use jsonrpsee::{Extensions, SubscriptionMessage};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::UnixListener;
use tokio::sync::{broadcast, watch};

pub(super) const FORM: &str = "f-1";

#[derive(Debug)]
pub(super) struct State {
    pub(super) snapshot: Value,
    /// Names and params of calls, in order.
    pub(super) calls: Vec<(String, Value)>,
    /// The next submission is refused with this.
    pub(super) refuse: Option<Value>,
}

/// The daemon. Dropping it closes its connections.
pub(super) struct Fake {
    pub(super) state: Arc<Mutex<State>>,
    events: broadcast::Sender<Value>,
    changes: watch::Sender<u64>,
    directory: TempDir,
    stop: Option<tokio::task::JoinHandle<()>>,
}

pub(super) fn form(contract: Contract, params: &Value) -> Value {
    let parsed =
        parse(contract, params, &ParseOptions::default()).unwrap_or_else(|issues| panic!("{issues:?}"));
    json!(parsed.form)
}

fn by(name: &str, kind: &str) -> Value {
    json!({"roles":["frontend"],"client":{"name":name,"version":"1"},"kind":kind,"person":true})
}

impl Fake {
    pub(super) async fn start(contract: Contract, params: &Value) -> Self {
        let form = form(contract, params);
        let snapshot = json!({"formId":FORM,"contract":contract,"state":"open","seq":1,"questionCount":1,"firstPrompt":"?",
            "source":"tool","origin":{"agent":"pi","cwd":"/src/shop","title":"talk","parents":["root"]},"mode":"urgent",
            "createdAt":0,"owner":{"attached":true},"viewers":[],"drafted":false,"delivery":"none","form":form,"draftRevision":0});
        let directory = tempfile::Builder::new().prefix("askd-d").tempdir().unwrap();
        let state = Arc::new(Mutex::new(State { snapshot, calls: Vec::new(), refuse: None }));
        let (events, _) = broadcast::channel(64);
        let (changes, _) = watch::channel(0);
        let mut fake = Self { state, events, changes, directory, stop: None };
        fake.listen();
        fake
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn socket(&self) -> PathBuf {
        self.directory.path().join("run/askd.sock")
    }

    /// Begins to listen, also again after [`die`](Self::die).
    pub(super) fn listen(&mut self) {
        let socket = self.socket();
        make_private(socket.parent().unwrap());
        let _ = std::fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).unwrap();
        let methods: Methods = self.module().into();
        self.stop = Some(tokio::spawn(async move {
            let (stop, handle) = stop_channel();
            let _ends_with_the_task = handle;
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                let service =
                    ServerBuilder::default().to_service_builder().build(methods.clone(), stop.clone());
                let stop: StopHandle = stop.clone();
                tokio::spawn(serve_with_graceful_shutdown(stream, service, stop.shutdown()));
            }
        }));
    }

    /// Ends all connections and the listener, as a daemon that stops does.
    pub(super) fn die(&mut self) {
        let _ = std::fs::remove_file(self.socket());
        self.stop.take().unwrap().abort();
    }

    fn module(&self) -> RpcModule<Arc<Mutex<State>>> {
        let mut module = RpcModule::new(Arc::clone(&self.state));
        for name in [
            "initialize",
            "form/view",
            "form/get",
            "form/draft",
            "form/submit",
            "form/cancel",
            "settings/get",
        ] {
            let (events, changes) = (self.events.clone(), self.changes.clone());
            module
                .register_method(name, move |params, state, _: &Extensions| {
                    let params: Value = params.parse().unwrap_or_default();
                    let mut state = state.lock().unwrap();
                    state.calls.push((name.to_owned(), params.clone()));
                    let result = call(&mut state, name, &params, &events);
                    drop(state);
                    changes.send_modify(|n| *n += 1);
                    result
                })
                .unwrap();
        }
        let events = self.events.clone();
        module
            .register_subscription(
                "events/subscribe", "events/event", "events/unsubscribe",
                move |_, pending, state, _| {
                    let mut events = events.subscribe();
                    async move {
                        let sink = pending.accept().await.unwrap();
                        let snapshot = state.lock().unwrap().snapshot.clone();
                        let first = json!({"seq":1,"at":0,"kind":"snapshot","last":true,"forms":[snapshot],"settingsRevision":1});
                        let send = async |event: &Value| {
                            let text = serde_json::value::to_raw_value(event).unwrap();
                            sink.send(SubscriptionMessage::from(text)).await
                        };
                        if send(&first).await.is_err() {
                            return;
                        }
                        while let Ok(event) = events.recv().await {
                            if send(&event).await.is_err() {
                                return;
                            }
                        }
                    }
                },
            )
            .unwrap();
        module
    }

    /// Somebody else ends the form.
    pub(super) fn end_elsewhere(&self, response: &Value) {
        let mut state = self.state.lock().unwrap();
        let event = resolve(&mut state, response, by("pixel-phone", "bridge"));
        drop(state);
        self.events.send(event.unwrap()).unwrap();
    }

    /// Somebody else ends it while nobody is told, as a frontend that asks too late sees it.
    pub(super) fn end_silently(&self, outcome: &Value) {
        let mut state = self.state.lock().unwrap();
        settle(&mut state, outcome, &by("pixel-phone", "bridge"));
    }

    /// Somebody else enters something.
    pub(super) fn draft_elsewhere(&self, answers: &Value) {
        let revision = {
            let mut state = self.state.lock().unwrap();
            let revision = state.snapshot["draftRevision"].as_u64().unwrap() + 1;
            state.snapshot["draftRevision"] = json!(revision);
            state.snapshot["draft"] = json!({"answers": answers});
            revision
        };
        let event =
            json!({"seq":1,"at":0,"formId":FORM,"kind":"draft","revision":revision,"connectionId":"other"});
        self.events.send(event).unwrap();
    }

    /// Waits until something holds of the daemon's state.
    pub(super) async fn until(&self, what: &str, mut holds: impl FnMut(&State) -> bool) {
        let mut changes = self.changes.subscribe();
        let waiting = async {
            while !holds(&self.state.lock().unwrap()) {
                changes.changed().await.unwrap();
            }
        };
        let done = tokio::time::timeout(Duration::from_secs(10), waiting).await;
        assert!(done.is_ok(), "{what}: {:?}", self.state.lock().unwrap().calls);
    }

    pub(super) fn outcome(&self) -> Option<Outcome> {
        serde_json::from_value(self.state().snapshot["outcome"].clone()).ok()
    }

    pub(super) fn options(&self) -> ConnectOptions {
        let uid = rustix::process::geteuid().as_raw();
        let root = self.directory.path().to_owned();
        let lookup = |name: &str| match name {
            "HOME" | "XDG_STATE_HOME" | "XDG_RUNTIME_DIR" => Some(root.clone().into_os_string()),
            _ => None,
        };
        let environment = Environment::from_lookup(lookup, root.clone(), uid);
        let place = Place::find(&environment, Some(&self.socket())).unwrap();
        let program = Program { name: "test".to_owned(), version: "1".to_owned() };
        ConnectOptions::new(place, uid, program, &[Role::Frontend]).frontend("line", false)
    }

    pub(super) async fn client(&self) -> Client {
        self.connect().await.unwrap()
    }

    pub(super) async fn connect(&self) -> Result<Client, ConnectError> {
        Client::connect(self.options()).await
    }
}

fn make_private(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(directory).unwrap();
    std::fs::set_permissions(directory, std::fs::Permissions::from_mode(0o700)).unwrap();
}

type Answer = Result<Value, ErrorObjectOwned>;

fn fault(data: Value) -> ErrorObjectOwned {
    ErrorObjectOwned::owned(-32050, "refused", Some(data))
}

fn call(state: &mut State, name: &str, params: &Value, events: &broadcast::Sender<Value>) -> Answer {
    match name {
        "initialize" => {
            Ok(json!({"server":{"name":"askd","version":"1"},"protocol":1,"instanceId":"i","store":"s",
            "connectionId":"own","roles":["frontend"],"seq":1,"capabilities":[]}))
        }
        "settings/get" => {
            Ok(json!({"settings":{},"revision":1,"file":"/none","writable":true,"notices":[],"sources":{}}))
        }
        "form/view" | "form/get" if params["formId"] == FORM => Ok(state.snapshot.clone()),
        "form/view" | "form/get" => Err(fault(json!({"kind":"unknownForm","formId":params["formId"]}))),
        "form/draft" => {
            let revision = state.snapshot["draftRevision"].as_u64().unwrap();
            if params["revision"] != json!(revision) {
                return Err(fault(
                    json!({"kind":"conflict","revision":revision,"draft":state.snapshot["draft"]}),
                ));
            }
            state.snapshot["draft"] = params["draft"].clone();
            state.snapshot["draftRevision"] = json!(revision + 1);
            Ok(json!({"revision": revision + 1}))
        }
        "form/submit" => {
            if let Some(refusal) = state.refuse.take() {
                return Err(fault(refusal));
            }
            let event = resolve(state, &params["response"], by("test", "line"))?;
            // Without subscribers nobody is told.
            let _ = events.send(event);
            Ok(json!({"outcome":state.snapshot["outcome"],"resolvedBy":state.snapshot["resolvedBy"]}))
        }
        "form/cancel" => {
            let reason: Reason = serde_json::from_value(params["reason"].clone()).unwrap();
            if state.snapshot["state"] == "resolved" {
                return Err(fault(json!({"kind":"alreadyResolved"})));
            }
            let outcome = json!(Outcome::cancelled(reason));
            settle(state, &outcome, &by("test", "dialog"));
            Ok(json!({"outcome":outcome,"resolvedBy":state.snapshot["resolvedBy"]}))
        }
        _ => Err(fault(json!({"kind":"notAllowed"}))),
    }
}

fn resolve(state: &mut State, response: &Value, by: Value) -> Answer {
    if state.snapshot["state"] == "resolved" {
        return Err(fault(json!({"kind":"alreadyResolved"})));
    }
    let form = serde_json::from_value(state.snapshot["form"].clone()).unwrap();
    let response = Response::parse(response).unwrap();
    let outcome = check(&form, &response, &PresentedTypes::new())
        .map_err(|e| fault(json!({"kind":"invalidAnswer","path":e.path,"message":e.message})))?;
    settle(state, &json!(outcome), &by);
    Ok(json!({"seq":2,"at":50_520_000,"formId":FORM,"kind":"completed","outcome":outcome,"resolvedBy":by,
        "remote":{"version":1,"flowId":FORM,"source":"tool","result":{},"completedAt":0}}))
}

fn settle(state: &mut State, outcome: &Value, by: &Value) {
    state.snapshot["state"] = json!("resolved");
    state.snapshot["outcome"] = outcome.clone();
    state.snapshot["resolvedBy"] = by.clone();
    state.snapshot["resolvedAt"] = json!(50_520_000);
}
