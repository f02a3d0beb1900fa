//! Ask cases: label derivation, validation, answers and results.

use askd_form::{
    Contract, ParseOptions, PresentedTypes, Response, ResponseFault, ToolResult, check, contract, parse,
    tool_result,
};
use serde_json::Value;

use crate::{Differences, judge, paths, questions};

const FIELDS: &[&str] = &["id", "label", "prompt", "type", "requestedType", "presentedType", "required"];

pub(crate) fn options(case: &Value) -> ParseOptions {
    ParseOptions {
        freeform: case["options"]["allowFreeform"] == true || case["allowFreeform"] == true,
        present_single_as_multi: case["options"]["presentSingleAsMulti"] == true
            || case["settings"]["behaviour"]["presentSingleAsMulti"] == true,
        ..ParseOptions::default()
    }
}

/// The error the remote contract reports, or the result.
pub(crate) fn submit(contract: Contract, case: &Value) -> Result<ToolResult, &'static str> {
    let form = parse(contract, &case["params"], &options(case)).expect("the form of a case is valid").form;
    let response = match Response::parse(&case["response"]) {
        Ok(response) => response,
        Err(ResponseFault::Kind(_)) => return Err("invalid_request"),
        Err(ResponseFault::Answer(_)) => return Err("invalid_answer"),
    };
    let presented = PresentedTypes::new();
    let outcome = check(&form, &response, &presented).map_err(|_| "invalid_answer")?;
    Ok(tool_result(&form, &outcome, &presented))
}

pub(crate) fn check_tool(result: &ToolResult, expect: &Value, differences: &mut Differences) {
    let noted = expect["presentationNote"] == true;
    if let Some(details) = expect.get("details") {
        let mut got = result.details.clone().unwrap_or_default();
        if let Some(instruction) = got.pointer_mut("/elaboration/instruction") {
            assert!(!instruction.as_str().unwrap_or_default().trim().is_empty());
            *instruction = "<any non-empty text>".into();
        }
        differences.want("details", &got, details);
    }
    let text = result.text();
    let mut lines: Vec<&str> = text.split('\n').collect();
    let mut transcript = result.transcript.clone();
    if let Some(first) = expect.get("contentFirstLine") {
        differences.want("first line", &lines[0].into(), first);
    }
    if noted {
        let note = lines.pop().unwrap_or_default().to_lowercase();
        if !["multi", "single", "preview"].iter().any(|name| note.contains(name)) {
            differences.0.push(format!("no closing note on types but {note:?}"));
        }
        transcript.pop();
    }
    if let Some(content) = expect.get("content") {
        differences.want("content", &lines.into(), content);
    }
    if let Some(expected) = expect.get("transcript") {
        differences.want("transcript", &transcript.into(), expected);
    }
    for mention in expect["contentMentions"].as_array().into_iter().flatten() {
        if !text.contains(mention.as_str().unwrap()) {
            differences.0.push(format!("no mention of {mention} in {text:?}"));
        }
    }
}

#[test]
fn validate() {
    judge("ask-validate", |case, differences| {
        let expect = &case["expect"];
        match parse(Contract::Ask, &case["params"], &options(case)) {
            Ok(parsed) => {
                differences.want("ok", &true.into(), &expect["ok"]);
                differences.want("questions", &questions(&parsed.form, FIELDS), &expect["questions"]);
            }
            Err(issues) => {
                differences.want("ok", &false.into(), &expect["ok"]);
                differences.want("paths", &paths(&issues), &expect["paths"]);
            }
        }
    });
}

#[test]
fn prepare() {
    judge("ask-prepare", |case, differences| {
        let mut params = case["params"].clone();
        contract::ask::derive_labels(&mut params);
        differences.want("params", &params, &case["expect"]["params"]);
    });
}

#[test]
fn remote() {
    judge("ask-remote", |case, differences| {
        let expect = &case["expect"];
        match submit(Contract::Ask, case) {
            Ok(result) => {
                differences.want("ok", &true.into(), &expect["ok"]);
                check_tool(&result, expect, differences);
            }
            Err(error) => differences.want("error", &error.into(), &expect["error"]),
        }
    });
}

#[test]
fn headless() {
    judge("ask-headless", |case, differences| {
        let form = parse(Contract::Ask, &case["params"], &options(case)).expect("valid").form;
        check_tool(&askd_form::fallback_result(&form), &case["expect"], differences);
    });
}
