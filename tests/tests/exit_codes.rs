//! The `ask` command for scripts: exit statuses, what is on stdout, what is on stderr.

use askd_tests::forms::{double, single};
use askd_tests::run::start;
use askd_tests::{Daemon, Finished, Sandbox, sandbox, until};
use rustix::process::Signal;
use serde_json::{Value, json};

fn create(sandbox: &Sandbox, params: &Value) -> String {
    let created = sandbox.run_with(&["new", "-", "--no-wait", "--json"], &params.to_string()).expect(0);
    created.json()["formId"].as_str().expect("formId").to_owned()
}

/// An error for people: on stderr only.
fn complains(finished: &Finished) {
    assert!(finished.stdout.is_empty(), "{finished:?}");
    assert!(!finished.stderr.trim().is_empty(), "{finished:?}");
}

#[test]
fn usage_errors_are_2() {
    let sandbox = sandbox!();
    for args in [&["nonsense"][..], &["show"], &["list", "--colour"], &["wait", "--timeout", "soon", "x"]] {
        complains(&sandbox.run(args).expect(2));
    }
    assert!(sandbox.processes().is_empty(), "a usage error starts no daemon");
}

#[test]
fn help_and_version_are_0() {
    let sandbox = sandbox!();
    for args in [&["--help"][..], &["--version"], &["new", "--help"]] {
        let finished = sandbox.run(args).expect(0);
        assert!(!finished.stdout.is_empty() && finished.stderr.is_empty(), "{finished:?}");
    }
}

#[test]
fn no_daemon_is_7() {
    let sandbox = sandbox!();
    for args in [&["list", "--no-start"][..], &["status", "--no-start"], &["wait", "abcd", "--no-start"]] {
        complains(&sandbox.run(args).expect(7));
    }
    assert!(sandbox.processes().is_empty(), "--no-start starts no daemon");
}

#[test]
fn invalid_input_is_6() {
    let sandbox = sandbox!();
    for input in ["{}", "not json", r#"{"questions":[]}"#, ""] {
        let finished = sandbox.run_with(&["new", "-", "--no-wait"], input).expect(6);
        complains(&finished);
    }
    let listed = sandbox.run(&["list", "--json"]).expect(0);
    assert_eq!(listed.stdout, "", "nothing was stored");
}

#[test]
fn a_submitted_form_is_0() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &double());
    let waiter = start(sandbox.command(&["wait", &form_id, "--json"]), "");
    sandbox.run(&["answer", &form_id, "--values", "db=lite", "--values", "os=mac,linux"]).expect(0);
    let result = waiter.finish().expect(0).json();
    let text = result.to_string();
    assert!(text.contains("SQLite") && text.contains("macOS, Linux"), "{text}");
    let again = sandbox.run(&["wait", &form_id, "--json"]).expect(0);
    assert_eq!(again.json(), result, "a wait may be repeated");
}

#[test]
fn a_cancelled_form_is_3() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    let waiter = start(sandbox.command(&["wait", &form_id]), "");
    sandbox.run(&["cancel", &form_id]).expect(0);
    let finished = waiter.finish().expect(3);
    assert!(finished.stdout.to_lowercase().contains("cancel"), "{finished:?}");
}

#[test]
fn an_elaborated_form_is_4() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    let waiter = start(sandbox.command(&["wait", &form_id]), "");
    let response = json!({"kind": "answer", "mode": "elaborate", "answers": {"db": {"note": "why?"}}});
    sandbox.run_with(&["answer", &form_id, "--response", "-"], &response.to_string()).expect(4);
    let finished = waiter.finish().expect(4);
    assert!(finished.stdout.contains("why?"), "{finished:?}");
}

#[test]
fn a_timeout_while_open_is_5() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    let _ = sandbox.run(&["wait", &form_id, "--timeout", "0.2"]).expect(5);
    let shown = sandbox.run(&["show", &form_id, "--json"]).expect(0).json();
    assert_eq!(shown["state"], "open", "the form is still open");
}

#[test]
fn an_expectation_that_is_not_met_is_10() {
    let sandbox = sandbox!();
    for (value, code) in [("pg", 0), ("lite", 10)] {
        let asking = start(
            sandbox.command(&["new", "-", "--with", "none", "--expect", "db=pg"]),
            &single().to_string(),
        );
        let form_id = until("the form to be listed", || {
            let listed = sandbox.run(&["list", "--json"]).expect(0).json_lines();
            Some(listed.first()?["formId"].as_str()?.to_owned())
        });
        sandbox.run(&["answer", &form_id, "--values", &format!("db={value}")]).expect(0);
        let _ = asking.finish().expect(code);
    }
}

#[test]
fn answers_are_checked_before_they_count() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    complains(&sandbox.run(&["answer", &form_id, "--values", "db=oracle"]).expect(6));
    complains(&sandbox.run(&["answer", &form_id, "--values", "nothing=pg"]).expect(6));
    let shown = sandbox.run(&["show", &form_id, "--json"]).expect(0).json();
    assert_eq!(shown["state"], "open");
}

#[test]
fn an_unknown_form_is_1() {
    let sandbox = sandbox!();
    for args in [&["show", "ffffffff"][..], &["wait", "ffffffff"], &["cancel", "ffffffff"]] {
        complains(&sandbox.run(args).expect(1));
    }
}

#[test]
fn ids_may_be_cut() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    let shown = sandbox.run(&["show", &form_id[..form_id.len() - 2], "--json"]).expect(0).json();
    assert_eq!(shown["formId"], form_id);
    complains(&sandbox.run(&["show", &form_id[..2]]).expect(2));
}

