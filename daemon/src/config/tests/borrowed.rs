use std::path::PathBuf;

use askd_wire::settings::SettingSource;
use serde_json::{Value, json};

use super::{Edit, Fixture, apply, fs, patch};
use crate::config::{Files, SettingsStore, import};

/// The Pi extension's file, in both places it may have.
fn files(fixture: &Fixture) -> Files {
    Files::from(fixture.path()).with_pi(Some(&fixture.dir.path().join("agent")), None)
}

fn write(fixture: &Fixture, below: &str, value: &Value) -> PathBuf {
    let path = fixture.dir.path().join("agent").join(below);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, value.to_string()).unwrap();
    path
}

const NEWER: &str = "extensions/eko24ive-pi-ask.json";
const OLDER: &str = "eko24ive-pi-ask.json";

#[test]
fn it_is_read_while_there_is_none_of_ours() {
    let fixture = Fixture::empty();
    write(&fixture, OLDER, &json!({ "schemaVersion": 1, "behaviour": { "showFooterHints": false } }));
    let store = SettingsStore::open(files(&fixture));
    assert!(!store.current().behaviour.show_footer_hints);
    assert_eq!(store.describe().sources["behaviour.showFooterHints"], SettingSource::File);
    assert_eq!(store.describe().file, fixture.path());
    assert!(store.describe().writable && store.describe().notices.is_empty());
    write(&fixture, NEWER, &json!({ "schemaVersion": 5 }));
    assert!(SettingsStore::open(files(&fixture)).current().behaviour.show_footer_hints);
    fixture.write("{ \"schemaVersion\": 5, \"frontends\": { \"theme\": \"dark\" } }");
    let own = SettingsStore::open(files(&fixture)).describe();
    assert_eq!(own.sources["frontends.theme"], SettingSource::File);
}

#[test]
fn its_programs_are_not_run_and_a_notice_says_so() {
    let fixture = Fixture::empty();
    let command = json!({ "type": "command", "command": "cmux notify" });
    let path = write(
        &fixture,
        NEWER,
        &json!({ "schemaVersion": 5, "notifications": { "channels": [command, "osc9"] } }),
    );
    let described = SettingsStore::open(files(&fixture)).describe();
    assert_eq!(serde_json::to_value(&described.settings.notifications.channels).unwrap(), json!(["osc9"]));
    assert_eq!(described.notices[0].kind, "commandsLeftOut");
    assert!(described.notices[0].text.contains(&format!("ask settings import {}", path.display())));
}

#[test]
fn saving_writes_ours_with_everything_that_was_in_force() {
    let fixture = Fixture::empty();
    let command = json!({ "type": "command", "command": "cmux notify" });
    let theirs = json!({ "schemaVersion": 3, "keymaps": { "confirm": "ctrl+k" }, "notifications": { "channels": [command, "osc9"] }, "mine": 1 });
    let path = write(&fixture, NEWER, &theirs);
    let store = SettingsStore::open(files(&fixture));
    let edited = patch(&store, json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert_eq!(edited.changed, ["behaviour.showFooterHints"]);
    assert_eq!(serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap(), theirs);
    let ours = fixture.json();
    assert_eq!((&ours["schemaVersion"], &ours["mine"]), (&json!(5), &json!(1)));
    assert_eq!(ours["notifications"]["channels"], json!(["osc9"]));
    assert_eq!(store.current().keymaps["main"]["confirm"], ["ctrl+k"]);
    assert_eq!(fs::read_dir(fixture.path().parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_reset_forgets_it() {
    let fixture = Fixture::empty();
    write(&fixture, NEWER, &json!({ "schemaVersion": 5, "behaviour": { "showFooterHints": false } }));
    let store = SettingsStore::open(files(&fixture));
    assert_eq!(apply(&store, Edit::Reset).unwrap().changed, ["behaviour.showFooterHints"]);
    assert_eq!(fixture.json(), json!({ "schemaVersion": 5 }));
    assert!(SettingsStore::open(files(&fixture)).current().behaviour.show_footer_hints);
}

#[test]
fn a_broken_one_is_told_of_and_does_not_keep_ours_from_being_written() {
    let fixture = Fixture::empty();
    let path = write(&fixture, NEWER, &json!([]));
    let store = SettingsStore::open(files(&fixture));
    let described = store.describe();
    assert!(described.notices[0].text.contains(&path.display().to_string()) && described.writable);
    patch(&store, json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert_eq!(fixture.json(), json!({ "schemaVersion": 5, "behaviour": { "showFooterHints": false } }));
    assert!(store.describe().notices.is_empty());
}

#[test]
fn an_import_keeps_apart_what_has_to_be_asked_about() {
    let file = json!({
        "schemaVersion": 4,
        "behaviour": { "showFooterHints": false, "later": 1 },
        "keymaps": { "main": { "confirm": "3" } },
        "notifications": { "enabled": false, "channels": [{ "type": "command", "command": "x" }, "pager"], "openCommand": "y" },
        "listen": { "address": "127.0.0.1:1" },
    });
    let found = import::read(file.to_string().as_bytes()).unwrap();
    assert_eq!(
        found.patch,
        json!({ "behaviour": { "showFooterHints": false }, "notifications": { "enabled": false } })
    );
    assert_eq!(
        found.doors,
        json!({ "notifications": { "channels": [{ "type": "command", "command": "x" }], "openCommand": "y" }, "listen": { "address": "127.0.0.1:1" } })
    );
    let kinds: Vec<&str> = found.notices.iter().map(|notice| notice.kind.as_str()).collect();
    assert_eq!(kinds, ["channelUnknown", "keymapsInvalid"]);
}

#[test]
fn the_questionnaires_files_say_where_the_tool_is() {
    let read = |file: Value| import::read(file.to_string().as_bytes()).map(|found| found.patch);
    assert_eq!(read(json!({ "version": 1, "expose": "tui" })), Ok(json!({ "tool": { "expose": "tui" } })));
    assert_eq!(read(json!({ "ask-questions": false, "x": 1 })), Ok(json!({ "tool": { "enabled": false } })));
    assert!(read(json!({ "version": 1 })).is_err());
    assert!(import::read(b"nothing").is_err());
}
