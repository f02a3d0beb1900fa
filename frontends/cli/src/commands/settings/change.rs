//! What a patch changes, one line a setting.

use std::fmt;

use askd_wire::settings::SettingsState;
use serde_json::Value;

/// One setting before and after.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Change {
    /// Dotted.
    key: String,
    old: Option<Value>,
    new: Value,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.old {
            Some(old) => write!(f, "{}: {old} → {}", self.key, self.new),
            None => write!(f, "{}: not set → {}", self.key, self.new),
        }
    }
}

/// The settings that have another value after a patch.
pub(super) fn changes(state: &SettingsState, patch: &Value) -> Vec<Change> {
    let before = serde_json::to_value(&state.settings).unwrap_or_default();
    let mut changes = Vec::new();
    collect(&before, patch, &mut Vec::new(), &mut changes);
    changes
}

fn collect<'a>(before: &Value, patch: &'a Value, path: &mut Vec<&'a str>, changes: &mut Vec<Change>) {
    // Channels are lists, so every object on the way is a section.
    let Value::Object(section) = patch else {
        let old = path.iter().try_fold(before, |value, name| value.get(name));
        if old != Some(patch) {
            changes.push(Change { key: path.join("."), old: old.cloned(), new: patch.clone() });
        }
        return;
    };
    for (name, value) in section {
        path.push(name);
        collect(before, value, path, changes);
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use askd_wire::settings::Settings;
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_differs_is_shown() {
        let state = SettingsState {
            settings: Settings::default(),
            revision: 1,
            file: "/c".to_owned(),
            writable: true,
            notices: vec![],
            sources: Default::default(),
        };
        let patch = json!({
            "behaviour": { "showFooterHints": false, "confirmDismissWhenDirty": true },
            "notifications": { "openCommand": "xterm" },
        });
        let shown: Vec<String> = changes(&state, &patch).iter().map(Change::to_string).collect();
        assert_eq!(
            shown,
            ["behaviour.showFooterHints: true → false", "notifications.openCommand: not set → \"xterm\""]
        );
    }
}
