//! What a click does, and which clicks do nothing.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use askd_tests::{Daemon, Sandbox, within};
use serde_json::{Value, json};
use zbus::Message;

use super::service::{Call, NAME, PATH};
use super::shown::viewed;
use super::{Desktop, armed, pick};

/// The end of a form, as its agent sees it.
async fn ended(agent: &askd_tests::Client, form_id: &str) -> Value {
    let ended = agent.wait(form_id).await;
    assert_eq!(ended["state"], "resolved", "{ended}");
    ended
}

#[tokio::test]
async fn a_button_answers() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    viewed(&agent, &form_id).await;
    armed().await;
    desktop.service.click(&shown, shown.key("Blue")).await;
    let ended = ended(&agent, &form_id).await;
    assert_eq!(ended["outcome"]["answers"]["q"]["values"], json!(["blue"]));
    let by = &ended["resolvedBy"];
    assert_eq!((&by["kind"], &by["roles"]), (&json!("notification"), &json!(["frontend"])));
    assert_eq!(by["pid"], std::process::id(), "who clicked is the process that showed it: {by}");
    assert!(by["viewedMs"].as_u64().is_some_and(|ms| ms >= 500), "{by}");
}

#[tokio::test]
async fn a_click_in_the_first_half_second_does_not_count() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    desktop.service.action(shown.id, shown.key("Red")).await;
    armed().await;
    desktop.service.click(&shown, shown.key("Blue")).await;
    assert_eq!(ended(&agent, &form_id).await["outcome"]["answers"]["q"]["values"], json!(["blue"]));
}

#[tokio::test]
async fn a_forged_click_does_not_count() {
    let sandbox = askd_tests::sandbox!().with_env("ASKD_LOG", "debug");
    let mut desktop = Desktop::in_sandbox(sandbox, json!({})).await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    viewed(&agent, &form_id).await;
    armed().await;
    let forger = desktop.bus.connect().await;
    let body = (shown.id, shown.key("Red"));
    forger.emit_signal(None::<&str>, PATH, NAME, "ActionInvoked", &body).await.expect("a signal to all");
    // A signal to one receiver needs no rule there; the daemon gets this one for certain.
    let to = shown.sender.as_str();
    let straight = Message::signal(PATH, NAME, "ActionInvoked").destination(to).build(&body);
    let straight = straight.expect("a message");
    forger.send(&straight).await.expect("a signal to the daemon");
    let bus = "org.freedesktop.DBus";
    forger.call_method(Some(bus), "/", Some(bus), "GetId", &()).await.expect("the bus has passed it on");
    // Nor do ids and keys that are not the shown one's.
    desktop.service.action(shown.id + 1, shown.key("Red")).await;
    desktop.service.action(shown.id, "answer-0-0123456789abcdef0123456789abcdef").await;
    desktop.service.action(shown.id, "red").await;
    desktop.service.click(&shown, shown.key("Blue")).await;
    assert_eq!(ended(&agent, &form_id).await["outcome"]["answers"]["q"]["values"], json!(["blue"]));
    assert!(desktop.service.waiting().is_none(), "nothing was said about clicks that were none");
    // The one that went to the daemon alone and the three with a wrong id or key came there; the one to all
    // did not even do that.
    let log = desktop.daemon.stderr();
    assert_eq!(log.matches("click on no notification of ours").count(), 4, "{log}");
}

#[tokio::test]
async fn a_late_click_changes_nothing_and_says_so() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    armed().await;
    desktop.daemon.client("frontend").await.submit(&form_id, pick("red")).await;
    assert_eq!(desktop.service.closed().await, shown.id);
    desktop.service.action(shown.id, shown.key("Blue")).await;
    let word = desktop.service.shown().await;
    assert!(word.body.starts_with("Too late"), "{word:?}");
    assert!(word.actions.is_empty() && word.timeout > 0, "{word:?}");
    assert_eq!(ended(&agent, &form_id).await["outcome"]["answers"]["q"]["values"], json!(["red"]));
}

#[tokio::test]
async fn a_click_on_what_was_replaced_answers_nothing() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    desktop.ask(&agent, "Size", &["S", "M"]).await;
    assert_eq!(desktop.service.shown().await.id, shown.id);
    armed().await;
    desktop.service.action(shown.id, shown.key("Red")).await;
    assert!(desktop.service.shown().await.body.starts_with("Too late"));
    assert_eq!(agent.get(&form_id).await["state"], "open");
}

