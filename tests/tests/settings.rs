//! Settings as everyone attached sees them change: by a call, by the command line, by an editor.

#[path = "settings/by_hand.rs"]
mod by_hand;
#[path = "settings/doors.rs"]
mod doors;
#[path = "settings/faults.rs"]
mod faults;
#[path = "settings/list.rs"]
mod list;
#[path = "settings/outside.rs"]
mod outside;

use askd_tests::{Client, Daemon, Sandbox, within};
use serde_json::{Value, json};

const FILE: &str = r#"{
  // what I like
  "schemaVersion": 5,
  "behaviour": {
    "showFooterHints": true, // for now
    "confirmDismissWhenDirty": true
  },
  "notifications": { "enabled": false },
  "mine": { "a":  1 }
}
"#;

/// A sandbox whose settings file is `text`.
fn with_file(sandbox: Sandbox, text: &str) -> Sandbox {
    sandbox.write_config(text);
    sandbox
}

fn text(sandbox: &Sandbox) -> String {
    std::fs::read_to_string(sandbox.place().config_file).expect("the settings file")
}

async fn get(client: &Client) -> Value {
    client.call("settings/get", json!({})).await
}

/// Subscribes and takes the snapshot.
async fn follow(client: &Client) -> askd_tests::client::Events {
    let mut events = client.subscribe(json!({"kinds": ["settings-changed"]})).await;
    events.snapshot().await;
    events
}

async fn hints_shown(client: &Client, shown: bool) -> Value {
    let wait = async {
        loop {
            let state = get(client).await;
            if state["settings"]["behaviour"]["showFooterHints"] == json!(shown) {
                return state;
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    within("the setting to be in force", wait).await
}

async fn frontend(daemon: &Daemon) -> Client {
    daemon.client("frontend").await
}
