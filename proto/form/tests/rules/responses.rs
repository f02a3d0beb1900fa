//! Which responses a form accepts, and where a refused one is at fault.

use askd_form::{
    Contract, Form, OutcomeKind, ParseOptions, PresentedTypes, QuestionType, Reason, Response, check,
    check_within, parse,
};
use serde_json::{Value, json};

use crate::{choice, form};

fn three() -> Form {
    form(
        Contract::Ask,
        &json!({"questions":[
            choice("s", json!({})),
            choice("m", json!({"type":"multi"})),
            choice("p", json!({"type":"preview","options":[{"value":"v","preview":"p"},{"value":"w","preview":"q"}]})),
        ]}),
    )
}

fn limited() -> Form {
    form(
        Contract::Questionnaire,
        &json!({"questions":[
            {"id":"m","question":"M?","multiple":true,"min":2,"max":2,"required":false,"options":[{"label":"a"},{"label":"b"},{"label":"c"}]},
            {"id":"s","question":"S?","allowOther":false,"required":false,"options":[{"label":"a"},{"label":"b"}]},
            {"id":"t","question":"T?"},
        ]}),
    )
}

fn respond(answers: Value) -> Response {
    Response::parse(&json!({ "kind": "answer", "answers": answers })).unwrap()
}

fn fault(form: &Form, answers: Value) -> String {
    let none = PresentedTypes::new();
    check(form, &respond(answers.clone()), &none).expect_err(&answers.to_string()).path
}

fn accepted(form: &Form, answers: Value) -> Value {
    let outcome = check(form, &respond(answers), &PresentedTypes::new()).unwrap();
    serde_json::to_value(outcome).unwrap()["answers"].clone()
}

#[test]
fn faults_name_the_place() {
    let form = three();
    assert_eq!(fault(&form, json!({"zz":{}})), "answers.zz");
    assert_eq!(fault(&form, json!({"s":{"values":["q"]}})), "answers.s.values[0]");
    assert_eq!(fault(&form, json!({"s":{"values":["X-ray"]}})), "answers.s.values[0]");
    assert_eq!(fault(&form, json!({"s":{"values":["x","y"]}})), "answers.s.values[1]");
    assert_eq!(fault(&form, json!({"m":{"values":["x","y","x"]}})), "answers.m.values[2]");
    assert_eq!(fault(&form, json!({"p":{"values":["v","w"]}})), "answers.p.values[1]");
    assert_eq!(fault(&form, json!({"p":{"values":["v"],"customText":"t"}})), "answers.p.customText");
    assert_eq!(fault(&form, json!({"s":{"optionNotes":{"k":"n"}}})), "answers.s.optionNotes.k");
}

#[test]
fn the_outcome_is_in_question_order_and_holds_nothing_empty() {
    let given = json!({
        "m": {"values":["z","x"],"customText":" kept ","optionNotes":{"z":"1","x":"2","k":" "}},
        "p": {"values":[],"customText":"\n","note":"  "},
        "s": {"note":"n"},
    });
    let kept = json!({
        "s": {"note":"n"},
        "m": {"values":["z","x"],"customText":" kept ","optionNotes":{"x":"2","z":"1"}},
    });
    assert_eq!(accepted(&three(), given).to_string(), kept.to_string());
}

#[test]
fn cancel_is_a_dismissal_without_answers() {
    let outcome = check(&three(), &Response::Cancel, &PresentedTypes::new()).unwrap();
    assert_eq!(
        (outcome.kind, outcome.reason, outcome.answers),
        (OutcomeKind::Cancelled, Some(Reason::Dismissed), None)
    );
}

#[test]
fn values_are_checked_against_the_presented_type() {
    let form = three();
    let shown = |id: &str, kind| PresentedTypes::from_iter([(id.to_owned(), kind)]);
    let two = respond(json!({"s":{"values":["x","y"],"customText":"t"}}));
    assert!(check(&form, &two, &shown("s", QuestionType::Multi)).is_ok());
    let two = respond(json!({"m":{"values":["x","y"]}}));
    assert_eq!(
        check(&form, &two, &shown("m", QuestionType::Single)).unwrap_err().path,
        "answers.m.values[1]"
    );
}