#[tokio::test]
async fn a_button_still_answers_after_a_restart() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    viewed(&agent, &form_id).await;
    desktop.daemon.kill();
    let daemon = Daemon::start(&desktop.sandbox);
    let agent = daemon.client("agent").await;
    viewed(&agent, &form_id).await;
    armed().await;
    desktop.service.click(&shown, shown.key("Blue")).await;
    let ended = ended(&agent, &form_id).await;
    assert_eq!(ended["outcome"]["answers"]["q"]["values"], json!(["blue"]));
    assert_eq!(ended["resolvedBy"]["kind"], "notification");
}

#[tokio::test]
async fn open_runs_the_persons_command() {
    let command = r#"printf '%s %s' "$ASK_FORM_ID" "$XDG_ACTIVATION_TOKEN" > "$HOME/opened.new"; mv "$HOME/opened.new" "$HOME/opened""#;
    let mut desktop = Desktop::with(json!({"openCommand": command})).await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    armed().await;
    desktop.service.token(&shown, "front-1").await;
    desktop.service.click(&shown, shown.key("Open")).await;
    assert_eq!(opened(&desktop).await, format!("{form_id} front-1"));
    assert_eq!(agent.get(&form_id).await["state"], "open");
}

#[tokio::test]
async fn open_finds_a_terminal_and_a_click_anywhere_opens() {
    let mut desktop = with_terminal(|sandbox| sandbox.with_env("DISPLAY", ":5")).await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    armed().await;
    desktop.service.click(&shown, "default").await;
    let (socket, ask) = (desktop.daemon.socket().display(), desktop.sandbox.ask().display());
    assert_eq!(opened(&desktop).await, format!(":5 -e {ask} --socket {socket} answer {form_id}"));
}

#[tokio::test]
async fn open_takes_the_sessions_display_when_the_daemon_has_none() {
    let mut desktop = with_terminal(|sandbox| sandbox).await;
    let session = zbus::connection::Builder::address(desktop.bus.address().as_str())
        .serve_at("/org/freedesktop/systemd1", Session)
        .name("org.freedesktop.systemd1");
    let _session = session.build().await.expect("the session's manager");
    let agent = desktop.daemon.client("agent").await;
    for label in ["Colour", "Size"] {
        desktop.ask(&agent, label, &["A", "B"]).await;
    }
    let shown = desktop.service.shown_for(2).await;
    armed().await;
    desktop.service.click(&shown, shown.key("Open")).await;
    let (socket, ask) = (desktop.daemon.socket().display(), desktop.sandbox.ask().display());
    assert_eq!(opened(&desktop).await, format!(":6 -e {ask} --socket {socket}"), "the inbox, for several");
}

/// A service manager that knows where the desktop is.
struct Session;

#[zbus::interface(name = "org.freedesktop.systemd1.Manager")]
impl Session {
    #[zbus(property)]
    fn environment(&self) -> Vec<String> {
        ["DISPLAY=:6", "PATH=/nowhere"].map(str::to_owned).to_vec()
    }
}

/// A desktop whose only terminal is a script that writes down how it was called.
async fn with_terminal(environment: impl FnOnce(Sandbox) -> Sandbox) -> Desktop {
    let sandbox = askd_tests::sandbox!();
    let terminal = sandbox.path("tmp/my-terminal");
    let script = "#!/bin/sh\necho \"$DISPLAY $*\" > \"$HOME/new\"; mv \"$HOME/new\" \"$HOME/opened\"\n";
    std::fs::write(&terminal, script).expect("the terminal");
    std::fs::set_permissions(&terminal, Permissions::from_mode(0o755)).expect("its mode");
    Desktop::in_sandbox(environment(sandbox.with_env("TERMINAL", terminal)), json!({})).await
}

/// What the script wrote. The services of the test go on meanwhile.
async fn opened(desktop: &Desktop) -> String {
    let file = desktop.sandbox.path("home/opened");
    let written = async {
        loop {
            if let Ok(text) = std::fs::read_to_string(&file) {
                return text.trim_end().to_owned();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    within("what Open starts", written).await
}

#[tokio::test]
async fn open_says_when_there_is_nothing_to_open_with() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    armed().await;
    desktop.service.click(&shown, shown.key("Open")).await;
    let word = within("a word", desktop.service.call()).await;
    let Call::Notify(word) = word else { panic!("{word:?}") };
    assert!(word.body.contains("openCommand"), "what to do: {}", word.body);
}
