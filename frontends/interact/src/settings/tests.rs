use super::*;
use crate::interaction::{Key, KeyPress, Keymap};

const START: Duration = Duration::from_secs(100);

fn list() -> SettingsList {
    SettingsList::new(Facts { on: vec![Toggle::ConfirmDismiss], writable: true, ..Facts::default() })
}

fn press(list: &mut SettingsList, name: &str) -> Outcome {
    press_at(list, name, START)
}

fn press_at(list: &mut SettingsList, name: &str, now: Duration) -> Outcome {
    let press = KeyPress::new(Key::parse(name).unwrap());
    list.on(action(&Keymap::default(), &press), now, false)
}

fn on_reset() -> SettingsList {
    let mut list = list();
    press(&mut list, "end");
    assert_eq!(list.row(), Row::Reset);
    list
}

#[test]
fn the_cursor_stops_at_the_ends() {
    let mut list = list();
    press(&mut list, "up");
    assert_eq!(list.row(), Row::Toggle(TOGGLES[0]));
    for _ in 0..TOGGLES.len() + 3 {
        press(&mut list, "down");
    }
    assert_eq!((list.row(), list.position()), (Row::Reset, TOGGLES.len()));
    assert_eq!(SettingsList::rows().count(), TOGGLES.len() + 1);
}

#[test]
fn a_toggle_shows_at_once_and_is_put_back_when_it_was_not_saved() {
    let mut list = list();
    assert_eq!(press(&mut list, "space"), Outcome::Saves(Wish::Set(Toggle::AutoSubmit, true)));
    assert!(list.is_on(Toggle::AutoSubmit));
    // Pressed again before the first was saved: the newest wish shows.
    assert_eq!(press(&mut list, "enter"), Outcome::Saves(Wish::Set(Toggle::AutoSubmit, false)));
    assert!(!list.is_on(Toggle::AutoSubmit));
    list.saved(Facts { on: vec![Toggle::AutoSubmit], ..Facts::default() }, None);
    assert!(!list.is_on(Toggle::AutoSubmit));
    list.refused("the disk is full");
    assert!(list.is_on(Toggle::AutoSubmit));
    assert_eq!(list.said(), Some(&Said::NotSaved("the disk is full".to_owned())));
    press(&mut list, "down");
    assert_eq!(list.said(), None);
}

#[test]
fn the_reset_needs_two_presses_within_a_short_time() {
    let mut list = on_reset();
    assert_eq!(press(&mut list, "enter"), Outcome::Stays);
    assert_eq!(list.said(), Some(&Said::ResetAgain));
    assert_eq!(press_at(&mut list, "enter", START + CONFIRM), Outcome::Saves(Wish::Reset));
    list.saved(Facts::default(), None);
    assert_eq!(list.said(), Some(&Said::WasReset));

    let mut list = on_reset();
    press(&mut list, "enter");
    let late = START + CONFIRM + Duration::from_millis(1);
    assert_eq!(press_at(&mut list, "enter", late), Outcome::Stays);
    assert_eq!(press_at(&mut list, "space", late), Outcome::Saves(Wish::Reset));
}

#[test]
fn another_key_between_ends_the_reset() {
    let mut list = on_reset();
    press(&mut list, "enter");
    press(&mut list, "x");
    assert_eq!(press(&mut list, "enter"), Outcome::Stays);
}

#[test]
fn a_held_key_moves_and_does_nothing_else() {
    let mut list = on_reset();
    press(&mut list, "enter");
    assert_eq!(list.on(SettingsAction::Toggle, START, true), Outcome::Stays);
    assert_eq!(list.on(SettingsAction::Close, START, true), Outcome::Stays);
    assert_eq!(list.on(SettingsAction::Toggle, START, false), Outcome::Saves(Wish::Reset));
    list.on(SettingsAction::Previous, START, true);
    assert_eq!(list.position(), TOGGLES.len() - 1);
}

#[test]
fn every_default_closing_key_closes() {
    for key in ["esc", "ctrl+c", "?"] {
        assert_eq!(press(&mut list(), key), Outcome::Closed, "{key}");
    }
}

#[test]
fn what_changes_elsewhere_shows_unless_a_wish_is_on_its_way() {
    let mut list = list();
    list.told_on(vec![Toggle::Privacy]);
    assert!(list.is_on(Toggle::Privacy) && !list.is_on(Toggle::ConfirmDismiss));
    press(&mut list, "enter");
    list.told_on(vec![]);
    assert!(list.is_on(Toggle::AutoSubmit));
}
