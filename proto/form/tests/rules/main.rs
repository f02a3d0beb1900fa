//! The rules of both contracts one by one, and properties that hold for every form and answer.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "helpers of tests")]

use askd_form::{Contract, Form, Issue, ParseOptions, Parsed, parse};
use serde_json::{Value, json};

mod ask_parse;
mod ask_result;
mod properties;
mod questionnaire_parse;
mod questionnaire_result;
mod responses;

fn parsed(contract: Contract, params: &Value) -> Parsed {
    parse(contract, params, &ParseOptions::default()).unwrap_or_else(|issues| panic!("{params}: {issues:?}"))
}

fn form(contract: Contract, params: &Value) -> Form {
    parsed(contract, params).form
}

fn issues(contract: Contract, params: &Value) -> Vec<Issue> {
    match parse(contract, params, &ParseOptions::default()) {
        Ok(_) => Vec::new(),
        Err(issues) => issues,
    }
}

fn paths(contract: Contract, params: &Value) -> Vec<String> {
    issues(contract, params).into_iter().map(|issue| issue.path).collect()
}

/// An ask question over the options x, y and z, with fields of its own on top.
fn choice(id: &str, fields: Value) -> Value {
    let mut question = json!({
        "id": id,
        "prompt": format!("{id}?"),
        "options": [{"value":"x","label":"X-ray"},{"value":"y","label":"Yankee"},{"value":"z","label":"Zulu"}],
    });
    for (field, value) in fields.as_object().unwrap() {
        question[field] = value.clone();
    }
    question
}
