//! Edits by hand, as the daemon follows them.

use std::os::unix::fs::symlink;
use std::time::Duration;

use serde_json::json;

use super::{Fixture, fs, runtime};
use crate::config::{Edit, Edited, SettingsStore, Watcher};

/// Far longer than a change takes to be seen, on a machine that is busy.
const SOON: Duration = Duration::from_secs(20);

async fn next(store: &SettingsStore, watcher: &mut Watcher) -> Edited {
    let found = async {
        loop {
            watcher.changed().await;
            if let Some(edited) = store.turn().await.reload().await {
                return edited;
            }
        }
    };
    tokio::time::timeout(SOON, found).await.expect("the change is seen")
}

fn hints(shown: bool) -> String {
    json!({ "schemaVersion": 5, "behaviour": { "showFooterHints": shown } }).to_string()
}

#[test]
fn a_file_is_followed_however_it_is_written() {
    let fixture = Fixture::empty();
    runtime().block_on(async {
        let store = fixture.open();
        let mut watcher = store.watcher().unwrap();
        // Not even the directory was there.
        fixture.write(&hints(false));
        assert_eq!(next(&store, &mut watcher).await.changed, ["behaviour.showFooterHints"]);
        fixture.write(&hints(true));
        assert!(next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
        // As editors do that write beside the file and rename.
        let beside = fixture.path().with_file_name("config.json~");
        fs::write(&beside, hints(false)).unwrap();
        fs::rename(&beside, fixture.path()).unwrap();
        assert!(!next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
        // Its directory is moved away and another one takes the place.
        let directory = fixture.path().parent().unwrap().to_owned();
        fs::rename(&directory, directory.with_file_name("old")).unwrap();
        fixture.write(&hints(true));
        assert!(next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
        fixture.write(&hints(false));
        assert!(!next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
        fs::remove_file(fixture.path()).unwrap();
        assert!(next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
    });
}

#[test]
fn behind_a_link_the_real_file_is_followed_and_the_link_too() {
    let fixture = Fixture::empty();
    let dotfiles = fixture.dir.path().join("dotfiles");
    fs::create_dir_all(&dotfiles).unwrap();
    fs::create_dir_all(fixture.path().parent().unwrap()).unwrap();
    fs::write(dotfiles.join("a"), hints(true)).unwrap();
    fs::write(dotfiles.join("b"), hints(false)).unwrap();
    symlink(dotfiles.join("a"), fixture.path()).unwrap();
    runtime().block_on(async {
        let store = fixture.open();
        let mut watcher = store.watcher().unwrap();
        fs::write(dotfiles.join("a"), hints(false)).unwrap();
        assert!(!next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
        fs::write(dotfiles.join("c"), hints(true)).unwrap();
        let new = fixture.path().with_file_name("new");
        symlink(dotfiles.join("c"), &new).unwrap();
        fs::rename(&new, fixture.path()).unwrap();
        assert!(next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
        fs::write(dotfiles.join("c"), hints(false)).unwrap();
        assert!(!next(&store, &mut watcher).await.settings.behaviour.show_footer_hints);
    });
}

#[test]
fn a_half_written_file_is_not_taken_and_what_was_in_force_still_is() {
    let fixture = Fixture::empty();
    fixture.write(&hints(false));
    runtime().block_on(async {
        let store = fixture.open();
        for half in ["", "{ \"schemaVersion\": 5, \"beh", "{ \"schemaVersion\": 5, \"behaviour\": 1 }"] {
            fixture.write(half);
            let edited = store.turn().await.reload().await.unwrap();
            assert!(edited.changed.is_empty(), "{half}");
            assert!(!store.current().behaviour.show_footer_hints);
            let described = store.describe();
            assert!(!described.writable && described.notices[0].text.contains("still"), "{described:?}");
            assert!(store.turn().await.reload().await.is_none());
        }
        fixture.write(&hints(true));
        let edited = store.turn().await.reload().await.unwrap();
        assert_eq!(edited.changed, ["behaviour.showFooterHints"]);
        assert!(store.describe().notices.is_empty());
    });
}

#[test]
fn a_save_of_our_own_is_no_edit_by_hand() {
    let fixture = Fixture::empty();
    runtime().block_on(async {
        let store = fixture.open();
        let wish = json!({ "behaviour": { "showFooterHints": false } });
        store.turn().await.apply(Edit::Patch(wish)).await.unwrap();
        assert!(store.turn().await.reload().await.is_none());
        store.turn().await.apply(Edit::Reset).await.unwrap();
        assert!(store.turn().await.reload().await.is_none());
    });
}
