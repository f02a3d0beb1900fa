//! What an ask payload may be.

use askd_form::{Contract, Limits, Mode, ParseOptions, QuestionType, parse};
use serde_json::{Value, json};

use crate::{choice, form, issues, parsed, paths};

/// The paths for one question with these fields changed.
fn with(fields: Value) -> Vec<String> {
    paths(Contract::Ask, &json!({ "questions": [choice("a", fields)] }))
}

/// The paths for one option.
fn option(option: Value) -> Vec<String> {
    with(json!({ "options": [option] }))
}

fn extraction(params: &Value) -> Result<askd_form::Form, Vec<String>> {
    let options = ParseOptions { freeform: true, present_single_as_multi: true, ..ParseOptions::default() };
    let paths = |issues: Vec<askd_form::Issue>| issues.into_iter().map(|issue| issue.path).collect();
    parse(Contract::Ask, params, &options).map(|parsed| parsed.form).map_err(paths)
}

#[test]
fn what_is_no_form_is_an_issue_at_questions() {
    for params in [json!(null), json!("hello"), json!([]), json!(3), json!({}), json!({"questions":null})] {
        assert_eq!(paths(Contract::Ask, &params), ["questions"], "{params}");
    }
    for questions in [json!("x"), json!({}), json!([])] {
        assert_eq!(paths(Contract::Ask, &json!({ "questions": questions })), ["questions"]);
    }
    assert_eq!(
        paths(Contract::Ask, &json!({"questions":[null,3,[]]})),
        ["questions[0]", "questions[1]", "questions[2]"]
    );
    assert_eq!(paths(Contract::Ask, &json!({"title":1,"questions":[]})), ["title", "questions"]);
}

#[test]
fn wrong_json_types_are_named_where_they_are() {
    assert_eq!(with(json!({"id":3})), ["questions[0].id"]);
    assert_eq!(with(json!({"id":null})), ["questions[0].id"]);
    assert_eq!(with(json!({"prompt":["a"]})), ["questions[0].prompt"]);
    assert_eq!(with(json!({"label":4})), ["questions[0].label"]);
    assert_eq!(with(json!({"type":3})), ["questions[0].type"]);
    assert_eq!(with(json!({"type":"text"})), ["questions[0].type"]);
    assert_eq!(with(json!({"type":"Single"})), ["questions[0].type"]);
    assert_eq!(with(json!({"required":"yes"})), ["questions[0].required"]);
    assert_eq!(with(json!({"options":{}})), ["questions[0].options"]);
    assert_eq!(with(json!({"options":null})), ["questions[0].options"]);
    assert_eq!(with(json!({"options":["x",null]})), ["questions[0].options[0]", "questions[0].options[1]"]);
    assert_eq!(option(json!({"value":1,"label":"L"})), ["questions[0].options[0].value"]);
    assert_eq!(option(json!({"label":"L"})), ["questions[0].options[0].value"]);
    assert_eq!(option(json!({"value":"v","label":1})), ["questions[0].options[0].label"]);
    assert_eq!(option(json!({"value":"v","label":null})), ["questions[0].options[0].label"]);
    assert_eq!(option(json!({"value":"--"})), ["questions[0].options[0].label"]);
    assert_eq!(option(json!({"value":"v","description":1})), ["questions[0].options[0].description"]);
    assert_eq!(option(json!({"value":"v","preview":1})), ["questions[0].options[0].preview"]);
    assert_eq!(option(json!({"value":"v","recommended":"x"})), ["questions[0].options[0].recommended"]);
}

