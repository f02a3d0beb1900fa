//! The first thing a new user runs: a real form in the terminal, and what an agent would get for it.

use askd_tests::{Sandbox, Terminal, sandbox};
use serde_json::Value;

/// Answers the demo's single choice, multiple choice and preview question in a terminal.
fn answer(terminal: &mut Terminal) {
    for (question, line) in [("[1/3]", "1"), ("[2/3]", "1,2"), ("[3/3]", "2")] {
        terminal.expect(question);
        terminal.type_line(line);
    }
    terminal.expect("Review of your answers");
}

fn resolved(sandbox: &Sandbox) -> Vec<Value> {
    sandbox.run(&["history", "--json"]).expect(0).json_lines()
}

#[test]
fn in_a_terminal_it_asks_line_by_line_and_prints_the_result() {
    for (rows, columns) in [(24, 80), (5, 20)] {
        let sandbox = sandbox!();
        let mut terminal = Terminal::start(&sandbox, &["demo", "--line"], rows, columns);
        answer(&mut terminal);
        let before = terminal.written();
        assert!(before.contains("(recommended)"), "{before}");
        terminal.type_line("1");
        assert_eq!(terminal.finish(), 0);
        let form = resolved(&sandbox).remove(0);
        assert_eq!(form["outcome"]["kind"], "submitted");
        let result = terminal.written().split_off(before.len());
        let labels = form["outcome"]["answers"].as_object().expect("answers").len();
        assert_eq!(labels, 3, "{form}");
        assert!(result.contains(": "), "it prints what the agent gets: {result}");
        assert!(!terminal.written().contains('\u{1b}'), "no cursor tricks: {:?}", terminal.written());
    }
}

#[test]
fn it_starts_the_daemon_by_itself_and_leaves_it_running() {
    let sandbox = sandbox!();
    let mut terminal = Terminal::start(&sandbox, &["demo", "--line"], 24, 80);
    answer(&mut terminal);
    terminal.type_line("1");
    assert_eq!(terminal.finish(), 0);
    sandbox.run(&["list", "--no-start"]).expect(0);
}

#[test]
fn through_a_pipe_it_is_the_same() {
    let sandbox = sandbox!();
    let finished = sandbox.run_with(&["demo"], "1\n1,2\n2\n1\n").expect(0);
    let form = resolved(&sandbox).remove(0);
    assert_eq!(form["outcome"]["kind"], "submitted", "{finished:?}");
    assert!(!finished.stdout.contains('\u{1b}'), "{finished:?}");
}

#[test]
fn with_json_only_the_result_is_on_stdout() {
    let sandbox = sandbox!();
    let result = sandbox.run_with(&["demo", "--json"], "1\n1,2\n2\n1\n").expect(0).json();
    let text = result.to_string();
    assert!(text.contains("\"details\"") && text.contains("\"transcript\""), "{text}");
}

#[test]
fn a_note_sends_it_back_and_q_cancels() {
    let sandbox = sandbox!();
    let finished = sandbox.run_with(&["demo"], "n\nwhat does it cost?\n1\n1\n1\n2\n").expect(4);
    assert!(finished.stdout.contains("what does it cost?"), "the agent gets the note: {finished:?}");
    sandbox.run_with(&["demo"], "q\n").expect(3);
    let kinds: Vec<Value> = resolved(&sandbox).iter().map(|f| f["outcome"]["kind"].clone()).collect();
    assert_eq!(kinds, ["cancelled", "elaborated"], "newest first");
}

#[test]
fn an_input_that_ends_too_early_is_no_answer() {
    let sandbox = sandbox!();
    let finished = sandbox.run_with(&["demo"], "1\n1,2\n");
    assert_ne!(finished.code, Some(0), "{finished:?}");
    for form in resolved(&sandbox) {
        assert_eq!(form["outcome"]["kind"], "cancelled", "{form}");
    }
}
