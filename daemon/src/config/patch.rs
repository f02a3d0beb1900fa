//! What an edit makes of the file's values, and which edits only a person with an editor may make.

use askd_wire::settings::{SCHEMA_VERSION, SettingSource};
use serde_json::{Map, Value, json};

use super::layers::{self, Layer};
use super::{EditError, channels, shape};

/// Keys that name a program or open a door: changed in the file only (protocol §6).
const FILE_ONLY: [&str; 4] =
    ["notifications.openCommand", "listen.address", "listen.origins", "listen.hosts"];
const CHANNELS: &str = channels::KEY;
const KEYMAPS: &str = "keymaps";

/// Whether a key is read from the file only.
pub(super) fn is_file_only(key: &str) -> bool {
    FILE_ONLY.contains(&key)
}

/// Whether a list of channels names a program to run.
pub(super) fn names_program(key: &str, value: &Value) -> bool {
    key == CHANNELS && value.as_array().is_some_and(|channels| channels.iter().any(Value::is_object))
}

/// The file's values after a merge patch. Unknown keys of the patch are ignored, unknown keys of the file stay.
/// `by_hand` tells that the person was shown and asked, so that programs and doors may be named as well.
///
/// # Errors
/// [`EditError::Invalid`] and [`EditError::FileOnly`].
pub(super) fn apply(
    file: &Map<String, Value>,
    patch: &Value,
    by_hand: bool,
) -> Result<Map<String, Value>, EditError> {
    let Value::Object(patch) = patch else {
        return Err(invalid("patch", "expected an object with the settings to change"));
    };
    if !by_hand {
        check_file_only(file, patch)?;
    }
    match patch.get(shape::VERSION) {
        None | Some(Value::Null) => {}
        Some(version) if *version == json!(SCHEMA_VERSION) => {}
        Some(_) => {
            return Err(invalid(shape::VERSION, &format!("the only version is {SCHEMA_VERSION}")));
        }
    }
    let mut patch = patch.clone();
    patch.shift_remove(shape::VERSION);
    check_values(&patch)?;
    let mut after = file.clone();
    merge(&mut after, &patch, shape::known());
    Ok(after)
}

/// The file's values without any known setting but the version.
pub(super) fn reset(file: &Map<String, Value>) -> Map<String, Value> {
    let mut after = file.clone();
    remove_known(&mut after, shape::known());
    after.shift_remove(KEYMAPS);
    if file.contains_key(shape::VERSION) {
        after = shape::with_version(after);
    }
    after
}

/// The dotted keys that a patch names.
pub(super) fn keys(patch: &Value) -> Vec<String> {
    let named = |key: &String| shape::lookup_value(patch, key).is_some();
    shape::keys().into_iter().filter(named).collect()
}

/// A wish is judged more strictly than a file: what a file's reader leaves out with a notice is refused here.
fn check_values(patch: &Map<String, Value>) -> Result<(), EditError> {
    let mut values = without_nulls(patch);
    // Keys agree or disagree with the others in the file, so keymaps are judged after the merge.
    if let Some(keymaps) = values.shift_remove(KEYMAPS)
        && !keymaps.is_object()
    {
        return Err(invalid(KEYMAPS, "expected an object with a context like \"main\" for each place"));
    }
    let alone = Layer { name: String::new(), source: SettingSource::File, values };
    match layers::in_force(&[alone]) {
        Ok(_) => Ok(()),
        Err(fault) => Err(invalid(&fault.key, &fault.message)),
    }
}

fn without_nulls(values: &Map<String, Value>) -> Map<String, Value> {
    let kept = values.iter().filter(|(_, value)| !value.is_null()).map(|(key, value)| match value {
        Value::Object(inner) => (key.clone(), Value::Object(without_nulls(inner))),
        value => (key.clone(), value.clone()),
    });
    kept.collect()
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

/// Works `patch` into `target`, for the keys of `known` only. A section that is taken out whole goes when nothing
/// unknown is in it.
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
                let is_new = !target.contains_key(key);
                let entry = target.entry(key.clone()).or_insert_with(|| Value::Object(Map::new()));
                if !entry.is_object() {
                    *entry = Value::Object(Map::new());
                }
                if let Value::Object(entry) = entry {
                    merge(entry, inner, section);
                }
                if is_new {
                    drop_empty(target, key);
                }
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
