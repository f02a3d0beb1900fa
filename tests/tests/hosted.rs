//! The form screen inside another program: lines of JSON on stdin and stdout, as docs/protocol.md §9 says.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

use askd_tests::wait::SOON;
use askd_tests::{Daemon, Sandbox, sandbox, until};
use serde_json::{Value, json};

/// A hosted frontend. Dropping it ends it.
struct Hosted {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    pings: u64,
    /// The newest frame.
    frame: Option<Value>,
}

impl Hosted {
    fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        let mut command = sandbox.command(&["tui", "--host"]);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("the frontend starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let value = serde_json::from_str(&line).unwrap_or(Value::String(line));
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, pings: 0, frame: None }
    }

    fn say(&mut self, method: &str, params: &Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    fn write(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("its input is open");
        writeln!(input, "{message}").and_then(|()| input.flush()).expect("it reads");
    }

    fn keys(&mut self, names: &[&str]) {
        for name in names {
            let text = if name.chars().count() == 1 { json!(name) } else { Value::Null };
            self.say("key", &json!({"id": name, "text": text}));
        }
    }

    fn next(&mut self) -> Value {
        let message = self.lines.recv_timeout(SOON).expect("another line");
        if message["method"] == "frame" {
            self.frame = Some(message["params"].clone());
        }
        message
    }

    /// Everything up to the answer of a ping.
    fn settle(&mut self) -> Vec<Value> {
        self.pings += 1;
        let id = self.pings;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": "ping", "params": {}}));
        let mut before = Vec::new();
        loop {
            let message = self.next();
            if message["id"] == json!(id) {
                assert_eq!(message["result"], json!({}));
                return before;
            }
            before.push(message);
        }
    }

    fn shown(&self) -> String {
        let lines = self.frame.as_ref().and_then(|frame| frame["lines"].as_array());
        lines.into_iter().flatten().filter_map(Value::as_str).map(without_sgr).collect::<Vec<_>>().join("\n")
    }

    /// The last message and the exit status.
    fn end(mut self) -> (Value, Option<i32>) {
        let mut last = Value::Null;
        while let Ok(message) = self.lines.recv_timeout(SOON) {
            last = message;
        }
        let status = until("the frontend to end", || self.child.try_wait().expect("its status"));
        (last, status.code())
    }
}

impl Drop for Hosted {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

fn without_sgr(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find("\u{1b}[") {
        out.push_str(&rest[..at]);
        let after = &rest[at + 2..];
        let end = after.find(|c: char| !c.is_ascii_digit() && c != ';').expect("the sequence ends");
        assert!(after[end..].starts_with('m'), "only SGR: {line:?}");
        rest = &after[end + 1..];
    }
    out + rest
}

fn form() -> Value {
    json!({"title": "Plan", "questions": [{"id": "a", "label": "Pick", "prompt": "Which?", "options": [
        {"value": "x", "label": "X-ray"}, {"value": "y", "label": "Yankee"}]}]})
}

fn at_once(sandbox: &Sandbox) {
    sandbox.write_config(&json!({"schemaVersion": 5, "frontends": {"armingDelayMs": 0}}).to_string());
}

#[tokio::test]
async fn it_says_hello_first_and_draws_nothing_before_it_knows_the_size() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let id = daemon.client("agent").await.create(form()).await;
    let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
    let hello = hosted.next();
    assert_eq!(
        (&hello["method"], &hello["params"]["protocol"], &hello["params"]["formId"]),
        (&json!("hello"), &json!(1), &json!(id))
    );
    let before = hosted.settle();
    assert!(before.is_empty(), "{before:?}");
    hosted.say("dance", &json!({}));
    hosted.say("resize", &json!({"columns": 60, "rows": 14}));
    hosted.settle();
    assert!(hosted.shown().contains("Which?") && hosted.shown().contains("❯ 1."), "{}", hosted.shown());
    for (columns, rows) in [(20, 5), (1, 1), (200, 60), (0, 0), (60, 14)] {
        hosted.say("resize", &json!({"columns": columns, "rows": rows}));
        hosted.settle();
        let frame = hosted.frame.clone().expect("a frame");
        assert_eq!((&frame["columns"], &frame["rows"]), (&json!(columns), &json!(rows)));
        assert!(frame["lines"].as_array().expect("lines").len() <= rows);
    }
    assert!(hosted.frame.as_ref().expect("a frame")["cursor"].is_object());
}

