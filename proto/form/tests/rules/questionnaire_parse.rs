//! What a questionnaire may be.

use askd_form::{Contract, Mode, QuestionType};
use serde_json::{Value, json};

use crate::{form, parsed, paths};

fn one(question: Value) -> Vec<String> {
    paths(Contract::Questionnaire, &json!({ "questions": [question] }))
}

/// A multiple choice of two with fields of its own.
fn multiple(fields: Value) -> Vec<String> {
    let mut question = json!({"question":"Q?","multiple":true,"options":[{"label":"a"},{"label":"b"}]});
    for (field, value) in fields.as_object().unwrap() {
        question[field] = value.clone();
    }
    one(question)
}

#[test]
fn defaults() {
    let parsed = parsed(
        Contract::Questionnaire,
        &json!({"questions":[
            {"question":" Q? ","id":" ","label":null,"options":[{"label":" A b "},{"label":"","value":"use-it"}]},
            {"question":"T?","placeholder":" p ","options":[],"multiple":true,"allowOther":false},
        ]}),
    );
    assert_eq!((parsed.mode, parsed.warnings.len()), (None, 0));
    let form = parsed.form;
    assert_eq!((form.title.as_deref(), form.submit_label.as_deref()), (None, Some("Submit")));
    let (first, second) = (&form.questions[0], &form.questions[1]);
    assert_eq!((first.id.as_str(), first.label.as_str(), first.prompt.as_str()), ("q1", "Q1", "Q?"));
    assert_eq!((first.kind, first.required), (QuestionType::Single, true));
    let options: Vec<_> = first.options.iter().map(|o| (o.value.as_str(), o.label.as_str())).collect();
    assert_eq!(options, [("A b", "A b"), ("use-it", "Use it")]);
    assert_eq!(first.custom.as_ref().unwrap().label, "Type your own");
    assert_eq!(
        (second.kind, &second.custom, second.placeholder.as_deref()),
        (QuestionType::Text, &None, Some("p"))
    );
}

#[test]
fn wrong_json_types_are_named_where_they_are() {
    assert_eq!(paths(Contract::Questionnaire, &json!(null)), ["questions"]);
    assert_eq!(paths(Contract::Questionnaire, &json!({"questions":[null]})), ["questions[0]"]);
    for field in [
        "id",
        "label",
        "header",
        "question",
        "placeholder",
        "otherLabel",
        "multiple",
        "allowOther",
        "required",
    ] {
        let mut question = json!({"question":"Q?"});
        question[field] = json!([1]);
        assert_eq!(one(question), [format!("questions[0].{field}")]);
    }
    assert_eq!(one(json!({"question":"Q?","options":"x","multiple":true,"min":9})), ["questions[0].options"]);
    for field in ["label", "value", "description", "selected"] {
        let mut option = json!({"label":"L"});
        option[field] = json!([1]);
        assert_eq!(
            one(json!({"question":"Q?","options":[option]})),
            [format!("questions[0].options[0].{field}")]
        );
    }
    for field in ["title", "submitLabel", "mode", "noWait"] {
        let mut params = json!({"questions":[{"question":"Q?"}]});
        params[field] = json!([1]);
        assert_eq!(paths(Contract::Questionnaire, &params), [field]);
    }
    assert_eq!(one(json!({"question":"Q?","kind":"secret"})), ["questions[0].kind"]);
    assert_eq!(one(json!({"question":"Q?","secret":true})), ["questions[0].secret"]);
}

#[test]
fn twelve_questions_at_most() {
    let many = |count: usize| json!({ "questions": vec![json!({"question":"Q?"}); count] });
    assert!(paths(Contract::Questionnaire, &many(12)).is_empty());
    assert_eq!(paths(Contract::Questionnaire, &many(13)), ["questions"]);
}

#[test]
fn limits_must_be_possible() {
    for fields in [
        json!({"min":0}),
        json!({"min":1,"max":3}),
        json!({"min":2.0}),
        json!({"min":null,"max":null}),
        json!({"max":0,"required":false}),
    ] {
        assert!(multiple(fields.clone()).is_empty(), "{fields}");
    }
    for (fields, field) in [
        (json!({"min":-1}), "min"),
        (json!({"min":"1"}), "min"),
        (json!({"max":1.5}), "max"),
        (json!({"max":1e300}), "max"),
        (json!({"min":2,"max":1}), "min"),
        (json!({"min":4}), "min"),
        (json!({"max":4}), "max"),
        (json!({"max":3,"allowOther":false}), "max"),
        (json!({"max":0}), "max"),
        (json!({"multiple":false,"min":1}), "min"),
        (json!({"multiple":false,"min":1,"max":1}), "min"),
        (json!({"multiple":false,"max":1}), "max"),
        (json!({"options":[],"max":1}), "max"),
    ] {
        assert_eq!(multiple(fields.clone()), [format!("questions[0].{field}")], "{fields}");
    }
    assert_eq!(multiple(json!({"min":"x","max":"x"})), ["questions[0].min", "questions[0].max"]);
}

#[test]
fn no_more_preselected_than_the_question_takes() {
    let options = |count: usize| {
        json!(
            vec![(); count]
                .iter()
                .enumerate()
                .map(|(i, ())| json!({"label":format!("o{i}"),"selected":true}))
                .collect::<Vec<_>>()
        )
    };
    assert!(multiple(json!({"options":options(3)})).is_empty());
    assert!(multiple(json!({"options":options(2),"max":2})).is_empty());
    assert_eq!(multiple(json!({"options":options(4),"max":2})), ["questions[0].options[2].selected"]);
    assert_eq!(one(json!({"question":"Q?","options":options(3)})), ["questions[0].options[1].selected"]);
}

#[test]
fn mode_beats_no_wait_and_unknown_ones_are_refused() {
    let run = |mode: Value, no_wait: Value| {
        parsed(
            Contract::Questionnaire,
            &json!({"mode":mode,"noWait":no_wait,"questions":[{"question":"Q?"}]}),
        )
        .mode
    };
    assert_eq!(run(json!(null), json!(true)), Some(Mode::Background));
    assert_eq!(run(json!(null), json!(false)), Some(Mode::Urgent));
    assert_eq!(run(json!("background"), json!(false)), Some(Mode::Background));
    let later = json!({"mode":"later","questions":[{"question":" "}]});
    assert_eq!(paths(Contract::Questionnaire, &later), ["questions[0].question", "mode"]);
}

#[test]
fn the_rules_are_those_of_the_contract() {
    let form = form(Contract::Questionnaire, &json!({"questions":[{"question":"Q?"}]}));
    assert!(!form.has_review() && form.rules.enforced);
    assert!(!(form.rules.notes || form.rules.elaborate || form.rules.type_change));
}
