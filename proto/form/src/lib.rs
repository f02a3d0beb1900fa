//! What is valid and what it means: forms, answers, outcomes and tool results of both contracts.
//!
//! Pure: no clock, environment, file, terminal or task. The daemon judges submissions with it and every
//! frontend works with it, so that a rule exists once (docs/architecture.md).

mod schema;

pub mod answer;
pub mod contract;
pub mod form;
pub mod key;
pub mod outcome;
pub mod response;
pub mod safe_text;

pub use answer::{Answer, CustomText};
pub use contract::{
    Limits, ParseOptions, Parsed, fallback_result, invalid_result, parse, pending_result, tool_result,
};
pub use form::{
    Choice, Contract, CustomRow, Digits, Dismiss, Form, Mode, Question, QuestionType, Review, Rules,
};
pub use outcome::{AnswerData, Content, Issue, Outcome, OutcomeKind, PresentedTypes, Reason, ToolResult};
pub use response::{
    AnswerFault, Response, ResponseFault, ResponseMode, check, check_presented, check_within,
};
