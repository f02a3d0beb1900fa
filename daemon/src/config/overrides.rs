//! Settings from outside the file: variables of the environment and flags of the daemon's command line.
//!
//! A variable is named after its key: `behaviour.showFooterHints` is `ASKD_BEHAVIOUR__SHOW_FOOTER_HINTS`. Two
//! underscores stand for the dot, so that no setting can be taken for one of askd's other variables.

use std::ffi::{OsStr, OsString};

use askd_wire::settings::{Notice, SettingSource};
use serde_json::{Map, Value, json};

use super::layers::{self, Layer};
use super::{patch, shape};

const PREFIX: &str = "ASKD_";

/// One value that stands above the file.
#[derive(Debug, Clone, PartialEq)]
struct Override {
    /// Dotted.
    key: String,
    value: Value,
    /// The variable or flag, for messages.
    name: String,
    source: SettingSource,
}

/// All values that stand above the file, the strongest last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overrides {
    given: Vec<Override>,
    notices: Vec<Notice>,
}

impl Overrides {
    /// Takes them from an environment and from `KEY=VALUE` flags. What does not fit is left out, with a notice.
    #[must_use]
    pub fn new(env: &[(OsString, OsString)], flags: &[String]) -> Self {
        let mut new = Self::default();
        for (name, value) in env {
            if let Some(name) = name.to_str().filter(|name| is_setting(name)) {
                let key = shape::keys().into_iter().find(|key| variable(key) == name);
                new.add(key.ok_or(name), value, name.to_owned(), SettingSource::Env);
            }
        }
        for flag in flags {
            let (key, value) = flag.split_once('=').unwrap_or((flag, ""));
            let known = shape::keys().into_iter().find(|known| known == key);
            let name = format!("--set {key}");
            new.add(known.ok_or(key), OsStr::new(value), name, SettingSource::Flag);
        }
        new
    }

    fn add(&mut self, key: Result<String, &str>, value: &OsStr, name: String, source: SettingSource) {
        let why = match key {
            Err(name) => format!("`{}` names no setting", askd_form::safe_text::line(name)),
            Ok(key) if patch::is_file_only(&key) => {
                format!("`{key}` names a program or opens a door and is read from the settings file only")
            }
            Ok(key) => {
                let value = read(&value.to_string_lossy());
                match fits(&key, &value) {
                    Ok(()) if patch::names_program(&key, &value) => {
                        format!("programs in `{key}` are read from the settings file only")
                    }
                    Ok(()) => {
                        self.given.push(Override { key, value, name, source });
                        return;
                    }
                    Err(why) => why,
                }
            }
        };
        let kind = if source == SettingSource::Env { "settingsEnvironment" } else { "settingsFlag" };
        let shown = askd_form::safe_text::line(&name).into_owned();
        let text = format!("{shown} is not used: {why}. Correct or remove it and start the daemon again.");
        self.notices.push(Notice { kind: kind.to_owned(), text });
    }

    /// The layers above the file.
    pub(super) fn layers(&self) -> Vec<Layer> {
        let layer = |given: &Override| Layer {
            name: given.name.clone(),
            source: given.source,
            values: under(&given.key, given.value.clone()),
        };
        self.given.iter().map(layer).collect()
    }

    /// What was given but is not used.
    pub(super) fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The variable or flag that fixes a key.
    pub(super) fn fixes(&self, key: &str) -> Option<&str> {
        self.given.iter().rev().find(|given| given.key == key).map(|given| given.name.as_str())
    }
}

/// The variable of a dotted key.
#[must_use]
pub fn variable(key: &str) -> String {
    let mut name = PREFIX.to_owned();
    for c in key.chars() {
        match c {
            '.' => name.push_str("__"),
            c if c.is_ascii_uppercase() => {
                name.push('_');
                name.push(c);
            }
            c => name.push(c.to_ascii_uppercase()),
        }
    }
    name
}

fn is_setting(variable: &str) -> bool {
    variable.strip_prefix(PREFIX).is_some_and(|rest| rest.contains("__"))
}

/// JSON where it is JSON, else the text itself.
fn read(value: &str) -> Value {
    serde_json::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()))
}

fn fits(key: &str, value: &Value) -> Result<(), String> {
    let mut values = under(key, value.clone());
    if let Some(dropped) = super::channels::drop_unknown(&mut values).first() {
        return Err(format!("{dropped} is no channel"));
    }
    let alone = Layer { name: String::new(), source: SettingSource::Env, values };
    match layers::in_force(&[alone]) {
        Err(fault) => Err(fault.message),
        Ok(layered) => layered.keymap_fault.map_or(Ok(()), |fault| Err(fault.message)),
    }
}

fn under(key: &str, value: Value) -> Map<String, Value> {
    match key.rsplit('.').fold(value, |inner, name| json!({ name: inner })) {
        Value::Object(values) => values,
        // A key has at least one name.
        _ => Map::new(),
    }
}
