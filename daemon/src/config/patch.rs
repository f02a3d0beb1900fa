//! What an edit makes of the file's values, and which edits only a person with an editor may make.

use askd_wire::settings::{SCHEMA_VERSION, Settings};
use serde_json::{Map, Value, json};

use super::{EditError, load, shape};

/// Keys that name a program or open a door: changed in the file only (protocol §6).
const FILE_ONLY: [&str; 4] =
    ["notifications.openCommand", "listen.address", "listen.origins", "listen.hosts"];
const CHANNELS: &str = "notifications.channels";

/// The file's values after a merge patch, and the settings they give. Unknown keys of the patch are
/// ignored, unknown keys of the file stay.
///
/// # Errors
/// [`EditError::Invalid`] and [`EditError::FileOnly`].
pub(super) fn apply(
    file: &Map<String, Value>,
    patch: &Value,
) -> Result<(Map<String, Value>, Settings), EditError> {
    let Value::Object(patch) = patch else {
        return Err(invalid("patch", "expected an object with the settings to change"));
    };
    check_file_only(file, patch)?;
    match patch.get(shape::VERSION) {
        None | Some(Value::Null) => {}
        Some(version) if *version == json!(SCHEMA_VERSION) => {}
        Some(_) => {
            return Err(invalid(shape::VERSION, &format!("the only version is {SCHEMA_VERSION}")));
        }
    }
    let mut after = file.clone();
    let mut patch = patch.clone();
    patch.shift_remove(shape::VERSION);
    merge(&mut after, &patch, shape::known());
    with_settings(after)
}

/// The file's values without any known setting but the version, and the settings they give.
pub(super) fn reset(file: &Map<String, Value>) -> Result<(Map<String, Value>, Settings), EditError> {
    let mut after = file.clone();
    remove_known(&mut after, shape::known());
    if file.contains_key(shape::VERSION) {
        after = shape::with_version(after);
    }
    with_settings(after)
}

fn with_settings(values: Map<String, Value>) -> Result<(Map<String, Value>, Settings), EditError> {
    let settings = load::in_force(&values).map_err(|(key, message)| EditError::Invalid { key, message })?;
    Ok((values, settings))
}

fn invalid(key: &str, message: &str) -> EditError {
    EditError::Invalid { key: key.to_owned(), message: message.to_owned() }
}

fn check_file_only(file: &Map<String, Value>, patch: &Map<String, Value>) -> Result<(), EditError> {
    let refused = |key: &str| Err(EditError::FileOnly(key.to_owned()));
    if patch.contains_key("listen") {
        let key = FILE_ONLY.iter().skip(1).find(|key| shape::lookup(patch, key).is_some());
        return refused(key.copied().unwrap_or("listen"));
    }
    if shape::lookup(patch, FILE_ONLY[0]).is_some() {
        return refused(FILE_ONLY[0]);
    }
    let removes_section = patch.get("notifications") == Some(&Value::Null);
    if removes_section && shape::lookup(file, FILE_ONLY[0]).is_some() {
        return refused(FILE_ONLY[0]);
    }
    // A list that only keeps the programs the file already names gives nothing away; a frontend
    // sends it so when it turns another channel on or off.
    let commands = |values| match shape::lookup(values, CHANNELS) {
        Some(Value::Array(channels)) => channels.iter().filter(|c| c.is_object()).collect(),
        _ => Vec::new(),
    };
    let known = commands(file);
    if commands(patch).into_iter().any(|channel| !known.contains(&channel)) {
        return refused(CHANNELS);
    }
    Ok(())
}

/// Works `patch` into `target`, for the keys of `known` only. Sections that become empty go.
fn merge(target: &mut Map<String, Value>, patch: &Map<String, Value>, known: &Map<String, Value>) {
    for (key, value) in patch {
        let Some(shape) = known.get(key) else { continue };
        match (value, shape) {
            (Value::Null, Value::Object(section)) => {
                remove_section(target, key, section);
            }
            (Value::Null, _) => {
                target.shift_remove(key);
            }
            (Value::Object(inner), Value::Object(section)) => {
                let entry = target.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(entry) = entry {
                    merge(entry, inner, section);
                }
                drop_empty(target, key);
            }
            _ => {
                target.insert(key.clone(), value.clone());
            }
        }
    }
}

fn remove_known(target: &mut Map<String, Value>, known: &Map<String, Value>) {
    for (key, shape) in known {
        match shape {
            Value::Object(section) => remove_section(target, key, section),
            _ => {
                target.shift_remove(key);
            }
        }
    }
}

fn remove_section(target: &mut Map<String, Value>, key: &str, section: &Map<String, Value>) {
    if let Some(Value::Object(inner)) = target.get_mut(key) {
        remove_known(inner, section);
    }
    drop_empty(target, key);
}

fn drop_empty(target: &mut Map<String, Value>, key: &str) {
    if target.get(key).and_then(Value::as_object).is_some_and(Map::is_empty) {
        target.shift_remove(key);
    }
}