#[test]
fn null_and_blank_optional_fields_are_left_out() {
    for nothing in [json!(null), json!(" \u{3000}\n")] {
        let option = json!({"value":"v","label":"L","description":nothing,"preview":nothing});
        let fields = json!({"label":nothing,"options":[option]});
        let form = form(Contract::Ask, &json!({"title":nothing,"questions":[choice("a", fields)]}));
        assert_eq!((form.title.as_deref(), form.questions[0].label.as_str()), (None, "Q1"));
        assert_eq!(
            (&form.questions[0].options[0].description, &form.questions[0].options[0].preview),
            (&None, &None)
        );
    }
    let fields = json!({"type":null,"required":null,"options":[{"value":"v","recommended":null}]});
    let form = form(Contract::Ask, &json!({"questions":[choice("a", fields)]}));
    assert_eq!(form.questions[0].kind, QuestionType::Single);
    assert_eq!((form.questions[0].required, form.questions[0].options[0].recommended), (false, None));
}

#[test]
fn issues_come_in_the_order_the_rules_meet_them() {
    let bad = json!({"type":"x","id":" ","prompt":"","label":1,"required":1,"options":[
        {"value":"v","label":1,"description":1,"preview":1,"recommended":1},
        {"value":"v","label":"L"},
    ]});
    let got = paths(Contract::Ask, &json!({"questions":[bad, {"id":"b","prompt":"B?"}]}));
    assert_eq!(
        got,
        [
            "questions[0].type",
            "questions[0].id",
            "questions[0].prompt",
            "questions[0].label",
            "questions[0].required",
            "questions[0].options[0].label",
            "questions[0].options[0].description",
            "questions[0].options[0].preview",
            "questions[0].options[0].recommended",
            "questions[0].options[1].value",
            "questions[1].options",
        ]
    );
}

#[test]
fn messages_name_question_and_option_and_hold_no_payload_text() {
    let fields =
        json!({"type":"preview","options":[{"value":"v"},{"value":"\u{1b}[2Jsecret"},{"value":"v"}]});
    for issue in issues(Contract::Ask, &json!({"questions":[choice("a", fields)]})) {
        assert!(issue.message.starts_with("Question 1, option "), "{}", issue.message);
        assert!(!issue.message.contains("secret"), "{}", issue.message);
    }
    let fields = json!({"type":"preview","options":[{"value":"v","description":"d"}]});
    let hint = &issues(Contract::Ask, &json!({"questions":[choice("a", fields)]}))[0].message;
    assert!(hint.contains("preview text") && hint.contains("type: \"single\""), "{hint}");
}

#[test]
fn secrets_are_refused_until_supported() {
    assert_eq!(with(json!({"kind":"secret"})), ["questions[0].kind"]);
    assert_eq!(with(json!({"kind":" Secret"})), ["questions[0].kind"]);
    assert_eq!(with(json!({"secret":true})), ["questions[0].secret"]);
    assert_eq!(with(json!({"secret":"yes"})), ["questions[0].secret"]);
    assert!(with(json!({"secret":false,"kind":"choice"})).is_empty());
    let bare = json!({"questions":[{"id":"tok","prompt":"Paste the token","kind":"secret"}]});
    assert_eq!(paths(Contract::Ask, &bare), ["questions[0].kind", "questions[0].options"]);
}

#[test]
fn unknown_fields_are_warned_about_by_path() {
    let params = json!({"extra":1,"questions":[choice("a", json!({"hint":"h","options":[
        {"value":"x","note":1,"freeform":false}]}))]});
    let warnings: Vec<_> = parsed(Contract::Ask, &params).warnings;
    let paths: Vec<&str> = warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!(
        paths,
        ["extra", "questions[0].options[0].freeform", "questions[0].options[0].note", "questions[0].hint"]
    );
    assert!(warnings.iter().all(|warning| !warning.message.is_empty()));
}

#[test]
fn the_protocol_reads_mode_and_no_wait() {
    for (mode, no_wait, expected, warnings) in [
        (json!(null), json!(null), None, 0),
        (json!("background"), json!(null), Some(Mode::Background), 0),
        (json!("urgent"), json!(true), Some(Mode::Urgent), 0),
        (json!(null), json!(true), Some(Mode::Background), 0),
        (json!(null), json!(false), Some(Mode::Urgent), 0),
        (json!("submit"), json!(true), Some(Mode::Background), 1),
        (json!(3), json!("x"), None, 2),
    ] {
        let params = json!({"mode":mode,"noWait":no_wait,"questions":[choice("a", json!({}))]});
        let parsed = parsed(Contract::Ask, &params);
        assert_eq!((parsed.mode, parsed.warnings.len()), (expected, warnings), "{params}");
    }
}

