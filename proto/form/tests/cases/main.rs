//! The case files of `tests/cases`, run through the library: what a daemon would answer, without one.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use serde_json::{Value, json};

mod ask;
mod questionnaire;
mod walks;

/// The cases of one file, at least one.
fn load(name: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/cases/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
    assert!(!cases.is_empty(), "{path} holds no case");
    cases
}

/// Runs every case and reports all that differ.
fn judge(name: &str, run: impl Fn(&Value, &mut Differences)) {
    let mut failed = Vec::new();
    for case in load(name) {
        let mut differences = Differences::default();
        run(&case, &mut differences);
        if !differences.0.is_empty() {
            failed.push(format!("{} {}\n  {}", case["id"], case["rule"], differences.0.join("\n  ")));
        }
    }
    assert!(failed.is_empty(), "{} cases of {name} differ:\n{}", failed.len(), failed.join("\n"));
}

#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn want(&mut self, what: &str, got: &Value, expected: &Value) {
        if got != expected {
            self.0.push(format!("{what}\n    got      {got}\n    expected {expected}"));
        }
    }
}

/// Questions cut down to the fields a case names.
fn questions(form: &askd_form::Form, fields: &[&str]) -> Value {
    const OPTION: &[&str] =
        &["value", "label", "description", "preview", "recommended", "selected", "freeform"];
    let form = serde_json::to_value(form).unwrap();
    let picked = form["questions"].as_array().unwrap().iter().map(|question| {
        let mut picked = pick(question, fields);
        let options = question["options"].as_array().unwrap();
        picked["options"] = options.iter().map(|option| pick(option, OPTION)).collect();
        picked
    });
    picked.collect()
}

fn pick(object: &Value, fields: &[&str]) -> Value {
    let mut picked = json!({});
    for field in fields {
        if let Some(value) = object.get(*field) {
            picked[*field] = value.clone();
        }
    }
    picked
}

fn paths(issues: &[askd_form::Issue]) -> Value {
    for issue in issues {
        assert!(!issue.message.trim().is_empty(), "no message at {}", issue.path);
    }
    issues.iter().map(|issue| issue.path.as_str()).collect()
}
