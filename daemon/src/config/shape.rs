//! The known keys of the settings as dotted names, and what two sets of settings differ in.

use std::sync::LazyLock;

use askd_wire::settings::{SCHEMA_VERSION, Settings};
use serde_json::{Map, Value, json};

/// Key of the file's version.
pub(super) const VERSION: &str = "schemaVersion";

/// Keys that have no value by default and so do not stand in the default settings' JSON.
const WITHOUT_DEFAULT: [(&str, &str); 2] = [("notifications", "openCommand"), ("listen", "address")];

static SHAPE: LazyLock<Map<String, Value>> = LazyLock::new(|| {
    let mut shape = to_object(&Settings::default());
    for (section, key) in WITHOUT_DEFAULT {
        if let Some(Value::Object(section)) = shape.get_mut(section) {
            section.insert(key.to_owned(), Value::Null);
        }
    }
    shape
});

/// All known keys; objects are sections, everything else is one setting.
pub(super) fn known() -> &'static Map<String, Value> {
    &SHAPE
}

/// The settings as a JSON object.
pub(super) fn to_object(settings: &Settings) -> Map<String, Value> {
    match serde_json::to_value(settings) {
        Ok(Value::Object(object)) => object,
        // Settings are a struct of plain values; they always have an object form.
        _ => Map::new(),
    }
}

/// Every single setting's dotted key, in the order of the documentation.
pub(super) fn keys() -> Vec<String> {
    let mut keys = Vec::new();
    walk(known(), &mut Vec::new(), &mut |path| keys.push(path.join(".")));
    keys
}

fn walk<'a>(section: &'a Map<String, Value>, path: &mut Vec<&'a str>, visit: &mut dyn FnMut(&[&str])) {
    for (key, value) in section {
        path.push(key);
        match value {
            Value::Object(inner) => walk(inner, path, visit),
            _ => visit(path),
        }
        path.pop();
    }
}

/// The value under a dotted key.
pub(super) fn lookup<'a>(values: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    let mut parts = key.split('.');
    let mut value = values.get(parts.next()?)?;
    for part in parts {
        value = value.as_object()?.get(part)?;
    }
    Some(value)
}

/// The same, in any JSON value.
pub(super) fn lookup_value<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    lookup(value.as_object()?, key)
}

/// Dotted keys whose values differ.
pub(super) fn changed(before: &Settings, after: &Settings) -> Vec<String> {
    let (before, after) = (to_object(before), to_object(after));
    keys().into_iter().filter(|key| lookup(&before, key) != lookup(&after, key)).collect()
}

/// The file's values with a version in front, when they have none yet.
pub(super) fn with_version(values: Map<String, Value>) -> Map<String, Value> {
    if values.contains_key(VERSION) {
        return values;
    }
    let mut versioned = Map::new();
    versioned.insert(VERSION.to_owned(), json!(SCHEMA_VERSION));
    versioned.extend(values);
    versioned
}