#[test]
fn freeform_belongs_to_extraction_and_stands_alone() {
    let marked = |options: Value| json!({"questions":[choice("a", json!({ "options": options }))]});
    let open = marked(json!([{"value":"freeform","label":"Type","freeform":true}]));
    assert_eq!(paths(Contract::Ask, &open), ["questions[0].options"]);
    let form = extraction(&open).unwrap();
    assert_eq!(form.questions[0].custom.as_ref().unwrap().label, "Type your answer:");
    assert_eq!(form.questions[0].kind, QuestionType::Single, "nothing to present as several");
    assert!(form.questions[0].is_typed());
    let two = marked(json!([{"value":"freeform","freeform":true},{"value":"x"}]));
    assert_eq!(extraction(&two), Err(vec!["questions[0].options".to_owned()]));
    let plain = extraction(&marked(json!([{"value":"x","freeform":false}]))).unwrap();
    assert_eq!(plain.questions[0].options[0].freeform, None);
    assert_eq!(plain.questions[0].custom.as_ref().unwrap().label, "Type your own");
}

#[test]
fn limits_are_named_and_nothing_below_them_is_refused() {
    let limits = Limits { questions: 2, options: 3, text_bytes: 8 };
    let run = |params: Value| {
        let options = ParseOptions { limits, ..ParseOptions::default() };
        parse(Contract::Ask, &params, &options)
            .err()
            .unwrap_or_default()
            .into_iter()
            .map(|issue| issue.path)
            .collect::<Vec<_>>()
    };
    let question = |id: &str| choice(id, json!({"prompt":"12345678"}));
    assert!(run(json!({"questions":[question("a"), question("b")]})).is_empty());
    assert_eq!(run(json!({"questions":[question("a"), question("b"), question("c")]})), ["questions"]);
    assert_eq!(run(json!({"title":"123456789","questions":[question("a")]})), ["title"]);
    assert!(run(json!({"title":"  12345678  ","questions":[question("a")]})).is_empty());
    let four = json!({"prompt":"?","options":[{"value":"a"},{"value":"b"},{"value":"c"},{"value":"d"}]});
    assert_eq!(run(json!({"questions":[choice("a", four)]})), ["questions[0].options"]);
    let long = json!({"prompt":"?","options":[{"value":"é é é","label":"L","preview":"123456789"}]});
    assert_eq!(run(json!({"questions":[choice("a", long)]})), ["questions[0].options[0].preview"]);
}

#[test]
fn faults_of_a_hostile_payload_are_counted_not_listed() {
    let empty = vec![json!({}); 512];
    let question = json!({ "options": empty });
    let issues = issues(Contract::Ask, &json!({ "questions": vec![question; 64] }));
    assert_eq!(issues.len(), 1001);
    assert!(issues[1000].message.contains("more issues"));
}

#[test]
fn ids_of_javascript_objects_are_ordinary() {
    let params = json!({"questions":[choice("__proto__", json!({})), choice("constructor", json!({}))]});
    assert!(paths(Contract::Ask, &params).is_empty());
}

#[test]
fn single_can_be_presented_as_multi() {
    let form = extraction(&json!({"questions":[
        choice("a", json!({})),
        choice("m", json!({"type":"multi"})),
        choice("p", json!({"type":"preview","options":[{"value":"v","preview":"p"}]})),
    ]}))
    .unwrap();
    let types: Vec<_> = form.questions.iter().map(|q| (q.kind, q.requested_type, q.presented_type)).collect();
    use QuestionType::{Multi, Preview, Single};
    assert_eq!(types, [(Multi, Some(Single), Some(Multi)), (Multi, None, None), (Preview, None, None)]);
}
