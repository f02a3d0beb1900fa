//! The tables of `docs/configuration.md`: every setting with its default, what it takes and its variable.

use std::fmt::Write as _;

use askd_wire::settings::{Settings, default_keymaps};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// Read from the file only, so there is no variable for them (protocol §6).
const FILE_ONLY: [&str; 4] =
    ["notifications.openCommand", "listen.address", "listen.origins", "listen.hosts"];

/// A section a table, but for the keymaps.
pub(super) fn settings_tables() -> String {
    let mut generator = SchemaGenerator::new(SchemaSettings::draft2020_12());
    generator.subschema_for::<Settings>();
    let schemas = Value::Object(generator.take_definitions(true));
    let defaults = serde_json::to_value(Settings::default()).expect("settings are JSON");
    let mut text = String::new();
    for (section, schema) in properties(&schemas["Settings"]) {
        let inner = resolved(&schemas, schema);
        let inner = properties(inner);
        if inner.is_empty() {
            continue;
        }
        let about = schema["description"].as_str().expect("every section is described");
        let _ = write!(text, "### `{section}`\n\n{about}\n\n");
        text += "| key | default | takes | what it does | variable |\n|---|---|---|---|---|\n";
        for (key, schema) in inner {
            let dotted = format!("{section}.{key}");
            let default = defaults[section].get(key).map_or("—".to_owned(), |value| format!("`{value}`"));
            let variable = if FILE_ONLY.contains(&dotted.as_str()) {
                "—".to_owned()
            } else {
                format!("`{}`", askd::config::variable(&dotted))
            };
            let what = schema["description"].as_str().expect("every setting is described").replace('\n', " ");
            let takes = takes(&schemas, schema);
            let _ = writeln!(text, "| `{dotted}` | {default} | {takes} | {what} | {variable} |");
        }
        text += "\n";
    }
    text.trim_end().to_owned() + "\n"
}

/// The contexts and actions with their default keys.
pub(super) fn keymaps_table() -> String {
    let mut table = "| context | action | default keys |\n|---|---|---|\n".to_owned();
    for (context, actions) in default_keymaps() {
        for (action, keys) in actions {
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            let _ = writeln!(table, "| `{context}` | `{action}` | {} |", keys.join(", "));
        }
    }
    table
}

fn properties(schema: &Value) -> Vec<(&str, &Value)> {
    let found = schema["properties"].as_object().map(Map::iter);
    found.into_iter().flatten().map(|(name, schema)| (name.as_str(), schema)).collect()
}

fn resolved<'a>(schemas: &'a Value, schema: &'a Value) -> &'a Value {
    match schema["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        Some(name) => &schemas[name],
        None => schema,
    }
}

fn takes(schemas: &Value, schema: &Value) -> String {
    let schema = resolved(schemas, schema);
    let alternatives = schema["oneOf"].as_array().or_else(|| schema["enum"].as_array());
    if let Some(alternatives) = alternatives {
        let words = alternatives.iter().map(|one| one.get("const").unwrap_or(one));
        return words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
    match kind {
        Some("boolean") => "`true`, `false`".to_owned(),
        Some("integer") => "a whole number".to_owned(),
        Some("string") => "a text".to_owned(),
        Some("array") => "a list".to_owned(),
        _ => "see below".to_owned(),
    }
}
