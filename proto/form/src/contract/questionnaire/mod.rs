//! To be filled.

use serde_json::Value;

use super::{ParseOptions, Parsed};
use crate::form::Form;
use crate::outcome::{Issue, Outcome, ToolResult};

fn empty() -> ToolResult {
    ToolResult { content: vec![], transcript: vec![], details: None, structured_content: None }
}

pub(super) fn parse(_params: &Value, _options: &ParseOptions) -> Result<Parsed, Vec<Issue>> {
    Err(vec![])
}
pub(super) fn fallback_result(_form: &Form) -> ToolResult {
    empty()
}
pub(super) fn pending_result(_form: &Form) -> ToolResult {
    empty()
}
pub(super) fn invalid_result(_issues: &[Issue]) -> ToolResult {
    empty()
}
pub(super) fn tool_result(_form: &Form, _outcome: &Outcome) -> ToolResult {
    empty()
}
