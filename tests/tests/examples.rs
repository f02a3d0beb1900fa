//! The example programs of the documentation, run against a daemon and answered.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use askd_tests::artifacts::root;
use askd_tests::run::start;
use askd_tests::{Client, Daemon, Finished, Sandbox, program, sandbox, within};
use serde_json::{Value, json};

fn example(name: &str) -> PathBuf {
    root().join("docs/examples").join(name)
}

fn node(sandbox: &Sandbox) -> Command {
    program::node(sandbox, &example("ask.mjs"))
}

fn python(sandbox: &Sandbox) -> Command {
    program::python(sandbox, &example("ask.py"))
}

fn shell(sandbox: &Sandbox) -> Command {
    // People have `ask` on their PATH.
    let programs = sandbox.path("bin");
    fs::create_dir(&programs).expect("a directory");
    symlink(sandbox.ask(), programs.join("ask")).expect("a link");
    let path = std::env::var("PATH").expect("PATH");
    let mut command = sandbox.command_of("sh", &[]);
    command.arg(example("ask.sh")).env("PATH", format!("{}:{path}", programs.display()));
    command
}

/// Runs an example until it has asked, answers, and gives what came of it.
async fn answered(sandbox: &Sandbox, command: Command, response: Value) -> Finished {
    let daemon = Daemon::start(sandbox);
    let frontend = Client::connect(daemon.socket(), "frontend").await;
    let mut events = frontend.subscribe(json!({})).await;
    let running = start(command, "");
    let form = events.next_of("started").await;
    frontend.submit(form["formId"].as_str().expect("formId"), response).await;
    let finished = tokio::task::spawn_blocking(|| running.finish());
    let finished = within("the example's end", finished).await.expect("it ends");
    drop(daemon);
    finished
}

fn staging() -> Value {
    json!({"kind": "answer", "answers": {"target": {"values": ["staging"]}}})
}

#[tokio::test]
async fn node_asks_and_prints_the_answer() {
    let sandbox = sandbox!();
    let command = node(&sandbox);
    let finished = answered(&sandbox, command, staging()).await.expect(0);
    assert_eq!(finished.stdout, "Target: Staging\ntarget=staging\n");
}

#[tokio::test]
async fn node_takes_a_cancelled_form_for_no_approval() {
    let sandbox = sandbox!();
    let command = node(&sandbox);
    let finished = answered(&sandbox, command, json!({"kind": "cancel"})).await.expect(3);
    assert!(!finished.stdout.contains("target="), "{finished:?}");
}

#[tokio::test]
async fn node_finds_a_daemon_through_its_lock_file() {
    let sandbox = sandbox!();
    let mut command = node(&sandbox);
    command.env_remove("XDG_RUNTIME_DIR");
    answered(&sandbox, command, staging()).await.expect(0);
}

#[tokio::test]
async fn python_asks_and_prints_the_answer() {
    let sandbox = sandbox!();
    let command = python(&sandbox);
    let finished = answered(&sandbox, command, staging()).await.expect(0);
    assert_eq!(finished.stdout, "Target: Staging\ntarget=staging\n");
}

#[tokio::test]
async fn python_takes_a_cancelled_form_for_no_approval() {
    let sandbox = sandbox!();
    let command = python(&sandbox);
    let finished = answered(&sandbox, command, json!({"kind": "cancel"})).await.expect(3);
    assert!(!finished.stdout.contains("target="), "{finished:?}");
}

#[tokio::test]
async fn python_finds_a_daemon_through_its_lock_file() {
    let sandbox = sandbox!();
    let mut command = python(&sandbox);
    command.env_remove("XDG_RUNTIME_DIR");
    answered(&sandbox, command, staging()).await.expect(0);
}

#[tokio::test]
async fn shell_tells_the_endings_apart() {
    let other = json!({"kind": "answer", "answers": {"target": {"values": ["production"]}}});
    let elaborate = json!({"kind": "answer", "mode": "elaborate", "answers": {"target": {"note": "when?"}}});
    for (response, code, text) in [
        (staging(), 0, "to staging, as asked"),
        (other, 10, "answered, but not staging"),
        (json!({"kind": "cancel"}), 3, "nobody approved"),
        (elaborate, 4, "there is a question first"),
    ] {
        let sandbox = sandbox!();
        let command = shell(&sandbox);
        let finished = answered(&sandbox, command, response).await.expect(code);
        assert!(finished.stdout.contains(text), "{finished:?}");
    }
}

#[test]
fn examples_without_a_daemon_say_how_to_start_one() {
    let sandbox = sandbox!();
    for command in [node(&sandbox), python(&sandbox)] {
        let finished = askd_tests::run::run(command, "").expect(7);
        assert!(finished.stderr.contains("ask daemon"), "{finished:?}");
    }
}
