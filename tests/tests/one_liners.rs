//! Questions of shell scripts: what is printed, and every exit status as a shell sees it.

use std::process::Command;

use askd_tests::run::{Running, start};
use askd_tests::{Daemon, Finished, Sandbox, Terminal, sandbox, until};
use rustix::process::Signal;
use serde_json::{Value, json};

/// The question that waits.
fn waiting(sandbox: &Sandbox) -> Value {
    until("a question that waits", || {
        let listed = sandbox.run(&["list", "--json"]).expect(0).json_lines();
        let id = listed.first()?["formId"].as_str()?.to_owned();
        Some(sandbox.run(&["show", &id, "--json"]).expect(0).json())
    })
}

fn id(form: &Value) -> &str {
    form["formId"].as_str().expect("formId")
}

/// A line of shell, where `ask` is the program under test.
fn shell(sandbox: &Sandbox, line: &str) -> Command {
    let mut command = sandbox.command_of("sh", &["-c"]);
    command.arg(format!("ask() {{ {} \"$@\"; }}; {line}", sandbox.ask().display()));
    command
}

/// Asks in a shell, does something about the question, and gives what came of the line.
fn asked(sandbox: &Sandbox, line: &str, act: impl FnOnce(&Value)) -> Finished {
    let running = start(shell(sandbox, line), "");
    act(&waiting(sandbox));
    running.finish()
}

fn respond(sandbox: &Sandbox, form: &Value, response: &Value) {
    let _ = sandbox.run_with(&["answer", id(form), "--response", "-"], &response.to_string());
}

#[test]
fn only_yes_goes_on() {
    let answers = |answer: Value| json!({"kind": "answer", "answers": {"answer": answer}});
    let cases = [
        (answers(json!({"values": ["yes"]})), 0, "yes\n"),
        (answers(json!({"values": ["yes"], "note": "with care"})), 0, "yes\n"),
        (answers(json!({"values": ["no"]})), 10, "no\n"),
        (answers(json!({"customText": "yes"})), 10, ""),
        (json!({"kind": "answer", "answers": {}}), 10, ""),
        (json!({"kind": "cancel"}), 3, ""),
        (json!({"kind": "answer", "mode": "elaborate", "answers": {"answer": {"note": "to where?"}}}), 4, ""),
    ];
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    for (response, code, stdout) in cases {
        let line = "ask confirm 'Deploy?' && touch deployed";
        let finished = asked(&sandbox, line, |form| respond(&sandbox, form, &response)).expect(code);
        assert_eq!(finished.stdout, stdout, "{response}");
        let deployed = sandbox.path("home/deployed");
        assert_eq!(std::fs::remove_file(deployed).is_ok(), code == 0, "{response}");
        assert!(finished.stderr.contains("ask answer"), "where to answer: {finished:?}");
        if code == 4 {
            assert!(finished.stderr.contains("to where?"), "{finished:?}");
        }
    }
}

#[test]
fn statuses_without_an_answer() {
    let sandbox = sandbox!();
    for (line, code) in [
        ("ask confirm --no-start 'Deploy?'", 7),
        ("ask text --no-start 'Name?'", 7),
        ("ask confirm ''", 2),
        ("ask confirm", 2),
        ("ask choose 'Where?'", 2),
        ("ask choose 'Where?' a a", 2),
        ("ask choose 'Where?' a ' a'", 2),
        ("ask choose 'Where?' a ''", 2),
        ("ask text ' '", 2),
        ("ask confirm 'Deploy?' --timeout 0", 2),
    ] {
        let finished = start(shell(&sandbox, line), "").finish().expect(code);
        assert!(finished.stdout.is_empty() && !finished.stderr.is_empty(), "{line}: {finished:?}");
    }
    assert!(sandbox.processes().is_empty(), "nothing was started");
    // 70,000 characters; the limit of a text is 65,536 (protocol §1).
    let long = "ask confirm \"$(printf '%070000d' 1)\"";
    let finished = start(shell(&sandbox, long), "").finish().expect(6);
    assert!(finished.stderr.contains("questions[0]"), "{finished:?}");
    let _ = start(shell(&sandbox, "ask show ffffffff"), "").finish().expect(1);
}

#[test]
fn a_question_that_expires_is_no_answer() {
    let sandbox = sandbox!();
    let finished = start(shell(&sandbox, "ask confirm 'Deploy?' --timeout 1 && echo deployed"), "").finish();
    let finished = finished.expect(5);
    assert_eq!(finished.stdout, "");
    assert!(finished.stderr.contains("nobody answered in time"), "{finished:?}");
}

