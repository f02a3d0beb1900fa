//! The terminal and command channels, and `notification/test`.

use std::time::{Duration, Instant};

use askd_tests::{Daemon, Sandbox, sandbox, until};
use serde_json::{Value, json};

use super::{ask, configure, person};

fn daemon_with(channels: Value) -> (Sandbox, Daemon) {
    let sandbox = sandbox!();
    configure(&sandbox, json!({"channels": channels}));
    let daemon = Daemon::start(&sandbox);
    (sandbox, daemon)
}

#[tokio::test]
async fn the_frontend_that_is_not_looked_at_rings() {
    let (_sandbox, daemon) = daemon_with(json!(["bell", "osc777"]));
    let agent = daemon.client("agent").await;
    let (looked_at, aside) = (person(&daemon, "tui").await, person(&daemon, "tui").await);
    let mut quiet = looked_at.subscribe(json!({"kinds": ["notify", "completed"]})).await;
    let mut rung = aside.subscribe(json!({"kinds": ["notify"]})).await;
    let form_id = ask(&agent, "Colour", &["Red", "Blue"]).await;
    aside.call("form/view", json!({"formId": form_id, "focused": false})).await;
    looked_at.call("form/view", json!({"formId": form_id, "focused": true})).await;
    for channel in ["bell", "osc777"] {
        let hint = rung.next_of("notify").await;
        assert_eq!((&hint["channel"], &hint["formId"]), (&json!(channel), &json!(form_id)));
        assert_eq!(
            (&hint["title"], &hint["message"]),
            (&json!("pi ask"), &json!("Question waiting: Colour"))
        );
        let done = json!({"token": hint["token"], "status": "attempted"});
        // An answer from elsewhere does not count; without the right one the next channel would be late.
        looked_at.call("notification/done", done.clone()).await;
        aside.call("notification/done", done).await;
    }
    looked_at.submit(&form_id, super::pick("red")).await;
    loop {
        let event = quiet.next().await.expect("an event");
        assert_ne!(event["kind"], "notify", "only one frontend rings");
        if event["kind"] == "completed" {
            break;
        }
    }
}

#[tokio::test]
async fn a_frontend_that_does_not_answer_is_given_up_after_two_seconds() {
    let (_sandbox, daemon) = daemon_with(json!(["bell"]));
    let frontend = person(&daemon, "tui").await;
    let mut events = frontend.subscribe(json!({"kinds": ["notify"]})).await;
    let started = Instant::now();
    let test = frontend.begin("notification/test", json!({}));
    let hint = events.next_of("notify").await;
    assert!(hint["formId"].is_null(), "it is about no form: {hint}");
    let result = askd_tests::within("the attempts", test).await.expect("an answer").expect("a result");
    assert!(started.elapsed() >= Duration::from_secs(2));
    let attempt = &result["attempts"][0];
    assert_eq!((&attempt["channel"], &attempt["status"]), (&json!("bell"), &json!("failed")));
    assert!(attempt["error"].as_str().is_some_and(|why| why.contains("did not answer")), "{attempt}");
    // Too late, and no error either.
    frontend.call("notification/done", json!({"token": hint["token"], "status": "attempted"})).await;
}

#[tokio::test]
async fn a_test_tells_of_every_channel_and_why() {
    let (_sandbox, daemon) = daemon_with(json!([
        "osc9", "desktop", {"type": "command", "command": "exit 7"}, {"type": "command", "command": "true"},
    ]));
    let frontend = person(&daemon, "tui").await;
    let mut events = frontend.subscribe(json!({"kinds": ["notify"]})).await;
    let test = frontend.begin("notification/test", json!({}));
    let hint = events.next_of("notify").await;
    let failed = json!({"token": hint["token"], "status": "failed", "error": "no\nterminal"});
    frontend.call("notification/done", failed).await;
    let result = askd_tests::within("the attempts", test).await.expect("an answer").expect("a result");
    let attempts = result["attempts"].as_array().expect("attempts");
    let told: Vec<_> = attempts.iter().map(|a| (a["channel"].as_str(), a["status"].as_str())).collect();
    let expected =
        [("osc9", "failed"), ("desktop", "failed"), ("command", "failed"), ("command", "attempted")];
    assert_eq!(told, expected.map(|(channel, status)| (Some(channel), Some(status))));
    assert_eq!(attempts[0]["error"], "no terminal");
    assert!(attempts[2]["error"].as_str().is_some_and(|why| why.contains("exit status: 7")), "{attempts:?}");
    assert!(attempts[3].get("error").is_none(), "{attempts:?}");
}

#[tokio::test]
async fn nobody_to_ring_is_no_failure() {
    let (_sandbox, daemon) = daemon_with(json!(["bell"]));
    // Neither a program's frontend nor an agent has a terminal that a person hears.
    let _frontend = daemon.client("frontend").await.subscribe(json!({})).await;
    let admin = daemon.client("admin").await;
    for (params, channel) in [(json!({}), "bell"), (json!({"channel": "command"}), "command")] {
        let result = admin.call("notification/test", params).await;
        let attempt = &result["attempts"][0];
        assert_eq!(
            (&attempt["channel"], &attempt["status"]),
            (&json!(channel), &json!("skipped")),
            "{attempt}"
        );
        assert!(attempt["error"].is_string(), "{attempt}");
    }
    assert_eq!(admin.refused("notification/test", json!({"channel": "pigeon"})).await.code, -32602);
}

#[tokio::test]
async fn a_command_is_told_what_waits() {
    let command = r#"env > "$HOME/told.new"; mv "$HOME/told.new" "$HOME/told""#;
    let sandbox = sandbox!().with_env("API_TOKEN", "secret").with_env("AI_AGENT", "someone");
    configure(&sandbox, json!({"channels": [{"type": "command", "command": command}]}));
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    ask(&agent, "Colour\u{1b}[2J $(touch x)", &["Red", "Blue"]).await;
    let file = sandbox.path("home/told");
    let told = until("the command", || std::fs::read_to_string(&file).ok());
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines.contains(&"ASK_NOTIFY_EVENT=waiting"), "{told}");
    assert!(lines.contains(&"ASK_NOTIFY_TITLE=pi ask"), "{told}");
    assert!(lines.contains(&"ASK_NOTIFY_MESSAGE=Question waiting: Colour $(touch x)"), "{told}");
    assert!(!told.contains("secret") && !told.contains("AI_AGENT"), "{told}");
}

#[tokio::test]
async fn a_channel_that_fails_does_not_keep_the_next_from_its_turn() {
    let told = json!({"type": "command", "command": "touch \"$HOME/told\""});
    let (sandbox, daemon) =
        daemon_with(json!(["desktop", "bell", {"type": "command", "command": "exit 1"}, told]));
    let agent = daemon.client("agent").await;
    ask(&agent, "Colour", &["Red", "Blue"]).await;
    let file = sandbox.path("home/told");
    until("the last channel", || file.exists().then_some(()));
}
