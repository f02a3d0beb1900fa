//! Events: what attached clients are told, in one order (protocol §4).

use askd_form::{Outcome, derive_schema};
use serde::{Deserialize, Serialize};

use crate::form::{FormSnapshot, FormSummary, ResolvedBy, Viewer};
use crate::settings::Settings;
use crate::{Millis, remote};

/// Name of the notification that carries an event.
pub const NOTIFICATION: &str = "events/event";
/// Name of the call that ends a subscription.
pub const UNSUBSCRIBE: &str = "events/unsubscribe";

derive_schema! {
    /// Params of `events/subscribe`.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub struct SubscribeParams {
        /// Replay what came after this durable event.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub since: Option<u64>,
        /// The database `since` belongs to.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub store: Option<String>,
        /// Only these kinds; `snapshot`, `lagged` and `shutting-down` come always.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub kinds: Option<Vec<String>>,
        /// Only these forms.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub forms: Option<Vec<String>>,
    }
}

derive_schema! {
    /// One event.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub struct Event {
        /// Its number if durable, else the last durable one's.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub seq: u64,
        /// When.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub at: Millis,
        /// The form it is about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub form_id: Option<String>,
        /// What happened.
        #[serde(flatten)]
        pub body: EventBody,
    }
}

derive_schema! {
    /// What happened.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
    pub enum EventBody {
        /// What is there when a stream starts, in one or more parts.
        Snapshot {
            /// No further part follows.
            last: bool,
            /// The open forms, or those asked for.
            forms: Vec<FormSummary>,
            /// Revision of the settings.
            #[cfg_attr(feature = "typescript", ts(type = "number"))]
            settings_revision: u64,
        },
        /// Durable: a form was asked, or taken up again.
        Started {
            /// The form.
            form: Box<FormSnapshot>,
            /// For bridges.
            remote: remote::Started,
        },
        /// Durable: a form ended.
        Completed {
            /// How.
            outcome: Outcome,
            /// By whom.
            resolved_by: Box<ResolvedBy>,
            /// For bridges.
            remote: remote::Completed,
        },
        /// Durable when accepted, else a hint.
        SubmitResult {
            /// For bridges.
            remote: remote::SubmitResult,
        },
        /// Durable: the result reached its owner.
        Acknowledged {},
        /// Durable: settings changed.
        SettingsChanged {
            /// New revision.
            #[cfg_attr(feature = "typescript", ts(type = "number"))]
            revision: u64,
            /// Dotted keys.
            changed: Vec<String>,
            /// All of them.
            settings: Box<Settings>,
        },
        /// Hint: a connection shows the form, or its focus changed.
        Viewing {
            /// Which.
            viewer: Viewer,
        },
        /// Hint: a connection shows the form no longer.
        Left {
            /// Which.
            connection_id: String,
        },
        /// Hint: a draft was kept; no text.
        Draft {
            /// Its revision.
            #[cfg_attr(feature = "typescript", ts(type = "number"))]
            revision: u64,
            /// From which connection.
            connection_id: String,
        },
        /// Hint: the asking side came or went.
        Owner {
            /// Whether it is there.
            attached: bool,
        },
        /// To one frontend: ring your terminal (protocol §6).
        Notify {
            /// `bell`, `osc9` or `osc777`.
            channel: String,
            /// Title.
            title: String,
            /// One line.
            message: String,
            /// For `notification/done`.
            token: String,
        },
        /// The daemon is going; attach again later.
        ShuttingDown {},
        /// This reader could not keep up; a fresh snapshot follows.
        Lagged {},
        /// A kind this client does not know.
        #[serde(other)]
        #[cfg_attr(feature = "schema", schemars(skip))]
        #[cfg_attr(feature = "typescript", ts(skip))]
        Unknown,
    }
}

impl EventBody {
    /// The kind's name on the wire.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Snapshot { .. } => "snapshot",
            Self::Started { .. } => "started",
            Self::Completed { .. } => "completed",
            Self::SubmitResult { .. } => "submit-result",
            Self::Acknowledged {} => "acknowledged",
            Self::SettingsChanged { .. } => "settings-changed",
            Self::Viewing { .. } => "viewing",
            Self::Left { .. } => "left",
            Self::Draft { .. } => "draft",
            Self::Owner { .. } => "owner",
            Self::Notify { .. } => "notify",
            Self::ShuttingDown {} => "shutting-down",
            Self::Lagged {} => "lagged",
            Self::Unknown => "unknown",
        }
    }
}
