//! Edits of the settings file by hand: in force and told to everyone within a second.

use std::sync::Arc;
use std::time::Duration;

use crate::config::SettingsStore;
use crate::registry::Registry;

/// Editors that delete the file before they write it anew have done so after this.
const GONE: Duration = Duration::from_millis(300);

/// Follows the file for as long as the daemon lives.
pub(super) async fn settings_file(settings: Arc<SettingsStore>, registry: Registry) {
    let mut watcher = match settings.watcher() {
        Ok(watcher) => watcher,
        Err(error) => {
            tracing::warn!(%error, "the settings file is not watched; edits by hand count from the next start");
            return;
        }
    };
    // What was written between reading the file and watching it.
    look(&settings, &registry).await;
    loop {
        watcher.changed().await;
        look(&settings, &registry).await;
    }
}

async fn look(settings: &SettingsStore, registry: &Registry) {
    let mut turn = settings.turn().await;
    if turn.has_vanished().await {
        drop(turn);
        tokio::time::sleep(GONE).await;
        turn = settings.turn().await;
    }
    let Some(edited) = turn.reload().await else { return };
    tracing::info!(changed = edited.changed.len(), "the settings file was edited by hand");
    if !edited.changed.is_empty()
        && let Err(error) = registry.announce_settings(edited.changed, &edited.settings).await
    {
        tracing::warn!(kind = error.kind.name(), "changed settings were not announced");
    }
}
