use serde_json::{Value, json};

use super::{Fixture, invalid_key, patch};
use crate::config::{Described, Edited};
use askd_wire::settings::{Channel, Notifications, SettingSource, default_keymaps};

fn read(keymaps: &Value) -> Described {
    let file = json!({ "schemaVersion": 5, "keymaps": keymaps, "behaviour": { "showFooterHints": false } });
    Fixture::with(&file).open().describe()
}

#[test]
fn names_are_read_in_any_spelling_and_told_in_one() {
    let described = read(
        &json!({ "main": { "confirm": ["Return", "enter"], "nextOption": "PGDN", "toggle": ["Shift+Control+K"] } }),
    );
    assert!(described.notices.is_empty(), "{:?}", described.notices);
    let main = &described.settings.keymaps["main"];
    assert_eq!(main["confirm"], ["enter"]);
    assert_eq!(main["nextOption"], ["pageDown"]);
    assert_eq!(main["toggle"], ["ctrl+shift+k"]);
    assert_eq!(main["cancel"], ["esc"]);
}

#[test]
fn bad_keymaps_leave_the_rest_of_the_file_in_force() {
    let cases = [
        (json!({ "main": { "confirm": "hyper+x" } }), "keymaps.main.confirm"),
        (json!({ "main": { "confirm": ["0"] } }), "keymaps.main.confirm"),
        (json!({ "main": { "confirm": [] } }), "keymaps.main.confirm"),
        (json!({ "main": { "confirm": [1] } }), "keymaps.main.confirm"),
        (json!({ "main": { "confirm": {} } }), "keymaps.main.confirm"),
        (json!({ "main": { "toggle": "enter" } }), "keymaps.main.toggle"),
        (json!({ "editor": { "close": "?" } }), "keymaps.editor.close"),
        (json!({ "noteEditor": { "save": "Ctrl+C" } }), "keymaps.noteEditor.save"),
        (json!({ "settingsModal": { "toggle": "esc" } }), "keymaps.settingsModal.toggle"),
        (json!({ "main": "enter" }), "keymaps.main"),
        (json!({ "confirm": "enter" }), "keymaps.confirm"),
        (json!("enter"), "keymaps"),
    ];
    for (keymaps, key) in cases {
        let described = read(&keymaps);
        assert_eq!(described.settings.keymaps, default_keymaps(), "{keymaps}");
        assert_eq!(described.notices.len(), 1, "{keymaps}");
        assert_eq!(described.notices[0].kind, "keymapsInvalid");
        assert!(described.notices[0].text.contains(&format!("`{key}`")), "{}", described.notices[0].text);
        assert!(!described.settings.behaviour.show_footer_hints, "{keymaps}");
        assert!(described.writable);
        assert_eq!(described.sources["keymaps.main.confirm"], SettingSource::Default);
    }
}

#[test]
fn the_list_of_settings_may_use_the_keys_of_the_form() {
    let described = read(&json!({ "settingsModal": { "close": ["q", "?", "ctrl+c"] } }));
    assert!(described.notices.is_empty());
    assert_eq!(described.settings.keymaps["settingsModal"]["close"], ["q", "?", "ctrl+c"]);
}

#[test]
fn a_patch_of_bad_keys_is_refused_and_one_of_something_else_is_not() {
    let fixture = Fixture::with(&json!({ "schemaVersion": 5, "keymaps": { "main": { "confirm": "3" } } }));
    let store = fixture.open();
    let refused = patch(&store, json!({ "keymaps": { "main": { "toggle": "enter" } } }));
    assert_eq!(invalid_key(refused), "keymaps.main.confirm");
    let Edited { changed, .. } = patch(&store, json!({ "notifications": { "enabled": false } })).unwrap();
    assert_eq!(changed, ["notifications.enabled"]);
    let mended =
        patch(&store, json!({ "keymaps": { "main": { "confirm": ["ctrl+k"], "toggle": "enter" } } }));
    assert_eq!(mended.unwrap().changed, ["keymaps.main.confirm", "keymaps.main.toggle"]);
    assert!(store.describe().notices.is_empty());
}

#[test]
fn an_old_file_that_uses_the_new_key_keeps_it() {
    let file = json!({ "schemaVersion": 4, "keymaps": { "main": { "optionNote": ["t"] } } });
    let described = Fixture::with(&file).open().describe();
    assert!(described.notices.is_empty(), "{:?}", described.notices);
    assert_eq!(described.settings.keymaps["main"]["optionNote"], ["t"]);
    assert_eq!(described.settings.keymaps["main"]["changeQuestionType"], ["shift+t"]);
    let flat =
        json!({ "schemaVersion": 2, "keymaps": { "cancel": "?" }, "notifications": { "enabled": false } });
    let described = Fixture::with(&flat).open().describe();
    assert_eq!(described.notices[0].kind, "keymapsInvalid");
    assert!(described.settings.notifications.enabled);
}

#[test]
fn an_unknown_channel_is_left_out_and_named() {
    let channels = json!(["pager", "osc9", { "type": "mail" }, { "type": "command", "command": " " }]);
    let file = json!({ "schemaVersion": 5, "notifications": { "channels": channels } });
    let fixture = Fixture::with(&file);
    let described = fixture.open().describe();
    assert_eq!(serde_json::to_value(&described.settings.notifications.channels).unwrap(), json!(["osc9"]));
    let texts: Vec<&str> = described.notices.iter().map(|notice| notice.text.as_str()).collect();
    assert_eq!(texts.len(), 3);
    assert!(
        texts[0].contains("`pager`") && texts[1].contains("`mail`") && texts[2].contains("without a command")
    );
    patch(&fixture.open(), json!({ "notifications": { "enabled": false } })).unwrap();
    assert_eq!(fixture.json()["notifications"]["channels"], channels);
}

#[test]
fn without_a_known_channel_the_default_ones_are_used() {
    let default: Vec<Channel> = Notifications::default().channels;
    for channels in [json!([]), json!(["pager"])] {
        let file = json!({ "schemaVersion": 5, "notifications": { "channels": channels } });
        let described = Fixture::with(&file).open().describe();
        assert_eq!(described.settings.notifications.channels, default);
        assert_eq!(described.sources["notifications.channels"], SettingSource::Default);
    }
}
