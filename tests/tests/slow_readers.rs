//! Readers that cannot keep up: they slow nobody, cost bounded memory, and end with the right picture.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use askd_tests::artifacts::root;
use askd_tests::forms::{id_of, single};
use askd_tests::program::Dialogue;
use askd_tests::{Client, Daemon, Events, Sandbox, program, sandbox, within};
use serde_json::{Value, json};

/// Open forms of 2 KB.
const FORMS: usize = 10_000;
/// Forms that come and go while a reader sleeps: far more than may wait for one connection.
const MISSED: usize = 2_500;
/// Hints that pass by a reader that never reads.
const EVENTS: usize = 100_000;
/// What the daemon may need beyond the forms.
const GROWTH_MIB: f64 = 16.0;
/// Far more than an event or a call takes, and far less than a blocked one would.
const PROMPT: Duration = Duration::from_secs(2);

fn roomy() -> Sandbox {
    let sandbox = sandbox!();
    sandbox.write_config(
        r#"{"schemaVersion": 5, "limits": {"openForms": 20000}, "notifications": {"enabled": false}}"#,
    );
    sandbox
}

fn padded() -> Value {
    let mut params = single();
    params["questions"][0]["options"][0]["description"] = json!("x".repeat(1800));
    params
}

/// Makes calls, 64 of them on their way at any time, and gives their results.
async fn many(client: &Client, method: &str, all: Vec<Value>) -> Vec<Value> {
    let mut results = Vec::new();
    let mut calls = VecDeque::new();
    let mut rest = all.into_iter();
    loop {
        let some = rest.by_ref().take(64 - calls.len());
        calls.extend(some.map(|params| client.begin(method, params)));
        let Some(call) = calls.pop_front() else { return results };
        results.push(within(method, call).await.expect("an answer").expect("a result"));
    }
}

/// Asks [`MISSED`] forms and takes all but one back.
async fn come_and_go(agent: &Client) {
    let created = many(agent, "form/create", vec![json!({"params": padded()}); MISSED]).await;
    let cancels =
        created.iter().skip(1).map(|c| json!({"formId": c["formId"], "reason": "aborted"})).collect();
    many(agent, "form/cancel", cancels).await;
}

fn resident_mib(daemon: &Daemon) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", daemon.pid())).expect("its status");
    let kib = status.lines().find_map(|l| l.strip_prefix("VmRSS:")?.trim().split(' ').next()?.parse().ok());
    kib.map(|kib: f64| kib / 1024.0).expect("VmRSS")
}

/// Folds events into the set of open forms until one with this number; counts the snapshots begun.
async fn fold(events: &mut Events, open: &mut BTreeSet<String>, until: u64) -> (u32, u32) {
    let (mut lagged, mut snapshots, mut whole, mut void) = (0, 0, true, false);
    loop {
        let event = events.next().await.expect("the stream goes on");
        match event["kind"].as_str().expect("kind") {
            "lagged" => {
                lagged += 1;
                void = true;
            }
            "snapshot" => {
                if whole {
                    open.clear();
                    snapshots += 1;
                }
                whole = event["last"] == true;
                void = false;
                open.extend(event["forms"].as_array().expect("forms").iter().map(id_of));
            }
            "started" => drop(open.insert(id_of(&event))),
            "completed" => drop(open.remove(&id_of(&event))),
            _ => {}
        }
        if whole && !void && event["seq"].as_u64().is_some_and(|seq| seq >= until) {
            return (lagged, snapshots);
        }
    }
}

async fn listed(client: &Client) -> BTreeSet<String> {
    let mut ids = BTreeSet::new();
    let mut params = json!({"limit": 1000});
    loop {
        let page = client.call("form/list", params.clone()).await;
        ids.extend(page["forms"].as_array().expect("forms").iter().map(id_of));
        match page.get("nextCursor") {
            Some(cursor) => params["cursor"] = cursor.clone(),
            None => return ids,
        }
    }
}

/// A client program that reads only when it is told to.
fn lagging(program: fn(&Sandbox, &Path) -> Command, sandbox: &Sandbox, name: &str) -> Dialogue {
    let mut command = program(sandbox, &root().join("tests/clients").join(name));
    command.arg(sandbox.socket());
    Dialogue::start(command)
}

