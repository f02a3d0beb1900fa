//! `ask stop`: the daemon goes, the forms stay.

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use askd_client::{Client, ConnectError};
use askd_wire::Empty;
use askd_wire::method::DaemonStop;
use askd_wire::place::LockContents;
use askd_wire::role::Role;
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// How long a daemon may take to go.
const PATIENCE: Duration = Duration::from_secs(15);
const PAUSE: Duration = Duration::from_millis(5);

/// Stop the daemon; open forms stay open
#[derive(Debug, Args)]
pub(crate) struct Stop {}

impl Stop {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = match Client::connect(context.options(&[Role::Admin])).await {
            Ok(client) => client,
            Err(ConnectError::NotRunning { .. }) => {
                context.out.value(&json!({ "stopped": false }))?;
                context.out.say("The askd daemon is not running.")?;
                return Ok(Exit::Done);
            }
            Err(error) => return Err(error.into()),
        };
        let Some(server) = client.server() else { return Ok(Exit::Done) };
        match client.call::<DaemonStop>(Empty {}).await {
            Ok(_) => {}
            // It may be gone before its reply is.
            Err(error) if error.is_connection() => {}
            Err(error) => return Err(error.into()),
        }
        drop(client);
        if !is_gone(&context.place.lock_file(), &server.instance_id).await {
            return Err(Failure::Other(format!(
                "The daemon was told to stop and has not ended within {} s. See its log {}, or end its process by hand.",
                PATIENCE.as_secs(),
                context.place.log_file().display()
            )));
        }
        context.out.value(&json!({ "stopped": true }))?;
        context.out.say("Stopped. Open forms stay open for the next start.")?;
        Ok(Exit::Done)
    }
}

/// Waits until the daemon let its lock go. The lock is looked at only after its contents say so: a look at a
/// free lock could be in the way of a daemon that starts at that very moment.
async fn is_gone(lock: &Path, instance: &str) -> bool {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        let contents: Option<LockContents> =
            std::fs::read(lock).ok().and_then(|text| serde_json::from_slice(&text).ok());
        match contents {
            Some(contents) if contents.instance_id == instance => {}
            // Another one has it already.
            Some(_) => return true,
            None if is_free(lock) => return true,
            None => {}
        }
        tokio::time::sleep(PAUSE).await;
    }
    false
}

fn is_free(lock: &Path) -> bool {
    match File::open(lock) {
        Ok(file) => file.try_lock_shared().is_ok(),
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_daemon_is_gone_when_its_lock_is() {
        let temp = tempfile::tempdir().unwrap();
        let lock = temp.path().join("daemon.lock");
        assert!(is_gone(&lock, "i").await, "no lock file");

        let contents = |instance: &str| {
            json!({ "pid": 1, "socket": "/s", "instanceId": instance, "version": "1" }).to_string()
        };
        std::fs::write(&lock, contents("other")).unwrap();
        assert!(is_gone(&lock, "i").await, "the next one holds it");

        std::fs::write(&lock, contents("i")).unwrap();
        let held = File::open(&lock).unwrap();
        held.lock().unwrap();
        let going = async {
            std::fs::write(&lock, "").unwrap();
            tokio::time::sleep(PAUSE * 3).await;
            let still_held = !is_free(&lock);
            drop(held);
            still_held
        };
        let (gone, still_held) = tokio::join!(is_gone(&lock, "i"), going);
        assert!(gone && still_held);
    }
}
