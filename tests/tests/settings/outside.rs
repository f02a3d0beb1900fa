//! Settings from outside our file: the environment, flags, and the Pi extension's file.

use std::fs;

use askd_tests::{Daemon, sandbox, until};
use serde_json::json;

use super::{FILE, follow, frontend, get, text, with_file};

#[tokio::test]
async fn a_fixed_key_is_saved_and_said_to_be_without_effect() {
    let sandbox = with_file(sandbox!(), FILE).with_env("ASKD_NOTIFICATIONS__ENABLED", "false");
    let flag = "behaviour.showFooterHints=true";
    let command = sandbox.command(&["daemon", "--foreground", "--set", flag]);
    let daemon = Daemon::start_command(&sandbox, command);
    let client = frontend(&daemon).await;
    let state = get(&client).await;
    assert_eq!(state["sources"]["behaviour.showFooterHints"], "flag");
    assert_eq!(state["sources"]["notifications.enabled"], "env");
    assert_eq!(state["sources"]["behaviour.confirmDismissWhenDirty"], "file");
    assert_eq!(state["notices"], json!([]));
    let said = sandbox.run(&["settings", "set", "behaviour.showFooterHints", "false"]).expect(0);
    assert_eq!(said.stdout.trim(), "true");
    assert!(said.stderr.contains("not in force") && said.stderr.contains("--set"), "{}", said.stderr);
    assert!(text(&sandbox).contains("\"showFooterHints\": false"));
    assert_eq!(get(&client).await["settings"]["behaviour"]["showFooterHints"], true);
}

#[tokio::test]
async fn the_daemon_in_the_background_has_them_too() {
    let sandbox = sandbox!().with_env("ASKD_FRONTENDS__THEME", "light");
    assert_eq!(sandbox.run(&["settings", "get", "frontends.theme"]).expect(0).stdout.trim(), "light");
}

#[tokio::test]
async fn the_pi_extensions_file_is_read_and_never_written() {
    let theirs = json!({"schemaVersion": 4, "behaviour": {"showFooterHints": false}}).to_string();
    let sandbox = sandbox!();
    let directory = sandbox.path("home/agent");
    let sandbox = sandbox.with_env("PI_CODING_AGENT_DIR", &directory);
    fs::create_dir_all(directory.join("extensions")).unwrap();
    let file = directory.join("extensions/eko24ive-pi-ask.json");
    fs::write(&file, &theirs).unwrap();
    assert_eq!(
        sandbox.run(&["settings", "get", "behaviour.showFooterHints"]).expect(0).stdout.trim(),
        "false"
    );
    assert!(!sandbox.place().config_file.exists());
    fs::write(&file, theirs.replace("false", "true")).unwrap();
    until("the edit of their file", || {
        let said = sandbox.run(&["settings", "get", "behaviour.showFooterHints"]).expect(0);
        (said.stdout.trim() == "true").then_some(())
    });
    fs::write(&file, &theirs).unwrap();
    sandbox.run(&["settings", "set", "notifications.enabled", "false"]).expect(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), theirs);
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&text(&sandbox)).unwrap(),
        json!({"schemaVersion": 5, "behaviour": {"showFooterHints": false}, "notifications": {"enabled": false}})
    );
}

#[tokio::test]
async fn a_file_that_was_not_there_is_followed() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    let mut events = follow(&client).await;
    sandbox.write_config(FILE);
    assert_eq!(events.next().await.unwrap()["changed"], json!(["notifications.enabled"]));
}
