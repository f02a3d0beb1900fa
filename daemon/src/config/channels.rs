//! The channels of a layer as far as they are known: what is not known is left out and named.

use askd_wire::settings::Channel;
use serde::Deserialize as _;
use serde_json::{Map, Value};

use super::shape;

/// Where the channels stand.
pub(super) const KEY: &str = "notifications.channels";

/// The place of the first entry that is neither a name nor an object.
pub(super) fn misshapen(values: &Map<String, Value>) -> Option<usize> {
    let channels = shape::lookup(values, KEY)?.as_array()?;
    channels.iter().position(|channel| !channel.is_string() && !channel.is_object())
}

/// Takes unknown channels out of a layer and gives their names. A list that is or becomes empty goes, so that the
/// default one holds.
pub(super) fn drop_unknown(values: &mut Map<String, Value>) -> Vec<String> {
    let mut dropped = Vec::new();
    keep(values, |channel| {
        let known = is_known(channel);
        if !known {
            dropped.push(name(channel));
        }
        known
    });
    dropped
}

/// Takes the channels that run a program out of a layer and gives how many they were.
pub(super) fn drop_commands(values: &mut Map<String, Value>) -> usize {
    let mut dropped = 0;
    keep(values, |channel| {
        let command = channel.is_object();
        dropped += usize::from(command);
        !command
    });
    dropped
}

fn keep(values: &mut Map<String, Value>, wanted: impl FnMut(&Value) -> bool) {
    let Some(Value::Object(notifications)) = values.get_mut("notifications") else { return };
    let Some(Value::Array(channels)) = notifications.get_mut("channels") else { return };
    channels.retain(wanted);
    if channels.is_empty() {
        notifications.shift_remove("channels");
    }
}

fn is_known(channel: &Value) -> bool {
    if channel.is_array() {
        return false;
    }
    match Channel::deserialize(channel) {
        Ok(Channel::Command(command)) => !command.command.trim().is_empty(),
        Ok(Channel::Name(_)) => true,
        Err(_) => false,
    }
}

fn name(channel: &Value) -> String {
    let name = channel.as_str().or_else(|| channel.get("type").and_then(Value::as_str));
    match name {
        Some("command") => "a command channel without a command".to_owned(),
        Some(name) => format!("`{}`", askd_form::safe_text::line(name)),
        None => "an entry without a name".to_owned(),
    }
}
