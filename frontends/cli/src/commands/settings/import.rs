//! `ask settings import`: another program's settings, taken over after a look at them.

use std::path::Path;

use askd::config::import;
use askd_wire::Empty;
use askd_wire::method::{SettingsGet, SettingsPatch};
use askd_wire::settings::PatchParams;
use serde_json::{Map, Value};

use super::change::changes;
use super::doors;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

pub(super) async fn run(context: &Context, path: &Path) -> Result<Exit, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).map_err(|error| {
        Failure::Other(format!("{shown} cannot be read: {error}. See that it exists and is yours to read."))
    })?;
    let found =
        import::read(&bytes).map_err(|why| Failure::Invalid(format!("{shown} cannot be imported: {why}")))?;
    for notice in &found.notices {
        context.out.remark(&format!("ask: {}", notice.text));
    }
    let client = context.frontend().await?;
    let state = client.call::<SettingsGet>(Empty {}).await?;
    let attended = context.agent.is_none() && doors::is_attended();
    let mut patch = found.patch;
    let mut with_doors = !changes(&state, &found.doors).is_empty();
    if with_doors && !attended {
        for change in changes(&state, &found.doors) {
            context.out.remark(&format!(
                "ask: left out, as it names a program or opens a door and nobody can be asked here: {change}"
            ));
        }
        with_doors = false;
    }
    if with_doors {
        merge(&mut patch, found.doors);
    }
    let changes = changes(&state, &patch);
    if changes.is_empty() {
        context.out.say("Nothing to import: the settings are so already.")?;
        context.out.value(&state.settings)?;
        return Ok(Exit::Done);
    }
    let intro = format!("{shown} changes these settings:");
    if attended && !doors::confirm(context, &intro, &changes, &state.file)? {
        context.out.remark("Nothing was changed.");
        return Ok(Exit::Cancelled);
    }
    let after = if with_doors {
        doors::write(context, &client, &state, patch).await?
    } else {
        client.call::<SettingsPatch>(PatchParams { patch, revision: Some(state.revision) }).await?
    };
    super::tell_notices(context, &after);
    context.out.value(&after.settings)?;
    let count = changes.len();
    let settings = if count == 1 { "One setting".to_owned() } else { format!("{count} settings") };
    context.out.say(&format!("{settings} taken over from {shown} into {}.", after.file))?;
    Ok(Exit::Done)
}

/// Lays one patch over another; sections are merged.
fn merge(below: &mut Value, above: Value) {
    match (below, above) {
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                merge(below.entry(key).or_insert_with(|| Value::Object(Map::new())), value);
            }
        }
        (below, above) => *below = above,
    }
}
