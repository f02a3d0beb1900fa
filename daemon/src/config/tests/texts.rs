use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use serde_json::json;

use super::{Edit, EditError, Fixture, apply, fs, patch};

const COMMENTED: &str = r#"// mine
{
  "schemaVersion": 5, // the newest

  /* kept */
  "behaviour": { "showFooterHints": true, "later": [1,2] }, // kept too
  "notifications": {
    // loud
    "enabled": true,
  },
  "mine": {"a":1,   "b":2},
}
"#;

fn with_text(text: &str) -> Fixture {
    let fixture = Fixture::empty();
    fixture.write(text);
    fixture
}

#[test]
fn a_save_changes_nothing_but_the_value() {
    let fixture = with_text(COMMENTED);
    patch(&fixture.open(), json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert_eq!(fixture.text(), COMMENTED.replace("\"showFooterHints\": true", "\"showFooterHints\": false"));
    patch(&fixture.open(), json!({ "notifications": { "enabled": false } })).unwrap();
    let both = COMMENTED
        .replace("\"showFooterHints\": true", "\"showFooterHints\": false")
        .replace("\"enabled\": true", "\"enabled\": false");
    assert_eq!(fixture.text(), both);
}

#[test]
fn a_new_key_stands_behind_the_others_and_comments_stay() {
    let fixture = with_text(COMMENTED);
    let store = fixture.open();
    patch(&store, json!({ "notifications": { "privacy": true }, "tool": { "expose": "tui" } })).unwrap();
    let text = fixture.text();
    for kept in [
        "// mine\n",
        "// the newest",
        "/* kept */",
        "// kept too",
        "// loud",
        "{\"a\":1,   \"b\":2}",
        "[1,2]",
    ] {
        assert!(text.contains(kept), "{kept} is gone:\n{text}");
    }
    let order = ["schemaVersion", "behaviour", "\"enabled\"", "\"privacy\"", "\"mine\"", "\"tool\""];
    let places: Vec<usize> = order.iter().map(|word| text.find(word).unwrap()).collect();
    assert!(places.is_sorted(), "{text}");
    assert!(fixture.open().current().notifications.privacy);
    patch(&store, json!({ "notifications": { "privacy": null }, "tool": null })).unwrap();
    assert_eq!(fixture.text(), COMMENTED);
}

#[test]
fn layout_survives_whatever_it_is() {
    for text in [
        "{\"schemaVersion\":5,\"behaviour\":{\"showFooterHints\":true}}",
        "{\t\"schemaVersion\" : 5,\r\n\t\"behaviour\":\r\n{ \"showFooterHints\" : true }}\r\n",
        "\u{feff}{ \"schemaVersion\": 5, \"behaviour\": { \"showFooterHints\": true } }",
    ] {
        let fixture = with_text(text);
        patch(&fixture.open(), json!({ "behaviour": { "showFooterHints": false } })).unwrap();
        assert_eq!(fixture.text(), text.replace("true", "false"));
    }
}

#[test]
fn of_a_name_given_twice_the_last_one_counts_and_changes() {
    let text =
        r#"{ "schemaVersion": 5, "behaviour": { "showFooterHints": true, "showFooterHints": false } }"#;
    let fixture = with_text(text);
    let store = fixture.open();
    let before = store.current().behaviour.show_footer_hints;
    patch(&store, json!({ "behaviour": { "showFooterHints": !before } })).unwrap();
    assert_eq!(fixture.open().current().behaviour.show_footer_hints, !before);
}

#[test]
fn a_value_that_is_so_already_writes_nothing() {
    let fixture = with_text(r#"{"schemaVersion": 4, "behaviour": {"showFooterHints": false}}"#);
    let text = fixture.text();
    let inode = fixture.path().metadata().unwrap().ino();
    patch(&fixture.open(), json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert_eq!((fixture.text(), fixture.path().metadata().unwrap().ino()), (text, inode));
}

#[test]
fn the_first_save_to_an_older_version_keeps_the_old_bytes() {
    let old = "{\n  // three\n  \"schemaVersion\": 3,\n  \"keymaps\": { \"confirm\": \"ctrl+k\" },\n  \"mine\": 1\n}\n";
    let fixture = with_text(old);
    let store = fixture.open();
    assert_eq!(fixture.text(), old);
    patch(&store, json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    let kept = fixture.path().with_file_name("config.json.v3");
    assert_eq!(fs::read_to_string(&kept).unwrap(), old);
    assert!(fixture.text().contains("// three") && fixture.text().contains("\"mine\": 1"));
    let now = fixture.open().describe();
    assert!(now.notices.is_empty());
    assert_eq!(now.settings.keymaps["noteEditor"]["save"], ["ctrl+k"]);
    assert!(fixture.text().contains("\"schemaVersion\": 5"), "{}", fixture.text());
    fs::write(&kept, "touched").unwrap();
    patch(&store, json!({ "behaviour": { "showFooterHints": true } })).unwrap();
    assert_eq!(fs::read_to_string(&kept).unwrap(), "touched");
}

#[test]
fn a_read_only_file_stays_as_it_is() {
    let fixture = with_text(COMMENTED);
    fs::set_permissions(fixture.path(), fs::Permissions::from_mode(0o444)).unwrap();
    let store = fixture.open();
    assert!(!store.describe().writable);
    let result = patch(&store, json!({ "behaviour": { "showFooterHints": false } }));
    assert!(matches!(result, Err(EditError::NotSaved { .. })), "{result:?}");
    assert_eq!(fixture.text(), COMMENTED);
    assert!(store.current().behaviour.show_footer_hints);
    fs::set_permissions(fixture.path(), fs::Permissions::from_mode(0o644)).unwrap();
    patch(&store, json!({ "behaviour": { "showFooterHints": false } })).unwrap();
    assert!(!store.current().behaviour.show_footer_hints);
}

#[test]
fn nothing_is_left_of_a_save_that_failed() {
    let fixture = with_text(COMMENTED);
    let directory = fixture.path().with_file_name("config.json.before-reset");
    // The copy cannot be put where a directory is.
    fs::create_dir(&directory).unwrap();
    let result = apply(&fixture.open(), Edit::Reset);
    assert!(matches!(result, Err(EditError::NotSaved { .. })), "{result:?}");
    assert_eq!(fixture.text(), COMMENTED);
    assert_eq!(fs::read_dir(fixture.path().parent().unwrap()).unwrap().count(), 2);
}

#[test]
fn what_is_nested_without_end_is_a_fault_and_no_crash() {
    let fixture = with_text(&"[".repeat(200_000));
    assert_eq!(fixture.open().describe().notices[0].kind, "settingsInvalid");
}
