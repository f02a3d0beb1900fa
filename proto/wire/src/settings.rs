//! Settings: the whole shape with its defaults (ask contract; protocol §6).

use askd_form::derive_schema;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of the file's shape.
pub const SCHEMA_VERSION: u32 = 5;

/// Key names by action, by context.
pub type Keymaps = IndexMap<String, IndexMap<String, Vec<String>>>;

derive_schema! {
    /// All settings. Every field has a default; a file names only what differs.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Settings {
        /// Version of this shape, 5.
        pub schema_version: u32,
        /// Extraction for `/answer`.
        pub answer: Answer,
        /// How a form behaves under the ask contract.
        pub behaviour: Behaviour,
        /// Keys by action, by context.
        pub keymaps: Keymaps,
        /// How the person is told.
        pub notifications: Notifications,
        /// For all frontends.
        pub frontends: Frontends,
        /// The agent's tool.
        pub tool: Tool,
        /// What is kept of finished forms.
        pub retention: Retention,
        /// Limits of protocol §1.
        pub limits: Limits,
        /// TCP listener; off without an address.
        pub listen: Listen,
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            answer: Answer::default(),
            behaviour: Behaviour::default(),
            keymaps: default_keymaps(),
            notifications: Notifications::default(),
            frontends: Frontends::default(),
            tool: Tool::default(),
            retention: Retention::default(),
            limits: Limits::default(),
            listen: Listen::default(),
        }
    }
}

derive_schema! {
    /// Extraction for `/answer`.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Answer {
        /// Models to try, first available wins.
        pub extraction_models: Vec<Model>,
        /// How often a missing or invalid tool call is tried again.
        pub extraction_retries: u32,
        /// Milliseconds for one try.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub extraction_timeout_ms: u64,
    }
}

derive_schema! {
    /// A model by provider and id.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Model {
        /// Like `anthropic`.
        pub provider: String,
        /// Like `claude-haiku-4-5`.
        pub id: String,
    }
}

impl Default for Answer {
    fn default() -> Self {
        let model = |provider: &str, id: &str| Model { provider: provider.to_owned(), id: id.to_owned() };
        Self {
            extraction_models: vec![
                model("openai-codex", "gpt-5.4-mini"),
                model("github-copilot", "gpt-5.4-mini"),
                model("anthropic", "claude-haiku-4-5"),
            ],
            extraction_retries: 1,
            extraction_timeout_ms: 30_000,
        }
    }
}

derive_schema! {
    /// How a form behaves under the ask contract.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Behaviour {
        /// Submit on arrival at the review tab when all is answered and no note exists.
        pub auto_submit_when_answered_without_notes: bool,
        /// Leaving unsent answers needs a second press.
        pub confirm_dismiss_when_dirty: bool,
        /// Digits on the review tab need a second press.
        pub double_press_review_shortcuts: bool,
        /// The footer names the keys.
        pub show_footer_hints: bool,
        /// New forms present single choices as multiple ones.
        pub present_single_as_multi: bool,
    }
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            auto_submit_when_answered_without_notes: false,
            confirm_dismiss_when_dirty: true,
            double_press_review_shortcuts: true,
            show_footer_hints: true,
            present_single_as_multi: false,
        }
    }
}

derive_schema! {
    /// How the person is told.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Notifications {
        /// At all.
        pub enabled: bool,
        /// In this order.
        pub channels: Vec<Channel>,
        /// Buttons that answer, on desktop notifications.
        pub answer_buttons: bool,
        /// Keep the question out of notifications.
        pub privacy: bool,
        /// What the desktop notification's Open runs; read from the file only.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub open_command: Option<String>,
    }
}

impl Default for Notifications {
    fn default() -> Self {
        Self {
            enabled: true,
            channels: vec![Channel::Name(ChannelName::Desktop), Channel::Name(ChannelName::Bell)],
            answer_buttons: true,
            privacy: false,
            open_command: None,
        }
    }
}

derive_schema! {
    /// A notification channel.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(untagged)]
    pub enum Channel {
        /// A built-in one.
        Name(ChannelName),
        /// A program; read from the file only.
        Command(CommandChannel),
    }
}

derive_schema! {
    /// The built-in channels.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ChannelName {
        /// A desktop notification.
        Desktop,
        /// The terminal's bell.
        Bell,
        /// The terminal sequence OSC 9.
        Osc9,
        /// The terminal sequence OSC 777.
        Osc777,
    }
}

derive_schema! {
    /// A program run for each notification.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct CommandChannel {
        /// Always `command`.
        #[serde(rename = "type")]
        pub kind: CommandTag,
        /// For `sh -c`.
        pub command: String,
    }
}

derive_schema! {
    /// The word `command`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum CommandTag {
        /// A program.
        Command,
    }
}

derive_schema! {
    /// For all frontends.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Frontends {
        /// Milliseconds after first paint in which no key answers.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub arming_delay_ms: u64,
        /// `auto`, `dark`, `light` or `none`.
        pub theme: Theme,
    }
}

derive_schema! {
    /// Colours.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Theme {
        /// The terminal's own sixteen colours.
        #[default]
        Auto,
        /// For a dark background.
        Dark,
        /// For a light background.
        Light,
        /// No colour.
        None,
    }
}

impl Default for Frontends {
    fn default() -> Self {
        Self { arming_delay_ms: 250, theme: Theme::default() }
    }
}

derive_schema! {
    /// The agent's tool.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Tool {
        /// Which contract `ask_user` speaks.
        pub contract: askd_form::Contract,
        /// In which host modes it is declared.
        pub expose: Expose,
        /// Whether it is there at all.
        pub enabled: bool,
    }
}

