//! Files that cannot be read or written: what is in force, what is told, and that nothing is written over.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use askd_tests::{Daemon, sandbox, until};
use serde_json::{Value, json};

use super::{FILE, follow, frontend, get, hints_shown, text, with_file};

fn wish() -> Value {
    json!({"patch": {"behaviour": {"showFooterHints": false}}})
}

#[tokio::test]
async fn a_broken_file_is_told_of_and_its_mending_is_followed() {
    let broken = &FILE[..FILE.len() - 30];
    let sandbox = with_file(sandbox!(), broken);
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    let state = get(&client).await;
    assert_eq!(state["notices"][0]["kind"], "settingsInvalid");
    assert!(state["notices"][0]["text"].as_str().unwrap().contains("line "), "{state}");
    assert_eq!(
        (&state["writable"], &state["settings"]["notifications"]["enabled"]),
        (&json!(false), &json!(true))
    );
    let refused = client.refused("settings/patch", wish()).await;
    assert_eq!(refused.kind(), "settingsNotSaved");
    assert_eq!(text(&sandbox), broken);
    let mut events = follow(&client).await;
    sandbox.write_config(FILE);
    assert_eq!(events.next().await.unwrap()["changed"], json!(["notifications.enabled"]));
    assert_eq!(get(&client).await["notices"], json!([]));
}

#[tokio::test]
async fn a_file_that_breaks_leaves_in_force_what_was() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    sandbox.write_config("{ \"schemaVersion\": 5, ");
    until("the fault to be told", || {
        let state = sandbox.run(&["settings", "get", "notifications.enabled"]).expect(0);
        assert_eq!(state.stdout.trim(), "false");
        state.stderr.contains("no valid JSON").then_some(())
    });
    assert_eq!(client.refused("settings/reset", json!({})).await.kind(), "settingsNotSaved");
    assert_eq!(text(&sandbox), "{ \"schemaVersion\": 5, ");
}

#[tokio::test]
async fn a_read_only_file_is_not_replaced() {
    let sandbox = with_file(sandbox!(), FILE);
    let file = sandbox.place().config_file;
    fs::set_permissions(&file, Permissions::from_mode(0o444)).unwrap();
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    assert_eq!(get(&client).await["writable"], false);
    let refused = client.refused("settings/patch", wish()).await;
    assert_eq!(refused.kind(), "settingsNotSaved");
    let file_name = file.display().to_string();
    assert_eq!(refused.data["file"], json!(file_name));
    assert!(
        refused.message.contains("read-only") && refused.message.contains(&file_name),
        "{}",
        refused.message
    );
    assert_eq!(text(&sandbox), FILE);
    assert_eq!(get(&client).await["settings"]["behaviour"]["showFooterHints"], true);
    let said = sandbox.run(&["settings", "set", "behaviour.showFooterHints", "false"]).expect(1);
    assert!(said.stderr.contains("read-only"), "{}", said.stderr);
}

#[tokio::test]
async fn a_full_disk_changes_nothing() {
    let sandbox = with_file(sandbox!(), FILE);
    let file = sandbox.place().config_file;
    let directory = file.parent().unwrap().display().to_string();
    // A small file system of the daemon's own over the settings' directory, with no byte left in it.
    let script = r#"
        cp "$1/config.json" "$2/config.json" && mount -t tmpfs -o size=16k,mode=700 full "$1" &&
        cp "$2/config.json" "$1/config.json" && { cat /dev/zero > "$1/filler" 2> /dev/null; shift 2; exec "$@"; }
    "#;
    let mut args = vec!["--mount"];
    if !rustix::process::getuid().is_root() {
        args.extend(["--user", "--map-root-user"]);
    }
    let (tmp, ask) = (sandbox.path("tmp").display().to_string(), sandbox.ask().display().to_string());
    args.extend(["sh", "-c", script, "sh", &directory, &tmp, &ask, "daemon", "--foreground"]);
    let daemon = Daemon::start_command(&sandbox, sandbox.command_of("unshare", &args));
    let client = frontend(&daemon).await;
    let seen = format!("/proc/{}/root{directory}", daemon.pid());
    assert_eq!(fs::read_to_string(format!("{seen}/config.json")).unwrap(), FILE);
    let refused = client.refused("settings/patch", wish()).await;
    assert_eq!(refused.kind(), "settingsNotSaved");
    assert!(refused.message.contains("No space left"), "{}", refused.message);
    assert_eq!(fs::read_to_string(format!("{seen}/config.json")).unwrap(), FILE);
    assert_eq!(fs::read_dir(&seen).unwrap().count(), 2);
    assert_eq!(get(&client).await["settings"]["behaviour"]["showFooterHints"], true);
    fs::remove_file(format!("{seen}/filler")).unwrap();
    client.call("settings/patch", wish()).await;
    hints_shown(&client, false).await;
}

#[tokio::test]
async fn mode_and_owner_stay() {
    let sandbox = with_file(sandbox!(), FILE);
    let file = sandbox.place().config_file;
    fs::set_permissions(&file, Permissions::from_mode(0o664)).unwrap();
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    client.call("settings/patch", wish()).await;
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o7777, 0o664);
}
