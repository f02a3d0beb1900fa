//! Line mode of both contracts, on a terminal and through a pipe.

use askd_tests::forms::id_of;
use askd_tests::run::start;
use askd_tests::{Client, Daemon, Sandbox, Terminal, sandbox};
use serde_json::{Value, json};

fn ask() -> Value {
    let options = json!([{"value": "a", "label": "Ant"}, {"value": "b", "label": "Bee"}]);
    json!({"contract": "ask", "params": {"title": "Zoo", "questions": [
        {"id": "x", "label": "First", "prompt": "Which?", "options": options},
        {"id": "y", "label": "Second", "prompt": "Which ones?", "type": "multi", "options": options}]}})
}

fn questionnaire() -> Value {
    let options = json!([{"value": "a", "label": "Ant"}, {"value": "b", "label": "Bee"}]);
    json!({"contract": "questionnaire", "params": {"questions": [
        {"id": "x", "question": "Which ones?", "multiple": true, "min": 2, "options": options},
        {"id": "y", "question": "Why?"}]}})
}

const ASK: [&str; 3] = ["2", "1,2", "submit"];
const QUESTIONNAIRE: [&str; 3] = ["1,2", "because", "submit"];

async fn create(daemon: &Daemon, params: Value) -> String {
    let agent = Client::connect(daemon.socket(), "agent").await;
    id_of(&agent.call("form/create", params).await)
}

async fn outcome(daemon: &Daemon, form: &str) -> Value {
    let frontend = Client::connect(daemon.socket(), "frontend").await;
    frontend.get(form).await
}

fn check_ask(form: &Value) {
    let answers = json!({"x": {"values": ["b"]}, "y": {"values": ["a", "b"]}});
    assert_eq!(form["outcome"], json!({"kind": "submitted", "answers": answers}), "{form}");
}

fn check_questionnaire(form: &Value) {
    let answers = json!({"x": {"values": ["a", "b"]}, "y": {"customText": "because"}});
    assert_eq!(form["outcome"], json!({"kind": "submitted", "answers": answers}), "{form}");
}

/// A terminal that nothing can be drawn on, and a person who is believed to read at once.
fn without_screen() -> Sandbox {
    let sandbox = sandbox!().with_env("TERM", "dumb");
    sandbox.write_config(r#"{"schemaVersion": 5, "frontends": {"armingDelayMs": 0}}"#);
    sandbox
}

#[tokio::test(flavor = "multi_thread")]
async fn both_contracts_on_a_terminal() {
    let sandbox = without_screen();
    let daemon = Daemon::start(&sandbox);
    for (params, lines, check) in
        [(ask(), ASK, check_ask as fn(&Value)), (questionnaire(), QUESTIONNAIRE, check_questionnaire)]
    {
        let form = create(&daemon, params).await;
        let mut terminal = Terminal::start(&sandbox, &["answer", &form], 24, 80);
        // A line counts only once its question is there.
        for (shown, line) in ["[1/2]", "[2/2]", "Review"].iter().zip(lines) {
            terminal.expect(shown);
            terminal.expect("> ");
            terminal.type_line(line);
        }
        assert_eq!(terminal.finish(), 0, "{}", terminal.written());
        assert!(!terminal.written().contains('\u{1b}'), "nothing is moved or coloured");
        let form = outcome(&daemon, &form).await;
        check(&form);
        assert_eq!(form["resolvedBy"]["kind"], "line");
        assert_eq!(form["resolvedBy"]["person"], true, "{}", form["resolvedBy"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_contracts_through_a_pipe() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    for (params, lines, check) in
        [(ask(), ASK, check_ask as fn(&Value)), (questionnaire(), QUESTIONNAIRE, check_questionnaire)]
    {
        let form = create(&daemon, params).await;
        let wrong = format!("7\n{}\n", lines.join("\n"));
        let finished = sandbox.run_with(&["answer", &form, "--line"], &wrong).expect(0);
        assert_eq!(finished.stdout.matches("[1/2]").count() + finished.stdout.matches("[2/2]").count(), 2);
        check(&outcome(&daemon, &form).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_input_cancels_both_contracts() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    for params in [ask(), questionnaire()] {
        let form = create(&daemon, params).await;
        let _ = sandbox.run_with(&["answer", &form, "--line"], "1\n").expect(3);
        let form = outcome(&daemon, &form).await;
        assert_eq!(form["outcome"], json!({"kind": "cancelled", "reason": "dismissed"}));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_cancels_and_an_answer_elsewhere_ends_it() {
    let sandbox = without_screen();
    let daemon = Daemon::start(&sandbox);
    for params in [ask(), questionnaire()] {
        let form = create(&daemon, params.clone()).await;
        let mut terminal = Terminal::start(&sandbox, &["answer", &form], 24, 80);
        terminal.expect("> ");
        terminal.type_text("\u{3}");
        assert_eq!(terminal.finish(), 3, "{}", terminal.written());

        let form = create(&daemon, params).await;
        let mut terminal = Terminal::start(&sandbox, &["answer", &form], 24, 80);
        terminal.expect("> ");
        let _ = start(sandbox.command(&["cancel", &form]), "").finish().expect(0);
        assert_eq!(terminal.finish(), 3, "{}", terminal.written());
        assert!(terminal.written().contains("Cancelled by ask"), "{}", terminal.written());
    }
}
