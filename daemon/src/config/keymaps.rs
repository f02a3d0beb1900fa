//! Which keymaps are good: every key is one, none is named twice where both would be meant, and digits stay free.

use std::collections::HashMap;

use askd_form::key::{Code, Key};
use askd_wire::settings::{Keymaps, default_keymaps};
use indexmap::IndexMap;
use serde_json::{Map, Value};

/// The context whose keys work in the three others as well.
const GLOBAL: &str = "global";
/// Lies over the form and has its keys to itself.
const ALONE: &str = "settingsModal";

/// What is wrong, with the dotted key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KeymapFault {
    pub(super) key: String,
    pub(super) message: String,
}

/// The keymaps that the given ones make of the default ones, with every key in its canonical spelling. An action
/// that is left out keeps its default keys; a context that is not the contract's is taken as it is.
///
/// # Errors
/// The first fault in the order of the documentation.
pub(super) fn read(given: &Value) -> Result<Keymaps, KeymapFault> {
    let given = match given {
        Value::Null => &Map::new(),
        Value::Object(given) => given,
        _ => return Err(fault("keymaps", "expected an object with a context like \"main\" for each place")),
    };
    let mut keymaps = default_keymaps();
    for (context, actions) in given {
        let at = format!("keymaps.{context}");
        let known = keymaps.get_mut(context);
        let actions = match (actions, &known) {
            (Value::Null, Some(_)) => continue,
            (Value::Object(actions), _) => actions,
            (_, Some(_)) => return Err(fault(&at, "expected an object with keys by action")),
            (_, None) => return Err(fault(&at, "expected a context, like keymaps.main, around the actions")),
        };
        match known {
            Some(known) => take(&at, actions, known)?,
            None => {
                let own = others(&at, actions)?;
                keymaps.insert(context.clone(), own);
            }
        }
    }
    check_duplicates(&keymaps)?;
    Ok(keymaps)
}

fn take(
    at: &str,
    actions: &Map<String, Value>,
    known: &mut IndexMap<String, Vec<String>>,
) -> Result<(), KeymapFault> {
    for (action, keys) in known.iter_mut() {
        match actions.get(action) {
            None | Some(Value::Null) => {}
            Some(given) => *keys = names(&format!("{at}.{action}"), given)?,
        }
    }
    Ok(())
}

fn others(at: &str, actions: &Map<String, Value>) -> Result<IndexMap<String, Vec<String>>, KeymapFault> {
    let named =
        actions.iter().map(|(action, keys)| Ok((action.clone(), names(&format!("{at}.{action}"), keys)?)));
    named.collect()
}

fn names(at: &str, given: &Value) -> Result<Vec<String>, KeymapFault> {
    let given = match given {
        Value::Array(given) => given.as_slice(),
        one => std::slice::from_ref(one),
    };
    let mut names = Vec::new();
    for name in given {
        let Some(name) = name.as_str() else {
            return Err(fault(at, "expected the name of a key, or a list of them"));
        };
        let Some(key) = Key::parse(name) else {
            let shown = askd_form::safe_text::line(name);
            return Err(fault(at, &format!("`{shown}` is the name of no key")));
        };
        if key.is_unmodified() && matches!(key.code, Code::Char('0'..='9')) {
            return Err(fault(at, "digits select options and cannot be given to an action"));
        }
        let name = key.name();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Err(fault(at, "expected at least one key"));
    }
    Ok(names)
}

fn check_duplicates(keymaps: &Keymaps) -> Result<(), KeymapFault> {
    let in_context = |context: &str| {
        let actions = keymaps.get(context).into_iter().flatten();
        actions.flat_map(|(action, keys)| keys.iter().map(move |key| (key.clone(), action.clone())))
    };
    for context in default_keymaps().keys() {
        let mut seen: HashMap<String, String> = HashMap::new();
        if context != GLOBAL && context != ALONE {
            seen.extend(in_context(GLOBAL).map(|(key, action)| (key, format!("{GLOBAL}.{action}"))));
        }
        for (key, action) in in_context(context) {
            let at = format!("{context}.{action}");
            if let Some(other) = seen.insert(key.clone(), at.clone()) {
                return Err(fault(
                    &format!("keymaps.{at}"),
                    &format!("`{key}` is the key of {other} as well"),
                ));
            }
        }
    }
    Ok(())
}

fn fault(key: &str, message: &str) -> KeymapFault {
    KeymapFault { key: key.to_owned(), message: message.to_owned() }
}
