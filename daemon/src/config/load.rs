//! From what was found to what is in force, with everything there is to tell about it.

use std::path::Path;

use askd_wire::settings::{Notice, SettingSource};
use serde_json::{Map, Value};

use super::document::Document;
use super::fault::{Fault, FaultKind};
use super::layers::{self, Layer, Layered};
use super::overrides::Overrides;
use super::read::{Files, Found};
use super::{channels, migrate, notices};

/// The file that counts, as it was understood.
#[derive(Debug, Clone)]
pub(super) enum FileState {
    Missing,
    /// Ours.
    Own(Document),
    /// Another program's, read in place of ours.
    Borrowed(Document),
    /// Ours, and not usable: it is never written over.
    Faulty(Fault),
}

impl FileState {
    /// Its values in the present shape, as they would stand in our file.
    pub(super) fn values(&self) -> Map<String, Value> {
        match self {
            Self::Missing | Self::Faulty(_) => Map::new(),
            Self::Own(document) => migrate::to_current(&document.values, document.version),
            Self::Borrowed(document) => {
                let mut values = migrate::to_current(&document.values, document.version);
                channels::drop_commands(&mut values);
                values
            }
        }
    }
}

/// What is in force because of what was found.
#[derive(Debug, Clone)]
pub(super) struct Loaded {
    pub(super) file: FileState,
    pub(super) layered: Layered,
    pub(super) notices: Vec<Notice>,
}

/// Understands what was found. Never fails: a file that cannot be used leaves what the other layers say, and is told
/// of. `before` is what stays in force then, where something is already.
pub(super) fn load(files: &Files, found: &Found, overrides: &Overrides, before: Option<&Layered>) -> Loaded {
    let unused = |path: &Path, fault: Fault| {
        let layered = before.cloned().unwrap_or_else(|| without_file(overrides));
        let mut notices = vec![notices::unused(path, &fault, before.is_some())];
        notices.extend_from_slice(overrides.notices());
        // Another program's file is nothing we would write over.
        let file = if *path == files.own { FileState::Faulty(fault) } else { FileState::Missing };
        Loaded { file, layered, notices }
    };
    let (path, bytes) = match found {
        Found::Nothing => {
            let layered = without_file(overrides);
            return Loaded { file: FileState::Missing, layered, notices: overrides.notices().to_vec() };
        }
        Found::Unusable(path, fault) => return unused(path, fault.clone()),
        Found::Bytes(path, bytes) => (path, bytes),
    };
    let document = match Document::parse(bytes) {
        Ok(document) => document,
        Err(fault) => return unused(path, fault),
    };
    let borrowed = *path != files.own;
    let mut values = migrate::to_current(&document.values, document.version);
    let mut notices = Vec::new();
    if borrowed {
        let commands = channels::drop_commands(&mut values);
        notices.extend((commands > 0).then(|| notices::commands_left_out(path)));
    }
    let dropped = channels::drop_unknown(&mut values);
    notices.extend(dropped.iter().map(|name| notices::unknown_channel(path, name)));
    match in_force(path, values, overrides) {
        Ok(layered) => {
            notices.extend(layered.keymap_fault.as_ref().map(|fault| notices::keymaps(path, fault)));
            notices.extend_from_slice(overrides.notices());
            let file = if borrowed { FileState::Borrowed(document) } else { FileState::Own(document) };
            Loaded { file, layered, notices }
        }
        Err(fault) => {
            let why = format!("`{}`: {}. Correct it in the file.", fault.key, fault.message);
            unused(path, Fault::new(FaultKind::Invalid, why))
        }
    }
}

/// What values of a file give, under the environment and flags.
pub(super) fn in_force(
    path: &Path,
    mut values: Map<String, Value>,
    overrides: &Overrides,
) -> Result<Layered, layers::ValueFault> {
    channels::drop_unknown(&mut values);
    let name = path.display().to_string();
    let mut all = vec![Layer { name, source: SettingSource::File, values }];
    all.extend(overrides.layers());
    layers::in_force(&all)
}

fn without_file(overrides: &Overrides) -> Layered {
    // Each override was tried alone; together only keymaps can disagree, and those give the default ones.
    let above = overrides.layers();
    layers::in_force(&above).or_else(|_| layers::in_force(&[])).unwrap_or_else(|_| Layered::default())
}