#[test]
fn only_some_types_change_into_each_other() {
    use QuestionType::{Multi, Preview, Single, Text};
    let form = three();
    for (id, kind, allowed) in [
        ("s", Multi, true),
        ("s", Single, true),
        ("s", Preview, false),
        ("s", Text, false),
        ("m", Single, true),
        ("m", Preview, false),
        ("p", Multi, true),
        ("p", Single, false),
        ("k", Multi, false),
    ] {
        let presented = PresentedTypes::from_iter([(id.to_owned(), kind)]);
        let got = check(&form, &respond(json!({})), &presented);
        assert_eq!(got.is_ok(), allowed, "{id} as {kind:?}");
        if let Err(fault) = got {
            assert_eq!(fault.path, format!("presentedTypes.{id}"));
        }
    }
    let presented = PresentedTypes::from_iter([("s".to_owned(), Multi)]);
    let answer = respond(json!({"t":{"customText":"x"}}));
    assert_eq!(check(&limited(), &answer, &presented).unwrap_err().path, "presentedTypes.s");
}

#[test]
fn a_freeform_question_takes_text_only() {
    let params =
        json!({"questions":[choice("f", json!({"options":[{"value":"freeform","freeform":true}]}))]});
    let options = ParseOptions { freeform: true, ..ParseOptions::default() };
    let form = parse(Contract::Ask, &params, &options).unwrap().form;
    assert_eq!(fault(&form, json!({"f":{"values":["freeform"]}})), "answers.f.values[0]");
    assert_eq!(fault(&form, json!({"f":{"optionNotes":{"freeform":"n"}}})), "answers.f.optionNotes.freeform");
    assert_eq!(accepted(&form, json!({"f":{"customText":"t"}})), json!({"f":{"customText":"t"}}));
    let presented = PresentedTypes::from_iter([("f".to_owned(), QuestionType::Multi)]);
    assert!(check(&form, &respond(json!({})), &presented).is_err());
}

#[test]
fn texts_have_a_limit_in_bytes() {
    let none = PresentedTypes::new();
    for (answer, path) in [
        (json!({"customText":"éé"}), "answers.s.customText"),
        (json!({"note":"four"}), "answers.s.note"),
        (json!({"optionNotes":{"x":"four"}}), "answers.s.optionNotes.x"),
    ] {
        let response = respond(json!({ "s": answer }));
        assert_eq!(check_within(&three(), &response, &none, 3).unwrap_err().path, path);
        assert!(check_within(&three(), &response, &none, 4).is_ok());
    }
    let long = "x".repeat(64 * 1024);
    assert!(check(&three(), &respond(json!({"s":{"customText":long}})), &none).is_ok());
    assert_eq!(fault(&three(), json!({"s":{"customText":format!("{long}x")}})), "answers.s.customText");
}

#[test]
fn a_questionnaire_enforces_what_it_asks_for() {
    let form = limited();
    let typed = json!({"customText":"x"});
    assert_eq!(fault(&form, json!({})), "answers.t");
    assert_eq!(fault(&form, json!({"t":{"customText":" \n"}})), "answers.t");
    assert_eq!(fault(&form, json!({"t":{"values":["x"]}})), "answers.t.values[0]");
    assert_eq!(fault(&form, json!({"t":typed,"s":{"customText":"x"}})), "answers.s.customText");
    assert_eq!(fault(&form, json!({"t":typed,"m":{"values":["a"]}})), "answers.m.values");
    assert_eq!(fault(&form, json!({"t":typed,"m":{"values":["a","b","c"]}})), "answers.m.values[2]");
    assert_eq!(
        fault(&form, json!({"t":typed,"m":{"values":["a","b"],"customText":"c"}})),
        "answers.m.customText"
    );
    assert_eq!(fault(&form, json!({"t":{"customText":"x","note":"n"}})), "answers.t.note");
    assert_eq!(fault(&form, json!({"t":typed,"s":{"optionNotes":{"a":"n"}}})), "answers.s.optionNotes.a");
    let whole = json!({"m":{"values":["a"],"customText":"c"},"t":{"customText":"x","note":" "}});
    assert_eq!(accepted(&form, whole), json!({"m":{"values":["a"],"customText":"c"},"t":{"customText":"x"}}));
    let elaborate = json!({"kind":"answer","mode":"elaborate","answers":{"t":typed}});
    let elaborate = Response::parse(&elaborate).unwrap();
    assert_eq!(check(&form, &elaborate, &PresentedTypes::new()).unwrap_err().path, "mode");
}

#[test]
fn ids_of_javascript_objects_are_ordinary() {
    let form = form(
        Contract::Ask,
        &json!({"questions":[choice("__proto__", json!({
        "options":[{"value":"constructor"},{"value":"toString"}]}))]}),
    );
    let kept = json!({"__proto__":{"values":["constructor"],"optionNotes":{"constructor":"n"}}});
    assert_eq!(accepted(&form, kept.clone()), kept);
    assert_eq!(fault(&form, json!({"hasOwnProperty":{}})), "answers.hasOwnProperty");
    assert_eq!(
        fault(&form, json!({"__proto__":{"values":["hasOwnProperty"]}})),
        "answers.__proto__.values[0]"
    );
}
