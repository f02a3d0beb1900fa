//! Notifications, end to end: a daemon, a bus of the test's own, and a service on it that the test plays.

mod bus;
mod channels;
mod clicks;
mod faults;
mod real;
mod service;
mod shown;

use askd_tests::client::initialize_params;
use askd_tests::{Client, Daemon, Sandbox, sandbox};
use serde_json::{Value, json};

use bus::Bus;
use service::Service;

/// What most tests here begin with.
struct Desktop {
    sandbox: Sandbox,
    bus: Bus,
    service: Service,
    daemon: Daemon,
}

impl Desktop {
    async fn start() -> Self {
        Self::with(json!({})).await
    }

    /// With settings of the test's, below `notifications`.
    async fn with(notifications: Value) -> Self {
        Self::in_sandbox(sandbox!(), notifications).await
    }

    /// With an environment of the test's, too.
    async fn in_sandbox(sandbox: Sandbox, notifications: Value) -> Self {
        configure(&sandbox, notifications);
        let bus = Bus::start(&sandbox);
        let service = Service::start(&bus).await;
        let daemon = Daemon::start(&sandbox);
        Self { sandbox, bus, service, daemon }
    }

    /// A form with one single choice, from an agent that said where it works.
    async fn ask(&self, agent: &Client, label: &str, options: &[&str]) -> String {
        ask(agent, label, options).await
    }
}

/// Settings below `notifications`; the desktop is the only channel unless they name others.
fn configure(sandbox: &Sandbox, mut notifications: Value) {
    if notifications.get("channels").is_none() {
        notifications["channels"] = json!(["desktop"]);
    }
    sandbox.write_config(&json!({"schemaVersion": 5, "notifications": notifications}).to_string());
}

async fn ask(agent: &Client, label: &str, options: &[&str]) -> String {
    let params = json!({"params": choice(label, options), "origin": {"agent": "pi", "cwd": "/home/me/shop"}});
    askd_tests::forms::id_of(&agent.call("form/create", params).await)
}

/// One single choice; its options' values are the labels in lower case.
fn choice(label: &str, options: &[&str]) -> Value {
    let options: Vec<Value> =
        options.iter().map(|label| json!({"value": label.to_lowercase(), "label": label})).collect();
    json!({"questions": [{"id": "q", "label": label, "prompt": format!("{label}, please?"), "options": options}]})
}

fn pick(value: &str) -> Value {
    json!({"kind": "answer", "answers": {"q": {"values": [value]}}})
}

/// A frontend that a person works with.
async fn person(daemon: &Daemon, kind: &str) -> Client {
    let mut params = initialize_params("frontend");
    params["frontend"] = json!({"kind": kind, "human": true});
    Client::connect_with(daemon.socket(), params).await
}

/// Waits until a click would count: the daemon takes none in the first half second.
async fn armed() {
    tokio::time::sleep(std::time::Duration::from_millis(600)).await;
}
