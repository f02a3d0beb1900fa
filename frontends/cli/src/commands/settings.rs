//! `ask settings`: see and change them.

mod change;
mod doors;
mod import;

use std::path::PathBuf;

use askd_client::{CallError, Client};
use askd_tui::Reasons;
use askd_wire::Empty;
use askd_wire::method::{SettingsGet, SettingsPatch, SettingsReset};
use askd_wire::role::Role;
use askd_wire::settings::{PatchParams, SettingsState};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::commands::tui;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{marker, open, output};

/// See and change settings
///
/// In a terminal and without a command it shows the ones that are switched on and off as a list.
#[derive(Debug, Args)]
pub(crate) struct SettingsCommand {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print one setting, or all of them
    Get {
        /// Dotted, like behaviour.showFooterHints
        key: Option<String>,
    },
    /// Save one setting
    Set {
        /// Dotted, like behaviour.showFooterHints
        key: String,
        /// JSON, or a word taken as text; null goes back to the default
        #[arg(allow_hyphen_values = true)]
        value: String,
        /// Change it although an agent runs this command; it is recorded
        #[arg(long)]
        as_agent: bool,
    },
    /// Put all settings back to their defaults
    Reset {
        /// Reset although an agent runs this command; it is recorded
        #[arg(long)]
        as_agent: bool,
    },
    /// Print where the settings file is
    Path,
    /// Take over the settings of another program
    ///
    /// The file is that of the pi-ask extension, or one of the questionnaire's: ask-questions.json, qol.json.
    Import {
        /// Which file
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// Import although an agent runs this command; it is recorded
        #[arg(long)]
        as_agent: bool,
    },
}

impl SettingsCommand {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let agent = context.agent.as_deref();
        let draws = !context.out.json && agent.is_none() && open::draws(context);
        if self.action.is_none() && draws {
            return show(context).await;
        }
        match self.action.unwrap_or(Action::Get { key: None }) {
            Action::Import { file, as_agent } => {
                marker::refuse(agent, as_agent, "settings import")?;
                return import::run(context, &file).await;
            }
            Action::Path => {
                let path = context.place.config_file.display().to_string();
                context.out.value(&path)?;
                context.out.say(&path)?;
            }
            Action::Get { key } => {
                let state = context.frontend().await?.call::<SettingsGet>(Empty {}).await?;
                print(context, &pick(&state, key.as_deref())?)?;
                tell_notices(context, &state);
            }
            Action::Set { key, value, as_agent } => {
                marker::refuse(agent, as_agent, "settings set")?;
                let client = context.frontend().await?;
                let Some(state) = set(context, &client, &key, &value).await? else {
                    context.out.remark("Nothing was changed.");
                    return Ok(Exit::Cancelled);
                };
                tell_notices(context, &state);
                print(context, &pick(&state, Some(&key))?)?;
            }
            Action::Reset { as_agent } => {
                marker::refuse(agent, as_agent, "settings reset")?;
                let state = context.frontend().await?.call::<SettingsReset>(Empty {}).await?;
                context.out.value(&state.settings)?;
                context.out.say("All settings are back to their defaults. The old file is kept beside it as config.json.before-reset.")?;
            }
        }
        Ok(Exit::Done)
    }
}

/// The list, on the whole terminal.
async fn show(context: &Context) -> Result<Exit, Failure> {
    let options = context.starting(&[Role::Frontend]).frontend("tui", true);
    let client = Client::connect(options).await?;
    let closed = askd_tui::settings(client, tui::surroundings(context)).await.map_err(|error| {
        Failure::Other(format!("The settings cannot be drawn here: {error}. Use `ask settings get`."))
    })?;
    if let Some(signal) = closed.signal {
        open::end_by(signal);
    }
    match closed.reason {
        Reasons::Failed => Err(Failure::Other(closed.message.unwrap_or_default())),
        _ => Ok(Exit::Done),
    }
}

/// Saves one setting; none when the person was asked and did not say yes.
async fn set(
    context: &Context,
    client: &Client,
    key: &str,
    value: &str,
) -> Result<Option<SettingsState>, Failure> {
    let before = client.call::<SettingsGet>(Empty {}).await?;
    // A word that names no setting would be saved and have no effect.
    pick(&before, Some(key))?;
    let patch = patch(key, read(value));
    let params = PatchParams { patch: patch.clone(), revision: None };
    match client.call::<SettingsPatch>(params).await {
        Err(error) if doors::is_door(&error) => {}
        saved => return saved.map(Some).map_err(|error| refused(key, error)),
    }
    doors::check_person(context, &format!("`{key}`"), &before.file)?;
    let changes = change::changes(&before, &patch);
    let intro = "This names a program to run, or opens a door to this machine:";
    if !changes.is_empty() && !doors::confirm(context, intro, &changes, &before.file)? {
        return Ok(None);
    }
    doors::write(context, client, &before, patch).await.map(Some)
}

