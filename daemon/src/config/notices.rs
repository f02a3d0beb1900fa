//! Faults of the settings, in words for the person.

use std::path::Path;

use askd_wire::settings::Notice;

use super::fault::Fault;
use super::keymaps::KeymapFault;

fn notice(kind: &str, text: String) -> Notice {
    Notice { kind: kind.to_owned(), text }
}

/// The whole file is not used.
pub(super) fn unused(path: &Path, fault: &Fault, was_used_before: bool) -> Notice {
    let instead =
        if was_used_before { "what was in force before still is" } else { "the defaults are in force" };
    notice(fault.kind.name(), format!("The settings in {} are not used; {instead}: {fault}", path.display()))
}

/// Its keymaps are not used; the rest is.
pub(super) fn keymaps(path: &Path, fault: &KeymapFault) -> Notice {
    let text = format!(
        "The keymaps in {} are not used; the default keys are in force: `{}`: {}. Correct it in the file.",
        path.display(),
        fault.key,
        fault.message
    );
    notice("keymapsInvalid", text)
}

/// One channel is not used; the rest is.
pub(super) fn unknown_channel(path: &Path, name: &str) -> Notice {
    let text = format!(
        "`notifications.channels` in {} names {name}, which is no channel; it is left out. There are desktop, bell, osc9, osc777 and {{\"type\":\"command\",\"command\":\"…\"}}.",
        path.display()
    );
    notice("channelUnknown", text)
}

/// Another program's file names programs, which we run only from our own.
pub(super) fn commands_left_out(path: &Path) -> Notice {
    let path = path.display();
    let text = format!(
        "The settings are read from {path}, but the programs in its `notifications.channels` are not run. Take them over with `ask settings import {path}`."
    );
    notice("commandsLeftOut", text)
}

/// A value was saved but another one is in force.
pub(super) fn not_in_force(key: &str, path: &Path, fixed_by: &str) -> Notice {
    let text = format!(
        "`{key}` is saved in {}, but is not in force: {fixed_by} fixes it for this daemon. Remove that and start the daemon again.",
        path.display()
    );
    notice("settingNotInForce", text)
}
