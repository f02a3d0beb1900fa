//! What a file of an older version means in the present shape. Nothing is written: a file stays as old as it is
//! until it is saved.

use askd_form::key::Key;
use askd_wire::settings::SCHEMA_VERSION;
use serde_json::{Map, Value, json};

use super::shape;

/// Since when `notifications` exists.
const NOTIFICATIONS: u32 = 3;
/// Since when keys are named by context.
const CONTEXTS: u32 = 4;
/// Since when there is a key for the question's type, and `presentSingleAsMulti`.
const TYPES: u32 = 5;

/// Where each key of the flat keymaps went.
const FLAT: [(&str, &[(&str, &str)]); 6] = [
    ("confirm", &[("main", "confirm"), ("editor", "submit"), ("noteEditor", "save")]),
    ("cancel", &[("main", "cancel"), ("editor", "close"), ("noteEditor", "close")]),
    ("dismiss", &[("global", "dismiss")]),
    ("toggle", &[("main", "toggle")]),
    ("optionNote", &[("main", "optionNote")]),
    ("questionNote", &[("main", "questionNote")]),
];

/// Keys for the question's type, the first one that is free.
const TYPE_KEYS: [&str; 3] = ["t", "shift+t", "alt+t"];

/// The values of a file of some version, in the present shape. A name that had no meaning in that version has none
/// now; unknown fields stay.
pub(super) fn to_current(values: &Map<String, Value>, version: u32) -> Map<String, Value> {
    let mut values = values.clone();
    if version < NOTIFICATIONS {
        values.shift_remove("notifications");
    }
    if version < CONTEXTS
        && let Some(keymaps) = values.get_mut("keymaps")
    {
        by_context(keymaps);
    }
    if version < TYPES {
        if let Some(Value::Object(behaviour)) = values.get_mut("behaviour") {
            behaviour.shift_remove("presentSingleAsMulti");
        }
        if let Some(Value::Object(keymaps)) = values.get_mut("keymaps") {
            add_type_key(keymaps);
        }
    }
    if values.contains_key(shape::VERSION) {
        values.insert(shape::VERSION.to_owned(), json!(SCHEMA_VERSION));
    }
    values
}

fn by_context(keymaps: &mut Value) {
    let Value::Object(flat) = keymaps else { return };
    if ["main", "global"].iter().any(|context| flat.contains_key(*context)) {
        return;
    }
    let mut contexts = Map::new();
    for (old, places) in FLAT {
        let Some(keys) = flat.get(old) else { continue };
        for (context, action) in places {
            let actions = contexts.entry(*context).or_insert_with(|| json!({}));
            actions[*action] = keys.clone();
        }
    }
    *flat = contexts;
}

/// Whoever has given the new action's key to another one keeps it, and the action gets the next one.
fn add_type_key(keymaps: &mut Map<String, Value>) {
    let taken = |keymaps: &Map<String, Value>, name: &str| {
        let key = Key::parse(name);
        let in_context = |context: &str| keymaps.get(context).and_then(Value::as_object);
        let mut actions = ["global", "main"].into_iter().filter_map(in_context).flat_map(Map::values);
        actions.any(|keys| match keys {
            Value::String(given) => Key::parse(given) == key,
            Value::Array(given) => given.iter().filter_map(Value::as_str).any(|name| Key::parse(name) == key),
            _ => false,
        })
    };
    if let Some(Value::Object(main)) = keymaps.get_mut("main") {
        main.shift_remove("changeQuestionType");
    }
    let free = TYPE_KEYS.iter().find(|key| !taken(keymaps, key));
    if let Some(key) = free.filter(|key| **key != TYPE_KEYS[0]) {
        let main = keymaps.entry("main").or_insert_with(|| json!({}));
        main["changeQuestionType"] = json!([key]);
    }
}
