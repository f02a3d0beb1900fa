//! Coming back after a lost connection, in the background and without an end.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::client::{Connection, Shared, State};
use crate::connector::establish;
use crate::find::read_lock;
use crate::link::{Ending, Link};

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LAST_PAUSE: Duration = Duration::from_secs(1);
/// After a crash, how long others (a service manager, a person) may bring the daemon back before this
/// client does, and how long between its own efforts.
const GRACE: Duration = Duration::from_secs(3);

/// Watches one connection after the other for as long as the task lives.
pub(crate) async fn supervise(shared: Arc<Shared>, mut link: Arc<Link>) {
    let mut generation = 1;
    loop {
        let ending = link.ended().await;
        tracing::debug!(?ending, "connection lost");
        publish_absence(&shared, 0, None);
        link = Arc::new(come_back(&shared, ending).await);
        generation += 1;
        let connection = Connection::Connected { generation, server: Arc::new(link.server.clone()) };
        shared.state.send_replace(State { link: Some(Arc::clone(&link)), connection });
    }
}

async fn come_back(shared: &Shared, ending: Ending) -> Link {
    let mut pause = FIRST_PAUSE;
    let mut next_start = Instant::now() + GRACE;
    let mut attempts = 0;
    loop {
        // A daemon that was asked to stop stays stopped: reconnecting is no reason to start it.
        let may_start = ending == Ending::Broken
            && Instant::now() >= next_start
            && has_crashed(&shared.options.place.lock_file());
        match establish(&shared.options, &shared.options.roles, may_start).await {
            Ok(link) => return link,
            Err(error) => {
                attempts += 1;
                publish_absence(shared, attempts, Some(error.to_string()));
            }
        }
        if may_start {
            next_start = Instant::now() + GRACE;
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LAST_PAUSE);
    }
}

/// Whether the last daemon of the place went without a farewell: one that stops empties its lock file.
fn has_crashed(lock_file: &Path) -> bool {
    read_lock(lock_file).is_some()
}

fn publish_absence(shared: &Shared, attempts: u32, why: Option<String>) {
    let connection = Connection::Reconnecting { attempts, why };
    shared.state.send_replace(State { link: None, connection });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_daemon_that_stopped_leaves_an_empty_lock_file_and_a_crashed_one_does_not() {
        let temp = tempfile::tempdir().unwrap();
        let lock = temp.path().join("daemon.lock");
        assert!(!has_crashed(&lock));
        let contents = r#"{"pid":1,"socket":"/s","instanceId":"i","version":"0.1.0"}"#;
        std::fs::write(&lock, contents).unwrap();
        assert!(has_crashed(&lock));
        std::fs::write(&lock, "").unwrap();
        assert!(!has_crashed(&lock));
    }
}
