//! Reading the settings file and laying its values over the defaults.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use askd_wire::settings::{Keymaps, SCHEMA_VERSION, Settings, default_keymaps};
use figment::Figment;
use figment::providers::Serialized;
use serde_json::{Map, Value};

use super::shape;

/// A settings file beyond this is a mistake.
const MAX_BYTES: u64 = 1024 * 1024;

/// What is wrong with the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    Unreadable,
    Invalid,
    Newer,
}

impl FaultKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "settingsUnreadable",
            Self::Invalid => "settingsInvalid",
            Self::Newer => "settingsNewer",
        }
    }
}

/// A fault of the file: why it is not used, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl Fault {
    fn new(kind: FaultKind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }
}

/// The file as it was found.
#[derive(Debug, Clone)]
pub(super) enum FileState {
    Missing,
    Valid(Map<String, Value>),
    Faulty(Fault),
}

impl FileState {
    /// Its values, when they are in force.
    pub(super) fn values(&self) -> Option<&Map<String, Value>> {
        match self {
            Self::Valid(values) => Some(values),
            Self::Missing | Self::Faulty(_) => None,
        }
    }
}

/// The file and what is in force because of it.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub(super) file: FileState,
    pub(super) settings: Settings,
}

/// Reads the file. Never fails: a fault gives the defaults and says so.
pub(super) fn load(path: &Path) -> Loaded {
    let with_defaults = |file| Loaded { file, settings: Settings::default() };
    let values = match read(path) {
        Ok(Some(values)) => values,
        Ok(None) => return with_defaults(FileState::Missing),
        Err(fault) => return with_defaults(FileState::Faulty(fault)),
    };
    match in_force(&values) {
        Ok(settings) => Loaded { file: FileState::Valid(values), settings },
        Err((key, message)) => {
            let why = format!("`{key}`: {message}. Correct it in the file and start the daemon again.");
            with_defaults(FileState::Faulty(Fault::new(FaultKind::Invalid, why)))
        }
    }
}

/// Lays a file's values over the defaults.
///
/// # Errors
/// The dotted key whose value does not fit, and why.
pub(super) fn in_force(values: &Map<String, Value>) -> Result<Settings, (String, String)> {
    let layers = Figment::from(Serialized::defaults(Settings::default())).merge(Serialized::defaults(values));
    let mut settings: Settings =
        layers.extract().map_err(|error| (error.path.join("."), error.kind.to_string()))?;
    settings.keymaps = in_documented_order(settings.keymaps);
    Ok(settings)
}

fn read(path: &Path) -> Result<Option<Map<String, Value>>, Fault> {
    let unreadable = |error: std::io::Error| {
        let why = format!("it cannot be read ({error}). Check its permissions and start the daemon again.");
        Fault::new(FaultKind::Unreadable, why)
    };
    let meta = match path.metadata() {
        Ok(meta) => meta,
        // A dangling link counts as no file: saving creates what it points to.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(error)),
    };
    if !meta.is_file() {
        let why = "it is no regular file. Move it away and start the daemon again.";
        return Err(Fault::new(FaultKind::Unreadable, why));
    }
    if meta.len() > MAX_BYTES {
        let why = format!("it is larger than {MAX_BYTES} bytes. Shorten it and start the daemon again.");
        return Err(Fault::new(FaultKind::Invalid, why));
    }
    let mut text = Vec::new();
    File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut text)).map_err(unreadable)?;
    parse(&text).map(Some)
}

fn parse(text: &[u8]) -> Result<Map<String, Value>, Fault> {
    let invalid = |why: String| Fault::new(FaultKind::Invalid, why);
    let value: Value = serde_json::from_slice(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        invalid(format!(
            "it is no valid JSON (line {line}, column {column}). Correct it and start the daemon again."
        ))
    })?;
    let Value::Object(values) = value else {
        return Err(invalid("it holds no JSON object. Correct it and start the daemon again.".to_owned()));
    };
    match values.get(shape::VERSION).and_then(Value::as_u64) {
        Some(version) if version > u64::from(SCHEMA_VERSION) => Err(Fault::new(
            FaultKind::Newer,
            format!(
                "its schemaVersion is {version}, and this program knows versions up to {SCHEMA_VERSION}. Install a newer askd, or move the file away."
            ),
        )),
        Some(version) if version > 0 => Ok(values),
        _ => Err(invalid(format!(
            "its schemaVersion is missing or no whole number. Set it to {SCHEMA_VERSION} and start the daemon again."
        ))),
    }
}

/// Puts contexts and actions in the order of the defaults; layering sorts them by name.
fn in_documented_order(mut given: Keymaps) -> Keymaps {
    let mut ordered = Keymaps::new();
    for (context, actions) in default_keymaps() {
        let Some(mut given) = given.shift_remove(&context) else { continue };
        let mut keys: indexmap::IndexMap<_, _> =
            actions.into_keys().filter_map(|action| given.shift_remove_entry(&action)).collect();
        keys.extend(given);
        ordered.insert(context, keys);
    }
    ordered.extend(given);
    ordered
}
