//! What an agent and a person read of a questionnaire.

use askd_form::{
    Contract, Form, Outcome, PresentedTypes, Reason, Response, ToolResult, check, fallback_result,
    invalid_result, pending_result, tool_result,
};
use serde_json::{Value, json};

use crate::{form, issues};

fn scope() -> Form {
    form(
        Contract::Questionnaire,
        &json!({"title":"Scope","questions":[
            {"id":"m","label":"Many","question":"Which?","multiple":true,"min":1,"max":2,"header":"About","otherLabel":"Else",
             "options":[{"label":"Core","value":"core","description":"heart"},{"label":"CLI","value":"cli","selected":true}]},
            {"id":"t","question":"Name?","required":false},
        ]}),
    )
}

fn content(result: &ToolResult) -> &Value {
    assert_eq!(result.details, None);
    result.structured_content.as_ref().unwrap()
}

fn nothing(skipped: bool) -> Value {
    json!([{"id":"m","question":"Which?","skipped":skipped,"selections":[]},
        {"id":"t","question":"Name?","skipped":skipped,"selections":[]}])
}

#[test]
fn selections_come_in_order_with_typed_text_last() {
    let response = json!({"kind":"answer","answers":{"m":{"values":["cli"],"customText":"docs\ntoo"}}});
    let none = PresentedTypes::new();
    let outcome = check(&scope(), &Response::parse(&response).unwrap(), &none).unwrap();
    let result = tool_result(&scope(), &outcome, &none);
    assert_eq!(result.text(), "Many: CLI, docs\ntoo\nQ2: (skipped)");
    assert_eq!(result.transcript, ["✓ Many: CLI, docs", "too", "? Q2: (skipped)"]);
    assert_eq!(
        content(&result),
        &json!({"cancelled":false,"answers":[
        {"id":"m","question":"Which?","skipped":false,"selections":[
            {"value":"cli","label":"CLI","custom":false},
            {"value":"docs\ntoo","label":"docs\ntoo","custom":true}]},
        {"id":"t","question":"Name?","skipped":true,"selections":[]}]})
    );
}

#[test]
fn pending_cancelled_and_fallback_hold_no_selection() {
    let pending = pending_result(&scope());
    assert_eq!(content(&pending), &json!({"cancelled":false,"pending":true,"answers":nothing(false)}));
    assert_eq!((pending.text().lines().count(), pending.transcript.len()), (1, 1));
    let expired = tool_result(&scope(), &Outcome::cancelled(Reason::Expired), &PresentedTypes::new());
    assert_eq!(content(&expired), &json!({"cancelled":true,"answers":nothing(true)}));
    assert!(expired.text().contains("no approval"));
    let fallback = fallback_result(&scope());
    assert_eq!(content(&fallback), &json!({"cancelled":true,"answers":nothing(true)}));
    for text in [
        "1. Many: Which? (choose 1 to 2)",
        "About",
        "Core [value: core] — heart",
        "Else",
        "2. Q2: Name? (typed answer, optional)",
    ] {
        assert!(fallback.text().contains(text), "{text} in {}", fallback.text());
    }
}

#[test]
fn an_invalid_payload_lists_its_issues() {
    let params = json!({"questions":[{"question":""}]});
    let issues = issues(Contract::Questionnaire, &params);
    let result = invalid_result(Contract::Questionnaire, &params, &issues);
    assert!(result.text().starts_with("Invalid ask_user payload:\n- questions[0].question: "));
    assert_eq!(content(&result), &json!({"cancelled":true,"answers":[]}));
    assert_eq!(result.transcript, ["Invalid tool payload"]);
}