#[tokio::test]
async fn every_end_has_its_reason() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let ends: [(&str, &[&str], &str); 5] = [
        ("submitted", &["2", "enter"], "submitted"),
        ("elaborated", &["2", "down", "enter"], "elaborated"),
        ("cancelled", &["esc"], "cancelled"),
        ("minimised", &["ctrl+q"], "open"),
        ("aborted", &["abort"], "cancelled"),
    ];
    for (reason, keys, kind) in ends {
        let id = agent.create(form()).await;
        let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
        hosted.say("resize", &json!({"columns": 60, "rows": 14}));
        hosted.settle();
        if keys == ["abort"] {
            hosted.say("abort", &json!({}))
        } else {
            hosted.keys(keys)
        }
        let (last, status) = hosted.end();
        assert_eq!(
            (&last["method"], &last["params"]["reason"], status),
            (&json!("closed"), &json!(reason), Some(0))
        );
        let form = agent.get(&id).await;
        let got =
            if form["state"] == "open" { "open" } else { form["outcome"]["kind"].as_str().expect("a kind") };
        assert_eq!(got, kind, "{form}");
        if reason == "aborted" {
            assert_eq!(form["outcome"]["reason"], "aborted");
        }
    }
}

#[tokio::test]
async fn what_others_do_closes_it_too() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    for (reason, abort) in [("elsewhere", false), ("aborted", true)] {
        let id = agent.create(form()).await;
        let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
        hosted.say("resize", &json!({"columns": 60, "rows": 14}));
        hosted.settle();
        if abort {
            agent.call("form/cancel", json!({"formId": id, "reason": "aborted"})).await;
        } else {
            let answer = json!({"kind": "answer", "answers": {"a": {"values": ["x"]}}});
            daemon.client("frontend").await.submit(&id, answer).await;
        }
        let (last, status) = hosted.end();
        assert_eq!((&last["params"]["reason"], status), (&json!(reason), Some(0)), "{last}");
        assert!(last["params"]["message"].is_string(), "{last}");
        let late = Hosted::start(&sandbox, &["--form", &id]);
        assert_eq!(late.end().0["params"]["reason"], reason);
    }
}

#[tokio::test]
async fn what_cannot_be_shown_fails() {
    let sandbox = sandbox!();
    let _daemon = Daemon::start(&sandbox);
    let hosted = Hosted::start(&sandbox, &["--form", "nothing-like-it"]);
    let (last, status) = hosted.end();
    assert_eq!((&last["params"]["reason"], status), (&json!("failed"), Some(1)), "{last}");
    assert!(last["params"]["message"].as_str().is_some_and(|text| text.len() > 20), "{last}");
}

#[tokio::test]
async fn the_settings_are_shown_saved_and_closed() {
    let sandbox = sandbox!();
    sandbox.write_config(r#"{"schemaVersion": 5}"#);
    let daemon = Daemon::start(&sandbox);
    let mut hosted = Hosted::start(&sandbox, &["--settings"]);
    assert!(hosted.next()["params"]["formId"].is_null());
    hosted.say("resize", &json!({"columns": 60, "rows": 20}));
    hosted.settle();
    assert!(hosted.shown().contains("❯ [ ] Auto-submit"), "{}", hosted.shown());
    hosted.keys(&["down", "space"]);
    hosted.settle();
    assert!(hosted.shown().contains("❯ [ ] Confirm dismiss when dirty"), "{}", hosted.shown());
    let state = daemon.client("frontend").await.call("settings/get", json!({})).await;
    assert_eq!(state["settings"]["behaviour"]["confirmDismissWhenDirty"], false);
    hosted.keys(&["escape"]);
    let (last, status) = hosted.end();
    assert_eq!((&last["params"]["reason"], status), (&json!("done"), Some(0)), "{last}");
}

#[tokio::test]
async fn settings_changed_over_a_form_act_on_it_at_once() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let id = daemon.client("agent").await.create(form()).await;
    let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
    hosted.say("resize", &json!({"columns": 80, "rows": 20}));
    hosted.settle();
    assert!(hosted.shown().contains("F1 keys"), "{}", hosted.shown());
    hosted.keys(&["?", "down", "down", "down", "enter", "escape"]);
    hosted.settle();
    assert!(!hosted.shown().contains("F1 keys"), "{}", hosted.shown());
    let state = daemon.client("frontend").await.call("settings/get", json!({})).await;
    assert_eq!(state["settings"]["behaviour"]["showFooterHints"], false);
}

