//! The remote contract's objects (ask contract, "Remote inter-extension events"; protocol §4, §5).

use askd_form::{Question, derive_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Millis;
use crate::form::Source;

/// The version number every object carries.
pub const VERSION: u32 = 1;

derive_schema! {
    /// A form was asked.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Started {
        /// Always 1.
        pub version: u32,
        /// The formId.
        pub flow_id: String,
        /// The tool call it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool_call_id: Option<String>,
        /// What brought it about.
        pub source: Source,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// Normalized.
        pub questions: Vec<Question>,
        /// When.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub created_at: Millis,
    }
}

derive_schema! {
    /// A form ended.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Completed {
        /// Always 1.
        pub version: u32,
        /// The formId.
        pub flow_id: String,
        /// The tool call it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool_call_id: Option<String>,
        /// What brought it about.
        pub source: Source,
        /// The tool result's `details` or `structuredContent`.
        pub result: Value,
        /// When.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub completed_at: Millis,
    }
}

derive_schema! {
    /// Why a remote submission was refused.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SubmitError {
        /// Version, requestId, flowId or response kind.
        InvalidRequest,
        /// Unknown or already resolved.
        FlowNotFound,
        /// Anything inside an answer or its mode.
        InvalidAnswer,
    }
}

derive_schema! {
    /// What a submission came to.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct SubmitResult {
        /// Always 1.
        pub version: u32,
        /// As sent; empty when it was missing.
        pub request_id: String,
        /// As sent; empty when it was missing.
        pub flow_id: String,
        /// Whether it was accepted.
        pub ok: bool,
        /// Why not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error: Option<SubmitError>,
        /// Why not, in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub message: Option<String>,
        /// Where, in an answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub path: Option<String>,
    }
}