#[test]
fn choose_prints_what_was_chosen() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    let answer = |values: &'static str| {
        let sandbox = &sandbox;
        move |form: &Value| {
            drop(sandbox.run(&["answer", id(form), &format!("--values={values}")]).expect(0));
        }
    };
    let finished = asked(&sandbox, "ask choose 'Where?' staging 'the  moon' -- --force", answer("the  moon"));
    assert_eq!(finished.expect(0).stdout, "the  moon\n");
    let finished = asked(&sandbox, "ask choose 'Where?' a,b -- --force", answer("--force"));
    assert_eq!(finished.expect(0).stdout, "--force\n");
    let finished = asked(&sandbox, "ask choose --multi 'Where?' a b c", answer("c,a"));
    assert_eq!(finished.expect(0).stdout, "c\na\n", "a line each, in the order of choosing");
    let finished = asked(&sandbox, "ask choose --multi --json 'Where?' a b c", answer("c,a"));
    assert_eq!(finished.expect(0).json(), json!(["c", "a"]));
    let finished = asked(&sandbox, "ask choose --json 'Where?' a b", |form| {
        drop(sandbox.run(&["cancel", id(form)]).expect(0));
    });
    assert_eq!(finished.expect(3).json(), Value::Null);
}

#[test]
fn text_is_printed_as_it_was_typed() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    let finished = asked(&sandbox, "ask text 'Name?'", |form| {
        drop(sandbox.run(&["answer", id(form), "--text", "two  words\nand a line"]).expect(0));
    });
    assert_eq!(finished.expect(0).stdout, "two  words\nand a line\n");
}

#[test]
fn expectations_have_the_same_statuses() {
    let sandbox = sandbox!();
    let form = r#"{"questions":[{"id":"db","prompt":"?","options":[{"value":"pg","label":"PG"},{"value":"lite","label":"L"}]}]}"#;
    let line = format!("echo '{form}' | ask new - --expect db=pg");
    for (value, code) in [("pg", 0), ("lite", 10)] {
        let finished = asked(&sandbox, &line, |form| {
            drop(sandbox.run(&["answer", id(form), "--values", value]).expect(0));
        });
        let _ = finished.expect(code);
    }
}

#[test]
fn a_person_may_be_required() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    let finished = asked(&sandbox, "ask confirm 'Deploy?' --person", |form| {
        assert_eq!(form["requires"], "person", "{form}");
        let refused = sandbox.run(&["answer", id(form), "--values", "yes"]).expect(1);
        assert!(refused.stderr.to_lowercase().contains("person"), "{refused:?}");
        assert_eq!(waiting(&sandbox)["state"], "open");
        drop(sandbox.run(&["cancel", id(form)]).expect(0));
    });
    let _ = finished.expect(3);
}

#[test]
fn a_stopped_script_takes_its_question_back() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    for (args, signal) in [
        (&["confirm", "Deploy?"][..], Signal::INT),
        (&["choose", "Where?", "a"], Signal::TERM),
        (&["text", "Name?"], Signal::HUP),
    ] {
        let running: Running = start(sandbox.command(args), "");
        let form = waiting(&sandbox);
        running.signal(signal);
        let _ = running.finish().expect(3);
        let shown = sandbox.run(&["show", id(&form), "--json"]).expect(0).json();
        assert_eq!(shown["outcome"], json!({"kind": "cancelled", "reason": "aborted"}), "{args:?}");
    }
}

#[test]
fn at_a_terminal_the_question_is_opened_there() {
    let sandbox = sandbox!().with_env("TERM", "dumb");
    // Whoever types at a terminal is believed to have read, however fast.
    sandbox.write_config(r#"{"schemaVersion": 5, "frontends": {"armingDelayMs": 0}}"#);
    let _daemon = Daemon::start(&sandbox);
    let line = "ask() { \"$ASK\" \"$@\"; }; where=$(ask choose 'Where?' staging prod --person); echo \"[$where]\"; ask confirm 'Deploy?' && echo gone";
    let sandbox = sandbox.with_env("ASK", sandbox_ask());
    let mut terminal = Terminal::start_program(&sandbox, "/bin/sh".as_ref(), &["-c", line], 24, 80);
    terminal.expect("Where?");
    terminal.expect("> ");
    terminal.type_line("2");
    terminal.expect("[prod]");
    terminal.expect("Deploy?");
    terminal.expect_times("> ", 2);
    terminal.type_line("1");
    terminal.expect("Review");
    terminal.type_line("submit");
    assert_eq!(terminal.finish(), 0, "{}", terminal.written());
    assert!(terminal.written().contains("yes\ngone"), "{}", terminal.written());
}

fn sandbox_ask() -> &'static str {
    env!("CARGO_BIN_EXE_ask-under-test")
}