#[tokio::test]
async fn the_end_of_stdin_ends_it_and_keeps_the_draft() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let id = agent.create(form()).await;
    let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
    hosted.say("resize", &json!({"columns": 60, "rows": 14}));
    hosted.settle();
    hosted.keys(&["down", "n", "w", "h", "y"]);
    hosted.input = None;
    assert_eq!(hosted.end().1, Some(0));
    let form = daemon.client("frontend").await.get(&id).await;
    assert_eq!((&form["state"], &form["draft"]["view"]["editor"]["text"]), (&json!("open"), &json!("why")));
    let mut again = Hosted::start(&sandbox, &["--form", &id]);
    again.say("resize", &json!({"columns": 60, "rows": 14}));
    again.settle();
    assert!(again.shown().contains("│ why"), "{}", again.shown());
}

#[tokio::test]
async fn a_ping_is_answered_when_the_draft_is_kept_and_presence_is_told() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let created = daemon
        .client("agent")
        .await
        .call("form/create", json!({"params": form(), "requires": "person"}))
        .await;
    let id = created["formId"].as_str().expect("an id").to_owned();
    let frontend = daemon.client("frontend").await;
    let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
    hosted.say("resize", &json!({"columns": 60, "rows": 14}));
    hosted.settle();
    assert_eq!(frontend.get(&id).await["drafted"], false, "a form that was only looked at has no draft");
    hosted.keys(&["down"]);
    hosted.say("focus", &json!({"focused": true}));
    hosted.settle();
    let seen = frontend.get(&id).await;
    assert_eq!((&seen["drafted"], &seen["viewers"][0]["focused"]), (&json!(false), &json!(true)), "{seen}");
    hosted.say("key", &json!({"id": "space"}));
    hosted.settle();
    assert_eq!(frontend.get(&id).await["draft"]["answers"]["a"]["values"], json!(["y"]));
    hosted.say("viewKey", &json!({"key": created["viewKey"]}));
    hosted.keys(&["tab", "enter"]);
    assert_eq!(hosted.end().0["params"]["reason"], "submitted");
    assert_eq!(frontend.get(&id).await["resolvedBy"]["person"], true);
}

#[tokio::test]
async fn a_draft_of_another_frontend_is_taken_over_and_ones_own_typing_wins() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let id = daemon.client("agent").await.create(form()).await;
    let other = daemon.client("frontend").await;
    let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
    hosted.say("resize", &json!({"columns": 60, "rows": 14}));
    hosted.settle();
    let draft = |value: &str| json!({"answers": {"a": {"values": [value]}}});
    other.call("form/draft", json!({"formId": id, "revision": 0, "draft": draft("x")})).await;
    until("the other's draft to be shown", || {
        hosted.settle();
        hosted.shown().contains("1. (•)").then_some(())
    });
    hosted.keys(&["down", "space"]);
    hosted.settle();
    let kept = other.get(&id).await;
    assert_eq!(kept["draft"]["answers"]["a"]["values"], json!(["y"]), "{kept}");
    assert_eq!(kept["draftRevision"], 2);
}

#[tokio::test]
async fn colours_come_from_the_host_and_held_keys_do_one_thing() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let id = agent.create(form()).await;
    let mut hosted = Hosted::start(&sandbox, &["--form", &id]);
    hosted.say("theme", &json!({"colors": {"accent": "#010203", "muted": 250}}));
    hosted.say("resize", &json!({"columns": 60, "rows": 14}));
    hosted.settle();
    let lines = hosted.frame.as_ref().expect("a frame")["lines"].to_string();
    assert!(lines.contains("38;2;1;2;3") && lines.contains("38;5;250"), "{lines}");
    hosted.keys(&["space", "esc"]);
    for _ in 0..20 {
        hosted.say("key", &json!({"id": "esc", "repeat": true}));
    }
    hosted.settle();
    assert_eq!(agent.get(&id).await["state"], "open", "a held key is no second press");
    assert!(hosted.shown().contains("Esc or Ctrl+C again"), "{}", hosted.shown());
    hosted.say("key", &json!({"id": "ESCAPE"}));
    assert_eq!(hosted.end().0["params"]["reason"], "cancelled");
}

