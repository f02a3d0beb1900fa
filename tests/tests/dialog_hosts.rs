//! Hosts that show dialogs wrongly, each a process of its own: no answer is made of what they do wrong, and
//! nothing of theirs is left running.

use std::path::Path;

use askd_tests::forms::id_of;
use askd_tests::run::run;
use askd_tests::{Client, Daemon, Finished, Sandbox, sandbox, until};
use serde_json::{Value, json};

/// The same two questions in both contracts.
fn forms() -> [Value; 2] {
    let options = json!([{"value": "a", "label": "Ant"}, {"value": "b", "label": "Bee"}]);
    let ask = ["x", "y"].map(|id| json!({"id": id, "prompt": "Which?", "options": options}));
    let questionnaire = ["x", "y"].map(|id| json!({"id": id, "question": "Which?", "options": options}));
    [
        json!({"contract": "ask", "params": {"questions": ask}}),
        json!({"contract": "questionnaire", "params": {"questions": questionnaire}}),
    ]
}

fn host(sandbox: &Sandbox, fault: &str, form: &str) -> Finished {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("hosts/broken.mjs");
    let mut command = sandbox.command_of("node", &[]);
    command.arg(program).arg(fault).arg(sandbox.ask()).arg(form);
    run(command, "")
}

/// Shows a form of each contract through a host with this fault, and checks what is left.
async fn shown_by(fault: &str, code: Option<i32>, reason: &str, check: impl Fn(&Value, &str)) {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = Client::connect(daemon.socket(), "agent").await;
    let frontend = Client::connect(daemon.socket(), "frontend").await;
    for params in forms() {
        let form = id_of(&agent.call("form/create", params.clone()).await);
        let finished = host(&sandbox, fault, &form);
        assert_eq!(finished.code, code, "{fault}: {finished:?}");
        assert_eq!(finished.stdout.trim(), reason, "{fault}: {finished:?}");
        let only = vec![i32::try_from(daemon.pid()).expect("a pid")];
        until("the frontend's end", || (sandbox.processes() == only).then_some(()));
        let form = until("nobody to show the form", || {
            let shown = sandbox.run(&["show", &form, "--json"]).expect(0).json();
            shown["viewers"].as_array().is_none_or(Vec::is_empty).then_some(form.clone())
        });
        check(&frontend.get(&form).await, params["contract"].as_str().expect("a contract"));
    }
}

fn submitted(form: &Value) {
    let answers = json!({"x": {"values": ["b"]}, "y": {"values": ["b"]}});
    assert_eq!(form["outcome"], json!({"kind": "submitted", "answers": answers}), "{form}");
    assert_eq!(form["resolvedBy"]["kind"], "dialog");
}

fn open(form: &Value) {
    assert_eq!(form["state"], "open", "{form}");
    let answers = &form["draft"]["answers"];
    assert_eq!(*answers, json!({"x": {"values": ["b"]}}), "what was answered is kept: {form}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_answers_twice_has_answered_once() {
    shown_by("answers twice", Some(0), "submitted", |form, _| submitted(form)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_other_requests_do_not_count() {
    shown_by("answers out of order", Some(0), "submitted", |form, _| submitted(form)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_value_never_offered_cancels() {
    shown_by("answers with a value never offered", Some(0), "cancelled", |form, contract| {
        assert_eq!(form["outcome"], json!({"kind": "cancelled", "reason": "dismissed"}), "{contract}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_json_is_no_answer() {
    shown_by("writes broken JSON", Some(0), "minimised", |form, _| open(form)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_dies_leaves_the_form_open() {
    shown_by("dies between two dialogs", None, "", |form, _| open(form)).await;
}
