//! Results of the key, walk and dialog cases, without the keys: the response that their details tell of is
//! given back to the library, which must come to the same details and texts.

use askd_form::{
    Contract, Outcome, PresentedTypes, QuestionType, Reason, Response, check, parse, tool_result,
};
use serde_json::{Value, json};

use crate::ask::{check_tool, options};
use crate::judge;

fn kind(name: &Value) -> QuestionType {
    serde_json::from_value(name.clone()).expect("a type")
}

/// The response behind `details`: the inverse of building a result.
fn response(details: &Value) -> Value {
    let mut answers = json!({});
    for (id, answer) in details["answers"].as_object().unwrap() {
        let mut given = answer.clone();
        if answer.get("customText").is_some() {
            given["values"].as_array_mut().unwrap().pop();
        }
        answers[id] = given;
    }
    for item in details["elaboration"]["items"].as_array().into_iter().flatten() {
        let answer = &mut answers[item["question"]["id"].as_str().unwrap()];
        match item["target"]["optionValue"].as_str() {
            Some(value) => answer["optionNotes"][value] = item["note"].clone(),
            None => answer["note"] = item["note"].clone(),
        }
    }
    json!({ "kind": "answer", "mode": details["mode"], "answers": answers })
}

fn run(name: &str) {
    judge(name, |case, differences| {
        let details = &case["expect"]["details"];
        if !details.is_object() {
            return;
        }
        let form = parse(Contract::Ask, &case["params"], &options(case)).expect("valid").form;
        let mut presented = PresentedTypes::new();
        for question in details["questions"].as_array().unwrap() {
            let shown = kind(question.get("presentedType").unwrap_or(&question["type"]));
            let id = question["id"].as_str().unwrap();
            if form.question(id).unwrap().kind != shown {
                presented.insert(id.to_owned(), shown);
            }
        }
        let outcome = if details["cancelled"] == true {
            Outcome::cancelled(Reason::Dismissed)
        } else {
            let response = Response::parse(&response(details)).unwrap();
            check(&form, &response, &presented).unwrap()
        };
        check_tool(&tool_result(&form, &outcome, &presented), &case["expect"], differences);
    });
}

#[test]
fn keys() {
    run("ask-keys");
}

#[test]
fn walks() {
    run("ask-walks");
}

#[test]
fn dialogs() {
    run("ask-dialog");
}