#[tokio::test]
async fn the_daemon_may_die_under_it() {
    let sandbox = sandbox!();
    at_once(&sandbox);
    let daemon = Daemon::start(&sandbox);
    let id = daemon.client("agent").await.create(form()).await;
    let mut hosted = Hosted::start(&sandbox, &["--no-start", "--form", &id]);
    hosted.say("resize", &json!({"columns": 80, "rows": 20}));
    hosted.settle();
    hosted.keys(&["space"]);
    hosted.settle();
    daemon.kill();
    let said = |hosted: &mut Hosted, text: &str| {
        while !hosted.shown().contains(text) {
            hosted.next();
        }
    };
    said(&mut hosted, "No connection to the daemon");
    hosted.keys(&["n", "o", "k"]);
    let daemon = Daemon::start(&sandbox);
    while hosted.shown().contains("No connection to the daemon") {
        hosted.next();
    }
    hosted.settle();
    let form = daemon.client("frontend").await.get(&id).await;
    assert_eq!(
        (&form["draft"]["answers"]["a"]["values"], &form["draft"]["view"]["editor"]["text"]),
        (&json!(["x"]), &json!("ok"))
    );
    assert_eq!(form["viewers"][0]["kind"], "tui", "it shows the form to the new daemon too: {form}");
}

#[tokio::test]
async fn it_has_the_host_ring_and_tells_what_came_of_it() {
    // The terminal is the host's, who knows what stands before it: nothing is wrapped here.
    let sandbox = sandbox!().with_env("TMUX", "/tmp/tmux-1/default,1,0");
    let settings = json!({"schemaVersion": 5, "notifications": {"channels": ["osc777"]}});
    sandbox.write_config(&settings.to_string());
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let quiet = agent.call("form/create", json!({"params": form(), "quiet": true})).await;
    agent.call("form/create", json!({"params": form(), "quiet": true})).await;
    let mut hosted = Hosted::start(&sandbox, &["--form", quiet["formId"].as_str().expect("an id")]);
    hosted.say("resize", &json!({"columns": 60, "rows": 14}));
    // Knowing of the other form it hears what happens, and is asked to ring.
    while !hosted.shown().contains("1 more waiting") {
        hosted.next();
    }
    let rung = |hosted: &mut Hosted| loop {
        let message = hosted.next();
        if message["method"] == "bell" || message["method"] == "terminal" {
            return message;
        }
    };

    let mut other = form();
    other["questions"][0]["label"] = json!("Other\u{1b}]52;c;eA==\u{7};x");
    agent.create(other).await;
    let message = rung(&mut hosted);
    let sequence = message["params"]["sequence"].as_str().expect("a sequence");
    let said = sequence.strip_prefix("\u{1b}]777;notify;pi ask;Question waiting: Other").expect(sequence);
    let said = said.strip_suffix('\u{7}').expect(sequence);
    assert!(!said.contains(|c: char| c.is_control() || c == ';'), "{sequence:?}");

    let admin = daemon.client("admin").await;
    let test = "This is a test: notifications work.";
    for (channel, method, params) in [
        ("bell", "bell", json!({})),
        ("osc9", "terminal", json!({"sequence": format!("\u{1b}]9;pi ask: {test}\u{7}")})),
        ("osc777", "terminal", json!({"sequence": format!("\u{1b}]777;notify;pi ask;{test}\u{7}")})),
    ] {
        let result = admin.call("notification/test", json!({"channel": channel})).await;
        assert_eq!(result["attempts"], json!([{"channel": channel, "status": "attempted"}]));
        let message = rung(&mut hosted);
        assert_eq!((&message["method"], &message["params"]), (&json!(method), &params));
    }
}
