//! The two contracts: parameters in, a form; a form and its outcome in, a tool result.

use serde_json::Value;

use crate::form::{Contract, Form, Mode};
use crate::outcome::{Issue, Outcome, PresentedTypes, ToolResult};

pub mod ask;
mod labels;
mod lines;
mod place;
pub mod questionnaire;
mod reader;
mod trim;

/// What parsing depends on beside the payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParseOptions {
    /// Whether `freeform` options are accepted (sources `answer` and `answer:again`).
    pub freeform: bool,
    /// The setting `behaviour.presentSingleAsMulti`.
    pub present_single_as_multi: bool,
    /// Size limits of protocol.md §1.
    pub limits: Limits,
}

/// Size limits of one form (protocol.md §1), each a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Questions a form.
    pub questions: usize,
    /// Options a question.
    pub options: usize,
    /// Bytes a text field.
    pub text_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { questions: 64, options: 512, text_bytes: 64 * 1024 }
    }
}

/// A payload that passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// Normalized.
    pub form: Form,
    /// What the payload itself says about waiting (`mode`, `noWait`), if anything.
    pub mode: Option<Mode>,
    /// Unknown fields, by path.
    pub warnings: Vec<Issue>,
}

/// Validates and normalizes a payload. All issues are reported together, in the order the rules meet them
/// (contracts.md §1).
///
/// # Errors
/// Every fault found, at least one.
pub fn parse(contract: Contract, params: &Value, options: &ParseOptions) -> Result<Parsed, Vec<Issue>> {
    match contract {
        Contract::Ask => ask::parse(params, options),
        Contract::Questionnaire => questionnaire::parse(params, options),
    }
}

/// The tool result of a payload that is not valid.
#[must_use]
pub fn invalid_result(contract: Contract, params: &Value, issues: &[Issue]) -> ToolResult {
    match contract {
        Contract::Ask => ask::invalid_result(params, issues),
        Contract::Questionnaire => questionnaire::invalid_result(issues),
    }
}

/// The tool result where nobody can be asked: the questions as text, nothing decided.
#[must_use]
pub fn fallback_result(form: &Form) -> ToolResult {
    match form.contract {
        Contract::Ask => ask::fallback_result(form),
        Contract::Questionnaire => questionnaire::fallback_result(form),
    }
}

/// The tool result of a background form that is still open.
#[must_use]
pub fn pending_result(form: &Form) -> ToolResult {
    match form.contract {
        Contract::Ask => ask::pending_result(form),
        Contract::Questionnaire => questionnaire::pending_result(form),
    }
}

/// The tool result of a resolved form.
#[must_use]
pub fn tool_result(form: &Form, outcome: &Outcome, presented: &PresentedTypes) -> ToolResult {
    match form.contract {
        Contract::Ask => ask::tool_result(form, outcome, presented),
        Contract::Questionnaire => questionnaire::tool_result(form, outcome),
    }
}
