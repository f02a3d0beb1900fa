//! The settings file as text: what it says, and the same text with some of its keys changed.
//!
//! It is JSON in which comments and commas before a closing bracket are allowed. A change goes through the syntax
//! tree, so that comments, unknown fields, order and layout stay as their writer left them.

use askd_wire::settings::SCHEMA_VERSION;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstObjectProp, CstRootNode};
use serde_json::{Map, Value};

use super::fault::{Fault, FaultKind};
use super::shape;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// A settings file that can be understood, of any version this program knows.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Document {
    text: String,
    /// As they stand in the file.
    pub(super) values: Map<String, Value>,
    /// The file's own, 1 to [`SCHEMA_VERSION`].
    pub(super) version: u32,
}

impl Document {
    /// Reads a file's bytes.
    ///
    /// # Errors
    /// No text, no JSON object, no version, or a newer one.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Err(invalid("it is no UTF-8 text. Save it as UTF-8."));
        };
        let Value::Object(values) = read(text)? else {
            return Err(invalid("it holds no JSON object. Put all settings between { and }."));
        };
        let version = match values.get(shape::VERSION).and_then(Value::as_u64) {
            Some(version) if version > u64::from(SCHEMA_VERSION) => {
                let why = format!(
                    "its `schemaVersion` is {version}, and this program knows versions up to {SCHEMA_VERSION}. Install a newer askd, or move the file away."
                );
                return Err(Fault::new(FaultKind::Newer, why));
            }
            // It fits: it is not above the newest version.
            Some(version) if version > 0 => u32::try_from(version).unwrap_or(SCHEMA_VERSION),
            _ => {
                return Err(invalid(format!(
                    "its `schemaVersion` is missing or no whole number from 1 on. Set it to {SCHEMA_VERSION}."
                )));
            }
        };
        Ok(Self { text: text.to_owned(), values, version })
    }

    /// The text with the values `after` in place of its own; none when the tree cannot be changed so.
    pub(super) fn with(&self, after: &Map<String, Value>) -> Option<String> {
        let body = self.text.strip_prefix(BYTE_ORDER_MARK);
        let root = tree(body.unwrap_or(&self.text)).ok()?;
        change(&root.object_value()?, &self.values, after);
        let text = format!("{}{root}", if body.is_some() { BYTE_ORDER_MARK } else { "" });
        // Whatever the tree made of it: what is written has to say what was meant.
        (read(&text).ok()? == Value::Object(after.clone())).then_some(text)
    }
}

/// A file's text for values that were in none before.
pub(super) fn fresh(values: &Map<String, Value>) -> Option<String> {
    serde_json::to_string_pretty(values).ok().map(|text| text + "\n")
}

fn invalid(why: impl Into<String>) -> Fault {
    Fault::new(FaultKind::Invalid, why)
}

fn tree(text: &str) -> Result<CstRootNode, jsonc_parser::errors::ParseError> {
    let options = ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    CstRootNode::parse(text, &options)
}

fn read(text: &str) -> Result<Value, Fault> {
    let body = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    let root = tree(body).map_err(|error| {
        let (line, column) = (error.line_display(), error.column_display());
        invalid(format!("it is no valid JSON (line {line}, column {column}: {}). Correct it.", error.kind()))
    })?;
    let value = root.value().and_then(|value| value.to_serde_value());
    value.ok_or_else(|| invalid("it is empty. Delete it, or put the settings between { and }."))
}

/// Works the difference of two sets of values into an object of the tree.
fn change(object: &CstObject, before: &Map<String, Value>, after: &Map<String, Value>) {
    for key in before.keys().filter(|key| !after.contains_key(*key)) {
        named(object, key).into_iter().for_each(CstObjectProp::remove);
    }
    for (key, value) in after {
        let old = before.get(key);
        if old == Some(value) {
            continue;
        }
        match (old, value, named(object, key).pop()) {
            (Some(Value::Object(old)), Value::Object(new), Some(property))
                if property.object_value().is_some() =>
            {
                if let Some(inner) = property.object_value() {
                    change(&inner, old, new);
                }
            }
            (_, value, Some(property)) => property.set_value(input(value)),
            (_, value, None) => {
                object.append(key, input(value));
            }
        }
    }
}

/// The properties of a name: the last one counts where there are several.
fn named(object: &CstObject, key: &str) -> Vec<CstObjectProp> {
    object.properties().into_iter().filter(|p| p.decoded_name().as_deref() == Some(key)).collect()
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
