//! Wording both contracts share, and how lines become a result.

use crate::outcome::{Content, Issue, Reason, ToolResult};

/// What a background form says while it is open.
pub(super) const PENDING: &str =
    "The questions are open in the background: answers will arrive later, nothing is decided yet.";

/// What happened to a cancelled form (contracts.md §1). Every line but the person's own cancel says that
/// nothing was decided, so that silence is never read as a yes.
pub(super) fn cancelled(reason: Option<Reason>) -> &'static str {
    match reason {
        Some(Reason::Dismissed) => "The user cancelled. Nothing was answered and nothing is approved.",
        Some(Reason::Expired) => {
            "Nobody answered in time. Nothing is decided, and this is no approval. Do not act as if it were."
        }
        Some(Reason::Aborted | Reason::Superseded | Reason::SessionClosed) | None => {
            "The question was withdrawn before anyone answered. Nothing is decided."
        }
    }
}

/// A result of one text for the agent and lines for the person. A line that holds line ends becomes several,
/// so that the transcript is a line an entry.
pub(super) fn result(text: String, transcript: &[String]) -> ToolResult {
    let transcript = transcript.iter().flat_map(|line| line.split('\n')).map(str::to_owned).collect();
    let content = vec![Content { kind: "text".to_owned(), text }];
    ToolResult { content, transcript, details: None, structured_content: None }
}

/// The same, where agent and person read the same lines.
pub(super) fn same(lines: &[String]) -> ToolResult {
    result(lines.join("\n"), lines)
}

/// The result of a payload that is not valid, without its structured half.
pub(super) fn invalid(issues: &[Issue]) -> ToolResult {
    let listed = issues.iter().map(|issue| format!("\n- {}: {}", issue.path, issue.message));
    let text = std::iter::once("Invalid ask_user payload:".to_owned()).chain(listed).collect();
    result(text, &["Invalid tool payload".to_owned()])
}
