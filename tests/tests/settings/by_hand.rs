//! The three ways to change a setting; all of them reach everyone, in order, and leave the rest of the file alone.

use std::fs;
use std::os::unix::fs::symlink;
use std::time::{Duration, Instant};

use askd_tests::wait::within;
use askd_tests::{Daemon, sandbox};
use serde_json::json;

use super::{FILE, follow, frontend, get, hints_shown, text, with_file};

#[tokio::test]
async fn whoever_changes_it_everyone_is_told_in_order() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let (one, two) = (frontend(&daemon).await, frontend(&daemon).await);
    let mut streams = [follow(&one).await, follow(&two).await];

    sandbox.run(&["settings", "set", "behaviour.showFooterHints", "false"]).expect(0);
    let patch = json!({"patch": {"behaviour": {"confirmDismissWhenDirty": false}}});
    let after = one.call("settings/patch", patch).await;
    let so_far = FILE
        .replace("\"showFooterHints\": true", "\"showFooterHints\": false")
        .replace("\"confirmDismissWhenDirty\": true", "\"confirmDismissWhenDirty\": false");
    assert_eq!(text(&sandbox), so_far);
    sandbox.write_config(&so_far.replace("\"enabled\": false", "\"enabled\": true"));

    let expected =
        ["behaviour.showFooterHints", "behaviour.confirmDismissWhenDirty", "notifications.enabled"];
    for stream in &mut streams {
        let mut seen = Vec::new();
        let mut last = (0, 0);
        for _ in expected {
            let event = stream.next().await.expect("an event");
            let place = (event["seq"].as_u64().unwrap(), event["revision"].as_u64().unwrap());
            assert!(place.0 > last.0 && place.1 > last.1, "{event}");
            last = place;
            assert_eq!(event["changed"].as_array().unwrap().len(), 1, "{event}");
            seen.push(event["changed"][0].as_str().unwrap().to_owned());
        }
        assert_eq!(seen, expected);
    }
    let state = get(&two).await;
    assert_eq!(state["settings"]["notifications"]["enabled"], true);
    assert!(state["revision"].as_u64() > after["revision"].as_u64());
}

#[tokio::test]
async fn an_edit_by_hand_is_in_force_within_a_second() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    let mut events = follow(&client).await;
    let mut times = Vec::new();
    for shown in [false, true, false] {
        let from = Instant::now();
        sandbox.write_config(
            &FILE.replace("\"showFooterHints\": true", &format!("\"showFooterHints\": {shown}")),
        );
        let event = events.next().await.expect("an event");
        times.push(from.elapsed());
        assert_eq!(event["settings"]["behaviour"]["showFooterHints"], shown);
    }
    // The quickest of three: another test may have had the machine for a moment.
    assert!(times.iter().min().is_some_and(|time| *time < Duration::from_secs(1)), "{times:?}");
}

#[tokio::test]
async fn a_file_that_an_editor_replaces_is_followed() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    let file = sandbox.place().config_file;
    let hidden = FILE.replace("\"showFooterHints\": true", "\"showFooterHints\": false");
    // vim: the old file becomes the backup, a new one is written in its place.
    fs::rename(&file, file.with_file_name("config.json~")).unwrap();
    fs::write(&file, &hidden).unwrap();
    hints_shown(&client, false).await;
    // Others write beside it and rename.
    fs::write(file.with_file_name(".swap"), FILE).unwrap();
    fs::rename(file.with_file_name(".swap"), &file).unwrap();
    hints_shown(&client, true).await;
    // A save of ours after that goes into the new file.
    let patch = json!({"patch": {"behaviour": {"showFooterHints": false}}});
    client.call("settings/patch", patch).await;
    assert_eq!(text(&sandbox), hidden);
}

#[tokio::test]
async fn a_link_stays_one_and_its_file_is_followed() {
    let sandbox = sandbox!();
    let real = sandbox.path("home/dotfiles.json");
    fs::write(&real, FILE).unwrap();
    let file = sandbox.place().config_file;
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    symlink(&real, &file).unwrap();
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    let patch = json!({"patch": {"behaviour": {"showFooterHints": false}}});
    client.call("settings/patch", patch).await;
    assert!(file.symlink_metadata().unwrap().is_symlink());
    let hidden = FILE.replace("\"showFooterHints\": true", "\"showFooterHints\": false");
    assert_eq!(fs::read_to_string(&real).unwrap(), hidden);
    fs::write(&real, FILE).unwrap();
    hints_shown(&client, true).await;
}

#[tokio::test]
async fn our_own_save_is_told_once() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let client = frontend(&daemon).await;
    let mut events = follow(&client).await;
    for hints in [false, true, false] {
        let patch = json!({"patch": {"behaviour": {"showFooterHints": hints}}});
        client.call("settings/patch", patch).await;
    }
    sandbox.write_config(&text(&sandbox).replace("\"enabled\": false", "\"enabled\": true"));
    let mut changed = Vec::new();
    for _ in 0..4 {
        let event = within("an event", events.next()).await.expect("an event");
        changed.push(event["changed"][0].as_str().unwrap().to_owned());
    }
    assert_eq!(changed[3], "notifications.enabled", "{changed:?}");
}
