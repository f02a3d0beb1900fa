mod borrowed;
mod cases;
mod following;
mod keys;
mod outside;
mod texts;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;

struct Fixture {
    dir: TempDir,
}

impl Fixture {
    fn empty() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    fn with(file: &Value) -> Self {
        let fixture = Self::empty();
        fixture.write(&file.to_string());
        fixture
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("askd/config.json")
    }

    fn write(&self, text: &str) {
        fs::create_dir_all(self.path().parent().unwrap()).unwrap();
        fs::write(self.path(), text).unwrap();
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.text()).unwrap()
    }

    fn open(&self) -> SettingsStore {
        SettingsStore::open(self.path())
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn apply(store: &SettingsStore, edit: Edit) -> Result<Edited, EditError> {
    runtime().block_on(async { store.turn().await.apply(edit).await })
}

fn patch(store: &SettingsStore, patch: Value) -> Result<Edited, EditError> {
    apply(store, Edit::Patch(patch))
}

fn invalid_key(result: Result<Edited, EditError>) -> String {
    match result {
        Err(EditError::Invalid { key, .. }) => key,
        other => panic!("expected an invalid value, got {other:?}"),
    }
}

#[test]
fn without_a_file_the_defaults_are_in_force() {
    let fixture = Fixture::empty();
    let described = fixture.open().describe();
    assert_eq!(*described.settings, Settings::default());
    assert!(described.writable && described.notices.is_empty());
    assert!(described.sources.values().all(|source| *source == SettingSource::Default));
    assert!(described.sources.contains_key("notifications.openCommand"));
    assert!(described.sources.contains_key("keymaps.main.confirm"));
    assert!(!fixture.path().exists());
}

#[test]
fn the_file_is_laid_over_the_defaults_key_by_key() {
    let file = json!({
        "schemaVersion": 5,
        "behaviour": { "showFooterHints": false },
        "keymaps": { "main": { "confirm": ["ctrl+k"] } },
        "notifications": { "channels": [{ "type": "command", "command": "true" }, "bell"] },
    });
    let described = Fixture::with(&file).open().describe();
    let defaults = Settings::default();
    assert!(!described.settings.behaviour.show_footer_hints);
    assert!(described.settings.behaviour.confirm_dismiss_when_dirty);
    assert_eq!(described.settings.keymaps["main"]["confirm"], ["ctrl+k"]);
    assert_eq!(described.settings.keymaps["main"]["cancel"], ["esc"]);
    assert_eq!(described.settings.notifications.channels.len(), 2);
    let order = |keymaps: &askd_wire::settings::Keymaps| -> Vec<String> {
        keymaps.values().flat_map(|actions| actions.keys().cloned()).collect()
    };
    assert_eq!(order(&described.settings.keymaps), order(&defaults.keymaps));
    assert_eq!(described.sources["behaviour.showFooterHints"], SettingSource::File);
    assert_eq!(described.sources["behaviour.confirmDismissWhenDirty"], SettingSource::Default);
    assert_eq!(described.sources["notifications.channels"], SettingSource::File);
}

#[test]
fn a_patch_writes_only_what_it_names_and_keeps_what_it_does_not_know() {
    let fixture = Fixture::with(
        &json!({ "schemaVersion": 5, "mine": { "a": [1] }, "behaviour": { "showFooterHints": false, "later": 1 } }),
    );
    let store = fixture.open();
    let edited = patch(&store, json!({ "notifications": { "enabled": false }, "unknown": 1 })).unwrap();
    assert_eq!(edited.changed, ["notifications.enabled"]);
    assert!(!store.current().notifications.enabled);
    assert_eq!(
        fixture.json(),
        json!({ "schemaVersion": 5, "mine": { "a": [1] }, "behaviour": { "showFooterHints": false, "later": 1 }, "notifications": { "enabled": false } })
    );
    assert_eq!(store.describe().sources["notifications.enabled"], SettingSource::File);
}

#[test]
fn null_takes_a_key_out_of_the_file_and_arrays_are_replaced() {
    let fixture = Fixture::with(
        &json!({ "schemaVersion": 5, "behaviour": { "showFooterHints": false }, "keymaps": { "global": { "dismiss": ["ctrl+d", "q"] } } }),
    );
    let store = fixture.open();
    let edit =
        json!({ "behaviour": { "showFooterHints": null }, "keymaps": { "global": { "dismiss": ["x"] } } });
    let edited = patch(&store, edit).unwrap();
    assert_eq!(edited.changed, ["behaviour.showFooterHints", "keymaps.global.dismiss"]);
    assert_eq!(
        fixture.json(),
        json!({ "schemaVersion": 5, "behaviour": {}, "keymaps": { "global": { "dismiss": ["x"] } } })
    );
    patch(&store, json!({ "keymaps": null })).unwrap();
    assert_eq!(fixture.json(), json!({ "schemaVersion": 5, "behaviour": {} }));
    assert_eq!(*store.current(), Settings::default());
}

#[test]
fn a_value_that_does_not_fit_is_named_by_its_key_and_nothing_changes() {
    let fixture = Fixture::with(&json!({ "schemaVersion": 5 }));
    let store = fixture.open();
    let before = fixture.text();
    let cases = [
        (json!({ "behaviour": { "showFooterHints": "no" } }), "behaviour.showFooterHints"),
        (json!({ "behaviour": { "showFooterHints": 1 } }), "behaviour.showFooterHints"),
        (json!({ "frontends": { "theme": "pink" } }), "frontends.theme"),
        (json!({ "frontends": { "armingDelayMs": -1 } }), "frontends.armingDelayMs"),
        (json!({ "frontends": { "armingDelayMs": 1.5 } }), "frontends.armingDelayMs"),
        (json!({ "notifications": 5 }), "notifications"),
        (json!({ "notifications": { "channels": "bell" } }), "notifications.channels"),
        (json!({ "tool": { "contract": "other" } }), "tool.contract"),
        (json!({ "schemaVersion": 4 }), "schemaVersion"),
        (json!(7), "patch"),
    ];
    for (edit, key) in cases {
        assert_eq!(invalid_key(patch(&store, edit.clone())), key, "{edit}");
    }
    assert!(
        invalid_key(patch(&store, json!({ "notifications": { "channels": ["pager"] } })))
            .starts_with("notifications.channels")
    );
    assert_eq!(fixture.text(), before);
    assert_eq!(*store.current(), Settings::default());
}

#[test]
fn programs_and_doors_are_changed_in_the_file_only() {
    let command = json!({ "type": "command", "command": "notify-me" });
    let fixture = Fixture::with(
        &json!({ "schemaVersion": 5, "notifications": { "channels": [command, "bell"], "openCommand": "run-me" } }),
    );
    let store = fixture.open();
    let refused = |edit: Value| match patch(&store, edit) {
        Err(EditError::FileOnly(key)) => key,
        other => panic!("expected a refusal, got {other:?}"),
    };
    assert_eq!(refused(json!({ "listen": { "address": "127.0.0.1:1" } })), "listen.address");
    assert_eq!(refused(json!({ "listen": { "origins": ["https://x"] } })), "listen.origins");
    assert_eq!(refused(json!({ "listen": null })), "listen");
    assert_eq!(refused(json!({ "notifications": { "openCommand": "x" } })), "notifications.openCommand");
    assert_eq!(refused(json!({ "notifications": null })), "notifications.openCommand");
    let other = json!({ "type": "command", "command": "other" });
    assert_eq!(
        refused(json!({ "notifications": { "channels": ["bell", other] } })),
        "notifications.channels"
    );
    patch(&store, json!({ "notifications": { "channels": ["desktop", command] } })).unwrap();
    assert_eq!(fixture.json()["notifications"]["channels"], json!(["desktop", command]));
}

#[test]
fn no_list_passes_for_a_section_or_a_command() {
    let fixture = Fixture::with(&json!({ "schemaVersion": 5 }));
    let store = fixture.open();
    let before = fixture.text();
    let command = json!({ "type": "command", "command": "run-me" });
    let cases = [
        (json!({ "behaviour": [] }), "behaviour"),
        (json!({ "notifications": [true, [command]] }), "notifications"),
        (json!({ "notifications": [true, ["bell"], true, false, "run-me"] }), "notifications"),
        (
            json!({ "notifications": { "channels": ["bell", ["command", "run-me"]] } }),
            "notifications.channels.1",
        ),
    ];
    for (edit, key) in cases {
        assert_eq!(invalid_key(patch(&store, edit.clone())), key, "{edit}");
    }
    assert_eq!(fixture.text(), before);
    fixture.write(r#"{ "schemaVersion": 5, "notifications": [true, ["bell"], true, false, "run-me"] }"#);
    assert_eq!(*fixture.open().current(), Settings::default());
    fixture
        .write(r#"{ "schemaVersion": 5, "notifications": { "channels": [["command", "run-me"], "bell"] } }"#);
    let described = fixture.open().describe();
    assert_eq!(serde_json::to_value(&described.settings.notifications.channels).unwrap(), json!(["bell"]));
    assert_eq!(described.notices.len(), 1, "{:?}", described.notices);
}

#[test]
fn limits_that_shut_everybody_out_are_refused() {
    let fixture = Fixture::with(&json!({ "schemaVersion": 5 }));
    let store = fixture.open();
    for (limit, value) in [("messageBytes", 1), ("messageBytes", 1023), ("connections", 0), ("calls", 0)] {
        let key = invalid_key(patch(&store, json!({ "limits": { limit: value } })));
        assert_eq!(key, format!("limits.{limit}"));
    }
    patch(&store, json!({ "limits": { "messageBytes": 1024, "connections": 1, "calls": 1 } })).unwrap();
    fixture.write(r#"{ "schemaVersion": 5, "limits": { "messageBytes": 1 } }"#);
    assert_eq!(fixture.open().current().limits, Settings::default().limits);
}

#[test]
fn a_new_file_is_private_and_an_old_one_keeps_its_mode() {
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let fixture = Fixture::empty();
    patch(&fixture.open(), json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert_eq!(fixture.json(), json!({ "schemaVersion": 5, "behaviour": { "showFooterHints": false } }));
    assert_eq!(mode(&fixture.path()), 0o600);
    assert_eq!(mode(fixture.path().parent().unwrap()), 0o700);
    fs::set_permissions(fixture.path(), fs::Permissions::from_mode(0o640)).unwrap();
    patch(&fixture.open(), json!({ "behaviour": { "showFooterHints": true } })).unwrap();
    assert_eq!(mode(&fixture.path()), 0o640);
    assert_eq!(fs::read_dir(fixture.path().parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_link_is_followed_also_when_what_it_points_to_is_missing() {
    let fixture = Fixture::empty();
    let real = fixture.dir.path().join("dotfiles/askd.json");
    fs::create_dir_all(fixture.path().parent().unwrap()).unwrap();
    symlink("../dotfiles/askd.json", fixture.path()).unwrap();
    for hints in [false, true] {
        patch(&fixture.open(), json!({ "behaviour": { "showFooterHints": hints } })).unwrap();
        assert!(fixture.path().symlink_metadata().unwrap().is_symlink());
        let saved: Value = serde_json::from_slice(&fs::read(&real).unwrap()).unwrap();
        assert_eq!(saved["behaviour"]["showFooterHints"], json!(hints));
    }
}

#[test]
fn a_file_with_a_fault_is_told_of_and_never_written_over() {
    let cases = [
        ("{ \"schemaVersion\": 0 }", "settingsInvalid"),
        ("{ \"schemaVersion\": 5 } { }", "settingsInvalid"),
        ("{ schemaVersion: 5 }", "settingsInvalid"),
        ("{ \"schemaVersion\": 5,", "settingsInvalid"),
        ("", "settingsInvalid"),
        ("[]", "settingsInvalid"),
        ("{}", "settingsInvalid"),
        ("{ \"schemaVersion\": \"5\" }", "settingsInvalid"),
        ("{ \"schemaVersion\": 4.5 }", "settingsInvalid"),
        ("{ \"schemaVersion\": 5, \"behaviour\": { \"showFooterHints\": \"no\" } }", "settingsInvalid"),
        ("{ \"schemaVersion\": 6 }", "settingsNewer"),
    ];
    for (text, kind) in cases {
        let fixture = Fixture::empty();
        fixture.write(text);
        let store = fixture.open();
        let described = store.describe();
        assert_eq!(*described.settings, Settings::default(), "{text}");
        assert_eq!(described.notices[0].kind, kind, "{text}");
        assert!(!described.writable);
        for edit in [Edit::Patch(json!({ "behaviour": { "showFooterHints": false } })), Edit::Reset] {
            assert!(matches!(apply(&store, edit), Err(EditError::NotSaved { .. })), "{text}");
        }
        assert_eq!(fixture.text(), text);
    }
}

#[test]
fn a_directory_in_the_files_place_is_told_of() {
    let fixture = Fixture::empty();
    fs::create_dir_all(fixture.path()).unwrap();
    let store = fixture.open();
    assert_eq!(store.describe().notices[0].kind, "settingsUnreadable");
    assert!(matches!(apply(&store, Edit::Reset), Err(EditError::NotSaved { .. })));
}

#[test]
fn when_the_file_cannot_be_written_nothing_takes_effect() {
    let fixture = Fixture::empty();
    // A regular file where the directory should be cannot be written below by anyone, root included.
    fs::write(fixture.dir.path().join("askd"), "").unwrap();
    let store = fixture.open();
    assert!(!store.describe().writable);
    let result = patch(&store, json!({ "behaviour": { "showFooterHints": false } }));
    assert!(matches!(result, Err(EditError::NotSaved { .. })), "{result:?}");
    assert_eq!(*store.current(), Settings::default());
}

#[test]
fn what_was_changed_by_hand_meanwhile_is_kept() {
    let fixture = Fixture::with(&json!({ "schemaVersion": 5 }));
    let store = fixture.open();
    fixture.write(&json!({ "schemaVersion": 5, "frontends": { "theme": "dark" } }).to_string());
    let edited = patch(&store, json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert_eq!(edited.changed, ["behaviour.showFooterHints", "frontends.theme"]);
    fixture.write("{ broken");
    let result = patch(&store, json!({ "behaviour": { "showFooterHints": true } }));
    assert!(matches!(result, Err(EditError::NotSaved { .. })), "{result:?}");
    assert_eq!(fixture.text(), "{ broken");
    assert!(!store.current().behaviour.show_footer_hints);
}

#[test]
fn reset_keeps_unknown_fields_and_leaves_a_copy() {
    let old = json!({ "schemaVersion": 5, "mine": 1, "behaviour": { "later": 1, "showFooterHints": false } });
    let fixture = Fixture::with(&old);
    let store = fixture.open();
    let text = fixture.text();
    assert_eq!(apply(&store, Edit::Reset).unwrap().changed, ["behaviour.showFooterHints"]);
    assert_eq!(fixture.json(), json!({ "schemaVersion": 5, "mine": 1, "behaviour": { "later": 1 } }));
    let copy = fs::read_to_string(fixture.path().with_file_name("config.json.before-reset")).unwrap();
    assert_eq!(copy, text);
    assert_eq!(*store.current(), Settings::default());
}

#[test]
fn resetting_nothing_creates_no_file() {
    let fixture = Fixture::empty();
    assert_eq!(apply(&fixture.open(), Edit::Reset).unwrap().changed, Vec::<String>::new());
    assert!(!fixture.path().exists());
}
