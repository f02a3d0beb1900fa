//! What was acknowledged is still there after the daemon was killed, and waiters find their way back.

use askd_tests::forms::{pick, single};
use askd_tests::run::start;
use askd_tests::{Client, Daemon, Sandbox, sandbox, within};
use askd_wire::Role;
use askd_wire::connection::Program;
use serde_json::{Value, json};

const FORMS: usize = 50;

#[tokio::test]
async fn fifty_forms_and_their_waiters_survive_a_kill() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let store = agent.info["store"].clone();
    let mut forms = Vec::new();
    for _ in 0..FORMS {
        forms.push(agent.create(single()).await);
    }
    let mut waiters = Vec::new();
    for form_id in &forms {
        let client = daemon.client("agent").await;
        let answer = client.begin("form/wait", json!({"formId": form_id, "timeoutMs": 240_000}));
        // The wait has arrived when a later call on the same connection has been answered and the form says so.
        client.get(form_id).await;
        waiters.push((client, answer));
    }
    daemon.kill();
    for (client, answer) in waiters {
        client.closed().await;
        assert!(answer.await.is_err(), "a wait was answered although nobody answered the form");
    }

    let daemon = Daemon::start(&sandbox);
    let frontend = daemon.client("frontend").await;
    assert_eq!(frontend.info["store"], store, "the same database");
    let listed = frontend.call("form/list", json!({})).await;
    let ids: Vec<&str> = listed["forms"].as_array().expect("forms").iter().filter_map(id).collect();
    assert_eq!(ids, forms, "every form is open, oldest first");

    let mut waiters = Vec::new();
    for form_id in &forms {
        let client = daemon.client("agent").await;
        let answer = client.begin("form/wait", json!({"formId": form_id, "timeoutMs": 240_000}));
        waiters.push((client, answer));
    }
    for (index, form_id) in forms.iter().enumerate() {
        frontend.submit(form_id, pick(value_of(index))).await;
    }
    for (index, (_client, answer)) in waiters.into_iter().enumerate() {
        let result = within("a waiter's outcome", answer).await.expect("an answer");
        let result = result.expect("an outcome");
        assert_eq!(result["state"], "resolved");
        assert_eq!(result["outcome"]["answers"]["db"]["values"], json!([value_of(index)]));
        assert_eq!(result["toolResult"]["details"]["answers"]["db"]["values"], json!([value_of(index)]));
    }
}

#[tokio::test]
async fn fifty_waits_of_the_client_library_go_on_after_a_kill() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let mut forms = Vec::new();
    let mut waiters = Vec::new();
    for _ in 0..FORMS {
        let form_id = agent.create(single()).await;
        let client = library(&sandbox, Role::Agent).await;
        let waits_for = form_id.clone();
        waiters.push(tokio::spawn(async move { client.wait(&waits_for).await }));
        forms.push(form_id);
    }
    for form_id in &forms {
        attached(&agent, form_id).await;
    }
    daemon.kill();

    let daemon = Daemon::start(&sandbox);
    let frontend = daemon.client("frontend").await;
    for form_id in &forms {
        attached(&frontend, form_id).await;
    }
    for (index, form_id) in forms.iter().enumerate() {
        frontend.submit(form_id, pick(value_of(index))).await;
    }
    for (index, waiter) in waiters.into_iter().enumerate() {
        let resolved = within("a waiter's outcome", waiter).await.expect("a task").expect("an outcome");
        let answers = resolved.outcome.answers.expect("answers");
        assert_eq!(answers["db"].values, [value_of(index)]);
    }
}

#[tokio::test]
async fn a_waiting_command_goes_on_after_a_kill() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let form_id = agent.create(single()).await;
    let command = start(sandbox.command(&["wait", &form_id, "--no-start"]), "");
    attached(&agent, &form_id).await;
    daemon.kill();
    let daemon = Daemon::start(&sandbox);
    let frontend = daemon.client("frontend").await;
    attached(&frontend, &form_id).await;
    frontend.submit(&form_id, pick("lite")).await;
    let finished = tokio::task::spawn_blocking(|| command.finish()).await.expect("it ends").expect(0);
    assert!(finished.stdout.contains("SQLite"), "{finished:?}");
}

/// The library that our own programs use, without starting a daemon.
async fn library(sandbox: &Sandbox, role: Role) -> askd_client::Client {
    let program = Program { name: "askd-tests".to_owned(), version: "1".to_owned() };
    let uid = rustix::process::getuid().as_raw();
    let options = askd_client::ConnectOptions::new(sandbox.place(), uid, program, &[role]);
    askd_client::Client::connect(options).await.expect("a connection")
}

/// Waits until a form's owner counts as attached.
async fn attached(client: &Client, form_id: &str) {
    let attached = async {
        while client.get(form_id).await["owner"]["attached"] != true {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    within("a waiter to be attached", attached).await;
}

#[tokio::test]
async fn an_outcome_that_nobody_took_survives_a_kill() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let form_id = daemon.client("agent").await.create(single()).await;
    let outcome = daemon.client("frontend").await.submit(&form_id, pick("pg")).await;
    daemon.kill();

    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let snapshot = agent.get(&form_id).await;
    assert_eq!(snapshot["outcome"], outcome["outcome"]);
    assert_eq!(snapshot["resolvedBy"], outcome["resolvedBy"]);
    assert_eq!(snapshot["delivery"], "pending");
    assert_eq!(agent.wait(&form_id).await["outcome"], outcome["outcome"]);
    assert_eq!(agent.call("form/ack", json!({"formId": form_id})).await["first"], true);
    assert_eq!(agent.call("form/ack", json!({"formId": form_id})).await["first"], false);
}

#[tokio::test]
async fn a_subscriber_goes_on_where_it_was() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let mut events = agent.subscribe(json!({})).await;
    events.snapshot().await;
    let first = agent.create(single()).await;
    let seen = events.next_of("started").await;
    let second = agent.create(single()).await;
    daemon.kill();

    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let since = json!({"since": seen["seq"], "store": agent.info["store"]});
    let mut events = agent.subscribe(since).await;
    let next = events.next().await.expect("the missed event");
    assert_eq!((&next["kind"], &next["formId"]), (&json!("started"), &json!(second)));
    assert_eq!(next["seq"].as_u64(), seen["seq"].as_u64().map(|seq| seq + 1), "no gap");
    assert_ne!(first, second);
}

fn id(form: &Value) -> Option<&str> {
    form["formId"].as_str()
}

fn value_of(index: usize) -> &'static str {
    if index.is_multiple_of(2) { "pg" } else { "lite" }
}

#[tokio::test]
async fn a_stopped_daemon_comes_back_with_its_forms() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let form_id = daemon.client("agent").await.create(single()).await;
    assert!(daemon.terminate().success(), "a daemon that is asked to end does so cleanly");
    assert!(!sandbox.socket().exists(), "its socket is gone");
    let daemon = Daemon::start(&sandbox);
    assert_eq!(Client::connect(daemon.socket(), "agent").await.get(&form_id).await["state"], "open");
}
