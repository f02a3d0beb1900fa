//! One edit of the file, from reading it to having written it.

use std::path::Path;

use askd_wire::settings::{Notice, SCHEMA_VERSION};
use serde_json::{Map, Value};

use super::document::{self, Document};
use super::load::{self, FileState, Loaded};
use super::overrides::Overrides;
use super::read::{self, Files, Found};
use super::{Edit, EditError, notices, patch, save, shape, shown};

/// What a save came to.
pub(super) struct Saved {
    pub(super) found: Found,
    pub(super) loaded: Loaded,
    /// What was saved but is not in force.
    pub(super) notices: Vec<Notice>,
}

/// Reads the file, works the edit into it and writes it.
///
/// # Errors
/// [`EditError`]; nothing was written then.
pub(super) fn save(files: &Files, overrides: &Overrides, edit: &Edit) -> Result<Saved, EditError> {
    let found = read::read(files);
    let loaded = load::load(files, &found, overrides, None);
    let before = loaded.file.values();
    let after = match edit {
        Edit::Patch(wish) => patch::apply(&before, wish, false)?,
        Edit::ByHand(wish) => patch::apply(&before, wish, true)?,
        Edit::Reset => patch::reset(&before),
    };
    // The wish is judged before the file, so that its own faults are told first.
    if let FileState::Faulty(fault) = &loaded.file {
        return Err(not_saved(&files.own, &fault.to_string()));
    }
    judge(files, overrides, edit, &after)?;
    let forgets_borrowed = matches!((edit, &loaded.file), (Edit::Reset, FileState::Borrowed(..)));
    if after == before && !forgets_borrowed {
        let notices = not_in_force(files, overrides, edit, &loaded);
        return Ok(Saved { found, loaded, notices });
    }
    let text = text(&loaded.file, &shape::with_version(after));
    let text =
        text.ok_or_else(|| not_saved(&files.own, "its text could not be changed. Edit it by hand."))?;
    write(files, edit, &loaded.file, &text)?;
    let found = Found::Bytes(files.own.clone(), text.into_bytes());
    let loaded = load::load(files, &found, overrides, None);
    let notices = not_in_force(files, overrides, edit, &loaded);
    Ok(Saved { found, loaded, notices })
}

/// Whether the file would be good after the edit, as far as the edit is to blame.
fn judge(
    files: &Files,
    overrides: &Overrides,
    edit: &Edit,
    after: &Map<String, Value>,
) -> Result<(), EditError> {
    let layered = load::in_force(&files.own, after.clone(), overrides)
        .map_err(|fault| EditError::Invalid { key: fault.key, message: fault.message })?;
    let touches_keymaps = match edit {
        Edit::Patch(wish) | Edit::ByHand(wish) => {
            wish.get("keymaps").is_some_and(|keymaps| !keymaps.is_null())
        }
        Edit::Reset => false,
    };
    match layered.keymap_fault {
        Some(fault) if touches_keymaps => Err(EditError::Invalid { key: fault.key, message: fault.message }),
        _ => Ok(()),
    }
}

/// The new text: the old one with what differs, or a new one.
fn text(file: &FileState, after: &Map<String, Value>) -> Option<String> {
    match file {
        FileState::Own(document) | FileState::Borrowed(document) => document.with(after),
        FileState::Missing | FileState::Faulty(_) => document::fresh(after),
    }
}

fn write(files: &Files, edit: &Edit, file: &FileState, text: &str) -> Result<(), EditError> {
    let path = &files.own;
    let failed = |error: std::io::Error| {
        let why = format!(
            "writing {} failed: {error}. Check the permissions of the file and its directory and the space on its disk.",
            shown(path)
        );
        not_saved(path, &why)
    };
    if let FileState::Own(Document { version, .. }) = file
        && *version < SCHEMA_VERSION
    {
        save::keep_copy(path, &format!("v{version}")).map_err(failed)?;
    }
    if matches!(edit, Edit::Reset) {
        save::keep_copy(path, "before-reset").map_err(failed)?;
    }
    save::write(path, text).map_err(failed)
}

fn not_in_force(files: &Files, overrides: &Overrides, edit: &Edit, loaded: &Loaded) -> Vec<Notice> {
    let (Edit::Patch(wish) | Edit::ByHand(wish)) = edit else { return Vec::new() };
    let saved = loaded.file.values();
    let settings = shape::to_object(&loaded.layered.settings);
    let other = |key: &String| {
        let value = shape::lookup(&saved, key);
        value.is_some() && value != shape::lookup(&settings, key)
    };
    let keys = patch::keys(wish).into_iter().filter(other);
    keys.filter_map(|key| {
        let fixed_by = overrides.fixes(&key)?;
        Some(notices::not_in_force(&key, &files.own, fixed_by))
    })
    .collect()
}

pub(super) fn not_saved(path: &Path, why: &str) -> EditError {
    EditError::NotSaved {
        file: path.to_owned(),
        message: format!("The settings in {} were not saved: {why}", shown(path)),
    }
}
