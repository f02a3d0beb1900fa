//! The one form model both contracts normalize into. What differs between the contracts is data here,
//! decided while parsing; no frontend asks which contract a form came from (design.md §3).

use serde::{Deserialize, Serialize};

use crate::derive_schema;

derive_schema! {
    /// Which document a form's parameters follow (protocol.md §3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Contract {
        /// The ask contract, `seeds/ask-tool-contract.md`.
        #[default]
        Ask,
        /// The questionnaire contract, `seeds/questionnaire-reference.md`.
        Questionnaire,
    }
}

derive_schema! {
    /// How a question is answered. `text` exists in the questionnaire only.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum QuestionType {
        /// At most one option, or one typed text.
        Single,
        /// Any number of options and one typed text.
        Multi,
        /// A single choice whose options carry a preview each.
        Preview,
        /// Typed text only.
        Text,
    }
}

derive_schema! {
    /// Whether the asking side waits for the answer (questionnaire "Modes", protocol.md §3).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Mode {
        /// The agent waits.
        Urgent,
        /// The agent goes on; the answer is delivered later.
        Background,
    }
}

derive_schema! {
    /// A form, trimmed, defaulted and valid (`NormalizedForm` in protocol.md §3).
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Form {
        /// The contract the form was written in.
        pub contract: Contract,
        /// Heading over all questions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub title: Option<String>,
        /// Text of the questionnaire's submit entry.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub submit_label: Option<String>,
        /// At least one.
        pub questions: Vec<Question>,
        /// Where the two contracts differ.
        pub rules: Rules,
    }
}

derive_schema! {
    /// The behaviour that differs between the contracts, as data.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Rules {
        /// When there is a review step.
        pub review: Review,
        /// Whether notes may be written.
        pub notes: bool,
        /// Whether the person may ask for elaboration.
        pub elaborate: bool,
        /// Whether the person may change a question's type.
        pub type_change: bool,
        /// Whether `required`, `min` and `max` block a submission.
        pub enforced: bool,
        /// What leaving an unsent form asks for.
        pub dismiss: Dismiss,
        /// What a digit key does beside selecting.
        pub digits: Digits,
    }
}

derive_schema! {
    /// When a form has a review step.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Review {
        /// Every form.
        Always,
        /// Forms of two questions or more.
        WhenSeveral,
    }
}

derive_schema! {
    /// What leaving a form asks for.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Dismiss {
        /// A second press when something was entered and the setting is on.
        WhenDirty,
        /// A second Escape, always.
        Twice,
    }
}

derive_schema! {
    /// What a digit key does.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub enum Digits {
        /// Selects and, on a single choice, moves on.
        Advance,
        /// Selects or clears, and stays.
        Select,
    }
}

derive_schema! {
    /// One question.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Question {
        /// Unique within the form; answers are keyed by it.
        pub id: String,
        /// Short name, for tabs and result lines.
        pub label: String,
        /// Context below the question (questionnaire).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub header: Option<String>,
        /// The question itself.
        pub prompt: String,
        /// The type as presented.
        #[serde(rename = "type")]
        pub kind: QuestionType,
        /// The type the agent asked for, only where it differs from `type`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub requested_type: Option<QuestionType>,
        /// The type it is presented as, only where it differs from the requested one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub presented_type: Option<QuestionType>,
        /// Advisory under the ask contract, enforced under the questionnaire.
        pub required: bool,
        /// Placeholder of a typed question.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub placeholder: Option<String>,
        /// The row for typed text beside the options; none when there is no such row.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub custom: Option<CustomRow>,
        /// Fewest selections (questionnaire, multiple choice).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub min: Option<u32>,
        /// Most selections (questionnaire, multiple choice).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub max: Option<u32>,
        /// In the agent's order; empty on a typed question.
        pub options: Vec<Choice>,
    }
}

derive_schema! {
    /// The row that takes typed text.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct CustomRow {
        /// Text of the row.
        pub label: String,
        /// Shown in its empty editor.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub placeholder: Option<String>,
    }
}

derive_schema! {
    /// One option of a question (`Option` in protocol.md §3).
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Choice {
        /// Unique within the question; what results carry.
        pub value: String,
        /// What the person reads.
        pub label: String,
        /// A line or more about it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub description: Option<String>,
        /// What choosing it would look like, verbatim.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub preview: Option<String>,
        /// Marked by the agent, never preselected.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub recommended: Option<bool>,
        /// Preselected (questionnaire); submitted only if the person confirms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub selected: Option<bool>,
        /// Internal marker of `/answer` extraction: the question takes typed text only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub freeform: Option<bool>,
    }
}

impl QuestionType {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Multi => "multi",
            Self::Preview => "preview",
            Self::Text => "text",
        }
    }

    /// The name in result texts (contracts.md §2).
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Single => "single-select",
            Self::Multi => "multi-select",
            Self::Preview => "preview",
            Self::Text => "typed",
        }
    }

    /// Whether at most one selection can be held.
    #[must_use]
    pub fn holds_one(self) -> bool {
        self != Self::Multi
    }
}

impl Form {
    /// The question with this id.
    #[must_use]
    pub fn question(&self, id: &str) -> Option<&Question> {
        self.questions.iter().find(|q| q.id == id)
    }

    /// Whether the form has a review step.
    #[must_use]
    pub fn has_review(&self) -> bool {
        match self.rules.review {
            Review::Always => true,
            Review::WhenSeveral => self.questions.len() > 1,
        }
    }
}

impl Question {
    /// The option with this value.
    #[must_use]
    pub fn option(&self, value: &str) -> Option<&Choice> {
        self.options.iter().find(|o| o.value == value)
    }

    /// Whether the question takes typed text only: a typed question, or the extraction's freeform one.
    #[must_use]
    pub fn is_typed(&self) -> bool {
        self.kind == QuestionType::Text || self.is_freeform()
    }

    /// Whether this is a question with the internal freeform marker (contracts.md §2).
    #[must_use]
    pub fn is_freeform(&self) -> bool {
        self.options.iter().any(|o| o.freeform == Some(true))
    }

    /// Whether the person may have the question presented as `kind`: single and multi change into each
    /// other, and so do preview and multi (ask contract, Supported TUI UX).
    #[must_use]
    pub fn can_become(&self, kind: QuestionType) -> bool {
        if kind == self.kind {
            return true;
        }
        let one = match self.requested() {
            _ if self.is_typed() => return false,
            QuestionType::Preview => QuestionType::Preview,
            _ => QuestionType::Single,
        };
        kind == one || kind == QuestionType::Multi
    }

    /// The type the agent asked for.
    #[must_use]
    pub fn requested(&self) -> QuestionType {
        self.requested_type.unwrap_or(self.kind)
    }
}
