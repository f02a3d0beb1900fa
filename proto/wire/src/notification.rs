//! Notifications: trying the channels, and the answer of a frontend that rang its terminal (protocol §6).

use askd_form::derive_schema;
use serde::{Deserialize, Serialize};

derive_schema! {
    /// A kind of channel.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ChannelKind {
        /// A desktop notification.
        Desktop,
        /// The terminal's bell.
        Bell,
        /// The terminal sequence OSC 9.
        Osc9,
        /// The terminal sequence OSC 777.
        Osc777,
        /// A program.
        Command,
    }
}

impl ChannelKind {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Desktop => "desktop",
            Self::Bell => "bell",
            Self::Osc9 => "osc9",
            Self::Osc777 => "osc777",
            Self::Command => "command",
        }
    }
}

derive_schema! {
    /// Params of `notification/test`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub struct TestParams {
        /// Only this one, configured or not (`command`: those that are); else the configured ones.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub channel: Option<ChannelKind>,
    }
}

derive_schema! {
    /// What came of a channel.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum AttemptStatus {
        /// It was handed over.
        Attempted,
        /// It could not be handed over.
        Failed,
        /// There was nothing to hand it to.
        Skipped,
    }
}

derive_schema! {
    /// One channel's turn.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Attempt {
        /// Which.
        pub channel: ChannelKind,
        /// What came of it.
        pub status: AttemptStatus,
        /// Why it was not attempted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error: Option<String>,
    }
}

derive_schema! {
    /// Result of `notification/test`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct TestResult {
        /// In the order they were tried.
        pub attempts: Vec<Attempt>,
    }
}

derive_schema! {
    /// Params of `notification/done`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct DoneParams {
        /// The `notify` hint's.
        pub token: String,
        /// What came of it.
        pub status: AttemptStatus,
        /// Why it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub error: Option<String>,
    }
}
