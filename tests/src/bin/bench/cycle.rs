//! One form's whole way: created by A, read as an event by B, submitted by B, and read by A as the reply to
//! its `form/wait`. Measured in turns with the floor, so that a noisy machine is noisy for both.

use std::time::{Duration, Instant};

use askd_tests::forms::{id_of, pick, single};
use askd_tests::{Client, Daemon, Events};
use serde_json::{Value, json};

use crate::floor::Floor;
use crate::times::{Times, micros};
use crate::{Effort, sandbox};

/// Below this a disk acknowledges what it has not written.
const WRITES_THROUGH: Duration = Duration::from_micros(20);

pub(crate) async fn measure(effort: Effort) -> Value {
    let sandbox = sandbox();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let frontend = daemon.client("frontend").await;
    let mut events = frontend.subscribe(json!({"kinds": ["started"]})).await;
    events.snapshot().await;
    let params = padded();
    let mut floor = Floor::new(&sandbox).await;
    let append = floor.usual_append();
    let (mut cycles, mut limits) = (Times::default(), Times::default());
    for block in 0..effort.blocks {
        for _ in 0..effort.per_block {
            let time = cycle(&agent, &frontend, &mut events, &params).await;
            let limit = floor.once().await;
            // The first block warms everything up.
            if block > 0 {
                cycles.add(time);
                limits.add(limit);
            }
        }
    }
    let (p50, limit) = (cycles.percentile(50), limits.percentile(50));
    let mut result = json!({
        "p50Us": micros(p50),
        "p99Us": micros(cycles.percentile(99)),
        "limitUs": micros(limit),
        "fdatasyncUs": micros(append),
    });
    if append < WRITES_THROUGH {
        result["note"] = json!("not comparable");
    } else {
        result["overheadUs"] = json!(micros(p50.saturating_sub(limit)));
        result["ratio"] = json!((p50.as_secs_f64() / limit.as_secs_f64() * 100.0).round() / 100.0);
    }
    result
}

async fn cycle(agent: &Client, frontend: &Client, events: &mut Events, params: &Value) -> Duration {
    let started = Instant::now();
    let created = agent.begin("form/create", json!({"params": params}));
    let answer = async {
        let event = events.next().await.expect("an event");
        let form_id = event["formId"].as_str().expect("formId").to_owned();
        frontend.submit(&form_id, pick("pg")).await;
    };
    let wait = async {
        let created = created.await.expect("an answer").expect("a form");
        let waited = agent.wait(&id_of(&created)).await;
        let took = started.elapsed();
        assert_eq!(waited["outcome"]["kind"], "submitted");
        took
    };
    let ((), took) = tokio::join!(answer, wait);
    took
}

/// A form of 2 KB.
pub(crate) fn padded() -> Value {
    let mut params = single();
    let size = params.to_string().len();
    params["questions"][0]["options"][0]["description"] = json!("x".repeat(2048 - size - 20));
    params
}
