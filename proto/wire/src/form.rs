//! Forms on the wire: params and results of `form/*` (protocol §3).

use askd_form::{
    AnswerData, Contract, Form, Issue, Mode, Outcome, PresentedTypes, Reason, ToolResult, derive_schema,
};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Millis;
use crate::connection::Program;
use crate::role::Role;

derive_schema! {
    /// What brought a form about.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub enum Source {
        /// A tool call.
        #[default]
        #[serde(rename = "tool")]
        Tool,
        /// The `/answer` command.
        #[serde(rename = "answer")]
        Answer,
        /// The `/answer:again` command.
        #[serde(rename = "answer:again")]
        AnswerAgain,
        /// The `/ask:replay` command.
        #[serde(rename = "ask:replay")]
        AskReplay,
        /// Recovery of an interrupted tool call.
        #[serde(rename = "ask:resume")]
        AskResume,
    }
}

impl Source {
    /// Whether the internal `freeform` marker is accepted from it (contracts, ask contract).
    #[must_use]
    pub fn allows_freeform(self) -> bool {
        matches!(self, Self::Answer | Self::AnswerAgain)
    }
}

derive_schema! {
    /// Who asks, as it says itself.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub struct Origin {
        /// The agent program, like `pi`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent: Option<String>,
        /// The conversation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub session: Option<String>,
        /// Its working directory.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cwd: Option<String>,
        /// The conversation's title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// The chain of agents above a sub-agent, outermost first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub parents: Option<Vec<String>>,
        /// What the agent said just before; only in snapshots, not in summaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub context: Option<String>,
    }
}

derive_schema! {
    /// Who has to answer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Requires {
        /// A person, as far as the daemon can see.
        Person,
    }
}

derive_schema! {
    /// Params of `form/create`.
    #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CreateParams {
        /// `ask` when left out.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub contract: Contract,
        /// The tool's parameters, any JSON.
        #[serde(default)]
        pub params: Value,
        /// `tool` when left out.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub source: Source,
        /// The tool call this answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool_call_id: Option<String>,
        /// Idempotency key; see protocol §3, "Key".
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub key: Option<String>,
        /// Who asks.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub origin: Option<Origin>,
        /// Whether the agent waits.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub mode: Option<Mode>,
        /// Milliseconds until the form expires; never when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub expires_in_ms: Option<serde_json::Number>,
        /// Never notifies.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub quiet: Option<bool>,
        /// Who has to answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub requires: Option<Requires>,
    }
}

derive_schema! {
    /// Whether a form still waits for an answer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum FormState {
        /// Waits.
        Open,
        /// Has its outcome; never changes again.
        Resolved,
    }
}

derive_schema! {
    /// Result of `form/create`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CreateResult {
        /// The form.
        pub form_id: String,
        /// False when a live key gave an existing form.
        pub created: bool,
        /// Its state now.
        pub state: FormState,
        /// Normalized.
        pub form: Form,
        /// The durable event that started it.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub seq: u64,
        /// When it expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub expires_at: Option<Millis>,
        /// Handed by a host to its own frontend, never in arguments.
        pub view_key: String,
        /// The pending result of a background form, or the result of an existing resolved one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool_result: Option<ToolResult>,
        /// Unknown fields, by path.
        pub warnings: Vec<Issue>,
    }
}

derive_schema! {
    /// Params that only name a form.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FormRef {
        /// The form.
        pub form_id: String,
    }
}

derive_schema! {
    /// Params of `form/wait`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct WaitParams {
        /// The form.
        pub form_id: String,
        /// Milliseconds; 30,000 when left out, 0 answers at once, above 240,000 is 240,000.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub timeout_ms: Option<u64>,
    }
}

derive_schema! {
    /// Result of `form/wait`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "state", rename_all = "lowercase", rename_all_fields = "camelCase")]
    #[allow(clippy::large_enum_variant, reason = "one is made for a wait and taken apart at once")]
    pub enum WaitResult {
        /// Nobody answered within the call's time; call again.
        Open,
        /// The end.
        Resolved {
            /// What became of it.
            outcome: Outcome,
            /// By whom.
            resolved_by: ResolvedBy,
            /// For the agent.
            tool_result: ToolResult,
        },
    }
}

