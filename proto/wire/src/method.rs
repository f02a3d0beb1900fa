//! The table of methods: name, roles, params, result. Everything about a call starts here.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::Empty;
use crate::role::Role::{self, Admin, Agent, Bridge, Frontend};
use crate::{connection, daemon, event, form, notification, remote, settings};

/// One call of the protocol.
pub trait Method {
    /// `resource/verb`.
    const NAME: &'static str;
    /// Who may call it; admin is always among them.
    const ROLES: &'static [Role];
    /// Whether it belongs to a connection and is `notAllowed` over a single HTTP POST.
    const CONNECTION: bool;
    /// What it takes: one object.
    type Params: Serialize + DeserializeOwned + Send + 'static;
    /// What it gives.
    type Result: Serialize + DeserializeOwned + Send + 'static;
}

/// One row of the table, for the role gate and the generated documents.
#[derive(Debug, Clone, Copy)]
pub struct MethodInfo {
    /// `resource/verb`.
    pub name: &'static str,
    /// Who may call it.
    pub roles: &'static [Role],
    /// Whether it needs a connection.
    pub connection: bool,
    /// Names of the params and result types.
    pub types: (&'static str, &'static str),
    /// First line of its description.
    pub doc: &'static str,
}

macro_rules! methods {
    ($( $(#[doc = $doc:literal])+ $id:ident = $name:literal [$($role:ident)*] $conn:ident $params:ty => $result:ty; )*) => {
        $(
            $(#[doc = $doc])+
            #[derive(Debug, Clone, Copy)]
            pub struct $id;
            impl Method for $id {
                const NAME: &'static str = $name;
                const ROLES: &'static [Role] = &[$($role),*];
                const CONNECTION: bool = methods!(@conn $conn);
                type Params = $params;
                type Result = $result;
            }
        )*
        /// Every method, in the order of the documentation. `events/subscribe` is a subscription.
        pub const METHODS: &[MethodInfo] = &[
            $( MethodInfo {
                name: $name, roles: &[$($role),*], connection: methods!(@conn $conn),
                types: (stringify!($params), stringify!($result)), doc: concat!($($doc),+),
            } ),*
        ];

        /// Calls `visit` with the schema of every method's params and result.
        #[cfg(feature = "schema")]
        pub fn visit_schemas(visit: &mut dyn FnMut(&'static str, schemars::Schema, schemars::Schema), generator: &mut schemars::SchemaGenerator) {
            $( let params = generator.subschema_for::<$params>(); let result = generator.subschema_for::<$result>(); visit($name, params, result); )*
        }

        /// Calls `visit` with the TypeScript names of every method's params and result.
        #[cfg(feature = "typescript")]
        pub fn visit_typescript(visit: &mut dyn FnMut(&'static str, String, String), config: &ts_rs::Config) {
            $( visit($name, <$params as ts_rs::TS>::name(config), <$result as ts_rs::TS>::name(config)); )*
        }

        /// Shows a visitor the type of every method's params and result, for their TypeScript declarations.
        #[cfg(feature = "typescript")]
        pub fn visit_typescript_types(visitor: &mut impl ts_rs::TypeVisitor) {
            $( visitor.visit::<$params>(); visitor.visit::<$result>(); )*
        }
    };
    (@conn connection) => { true };
    (@conn call) => { false };
}

methods! {
    /// Opens a connection: who is calling, in which roles, in which protocol version.
    Initialize = "initialize" [Agent Frontend Bridge Admin] connection connection::InitializeParams => connection::InitializeResult;
    /// Asks: stores a form and tells everyone attached.
    FormCreate = "form/create" [Agent Admin] call form::CreateParams => form::CreateResult;
    /// Waits for a form to be resolved.
    FormWait = "form/wait" [Agent Admin] call form::WaitParams => form::WaitResult;
    /// Marks a resolved form's result as delivered.
    FormAck = "form/ack" [Agent Admin] call form::FormRef => form::AckResult;
    /// Gives one form.
    FormGet = "form/get" [Agent Frontend Bridge Admin] call form::FormRef => form::FormSnapshot;
    /// Lists forms, page by page.
    FormList = "form/list" [Agent Frontend Bridge Admin] call form::ListParams => form::ListResult;
    /// Says that this connection shows the form now.
    FormView = "form/view" [Frontend Admin] connection form::ViewParams => form::FormSnapshot;
    /// Says that this connection shows the form no longer.
    FormLeave = "form/leave" [Frontend Admin] connection form::FormRef => Empty;
    /// Keeps what a person has entered but not sent.
    FormDraft = "form/draft" [Frontend Admin] call form::DraftParams => form::DraftResult;
    /// Answers a form; the first valid answer wins.
    FormSubmit = "form/submit" [Frontend Admin] call form::SubmitParams => form::Resolution;
    /// Cancels a form.
    FormCancel = "form/cancel" [Agent Frontend Admin] call form::CancelParams => form::Resolution;
    /// Gives the text result for hosts that cannot ask.
    FormFallback = "form/fallback" [Agent Admin] call form::FallbackParams => askd_form::ToolResult;
    /// Checks a payload without asking anybody.
    FormValidate = "form/validate" [Agent Frontend Admin] call form::ValidateParams => form::ValidateResult;
    /// Removes finished forms for good.
    FormForget = "form/forget" [Admin] call form::ForgetParams => form::ForgetResult;
    /// Submits an answer from elsewhere, the remote contract.
    RemoteSubmit = "remote/submit" [Agent Bridge Admin] call serde_json::Value => remote::SubmitResult;
    /// Starts the stream of events.
    EventsSubscribe = "events/subscribe" [Agent Frontend Bridge Admin] connection event::SubscribeParams => event::Event;
    /// Gives the settings in force.
    SettingsGet = "settings/get" [Agent Frontend Bridge Admin] call Empty => settings::SettingsState;
    /// Saves some settings.
    SettingsPatch = "settings/patch" [Frontend Admin] call settings::PatchParams => settings::SettingsState;
    /// Puts all settings back to their defaults.
    SettingsReset = "settings/reset" [Frontend Admin] call Empty => settings::SettingsState;
    /// Tries the notification channels and tells what came of each.
    NotificationTest = "notification/test" [Frontend Admin] call notification::TestParams => notification::TestResult;
    /// Answers a `notify` hint.
    NotificationDone = "notification/done" [Frontend Admin] connection notification::DoneParams => Empty;
    /// Tells how the daemon is.
    DaemonStatus = "daemon/status" [Frontend Admin] call Empty => daemon::Status;
    /// Stops the daemon; open forms stay open.
    DaemonStop = "daemon/stop" [Admin] call Empty => Empty;
}
