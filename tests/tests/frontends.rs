//! The example hosts of the documentation, each showing a form of both contracts.

use std::os::unix::fs::symlink;
use std::process::Command;

use askd_tests::artifacts::root;
use askd_tests::forms::id_of;
use askd_tests::run::{run, start};
use askd_tests::{Client, Daemon, Finished, Sandbox, sandbox, until};
use serde_json::{Value, json};

const HOSTS: [&str; 2] = ["host.mjs", "host.sh"];

fn host(sandbox: &Sandbox, name: &str, form: &str) -> Command {
    // People have `ask` on their PATH.
    let programs = sandbox.path("bin");
    if !programs.exists() {
        std::fs::create_dir(&programs).expect("a directory");
        symlink(sandbox.ask(), programs.join("ask")).expect("a link");
    }
    let mut command = sandbox.command_of(root().join("docs/examples").join(name), &[form]);
    let path = std::env::var("PATH").expect("PATH");
    command.env("PATH", format!("{}:{path}", programs.display()));
    command
}

async fn create(daemon: &Daemon, params: Value) -> String {
    let agent = Client::connect(daemon.socket(), "agent").await;
    id_of(&agent.call("form/create", params).await)
}

fn zoo() -> Value {
    let options = json!([{"value": "a", "label": "Ant"}, {"value": "b", "label": "Bee $(x) \\\\n"}]);
    json!({"params": {"title": "Zoo", "questions": [
        {"id": "x", "prompt": "Which?", "options": options}, {"id": "y", "prompt": "And now?", "options": options},
        {"id": "z", "prompt": "At last?", "options": options}]}})
}

/// Nothing but the daemon runs.
fn all_ended(sandbox: &Sandbox, daemon: &Daemon) {
    let only = vec![i32::try_from(daemon.pid()).expect("a pid")];
    until("the end of everything else", || (sandbox.processes() == only).then_some(()));
}

fn shows(finished: &Finished, text: &str) {
    assert!(finished.stdout.contains(text), "{text:?} in {finished:?}");
}

#[test]
fn they_are_as_short_as_the_documentation_says() {
    for name in HOSTS {
        let text = std::fs::read_to_string(root().join("docs/examples").join(name)).expect("an example");
        assert!(text.lines().count() <= 40, "{name} has {} lines", text.lines().count());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_and_texts_are_answered() {
    for name in HOSTS {
        let sandbox = sandbox!();
        let daemon = Daemon::start(&sandbox);
        let form = create(&daemon, zoo()).await;
        let finished = run(host(&sandbox, name, &form), "9\n2\n3\n12 \"words\"\n\n").expect(0);
        shows(&finished, "[1/3] Zoo — Q1: Which?\n1) 1. Ant\n2) 2. Bee $(x) \\\\n\n3) Type something…\n");
        shows(&finished, "Type the number of a row.");
        shows(&finished, "submitted");
        let shown = Client::connect(daemon.socket(), "frontend").await.get(&form).await;
        let answers = json!({"x": {"values": ["b"]}, "y": {"customText": "12 \"words\""}});
        assert_eq!(shown["outcome"], json!({"kind": "submitted", "answers": answers}), "{name}");
        all_ended(&sandbox, &daemon);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ticks_go_on_until_done() {
    let options = json!([{"label": "Core"}, {"label": "CLI"}]);
    let params = json!({"contract": "questionnaire", "params": {"questions": [
        {"id": "m", "question": "Which ones?", "multiple": true, "allowOther": false, "options": options}]}});
    for name in HOSTS {
        let sandbox = sandbox!();
        let daemon = Daemon::start(&sandbox);
        let form = create(&daemon, params.clone()).await;
        let finished = run(host(&sandbox, name, &form), "2\n1\n3\n").expect(0);
        shows(&finished, "2) [x] CLI");
        let shown = Client::connect(daemon.socket(), "frontend").await.get(&form).await;
        assert_eq!(shown["outcome"]["answers"], json!({"m": {"values": ["CLI", "Core"]}}), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_answered_elsewhere_is_taken_away() {
    for name in HOSTS {
        let sandbox = sandbox!();
        let daemon = Daemon::start(&sandbox);
        let form = create(&daemon, zoo()).await;
        let mut command = host(&sandbox, name, &form);
        // A person who has not typed anything yet: the input stays open.
        let (input, _typing) = std::io::pipe().expect("a pipe");
        let output = sandbox.path("output");
        command.stdin(input).stdout(std::fs::File::create(&output).expect("a file"));
        let mut running = command.spawn().expect("the host");
        let written = || std::fs::read_to_string(&output).expect("its output");
        until("the first dialog", || written().contains("3) Type something…").then_some(()));
        let frontend = Client::connect(daemon.socket(), "frontend").await;
        frontend.submit(&form, json!({"kind": "answer", "answers": {"x": {"values": ["a"]}}})).await;
        let status = until("the host's end", || running.try_wait().expect("its status"));
        assert!(status.success(), "{name}: {status}: {}", written());
        assert!(written().contains("elsewhere: Answered by askd-tests"), "{name}: {}", written());
        all_ended(&sandbox, &daemon);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_input_leaves_the_form_open() {
    for name in HOSTS {
        let sandbox = sandbox!();
        let daemon = Daemon::start(&sandbox);
        let form = create(&daemon, zoo()).await;
        let finished = start(host(&sandbox, name, &form), "1\n").finish();
        assert!(finished.code.is_some(), "{name}: {finished:?}");
        all_ended(&sandbox, &daemon);
        let shown = Client::connect(daemon.socket(), "frontend").await.get(&form).await;
        assert_eq!(shown["state"], "open", "{name}");
        assert_eq!(shown["draft"]["answers"], json!({"x": {"values": ["a"]}}), "{name}");
    }
}
