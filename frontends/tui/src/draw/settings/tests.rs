use askd_interact::settings::{Row, Said, Wish};
use askd_wire::settings::{SettingSource, Settings, SettingsState};
use serde_json::json;

use crate::app::{App, settings_patch};
use crate::draw::tests::{ask, pictures, pictures_after, press};

fn state() -> SettingsState {
    SettingsState {
        settings: Settings::default(),
        revision: 3,
        file: "/home/ann/.config/askd/config.json".to_owned(),
        writable: true,
        notices: vec![],
        sources: Default::default(),
    }
}

fn open(state: SettingsState) -> App {
    let mut app = ask(&json!({ "questions": [
        { "id": "db", "prompt": "Which database?", "options": [{ "value": "pg", "label": "PostgreSQL" }] },
    ] }));
    app.open_settings();
    app.pane.as_mut().unwrap().answered(&Ok(Box::new(state)), false);
    app
}

fn faulty() -> SettingsState {
    let text = "The keymaps in /home/ann/.config/askd/config.json are not used; the default keys are in force: `keymaps.main.toggle`: `enter` is the key of main.confirm as well. Correct it in the file.";
    SettingsState {
        notices: vec![askd_wire::settings::Notice {
            kind: "keymapsInvalid".to_owned(),
            text: text.to_owned(),
        }],
        writable: false,
        sources: [("behaviour.showFooterHints".to_owned(), SettingSource::Env)].into_iter().collect(),
        ..state()
    }
}

fn refused(mut app: App) -> App {
    press(&mut app, "down down down space");
    let why = "The settings in /home/ann/.config/askd/config.json were not saved: writing failed: No space left on device. Check the space on its disk.";
    app.pane.as_mut().unwrap().answered(&Err(why.to_owned()), true);
    app
}

#[test]
fn the_list() {
    pictures("settings", || open(state()));
}

#[test]
fn the_reset_waiting_for_its_second_press() {
    pictures_after("settings-reset", || open(state()), "end enter");
}

#[test]
fn a_change_that_was_put_back() {
    pictures("settings-refused", || refused(open(faulty())));
}

#[test]
fn the_faults_at_the_end() {
    pictures_after("settings-notices", || open(faulty()), "end pageDown");
}

#[test]
fn keys_go_to_the_list_until_it_is_closed() {
    let mut app = open(state());
    press(&mut app, "down space");
    let pane = app.pane.as_ref().unwrap();
    assert!(!pane.list.is_on(askd_interact::settings::Toggle::ConfirmDismiss));
    assert!(app.work().pages()[0].answer.values.is_empty());
    press(&mut app, "esc");
    assert!(app.pane.is_none() && !app.work().leaving());
}

#[test]
fn a_wish_is_a_patch_of_its_key_alone() {
    let wish = Wish::Set(askd_interact::settings::Toggle::Privacy, true);
    assert_eq!(settings_patch(wish), Some(json!({ "notifications": { "privacy": true } })));
    assert_eq!(settings_patch(Wish::Reset), None);
}

#[test]
fn what_fails_says_why() {
    let app = refused(open(state()));
    let list = &app.pane.as_ref().unwrap().list;
    assert!(matches!(list.said(), Some(Said::NotSaved(why)) if why.contains("No space")));
    assert!(matches!(list.row(), Row::Toggle(toggle) if list.is_on(toggle)));
}