derive_schema! {
    /// In which host modes the tool is declared.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Expose {
        /// Everywhere.
        #[default]
        All,
        /// In the terminal UI only.
        Tui,
    }
}

impl Default for Tool {
    fn default() -> Self {
        Self { contract: askd_form::Contract::Ask, expose: Expose::All, enabled: true }
    }
}

derive_schema! {
    /// What is kept of finished forms. What is pending is never removed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Retention {
        /// How many.
        pub resolved_forms: u32,
        /// For how many days.
        pub days: u32,
    }
}

impl Default for Retention {
    fn default() -> Self {
        Self { resolved_forms: 1_000, days: 30 }
    }
}

derive_schema! {
    /// Limits of protocol §1. Sizes are bytes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    pub struct Limits {
        /// One message.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub message_bytes: u64,
        /// Questions a form.
        pub questions: u32,
        /// Options a question.
        pub options: u32,
        /// One text field.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub text_bytes: u64,
        /// One draft.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub draft_bytes: u64,
        /// One tool result.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub tool_result_bytes: u64,
        /// Connections at once.
        pub connections: u32,
        /// Subscriptions a connection.
        pub subscriptions: u32,
        /// Calls in flight a connection, waits apart.
        pub calls: u32,
        /// Open forms.
        pub open_forms: u32,
        /// Open forms a session.
        pub open_forms_per_session: u32,
        /// All open forms together.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub open_form_bytes: u64,
        /// Waiting to be read by one connection.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub queued_bytes: u64,
    }
}

impl Default for Limits {
    fn default() -> Self {
        const KIB: u64 = 1024;
        const MIB: u64 = 1024 * KIB;
        Self {
            message_bytes: 2 * MIB,
            questions: 64,
            options: 512,
            text_bytes: 64 * KIB,
            draft_bytes: 256 * KIB,
            tool_result_bytes: 8 * MIB,
            connections: 1024,
            subscriptions: 32,
            calls: 256,
            open_forms: 1000,
            open_forms_per_session: 64,
            open_form_bytes: 256 * MIB,
            queued_bytes: 8 * MIB,
        }
    }
}

derive_schema! {
    /// The TCP listener; read from the file only.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
    #[serde(default)]
    pub struct Listen {
        /// `127.0.0.1:PORT`; off without one.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub address: Option<String>,
        /// Allowed values of `Origin`.
        pub origins: Vec<String>,
        /// Allowed values of `Host` beside loopback names.
        pub hosts: Vec<String>,
    }
}

derive_schema! {
    /// What `settings/*` gives.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct SettingsState {
        /// In force.
        pub settings: Settings,
        /// Grows with every change.
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub revision: u64,
        /// Absolute path of the file.
        pub file: String,
        /// Whether a save can succeed.
        pub writable: bool,
        /// Faults only.
        pub notices: Vec<Notice>,
        /// Where each value comes from, by dotted key.
        pub sources: IndexMap<String, SettingSource>,
    }
}

derive_schema! {
    /// Where a value comes from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum SettingSource {
        /// Built in.
        Default,
        /// The file.
        File,
        /// An environment variable.
        Env,
        /// A flag.
        Flag,
    }
}

derive_schema! {
    /// A fault in the settings, told to the person.
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Notice {
        /// A word for programs.
        pub kind: String,
        /// A sentence for the person.
        pub text: String,
    }
}

derive_schema! {
    /// Params of `settings/patch`.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct PatchParams {
        /// Merge patch: null removes, arrays are replaced whole.
        pub patch: Value,
        /// The revision the patch was made against; any when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(feature = "typescript", ts(type = "number"))]
        pub revision: Option<u64>,
    }
}

/// The contract's contexts and actions with their default keys.
#[must_use]
pub fn default_keymaps() -> Keymaps {
    let context = |name: &str, actions: &[(&str, &[&str])]| {
        let actions = actions
            .iter()
            .map(|(action, keys)| ((*action).to_owned(), keys.iter().map(|k| (*k).to_owned()).collect()))
            .collect();
        (name.to_owned(), actions)
    };
    let when_empty: [(&str, &[&str]); 4] = [
        ("nextTabWhenEmpty", &["tab", "right"]),
        ("previousTabWhenEmpty", &["shift+tab", "left"]),
        ("nextOptionWhenEmpty", &["down"]),
        ("previousOptionWhenEmpty", &["up"]),
    ];
    let editor = |first: &'static str| {
        let mut actions: Vec<(&str, &[&str])> = vec![(first, &["enter"]), ("close", &["esc"])];
        actions.extend(when_empty);
        actions
    };
    [
        context("global", &[("dismiss", &["ctrl+c"]), ("settings", &["?"])]),
        context(
            "main",
            &[
                ("confirm", &["enter"]),
                ("cancel", &["esc"]),
                ("changeQuestionType", &["t"]),
                ("toggle", &["space"]),
                ("nextTab", &["tab", "right"]),
                ("previousTab", &["shift+tab", "left"]),
                ("nextOption", &["down"]),
                ("previousOption", &["up"]),
                ("optionNote", &["n"]),
                ("questionNote", &["shift+n"]),
            ],
        ),
        context("editor", &editor("submit")),
        context("noteEditor", &editor("save")),
        context(
            "settingsModal",
            &[
                ("close", &["esc", "ctrl+c", "?"]),
                ("nextOption", &["down"]),
                ("previousOption", &["up"]),
                ("toggle", &["enter", "space"]),
            ],
        ),
    ]
    .into_iter()
    .collect()
}
