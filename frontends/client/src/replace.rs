//! A newer client takes an older daemon's place when nobody uses it (protocol §2).

use std::time::Duration;

use askd_wire::daemon::Status;
use askd_wire::method::{DaemonStatus, DaemonStop, Method};
use askd_wire::role::Role;
use serde_json::value::RawValue;

use crate::connector::establish;
use crate::error::ConnectError;
use crate::link::Link;
use crate::options::{Autostart, ConnectOptions};

/// For each of the two calls, and for the old daemon to go.
const PATIENCE: Duration = Duration::from_secs(5);

/// Gives a link to a daemon of this program's version where the older one was idle, else to the one there is.
pub(crate) async fn if_older_and_idle(options: &ConnectOptions, link: Link) -> Result<Link, ConnectError> {
    let may = options.replace_older && matches!(options.autostart, Autostart::Yes(_));
    if !may || !is_older(&link.server.server.version, &options.client.version) {
        return Ok(link);
    }
    let own = link.server.connection_id.clone();
    if let Ok(admin) = establish(options, &[Role::Admin], false).await
        && is_idle(&admin, &own).await
    {
        tracing::info!("replacing an older daemon that nobody uses");
        stop(&admin).await;
    }
    if link.is_alive() {
        return Ok(link);
    }
    establish(options, &options.roles, true).await
}

async fn is_idle(admin: &Link, own: &str) -> bool {
    let Some(reply) = call(admin, DaemonStatus::NAME).await else { return false };
    let Ok(status) = serde_json::from_str::<Status>(reply.get()) else { return false };
    let mine = [own, admin.server.connection_id.as_str()];
    status.open_forms == 0 && status.connections.iter().all(|c| mine.contains(&c.connection_id.as_str()))
}

async fn stop(admin: &Link) {
    if call(admin, DaemonStop::NAME).await.is_some() {
        // When it does not go in time it is still there to be used.
        let _ = tokio::time::timeout(PATIENCE, admin.ended()).await;
    }
}

async fn call(admin: &Link, method: &str) -> Option<Box<RawValue>> {
    let params = serde_json::value::to_raw_value(&askd_wire::Empty {}).ok()?;
    tokio::time::timeout(PATIENCE, admin.call(method, params)).await.ok()?.ok()
}

/// Whether one version comes before another; versions that are no numbers are never older.
pub(crate) fn is_older(theirs: &str, ours: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        let core = version.split(['-', '+']).next()?;
        core.split('.').map(|part| part.parse().ok()).collect()
    };
    match (numbers(theirs), numbers(ours)) {
        (Some(theirs), Some(ours)) => theirs < ours,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert!(is_older("0.9.0", "0.10.0"));
        assert!(is_older("0.1.0-rc.1", "0.1.1"));
        assert!(!is_older("0.1.0", "0.1.0"));
        assert!(!is_older("1.0.0", "0.10.0"));
        assert!(!is_older("unknown", "0.10.0"));
    }
}
