//! Option labels an agent left out, derived from the values before anything is validated (ask contract,
//! Input rules; contracts.md §1 for both contracts).

use serde_json::{Map, Value};

/// Gives every option without a label, or with a blank one, a label made from its value. What is not shaped
/// like options is left for validation to name.
pub fn derive_labels(params: &mut Value) {
    let Some(Value::Array(questions)) = params.get_mut("questions") else { return };
    for question in questions {
        let Some(Value::Array(options)) = question.get_mut("options") else { continue };
        options.iter_mut().filter_map(Value::as_object_mut).for_each(derive_label);
    }
}

fn derive_label(option: &mut Map<String, Value>) {
    let wanted = match option.get("label") {
        None => true,
        Some(Value::String(label)) => label.trim().is_empty(),
        Some(_) => false,
    };
    if !wanted {
        return;
    }
    let label = option.get("value").and_then(Value::as_str).and_then(label_of);
    if let Some(label) = label {
        option.insert("label".to_owned(), Value::String(label));
    }
}

/// The label of a value, none if it holds nothing but separators.
fn label_of(value: &str) -> Option<String> {
    let words = value
        .split(|c: char| c == '-' || c == '_' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let mut rest = words.chars();
    let first = rest.next()?;
    Some(first.to_uppercase().chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn separators_become_single_spaces_and_the_first_character_is_raised() {
        for (value, label) in [
            ("use-postgres", Some("Use postgres")),
            ("  roll   back__all ", Some("Roll back all")),
            ("iOS-app", Some("IOS app")),
            ("éclair_now", Some("Éclair now")),
            ("ßa", Some("SSa")),
            ("3-2", Some("3 2")),
            ("a\u{a0}\u{3000}b", Some("A b")),
            ("--__", None),
            ("", None),
        ] {
            assert_eq!(label_of(value).as_deref(), label, "{value:?}");
        }
    }

    #[test]
    fn a_given_label_is_left_alone() {
        let mut params = json!({"questions":[{"options":[{"value":"a","label":" A-b "},{"value":3}]}]});
        let before = params.clone();
        derive_labels(&mut params);
        assert_eq!(params, before);
    }
}
