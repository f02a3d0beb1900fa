//! Params of a call: one object, read as the method's type, with the faulty field named.

use std::collections::BTreeMap;
use std::fmt;

use askd_form::Issue;
use askd_wire::form::Origin;
use jsonrpsee::types::{ErrorObjectOwned, Params};
use serde::Serialize;
use serde::de::{self, Deserialize, DeserializeOwned, Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::invalid_params;

/// The params' text; `{}` when they were left out.
///
/// # Errors
/// Invalid params when they are no object.
pub(super) fn text<'a>(params: &'a Params<'_>) -> Result<&'a str, ErrorObjectOwned> {
    match params.as_str().map(str::trim) {
        None => Ok("{}"),
        Some(text) if text.starts_with('{') => Ok(text),
        Some(_) => Err(invalid_params("params", "expected one object with named fields")),
    }
}

/// Reads the params of a call.
///
/// # Errors
/// Invalid params, naming the first field that does not fit.
pub(super) fn read<T: DeserializeOwned + Serialize>(params: &Params<'_>) -> Result<T, ErrorObjectOwned> {
    let text = text(params)?;
    let mut input = serde_json::Deserializer::from_str(text);
    let read: T = serde_path_to_error::deserialize(&mut input).map_err(|error| {
        let path = match error.path().to_string() {
            path if path == "." => "params".to_owned(),
            path => path,
        };
        invalid_params(&path, &without_position(&error.inner().to_string()))
    })?;
    match list_for_object(text, &read) {
        Some(path) => Err(invalid_params(&path, "expected an object with named fields, not a list")),
        None => Ok(read),
    }
}

/// Fields that are any JSON: whoever reads them says what they may hold.
const ANY_JSON: [&str; 3] = ["params", "response", "patch"];

/// Where a list was taken for an object: serde fills the fields of a struct from a list by position, which
/// no caller means.
fn list_for_object(text: &str, read: &impl Serialize) -> Option<String> {
    let fields: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
    let listed =
        |(key, value): &(&String, &&RawValue)| !ANY_JSON.contains(&key.as_str()) && value.get().contains('[');
    let mut suspects = fields.iter().filter(listed).peekable();
    suspects.peek()?;
    let read = serde_json::to_value(read).ok()?;
    suspects.find_map(|(key, given)| {
        let given: Value = serde_json::from_str(given.get()).ok()?;
        mismatch(&given, read.get(key)?, key.clone())
    })
}

fn mismatch(given: &Value, read: &Value, path: String) -> Option<String> {
    match (given, read) {
        (Value::Array(_), Value::Object(_)) => Some(path),
        (Value::Array(given), Value::Array(read)) => {
            let mut pairs = given.iter().zip(read).enumerate();
            pairs.find_map(|(at, (given, read))| mismatch(given, read, format!("{path}[{at}]")))
        }
        (Value::Object(given), Value::Object(read)) => {
            given.iter().find_map(|(key, given)| mismatch(given, read.get(key)?, format!("{path}.{key}")))
        }
        _ => None,
    }
}

/// serde_json tells line and column within the params, which nobody who sent an object can use.
fn without_position(message: &str) -> String {
    message.rfind(" at line ").map_or(message, |at| &message[..at]).to_owned()
}

/// The fields of a call that its type does not have, as warnings (protocol §1).
pub(super) fn unknown_fields<T: DeserializeOwned>(params: &Params<'_>, method: &str) -> Vec<Issue> {
    let Some(Value::Object(given)) = params.as_str().and_then(|text| serde_json::from_str(text).ok()) else {
        return Vec::new();
    };
    let known = field_names::<T>();
    let warning = |path: String| {
        let message = format!("`{path}` is no field of {method} and was ignored.");
        Issue { path, message }
    };
    let mut warnings = Vec::new();
    for (key, value) in &given {
        if !known.contains(&key.as_str()) {
            warnings.push(warning(key.clone()));
        } else if let ("origin", Value::Object(origin)) = (key.as_str(), value) {
            let known = field_names::<Origin>();
            let unknown = origin.keys().filter(|key| !known.contains(&key.as_str()));
            warnings.extend(unknown.map(|key| warning(format!("origin.{key}"))));
        }
    }
    warnings
}

/// The field names a struct is read from. Taken from its own `Deserialize`, so that there is no second
/// list to keep.
fn field_names<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    match T::deserialize(Names) {
        Err(Found(names)) => names,
        Ok(_) => &[],
    }
}