fn ids(report: &Value) -> BTreeSet<String> {
    let open = report["open"].as_array().expect("open").iter();
    open.map(|id| id.as_str().expect("an id").to_owned()).collect()
}

async fn newest(daemon: &Daemon) -> u64 {
    daemon.client("agent").await.info["seq"].as_u64().expect("seq")
}

#[tokio::test]
async fn readers_that_slept_get_a_fresh_snapshot_and_bounded_memory() {
    let sandbox = roomy();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    many(&agent, "form/create", vec![json!({"params": padded()}); FORMS]).await;
    let reader = daemon.client("frontend").await;
    let mut events = reader.subscribe(json!({})).await;
    let mut programs = [
        ("Node's ws", lagging(program::node, &sandbox, "lagging.mjs")),
        ("Python's websockets", lagging(program::python, &sandbox, "lagging.py")),
    ];
    let now = newest(&daemon).await;
    programs.iter_mut().for_each(|(_, program)| program.say(&now.to_string()));
    let mut open = BTreeSet::new();
    fold(&mut events, &mut open, now).await;
    assert_eq!(open.len(), FORMS);
    for (name, program) in &mut programs {
        assert!(ids(&program.answer().await) == open, "{name} mirrors what the first reader does");
        program.say("Infinity");
    }

    // Once with everybody reading, so that what forms need that come and go is not taken for the readers'.
    come_and_go(&agent).await;
    let now = newest(&daemon).await;
    fold(&mut events, &mut open, now).await;
    let mut lagged_before = Vec::new();
    for (_, program) in &mut programs {
        program.say(&now.to_string());
        lagged_before.push(program.answer().await["lagged"].as_u64().expect("lagged"));
    }

    reader.set_reading(false);
    let before = resident_mib(&daemon);
    come_and_go(&agent).await;
    let grown = resident_mib(&daemon) - before;
    println!("resident memory grew by {grown:.1} MiB while three readers slept");
    assert!(grown < GROWTH_MIB, "grown by {grown:.1} MiB");

    reader.set_reading(true);
    let now = newest(&daemon).await;
    programs.iter_mut().for_each(|(_, program)| program.say(&now.to_string()));
    let (lagged, snapshots) = fold(&mut events, &mut open, now).await;
    assert!(lagged >= 1 && snapshots >= 1, "{lagged} times lagged, {snapshots} snapshots");
    let listed = listed(&agent).await;
    assert!(open == listed, "{} forms mirrored, {} listed", open.len(), listed.len());
    for ((name, program), lagged_before) in programs.iter_mut().zip(lagged_before) {
        let report = program.answer().await;
        assert!(report["lagged"].as_u64() > Some(lagged_before), "{name} was told that it lagged");
        let open = ids(&report);
        assert!(open == listed, "{name}: {} forms mirrored, {} listed", open.len(), listed.len());
    }
    let grown = resident_mib(&daemon) - before;
    println!("and by {grown:.1} MiB in all when they had caught up");
    assert!(grown < GROWTH_MIB, "grown by {grown:.1} MiB after they had caught up");
}

#[tokio::test]
async fn a_reader_that_never_reads_delays_nobody() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let viewer = daemon.client("frontend").await;
    let asleep = daemon.client("frontend").await;
    asleep.subscribe(json!({})).await;
    asleep.set_reading(false);
    let awake = daemon.client("frontend").await;
    let mut events = awake.subscribe(json!({"kinds": ["started"]})).await;
    events.snapshot().await;
    let viewed = agent.create(single()).await;
    events.next_of("started").await;

    let mut slowest = Duration::ZERO;
    for round in 0..EVENTS / 1000 {
        let focus = |n: usize| json!({"formId": viewed, "focused": n.is_multiple_of(2)});
        many(&viewer, "form/view", (0..1000).map(focus).collect()).await;
        let started = Instant::now();
        let form_id = agent.create(single()).await;
        assert_eq!(events.next_of("started").await["formId"], form_id, "round {round}");
        agent.call("form/cancel", json!({"formId": form_id, "reason": "aborted"})).await;
        slowest = slowest.max(started.elapsed());
    }
    println!(
        "while {EVENTS} events passed a reader that never reads, the slowest of the others took {slowest:?}"
    );
    assert!(slowest < PROMPT, "{slowest:?}");
}