derive_schema! {
    /// How far a result has come to its owner.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Delivery {
        /// Still open.
        None,
        /// Resolved, not acknowledged.
        Pending,
        /// Acknowledged.
        Acknowledged,
    }
}

derive_schema! {
    /// Result of `form/ack`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct AckResult {
        /// Always `acknowledged`.
        pub delivery: Delivery,
        /// True for one caller only.
        pub first: bool,
    }
}

derive_schema! {
    /// Which forms `form/list` gives.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum StateFilter {
        /// Waiting ones, oldest first.
        #[default]
        Open,
        /// Finished ones, newest first.
        Resolved,
        /// Open ones, then finished ones.
        All,
    }
}

derive_schema! {
    /// Params of `form/list`.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ListParams {
        /// `open` when left out.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub state: StateFilter,
        /// Only this agent's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent: Option<String>,
        /// Only this conversation's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub session: Option<String>,
        /// Only this tool call's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool_call_id: Option<String>,
        /// Only forms whose result has come this far.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub delivery: Option<Delivery>,
        /// Forms a page, 100 when left out, at most 1,000.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub limit: Option<u32>,
        /// `nextCursor` of the page before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub cursor: Option<String>,
        /// Snapshots instead of summaries.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub full: Option<bool>,
    }
}

derive_schema! {
    /// A page of `form/list`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ListResult {
        /// Summaries, or snapshots with `full`.
        pub forms: Vec<ListedForm>,
        /// Present when there is more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub next_cursor: Option<String>,
    }
}

derive_schema! {
    /// One row of `form/list`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum ListedForm {
        /// With `full`.
        Snapshot(Box<FormSnapshot>),
        /// Without.
        Summary(Box<FormSummary>),
    }
}

impl ListedForm {
    /// The part both have.
    #[must_use]
    pub fn summary(&self) -> &FormSummary {
        match self {
            Self::Snapshot(snapshot) => &snapshot.summary,
            Self::Summary(summary) => summary,
        }
    }
}

derive_schema! {
    /// Params of `form/view`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ViewParams {
        /// The form.
        pub form_id: String,
        /// Whether its window has the focus.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub focused: Option<bool>,
        /// The form's key, when a host handed it over.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub view_key: Option<String>,
    }
}

derive_schema! {
    /// What a person has entered but not sent. Agents never see it.
    #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Draft {
        /// As in a response.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub answers: IndexMap<String, AnswerData>,
        /// Live type changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub presented_types: Option<PresentedTypes>,
        /// The frontend's own state: cursor, open editor and its text.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub view: Option<Value>,
    }
}

derive_schema! {
    /// Params of `form/draft`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct DraftParams {
        /// The form.
        pub form_id: String,
        /// The revision this draft follows; 0 for the first.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub revision: u64,
        /// The whole draft.
        pub draft: Draft,
    }
}

derive_schema! {
    /// Result of `form/draft`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DraftResult {
        /// The draft's new revision.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub revision: u64,
    }
}

derive_schema! {
    /// Params of `form/submit`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct SubmitParams {
        /// The form.
        pub form_id: String,
        /// A `Response`; faults inside it are `invalidAnswer`.
        pub response: Value,
        /// Live type changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub presented_types: Option<PresentedTypes>,
        /// Idempotent within the form.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub request_id: Option<String>,
    }
}

derive_schema! {
    /// Params of `form/cancel`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CancelParams {
        /// The form.
        pub form_id: String,
        /// Why; which reasons are allowed depends on the role.
        pub reason: Reason,
        /// Live type changes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub presented_types: Option<PresentedTypes>,
    }
}

derive_schema! {
    /// Result of `form/submit` and `form/cancel`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Resolution {
        /// What became of the form.
        pub outcome: Outcome,
        /// By whom.
        pub resolved_by: ResolvedBy,
    }
}

derive_schema! {
    /// Params of `form/fallback`.
    #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
    pub struct FallbackParams {
        /// `ask` when left out.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub contract: Contract,
        /// The tool's parameters, any JSON.
        #[serde(default)]
        pub params: Value,
    }
}

