//! Settings that name a program or open a door: written into the file itself, after the person has seen them and
//! said yes on a terminal. The daemon takes them from there and from nowhere else (protocol §6).

use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

use askd::config::{Edit, EditError, SettingsStore};
use askd_client::{CallError, Client};
use askd_form::safe_text;
use askd_wire::method::SettingsGet;
use askd_wire::settings::SettingsState;
use askd_wire::{Empty, ErrorKind};
use serde_json::Value;

use super::change::Change;
use crate::context::Context;
use crate::failure::Failure;

/// The daemon has read the file again after this.
const IN_FORCE: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Whether the daemon refused a patch because it names a program or opens a door.
pub(super) fn is_door(error: &CallError) -> bool {
    matches!(error, CallError::Rpc(rpc) if rpc.kind == ErrorKind::NotAllowed && rpc.data.contains_key("key"))
}

/// Refuses where no person can be asked.
pub(super) fn check_person(context: &Context, what: &str, file: &str) -> Result<(), Failure> {
    if let Some(marker) = &context.agent {
        return Err(Failure::Other(format!(
            "{what} names a program or opens a door, which only a person may set, and {marker} in the environment says that an agent runs this. Leave it to the person, in a terminal of their own."
        )));
    }
    if is_attended() {
        return Ok(());
    }
    Err(Failure::Other(format!(
        "{what} names a program or opens a door and is set on a terminal only, where you are shown what it does and asked. Run the command there, or edit {file}."
    )))
}

/// Whether a person can be shown something and asked.
pub(super) fn is_attended() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows changes and asks; false for everything but a yes.
pub(super) fn confirm(
    context: &Context,
    intro: &str,
    changes: &[Change],
    file: &str,
) -> Result<bool, Failure> {
    context.out.remark(intro);
    for change in changes {
        context.out.remark(&format!("  {change}"));
    }
    let question = format!("Write this to {file}? [y/N] ");
    let failed = |error: std::io::Error| {
        Failure::Other(format!("The question could not be asked: {error}. Edit {file} instead."))
    };
    let mut stderr = std::io::stderr();
    stderr.write_all(safe_text::line(&question).as_bytes()).and_then(|()| stderr.flush()).map_err(failed)?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).map_err(failed)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Writes a patch into the settings file and waits until the daemon has it in force.
pub(super) async fn write(
    context: &Context,
    client: &Client,
    state: &SettingsState,
    patch: Value,
) -> Result<SettingsState, Failure> {
    let store = SettingsStore::open(PathBuf::from(&state.file));
    store.turn().await.apply(Edit::ByHand(patch)).await.map_err(|error| match error {
        EditError::Invalid { .. } => Failure::Invalid(error.to_string()),
        EditError::FileOnly(_) | EditError::NotSaved { .. } => Failure::Other(error.to_string()),
    })?;
    let wanted = store.current();
    let end = tokio::time::Instant::now() + IN_FORCE;
    loop {
        let now = client.call::<SettingsGet>(Empty {}).await?;
        if now.settings == *wanted {
            return Ok(now);
        }
        if tokio::time::Instant::now() >= end {
            let file = &state.file;
            context.out.remark(&format!(
                "ask: saved in {file}, but the daemon does not follow it. See `ask doctor`, or restart it with `ask stop`."
            ));
            return Ok(now);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}
