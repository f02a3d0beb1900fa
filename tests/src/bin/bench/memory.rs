//! Resident memory at rest and with many open forms, and how quickly these are there again.

use std::time::{Duration, Instant};

use askd_tests::Daemon;
use serde_json::{Value, json};

use crate::cycle::padded;
use crate::start::start;
use crate::times::{Times, millis};
use crate::{Effort, sandbox};

/// Calls at once while the forms are made; below the limit of a connection.
const AT_ONCE: usize = 64;

pub(crate) async fn idle() -> Value {
    let sandbox = sandbox();
    let daemon = start(&sandbox).await;
    let pid = daemon.pid();
    daemon.client.call("form/list", json!({})).await;
    let daemon = daemon.disconnect();
    // Two seconds after the first reply is what the aim says.
    tokio::time::sleep(Duration::from_secs(2)).await;
    let result = json!({"rssMiB": resident(pid)});
    drop(daemon);
    result
}

pub(crate) async fn open_forms(effort: Effort) -> Value {
    let sandbox = sandbox();
    sandbox.write_config(r#"{"schemaVersion": 5, "limits": {"openForms": 20000}}"#);
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let params = padded();
    let mut made = 0;
    while made < effort.forms {
        let batch = AT_ONCE.min(effort.forms - made);
        let calls: Vec<_> =
            (0..batch).map(|_| agent.begin("form/create", json!({"params": params}))).collect();
        for call in calls {
            call.await.expect("an answer").expect("a form");
        }
        made += batch;
    }
    daemon.kill();

    let daemon = start(&sandbox).await;
    let listed = daemon.client.call("form/list", json!({"limit": 1})).await;
    assert!(listed["nextCursor"].is_string(), "the forms are there: {listed}");
    let mut times = Times::default();
    for _ in 0..effort.lists {
        let started = Instant::now();
        daemon.client.call("form/list", json!({})).await;
        times.add(started.elapsed());
    }
    json!({
        "forms": effort.forms,
        "reloadMs": millis(daemon.took),
        "listP99Ms": millis(times.percentile(99)),
        "rssMiB": resident(daemon.pid()),
    })
}

fn resident(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the daemon's status");
    let kib =
        status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().split(' ').next()?.parse().ok());
    let kib: f64 = kib.expect("VmRSS");
    (kib / 1024.0 * 10.0).round() / 10.0
}
