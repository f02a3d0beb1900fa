//! Faults of the settings file, in words for the person.

use std::path::Path;

use askd_wire::settings::Notice;

use super::load::FileState;

/// What to tell about the file; nothing when it is well.
pub(super) fn for_file(path: &Path, file: &FileState) -> Vec<Notice> {
    let FileState::Faulty(fault) = file else { return Vec::new() };
    vec![Notice {
        kind: fault.kind.name().to_owned(),
        text: format!("The settings in {} are not used; the defaults are in force: {fault}", path.display()),
    }]
}
