//! The shared case files, driven through keys without any screen.

use askd_form::{Contract, Outcome, ParseOptions, Reason, Response, check, parse, tool_result};
use serde_json::{Value, json};

use super::*;

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn keymap(case: &Value) -> Keymap {
    let maps = case.pointer("/settings/keymaps").cloned().unwrap_or_else(|| json!({}));
    Keymap::new(&serde_json::from_value(maps).unwrap())
}

fn behaviour(case: &Value) -> Behaviour {
    let given = |name: &str| case.pointer(&format!("/settings/behaviour/{name}")).and_then(Value::as_bool);
    let default = Behaviour::default();
    Behaviour {
        auto_submit: given("autoSubmitWhenAnsweredWithoutNotes").unwrap_or(default.auto_submit),
        confirm_dismiss: given("confirmDismissWhenDirty").unwrap_or(default.confirm_dismiss),
        double_press: given("doublePressReviewShortcuts").unwrap_or(default.double_press),
    }
}

fn form(case: &Value) -> Arc<Form> {
    let contract = if case["contract"] == "questionnaire" { Contract::Questionnaire } else { Contract::Ask };
    let options = ParseOptions {
        freeform: case["allowFreeform"] == true,
        present_single_as_multi: case.pointer("/settings/behaviour/presentSingleAsMulti")
            == Some(&json!(true)),
        ..ParseOptions::default()
    };
    Arc::new(parse(contract, &case["params"], &options).unwrap().form)
}

/// The name of a key in a case file, as a host sends it.
fn press(name: &str) -> KeyPress {
    let text = match name {
        "space" => Some(" ".to_owned()),
        one if one.chars().count() == 1 => Some(one.to_owned()),
        _ => None,
    };
    KeyPress { key: Key::parse(name), text, repeat: false }
}

/// Plays the keys; gives the outcome once the form is resolved.
fn play(work: &mut Interaction, keymap: &Keymap, keys: &[Value]) -> Option<(Outcome, PresentedTypes)> {
    for key in keys {
        let mut effects = Vec::new();
        if let Some(name) = key.as_str() {
            effects.push(work.on_key(keymap, &press(name)));
        } else if let Some(text) = key["type"].as_str() {
            for c in text.chars() {
                let name = if c == ' ' { "space".to_owned() } else { c.to_string() };
                effects.push(work.on_key(keymap, &press(&name)));
            }
        } else if let Some(text) = key["paste"].as_str() {
            effects.push(work.on(&Action::Paste(text.to_owned()), false));
        } else if let Ok(response) = Response::parse(&key["remote"])
            && let Ok(outcome) = check(work.form(), &response, &PresentedTypes::new())
        {
            return Some((outcome, PresentedTypes::new()));
        }
        for effect in effects {
            let response = match effect.request {
                Some(Request::Submit(mode)) => work.response(mode),
                Some(Request::Cancel) => {
                    return Some((Outcome::cancelled(Reason::Dismissed), work.presented()));
                }
                _ => continue,
            };
            let presented = work.presented();
            return Some((check(work.form(), &response, &presented).unwrap(), presented));
        }
    }
    None
}

fn differences(case: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let form = form(case);
    let mut work = Interaction::new(Arc::clone(&form), behaviour(case));
    let ended = play(&mut work, &keymap(case), case["keys"].as_array().unwrap());
    let expect = &case["expect"];
    let Some((outcome, presented)) = ended else {
        if expect["state"] != "open" {
            out.push(format!("still open, expected {expect}"));
        }
        return out;
    };
    if expect["state"] == "open" {
        return vec![format!("resolved: {outcome:?}")];
    }
    let result = tool_result(&form, &outcome, &presented);
    if let Some(details) = expect.get("details") {
        let mut got = result.details.clone().unwrap_or_default();
        if let Some(instruction) = got.pointer_mut("/elaboration/instruction") {
            *instruction = json!("<any non-empty text>");
        }
        if got != *details {
            out.push(format!("got      {got}\n    expected {details}"));
        }
    }
    if let Some(structured) = expect.get("structuredContent")
        && result.structured_content.as_ref() != Some(structured)
    {
        out.push(format!("got      {:?}\n    expected {structured}", result.structured_content));
    }
    if expect["cancelled"] == true && outcome.kind != askd_form::OutcomeKind::Cancelled {
        out.push("not cancelled".to_owned());
    }
    out
}

fn all_pass(file: &str, least: usize) {
    let cases = cases(file);
    assert!(cases.len() >= least, "{file} has {} cases", cases.len());
    let failed: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let found = differences(case);
            (!found.is_empty()).then(|| {
                format!("{} {} {}\n    {}", case["id"], case["rule"], case["keys"], found.join("\n    "))
            })
        })
        .collect();
    assert!(failed.is_empty(), "{} of {} differ\n{}", failed.len(), cases.len(), failed.join("\n"));
}

#[test]
fn ask_keys() {
    all_pass("ask-keys.json", 45);
}

#[test]
fn ask_walks() {
    all_pass("ask-walks.json", 200);
}

#[test]
fn questionnaire_keys() {
    all_pass("questionnaire-keys.json", 18);
}