/// What is wrong with a value is the person's to mend, not a sign of two versions.
fn refused(key: &str, error: CallError) -> Failure {
    match error {
        CallError::Standard { code: INVALID_PARAMS, message, .. } => {
            let why = message.split(": {\"").next().unwrap_or_default();
            let why = why.strip_prefix("Invalid params: ").unwrap_or(why);
            Failure::Invalid(format!(
                "`{key}` was not changed. {why}. `ask settings get {key}` shows what it is."
            ))
        }
        error => error.into(),
    }
}

/// JSON-RPC's code for parameters that do not fit.
const INVALID_PARAMS: i32 = -32602;

/// JSON where it is JSON, else the text itself.
fn read(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()))
}

/// A merge patch that sets one dotted key.
fn patch(key: &str, value: Value) -> Value {
    key.rsplit('.').fold(value, |inner, name| json!({ name: inner }))
}

/// One setting of all, by its dotted key.
fn pick(state: &SettingsState, key: Option<&str>) -> Result<Value, Failure> {
    let all = serde_json::to_value(&state.settings)
        .map_err(|e| Failure::Other(format!("The settings could not be read: {e}.")))?;
    let Some(key) = key else { return Ok(all) };
    let mut at = &all;
    let mut walked = Vec::new();
    for name in key.split('.') {
        match at.get(name) {
            Some(inner) => at = inner,
            // Optional settings are absent until they are set.
            None if state.sources.contains_key(key) || OPTIONAL.contains(&key) => return Ok(Value::Null),
            None => return Err(Failure::Usage(unknown(key, &walked.join("."), at))),
        }
        walked.push(name);
    }
    Ok(at.clone())
}

/// Settings without a default.
const OPTIONAL: [&str; 3] = ["notifications.openCommand", "frontends.theme", "listen.address"];

fn unknown(key: &str, below: &str, at: &Value) -> String {
    let names: Vec<&str> = at.as_object().map(|o| o.keys().map(String::as_str).collect()).unwrap_or_default();
    match (below, names.is_empty()) {
        ("", _) => format!("There is no setting `{key}`. There are: {}.", names.join(", ")),
        (_, true) => format!("There is no setting `{key}`: `{below}` has nothing below it."),
        _ => format!("There is no setting `{key}`. Below `{below}` there are: {}.", names.join(", ")),
    }
}

fn print(context: &Context, value: &Value) -> Result<(), Failure> {
    if context.out.json {
        return context.out.value(value);
    }
    match value {
        Value::String(text) => context.out.say(text),
        other => output::write(&serde_json::to_string_pretty(other).unwrap_or_default()),
    }
}

fn tell_notices(context: &Context, state: &SettingsState) {
    for notice in &state.notices {
        context.out.remark(&format!("ask: settings: {}", notice.text));
    }
}

#[cfg(test)]
mod tests {
    use askd_wire::settings::Settings;

    use super::*;

    fn state() -> SettingsState {
        SettingsState {
            settings: Settings::default(),
            revision: 1,
            file: "/c".to_owned(),
            writable: true,
            notices: vec![],
            sources: Default::default(),
        }
    }

    #[test]
    fn dotted_keys_reach_values_and_groups() {
        let state = state();
        assert_eq!(pick(&state, Some("behaviour.showFooterHints")).unwrap(), json!(true));
        assert!(pick(&state, Some("behaviour")).unwrap().is_object());
        assert_eq!(pick(&state, Some("schemaVersion")).unwrap(), json!(5));
        assert_eq!(pick(&state, Some("notifications.openCommand")).unwrap(), Value::Null);
    }

    #[test]
    fn an_unknown_key_names_its_neighbours() {
        let text = pick(&state(), Some("behaviour.showHints")).unwrap_err().to_string();
        assert!(text.contains("showFooterHints") && text.contains("`behaviour`"), "{text}");
        let text = pick(&state(), Some("nothing")).unwrap_err().to_string();
        assert!(text.contains("notifications"), "{text}");
        let text = pick(&state(), Some("schemaVersion.x")).unwrap_err().to_string();
        assert!(text.contains("nothing below"), "{text}");
    }

    #[test]
    fn a_value_that_does_not_fit_is_named_without_the_call() {
        let failure = refused(
            "behaviour.showFooterHints",
            CallError::Standard {
                method: "settings/patch".to_owned(),
                code: -32602,
                message: "Invalid params: `behaviour.showFooterHints`: expected a boolean: {\"path\":\"x\"}"
                    .to_owned(),
            },
        );
        assert_eq!(failure.exit().code(), 6);
        let text = failure.to_string();
        assert!(text.contains("`behaviour.showFooterHints`: expected a boolean. "), "{text}");
        assert!(!text.contains("params") && !text.contains('{'), "{text}");
    }

    #[test]
    fn values_are_json_or_text() {
        assert_eq!(patch("a.b", read("false")), json!({ "a": { "b": false } }));
        assert_eq!(read("[\"bell\"]"), json!(["bell"]));
        assert_eq!(read("dark"), json!("dark"));
        assert_eq!(read("null"), Value::Null);
    }
}