#[test]
fn a_second_answer_is_1_and_names_the_first() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    sandbox.run(&["answer", &form_id, "--values", "db=pg"]).expect(0);
    complains(&sandbox.run(&["answer", &form_id, "--values", "db=lite"]).expect(1));
}

#[test]
fn json_alone_is_on_stdout() {
    let sandbox = sandbox!();
    let first = create(&sandbox, &single());
    let second = create(&sandbox, &double());
    let listed = sandbox.run(&["list", "--json"]).expect(0).json_lines();
    let ids: Vec<&Value> = listed.iter().map(|f| &f["formId"]).collect();
    assert_eq!(ids, [&json!(first), &json!(second)], "one object a line, oldest first");
    for args in [&["status", "--json"][..], &["show", &first, "--json"], &["doctor", "--json"]] {
        assert!(sandbox.run(args).json().is_object(), "{args:?}");
    }
    assert!(sandbox.run(&["cancel", &first, "--json"]).expect(0).json().is_object());
}

#[test]
fn a_stopped_question_is_withdrawn_unless_kept() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    for (keep, state) in [(false, "resolved"), (true, "open")] {
        let mut args = vec!["new", "-", "--with", "none"];
        args.extend(keep.then_some("--keep"));
        let asking = start(sandbox.command(&args), &single().to_string());
        let form_id = until("the form to be listed", || {
            let listed = sandbox.run(&["list", "--json"]).expect(0).json_lines();
            Some(listed.first()?["formId"].as_str()?.to_owned())
        });
        asking.signal(Signal::TERM);
        let _ = asking.finish();
        let shown = sandbox.run(&["show", &form_id, "--json"]).expect(0).json();
        assert_eq!(shown["state"], state, "keep {keep}");
        if !keep {
            assert_eq!(shown["outcome"]["reason"], "aborted");
        }
    }
    drop(daemon);
}

#[test]
fn watch_prints_events_as_they_come() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    let watch = start(sandbox.command(&["watch", "--json"]), "");
    // The subscription is there once something asked after its start has been seen.
    until("the first event", || {
        let form_id = create(&sandbox, &single());
        sandbox.run(&["cancel", &form_id]).expect(0);
        watch.stdout_so_far().contains(&form_id).then_some(())
    });
    let form_id = create(&sandbox, &single());
    sandbox.run(&["cancel", &form_id]).expect(0);
    until("the form's end", || {
        let seen = watch.stdout_so_far();
        seen.lines().any(|l| l.contains("\"completed\"") && l.contains(&form_id)).then_some(())
    });
    watch.signal(Signal::TERM);
    let seen = watch.finish();
    let events = seen.json_lines();
    let of_form: Vec<&Value> =
        events.iter().filter(|e| e["formId"] == form_id.as_str()).map(|e| &e["kind"]).collect();
    assert!(of_form.starts_with(&[&json!("started"), &json!("completed")]), "{seen:?}");
}

#[test]
fn an_agent_answers_only_when_it_says_so_and_is_seen() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    let as_agent = |args: &[&str]| {
        let mut command = sandbox.command(args);
        command.env("AI_AGENT", "robot");
        askd_tests::run::run(command, "")
    };
    let refused = as_agent(&["answer", &form_id, "--values", "db=pg"]);
    assert_ne!(refused.code, Some(0));
    assert!(refused.stderr.contains("--as-agent"), "it says how: {refused:?}");
    assert!(as_agent(&["cancel", &form_id]).code != Some(0));
    assert_eq!(sandbox.run(&["show", &form_id, "--json"]).expect(0).json()["state"], "open");

    as_agent(&["answer", &form_id, "--values", "db=pg", "--as-agent"]).expect(0);
    let shown = sandbox.run(&["show", &form_id, "--json"]).expect(0).json();
    assert_eq!(shown["resolvedBy"]["agent"], "AI_AGENT", "{shown}");
    assert_eq!(shown["resolvedBy"]["person"], false);
}

#[test]
fn completions_are_for_every_shell() {
    let sandbox = sandbox!();
    for shell in ["bash", "zsh", "fish"] {
        let finished = sandbox.run(&["completions", shell]).expect(0);
        assert!(finished.stdout.contains("ask"), "{finished:?}");
    }
    assert!(sandbox.processes().is_empty());
}

#[test]
fn doctor_says_what_is_wrong() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    let well = sandbox.run(&["doctor"]).expect(0);
    assert!(well.stdout.contains(&sandbox.socket().display().to_string()), "{well:?}");
    // There is neither a desktop nor a terminal here, and it says so.
    for channel in ["desktop: ", "bell: "] {
        assert!(well.stdout.contains(channel), "{well:?}");
    }
    // Nothing of what people asked or answered belongs into a report that is passed on.
    create(&sandbox, &single());
    let report = sandbox.run(&["doctor"]);
    assert!(!report.stdout.contains("database?"), "{report:?}");
}

#[test]
fn logs_hold_no_text_of_a_form() {
    let sandbox = sandbox!();
    let form_id = create(&sandbox, &single());
    sandbox.run(&["answer", &form_id, "--text", "db=my secret wish"]).expect(0);
    sandbox.run(&["stop"]).expect(0);
    let log = std::fs::read_to_string(sandbox.place().log_file()).expect("the daemon's log");
    assert!(!log.is_empty());
    for text in ["secret wish", "Which database", "Postgres"] {
        assert!(!log.contains(text), "{text:?} is in the log: {log}");
    }
}
