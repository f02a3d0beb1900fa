//! Questionnaire cases: validation, waiting and structured results.

use askd_form::{Contract, Mode, ParseOptions, parse};
use serde_json::{Value, json};

use crate::{ask, judge, paths, questions};

const FIELDS: &[&str] = &["id", "label", "header", "prompt", "type", "required", "custom", "min", "max"];

#[test]
fn validate() {
    judge("questionnaire-validate", |case, differences| {
        let expect = &case["expect"];
        let parsed = match parse(Contract::Questionnaire, &case["params"], &ParseOptions::default()) {
            Ok(parsed) => parsed,
            Err(issues) => {
                differences.want("ok", &false.into(), &expect["ok"]);
                differences.want("paths", &paths(&issues), &expect["paths"]);
                return;
            }
        };
        differences.want("ok", &true.into(), &expect["ok"]);
        let mut got = questions(&parsed.form, FIELDS);
        for question in got.as_array_mut().unwrap() {
            question["enforced"] = parsed.form.rules.enforced.into();
        }
        if let Some(expected) = expect.get("questions") {
            differences.want("questions", &got, expected);
        }
        if let Some(count) = expect.get("count") {
            differences.want("count", &parsed.form.questions.len().into(), count);
        }
        let of_each = |field: &str| -> Value {
            got.as_array().unwrap().iter().map(|question| question[field].clone()).collect()
        };
        if let Some(ids) = expect.get("ids") {
            differences.want("ids", &of_each("id"), ids);
        }
        if let Some(labels) = expect.get("labels") {
            differences.want("labels", &of_each("label"), labels);
        }
        if let Some(mode) = expect.get("mode") {
            let got = parsed.mode.unwrap_or(Mode::Background);
            differences.want("mode", &json!(got), mode);
        }
    });
}

#[test]
fn submit() {
    judge("questionnaire-submit", |case, differences| {
        let expect = &case["expect"];
        match ask::submit(Contract::Questionnaire, case) {
            Ok(result) => {
                differences.want("ok", &true.into(), &expect["ok"]);
                let got = result.structured_content.unwrap_or_default();
                differences.want("structuredContent", &got, &expect["structuredContent"]);
            }
            Err(error) => {
                differences.want("ok", &false.into(), &expect["ok"]);
                differences.want("error", &error.into(), &expect["error"]);
            }
        }
    });
}
