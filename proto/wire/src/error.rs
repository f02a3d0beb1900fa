//! The protocol's own errors: a kind, its code and its data (protocol §8). Clients decide by the kind.

use askd_form::{Issue, Outcome, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::form::ResolvedBy;
use crate::role::Role;

macro_rules! kinds {
    ($( $(#[doc = $doc:literal])+ $id:ident = $name:literal $code:literal; )*) => {
        /// What went wrong, for programs.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        pub enum ErrorKind { $( $(#[doc = $doc])+ $id ),* }

        impl ErrorKind {
            /// Every kind, in the order of the codes.
            pub const ALL: &[Self] = &[$(Self::$id),*];
            /// The JSON-RPC code.
            #[must_use]
            pub fn code(self) -> i32 { match self { $(Self::$id => $code),* } }
            /// The name in `data.kind`.
            #[must_use]
            pub fn name(self) -> &'static str { match self { $(Self::$id => $name),* } }
            /// The kind with this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> { match name { $($name => Some(Self::$id),)* _ => None } }
        }
    };
}

kinds! {
    /// A call before `initialize`.
    NotInitialized = "notInitialized" -32051;
    /// A protocol version the daemon does not speak.
    Incompatible = "incompatible" -32052;
    /// The role, the way of calling or a rule forbids it.
    NotAllowed = "notAllowed" -32053;
    /// A payload that cannot be asked.
    InvalidInput = "invalidInput" -32054;
    /// No form with this id.
    UnknownForm = "unknownForm" -32055;
    /// Someone answered first.
    AlreadyResolved = "alreadyResolved" -32056;
    /// A response that does not fit the form.
    InvalidAnswer = "invalidAnswer" -32057;
    /// Something else stands under the same key, request or revision.
    Conflict = "conflict" -32058;
    /// Settings could not be written.
    SettingsNotSaved = "settingsNotSaved" -32059;
    /// A limit is reached.
    Overloaded = "overloaded" -32060;
    /// The daemon is going.
    ShuttingDown = "shuttingDown" -32061;
    /// The database refused.
    StoreFailed = "storeFailed" -32062;
}

/// An error of a call: what failed, why, what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct RpcError {
    /// For programs.
    pub kind: ErrorKind,
    /// For people: what failed, why, what to do.
    pub message: String,
    /// Further fields of `data`, beside `kind`.
    pub data: Map<String, Value>,
}

impl RpcError {
    /// An error without further data.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), data: Map::new() }
    }

    /// Adds a field to `data`.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Serialize) -> Self {
        // A value of our own types always has a JSON form; if not, the field is left out.
        if let Ok(value) = serde_json::to_value(value) {
            self.data.insert(field.to_owned(), value);
        }
        self
    }

    /// The whole `data` object, `kind` first.
    #[must_use]
    pub fn to_data(&self) -> Value {
        let mut data = Map::new();
        data.insert("kind".to_owned(), json!(self.kind.name()));
        data.extend(self.data.clone());
        Value::Object(data)
    }

    /// Reads an error back from a JSON-RPC error's message and `data`.
    #[must_use]
    pub fn from_data(message: &str, data: &Value) -> Option<Self> {
        let mut data = data.as_object()?.clone();
        let kind = ErrorKind::from_name(data.shift_remove("kind")?.as_str()?)?;
        Some(Self { kind, message: message.to_owned(), data })
    }

    /// The payload has faults.
    #[must_use]
    pub fn invalid_input(
        message: impl Into<String>,
        issues: &[Issue],
        tool_result: Option<&ToolResult>,
    ) -> Self {
        let error = Self::new(ErrorKind::InvalidInput, message).with("issues", issues);
        match tool_result {
            Some(result) => error.with("toolResult", result),
            None => error,
        }
    }

    /// There is no such form.
    #[must_use]
    pub fn unknown_form(form_id: &str) -> Self {
        let message = "There is no form with this id; it may have been removed. List forms with form/list.";
        Self::new(ErrorKind::UnknownForm, message).with("formId", form_id)
    }

    /// Someone answered first.
    #[must_use]
    pub fn already_resolved(outcome: &Outcome, resolved_by: &ResolvedBy) -> Self {
        Self::new(ErrorKind::AlreadyResolved, "The form was resolved before; its outcome is in `outcome`.")
            .with("outcome", outcome)
            .with("resolvedBy", resolved_by)
    }

    /// The response does not fit.
    #[must_use]
    pub fn invalid_answer(path: &str, message: &str) -> Self {
        Self::new(ErrorKind::InvalidAnswer, format!("The answer was refused: {message}"))
            .with("path", path)
            .with("message", message)
    }

    /// The roles do not allow the method.
    #[must_use]
    pub fn not_allowed(roles: &[Role], method: &str, message: impl Into<String>) -> Self {
        Self::new(ErrorKind::NotAllowed, message).with("roles", roles).with("method", method)
    }
}