struct Names;

/// Carries the names out of the only way a deserializer has to stop.
#[derive(Debug)]
struct Found(&'static [&'static str]);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} fields", self.0.len())
    }
}

impl std::error::Error for Found {}

impl de::Error for Found {
    fn custom<M: fmt::Display>(_: M) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Names {
    type Error = Found;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Found> {
        Err(Found(fields))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Found> {
        Err(Found(&[]))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use askd_wire::connection::InitializeParams;
    use askd_wire::form::{CreateParams, DraftParams, FormRef, ListParams, WaitParams};

    use super::*;

    fn fault<T: DeserializeOwned + Serialize + fmt::Debug>(text: &str) -> String {
        let error = read::<T>(&Params::new(Some(text))).unwrap_err();
        assert_eq!(error.code(), -32602);
        let data: Value = serde_json::from_str(error.data().unwrap().get()).unwrap();
        data["path"].as_str().unwrap().to_owned()
    }

    #[test]
    fn params_are_one_object_or_left_out() {
        assert!(read::<ListParams>(&Params::new(None)).is_ok());
        assert!(read::<ListParams>(&Params::new(Some("{}"))).is_ok());
        for text in ["[]", "[{}]", "5", "\"x\"", "null"] {
            assert_eq!(fault::<ListParams>(text), "params", "{text}");
        }
    }

    #[test]
    fn the_field_that_does_not_fit_is_named() {
        assert_eq!(fault::<WaitParams>(r#"{"formId":5}"#), "formId");
        assert_eq!(fault::<WaitParams>(r#"{"formId":"f","timeoutMs":-1}"#), "timeoutMs");
        assert_eq!(fault::<ListParams>(r#"{"state":"closed"}"#), "state");
        assert_eq!(fault::<CreateParams>(r#"{"origin":{"parents":[1]}}"#), "origin.parents[0]");
        assert_eq!(fault::<CreateParams>(r#"{"contract":"other"}"#), "contract");
        assert_eq!(fault::<InitializeParams>(r#"{"client":{"name":"a"}}"#), "client");
    }

    #[test]
    fn a_list_is_no_object() {
        assert_eq!(fault::<CreateParams>(r#"{"params":{},"origin":["pi","s"]}"#), "origin");
        assert_eq!(
            fault::<InitializeParams>(r#"{"client":["a","1"],"roles":["agent"],"protocol":1}"#),
            "client"
        );
        let answer = r#"{"formId":"f","revision":0,"draft":{"answers":{"q":[["v"]]}}}"#;
        assert_eq!(fault::<DraftParams>(answer), "draft.answers.q");
        let good = r#"{"formId":"f","revision":0,"draft":{"answers":{"q":{"values":["v"]}},"view":[1]}}"#;
        assert!(read::<DraftParams>(&Params::new(Some(good))).is_ok());
        assert!(
            read::<CreateParams>(&Params::new(Some(r#"{"params":[1],"origin":{"parents":["p"]}}"#))).is_ok()
        );
    }

    #[test]
    fn a_missing_field_is_named_in_the_message() {
        let error = read::<FormRef>(&Params::new(Some("{}"))).unwrap_err();
        assert!(error.message().contains("formId"), "{}", error.message());
        assert!(!error.message().contains("line"), "{}", error.message());
    }

    #[test]
    fn unknown_fields_are_read_over_and_named() {
        let text = r#"{"contract":"ask","params":{"x":1},"colour":1,"origin":{"agent":"a","mood":2}}"#;
        let params = Params::new(Some(text));
        read::<CreateParams>(&params).unwrap();
        let paths: Vec<_> =
            unknown_fields::<CreateParams>(&params, "form/create").into_iter().map(|w| w.path).collect();
        assert_eq!(paths, ["colour", "origin.mood"]);
    }
}
