//! Settings files of other programs, as a patch of ours: the Pi extension's whose shape we share, and the
//! questionnaire's two small ones.

use askd_wire::settings::Notice;
use serde_json::{Map, Value, json};

use super::document::Document;
use super::{channels, keymaps, migrate, patch, shape};

/// What a file would change.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// A merge patch with the file's settings that anyone may set.
    pub patch: Value,
    /// A merge patch with what names a program or opens a door, to be shown and asked about; empty when there is
    /// none. It holds the whole list of channels where one of them is a program.
    pub doors: Value,
    /// What is left out, and why.
    pub notices: Vec<Notice>,
}

/// Reads another program's settings file.
///
/// # Errors
/// Why it is not usable, as the end of a sentence about the file.
pub fn read(bytes: &[u8]) -> Result<Import, String> {
    if let Some(patch) = questionnaire(bytes) {
        return Ok(Import { patch, doors: json!({}), notices: Vec::new() });
    }
    let document = Document::parse(bytes).map_err(|fault| fault.to_string())?;
    let mut values = migrate::to_current(&document.values, document.version);
    let mut notices = Vec::new();
    let mut leave_out = |kind: &str, text: String| notices.push(Notice { kind: kind.to_owned(), text });
    for name in channels::drop_unknown(&mut values) {
        leave_out(
            "channelUnknown",
            format!("Its `notifications.channels` name {name}, which is no channel."),
        );
    }
    if let Err(fault) = keymaps::read(values.get("keymaps").unwrap_or(&Value::Null)) {
        values.shift_remove("keymaps");
        let text = format!("Its keymaps are left out: `{}`: {}.", fault.key, fault.message);
        leave_out("keymapsInvalid", text);
    }
    let (mut patch, mut doors) = (Map::new(), Map::new());
    for key in shape::keys().iter().filter(|key| *key != shape::VERSION) {
        let Some(value) = shape::lookup(&values, key).filter(|value| !value.is_null()) else { continue };
        let is_door = patch::is_file_only(key) || patch::names_program(key, value);
        put(if is_door { &mut doors } else { &mut patch }, key, value.clone());
    }
    Ok(Import { patch: Value::Object(patch), doors: Value::Object(doors), notices })
}

/// `ask-questions.json` says where the tool is exposed, `qol.json` whether it is there at all.
fn questionnaire(bytes: &[u8]) -> Option<Value> {
    let values: Map<String, Value> = serde_json::from_slice(bytes).ok()?;
    if values.contains_key(shape::VERSION) {
        return None;
    }
    let expose = values.get("expose").filter(|expose| expose.is_string());
    let enabled = values.get("ask-questions").filter(|enabled| enabled.is_boolean());
    match (expose, enabled) {
        (None, None) => None,
        (Some(expose), None) => Some(json!({ "tool": { "expose": expose } })),
        (None, Some(enabled)) => Some(json!({ "tool": { "enabled": enabled } })),
        (Some(expose), Some(enabled)) => Some(json!({ "tool": { "expose": expose, "enabled": enabled } })),
    }
}

fn put(target: &mut Map<String, Value>, key: &str, value: Value) {
    match key.split_once('.') {
        None => {
            target.insert(key.to_owned(), value);
        }
        Some((section, rest)) => {
            let inner = target.entry(section).or_insert_with(|| Value::Object(Map::new()));
            if let Value::Object(inner) = inner {
                put(inner, rest, value);
            }
        }
    }
}