derive_schema! {
    /// Params of `form/validate`.
    #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
    pub struct ValidateParams {
        /// `ask` when left out.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub contract: Contract,
        /// The tool's parameters, any JSON.
        #[serde(default)]
        pub params: Value,
        /// `tool` when left out.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(as = "Option<_>", optional))]
        pub source: Source,
    }
}

derive_schema! {
    /// Result of `form/validate`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum ValidateResult {
        /// It can be asked.
        Valid {
            /// Always true.
            ok: bool,
            /// Normalized.
            form: Box<Form>,
            /// Unknown fields, by path.
            warnings: Vec<Issue>,
        },
        /// It cannot.
        Invalid {
            /// Always false.
            ok: bool,
            /// Every fault.
            issues: Vec<Issue>,
        },
    }
}

derive_schema! {
    /// Params of `form/forget`: one finished form, or all that ended before a time.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ForgetParams {
        /// One form, whether or not its result reached its owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub form_id: Option<String>,
        /// All that ended before this and whose results reached their owners.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub before: Option<Millis>,
    }
}

derive_schema! {
    /// Result of `form/forget`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub struct ForgetResult {
        /// How many were removed.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub forgotten: u64,
        /// How many ended before the time too, but stay because their results are pending.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub kept: u64,
    }
}

derive_schema! {
    /// Who resolved a form, as the daemon sees it (protocol §3, "Who answered").
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct ResolvedBy {
        /// Roles of the connection; none for the daemon itself.
        pub roles: Vec<Role>,
        /// The client program; absent for the daemon itself.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub client: Option<Program>,
        /// The kind of frontend.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kind: Option<String>,
        /// The token's id, on TCP.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub token: Option<String>,
        /// Process id of a socket peer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub pid: Option<i32>,
        /// Executable of a socket peer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub exe: Option<String>,
        /// The agent marker found in the peer's environment.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub agent: Option<String>,
        /// Milliseconds the form was shown before the answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub viewed_ms: Option<u64>,
        /// Whether a person answered, as far as the daemon can see.
        pub person: bool,
    }
}

derive_schema! {
    /// Whether the asking side is there.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub struct Owner {
        /// A connection that waited for the form is open.
        pub attached: bool,
        /// There was one once, and has been none for 60 s; absent when not so.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        pub orphaned: bool,
    }
}

derive_schema! {
    /// A connection that shows a form.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Viewer {
        /// The connection.
        pub connection_id: String,
        /// Its kind.
        pub kind: String,
        /// Its program.
        pub client: Program,
        /// Whether its window has the focus, where it says so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub focused: Option<bool>,
    }
}

derive_schema! {
    /// A form without its questions.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FormSummary {
        /// The form.
        pub form_id: String,
        /// Its contract.
        pub contract: Contract,
        /// Its state.
        pub state: FormState,
        /// The durable event that changed it last.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub seq: u64,
        /// Its title.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// How many questions it has.
        pub question_count: u32,
        /// The first prompt as one line of at most 200 characters.
        pub first_prompt: String,
        /// What brought it about.
        pub source: Source,
        /// The tool call it answers.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tool_call_id: Option<String>,
        /// Who asks; in summaries without `context`.
        pub origin: Origin,
        /// Whether the agent waits.
        pub mode: Mode,
        /// Who has to answer.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub requires: Option<Requires>,
        /// When it was asked.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub created_at: Millis,
        /// When it expires.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub expires_at: Option<Millis>,
        /// Whether the asking side is there.
        pub owner: Owner,
        /// Who shows it now.
        pub viewers: Vec<Viewer>,
        /// Whether something was entered and kept.
        pub drafted: bool,
        /// Its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub outcome: Option<Outcome>,
        /// When it ended.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub resolved_at: Option<Millis>,
        /// Who ended it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub resolved_by: Option<ResolvedBy>,
        /// How far its result has come.
        pub delivery: Delivery,
    }
}

derive_schema! {
    /// A whole form.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct FormSnapshot {
        /// All of the summary's fields.
        #[serde(flatten)]
        pub summary: FormSummary,
        /// Normalized.
        pub form: Form,
        /// What was entered; only for frontends and admins.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub draft: Option<Draft>,
        /// The draft's revision, 0 without one.
        #[serde(default)]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub draft_revision: u64,
    }
}
