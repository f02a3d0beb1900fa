use std::ffi::OsString;

use askd_wire::settings::SettingSource;
use serde_json::json;

use super::{Fixture, patch};
use crate::config::{Overrides, SettingsStore, shape, variable};

fn env(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
    pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
}

fn open(fixture: &Fixture, pairs: &[(&str, &str)], flags: &[&str]) -> SettingsStore {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    SettingsStore::open_with(fixture.path(), Overrides::new(&env(pairs), &flags))
}

#[test]
fn flags_stand_above_the_environment_and_that_above_the_file() {
    let fixture =
        Fixture::with(&json!({ "schemaVersion": 5, "frontends": { "theme": "dark", "armingDelayMs": 1 } }));
    let pairs = [
        ("ASKD_FRONTENDS__THEME", "light"),
        ("ASKD_BEHAVIOUR__SHOW_FOOTER_HINTS", "false"),
        ("ASKD_KEYMAPS__MAIN__CONFIRM", "[\"ctrl+k\"]"),
        ("ASKD_SOCKET", "/s"),
        ("ASKD_LOG", "debug"),
    ];
    let store = open(&fixture, &pairs, &["frontends.theme=none"]);
    let described = store.describe();
    assert!(described.notices.is_empty(), "{:?}", described.notices);
    assert_eq!(described.settings.frontends.theme, askd_wire::settings::Theme::None);
    assert_eq!(described.settings.frontends.arming_delay_ms, 1);
    assert!(!described.settings.behaviour.show_footer_hints);
    assert_eq!(described.settings.keymaps["main"]["confirm"], ["ctrl+k"]);
    let source = |key: &str| described.sources[key];
    assert_eq!(source("frontends.theme"), SettingSource::Flag);
    assert_eq!(source("frontends.armingDelayMs"), SettingSource::File);
    assert_eq!(source("behaviour.showFooterHints"), SettingSource::Env);
    assert_eq!(source("keymaps.main.confirm"), SettingSource::Env);
    assert_eq!(source("keymaps.main.cancel"), SettingSource::Default);
}

#[test]
fn what_does_not_fit_is_left_out_and_named() {
    let pairs = [
        ("ASKD_BEHAVIOUR__SHOW_FOOTER_HINTS", "maybe"),
        ("ASKD_BEHAVIOUR__NOTHING", "true"),
        ("ASKD_NOTIFICATIONS__OPEN_COMMAND", "rm"),
        ("ASKD_LISTEN__ADDRESS", "127.0.0.1:1"),
        ("ASKD_NOTIFICATIONS__CHANNELS", "[{\"type\":\"command\",\"command\":\"x\"}]"),
        ("ASKD_KEYMAPS__MAIN__TOGGLE", "enter"),
    ];
    let described = open(&Fixture::empty(), &pairs, &["retention.days=soon", "nothing"]).describe();
    assert_eq!(*described.settings, askd_wire::settings::Settings::default());
    let named: Vec<&str> =
        described.notices.iter().map(|n| n.text.split(" is not used").next().unwrap()).collect();
    let mut expected: Vec<&str> = pairs.iter().map(|(name, _)| *name).collect();
    expected.extend(["--set retention.days", "--set nothing"]);
    assert_eq!(named, expected);
    assert_eq!(described.notices[0].kind, "settingsEnvironment");
    assert_eq!(described.notices[7].kind, "settingsFlag");
}

#[test]
fn a_fixed_key_is_saved_and_told_to_be_without_effect() {
    let fixture = Fixture::with(&json!({ "schemaVersion": 5 }));
    let store = open(&fixture, &[("ASKD_BEHAVIOUR__SHOW_FOOTER_HINTS", "true")], &[]);
    let wish = json!({ "behaviour": { "showFooterHints": false, "confirmDismissWhenDirty": false } });
    let edited = patch(&store, wish).unwrap();
    assert_eq!(edited.changed, ["behaviour.confirmDismissWhenDirty"]);
    assert_eq!(fixture.json()["behaviour"]["showFooterHints"], json!(false));
    assert!(store.current().behaviour.show_footer_hints);
    assert_eq!(edited.notices.len(), 1);
    let text = &edited.notices[0].text;
    assert!(
        text.contains("behaviour.showFooterHints") && text.contains("ASKD_BEHAVIOUR__SHOW_FOOTER_HINTS"),
        "{text}"
    );
    assert!(store.describe().notices.is_empty());
}

#[test]
fn every_key_has_a_variable_of_its_own() {
    let names: std::collections::BTreeSet<String> = shape::keys().iter().map(|key| variable(key)).collect();
    assert_eq!(names.len(), shape::keys().len());
    assert!(names.contains("ASKD_ANSWER__EXTRACTION_TIMEOUT_MS"));
}
