//! Properties of every payload and response, however odd.

use askd_form::{
    AnswerData, Contract, Form, OutcomeKind, ParseOptions, PresentedTypes, QuestionType, Response, check,
    fallback_result, invalid_result, parse, pending_result, tool_result,
};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Words of the contracts, so that made-up JSON gets past the first check now and then.
const WORDS: &[&str] = &[
    "questions",
    "options",
    "id",
    "prompt",
    "question",
    "label",
    "value",
    "type",
    "preview",
    "single",
    "multi",
    "multiple",
    "min",
    "max",
    "selected",
    "freeform",
    "kind",
    "answer",
    "answers",
    "values",
    "customText",
    "note",
    "optionNotes",
    "mode",
    "elaborate",
    "title",
    "required",
    "secret",
    "a",
    "b",
    " ",
    "",
    "__proto__",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![3 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((word(), inner), 0..7)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn text() -> impl Strategy<Value = String> {
    "[ \n\t]{0,2}[a-c\u{e9}\u{5bf8} _-]{0,6}[ \n\r]{0,2}"
}

fn option() -> impl Strategy<Value = Value> {
    (text(), prop::option::of(text()), text(), text(), prop::option::of(any::<bool>())).prop_map(
        |(value, label, description, preview, recommended)| {
            let mut option = json!({"value":value,"description":description,"preview":preview});
            if let Some(label) = label {
                option["label"] = label.into();
            }
            if let Some(recommended) = recommended {
                option["recommended"] = recommended.into();
            }
            option
        },
    )
}

/// Makes most fields unique and none blank.
fn number(object: &mut Value, field: &str, at: usize) {
    if at > 0 || object[field].as_str().is_some_and(|text| text.trim().is_empty()) {
        object[field] = format!("{}{at}\n", object[field].as_str().unwrap()).into();
    }
}

fn question() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["single", "multi", "preview"]);
    (text(), text(), text(), kind, any::<bool>(), prop::collection::vec(option(), 1..5)).prop_map(
        |(id, label, prompt, kind, required, mut options)| {
            options.iter_mut().enumerate().for_each(|(at, option)| number(option, "value", at));
            json!({"id":id,"label":label,"prompt":prompt,"type":kind,"required":required,"options":options})
        },
    )
}

/// Ask parameters most of which are valid or nearly so.
fn payload() -> impl Strategy<Value = Value> {
    (text(), prop::collection::vec(question(), 1..4)).prop_map(|(title, mut questions)| {
        questions.iter_mut().enumerate().for_each(|(at, question)| number(question, "id", at));
        json!({ "title": title, "questions": questions })
    })
}

/// A form that is valid, of one question a type and a freeform one, and its questionnaire sibling.
fn forms() -> [Form; 2] {
    let options = json!([{"value":"x"},{"value":"y"},{"value":"z","label":"Two\nlines"}]);
    let previews = json!([{"value":"v","preview":"p"},{"value":"w","preview":"q"}]);
    let ask = json!({"questions":[
        {"id":"s","prompt":"S?","options":options},
        {"id":"m","prompt":"M?","type":"multi","options":options},
        {"id":"p","prompt":"P?","type":"preview","options":previews},
        {"id":"f","prompt":"F?","options":[{"value":"freeform","freeform":true}]},
    ]});
    let questionnaire = json!({"questions":[
        {"id":"s","question":"S?","required":false,"options":options},
        {"id":"m","question":"M?","multiple":true,"min":1,"max":3,"required":false,"options":options},
        {"id":"p","question":"P?","allowOther":false,"required":false,"options":[{"label":"v"},{"label":"w"}]},
        {"id":"f","question":"F?","required":false},
    ]});
    let options = ParseOptions { freeform: true, ..ParseOptions::default() };
    [
        parse(Contract::Ask, &ask, &options).unwrap().form,
        parse(Contract::Questionnaire, &questionnaire, &options).unwrap().form,
    ]
}

fn answers() -> impl Strategy<Value = Value> {
    let value = prop::sample::select(vec!["x", "y", "z", "v", "w"]).prop_map(str::to_owned);
    let typed = prop::option::of(prop::sample::select(vec!["", " ", "text", "two\nlines", "x"]));
    let answer = (
        prop::collection::vec(value.clone(), 0..3),
        typed.clone(),
        typed,
        prop::collection::vec((value, "[a ]{0,2}"), 0..3),
    )
        .prop_map(|(values, text, note, notes)| {
            let notes: Map<String, Value> =
                notes.into_iter().map(|(value, note)| (value, note.into())).collect();
            let mut answer = json!({ "values": values, "optionNotes": notes });
            if let Some(text) = text {
                answer["customText"] = text.into();
            }
            if let Some(note) = note {
                answer["note"] = note.into();
            }
            answer
        });
    let id = prop::sample::select(vec!["s", "m", "p", "f"]).prop_map(str::to_owned);
    prop::collection::vec((id, answer), 0..4).prop_map(|answers| Value::Object(answers.into_iter().collect()))
}

fn presented() -> impl Strategy<Value = PresentedTypes> {
    use QuestionType::{Multi, Preview, Single};
    let id = prop::sample::select(vec!["s", "m", "p"]).prop_map(str::to_owned);
    let kind = prop::sample::select(vec![Single, Multi, Preview]);
    prop_oneof![
        Just(PresentedTypes::new()),
        prop::collection::vec((id, kind), 0..3).prop_map(PresentedTypes::from_iter),
    ]
}

/// The parameters a normalized form would have come from.
fn params(form: &Form) -> Value {
    let mut params = serde_json::to_value(form).unwrap();
    for question in params["questions"].as_array_mut().unwrap() {
        if let Some(requested) = question.get("requestedType").cloned() {
            question["type"] = requested;
        }
    }
    params
}

proptest! {
    #[test]
    fn no_json_makes_the_library_fail(params in anything(), freeform in any::<bool>()) {
        let options = ParseOptions { freeform, ..ParseOptions::default() };
        for contract in [Contract::Ask, Contract::Questionnaire] {
            match parse(contract, &params, &options) {
                Ok(parsed) => {
                    prop_assert!(!parsed.form.questions.is_empty());
                    let _ = (fallback_result(&parsed.form), pending_result(&parsed.form));
                }
                Err(issues) => {
                    prop_assert!(!issues.is_empty());
                    prop_assert!(!invalid_result(contract, &params, &issues).text().is_empty());
                }
            }
        }
        if let Ok(response) = Response::parse(&params) {
            for form in forms() {
                let _ = check(&form, &response, &PresentedTypes::new());
            }
        }
    }

    #[test]
    fn any_response_is_accepted_or_refused(answers in anything(), presented in presented()) {
        if let Ok(response) = Response::parse(&json!({"kind":"answer","answers":answers})) {
            for form in forms() {
                if let Err(fault) = check(&form, &response, &presented) {
                    prop_assert!(!fault.path.is_empty() && !fault.message.is_empty());
                }
            }
        }
    }

    #[test]
    fn normalizing_twice_changes_nothing(payload in payload(), present_single_as_multi in any::<bool>()) {
        let options = ParseOptions { present_single_as_multi, ..ParseOptions::default() };
        if let Ok(parsed) = parse(Contract::Ask, &payload, &options) {
            let again = parse(Contract::Ask, &params(&parsed.form), &options).expect("normalized is valid");
            prop_assert_eq!(again.form, parsed.form);
        }
    }

    #[test]
    fn values_are_options_or_the_typed_text(answers in answers(), presented in presented(), elaborate in any::<bool>()) {
        let mode = if elaborate { "elaborate" } else { "submit" };
        let response = Response::parse(&json!({"kind":"answer","mode":mode,"answers":answers})).unwrap();
        for form in forms() {
            let Ok(outcome) = check(&form, &response, &presented) else { continue };
            let result = tool_result(&form, &outcome, &presented);
            prop_assert!(!result.text().is_empty());
            prop_assert!(result.transcript.iter().all(|line| !line.contains('\n')));
            let kept = outcome.answers.unwrap();
            let order: Vec<_> = form.questions.iter().map(|q| &q.id).filter(|id| kept.contains_key(*id)).collect();
            prop_assert_eq!(order, kept.keys().collect::<Vec<_>>());
            for (id, data) in &kept {
                let question = form.question(id).unwrap();
                prop_assert!(!data.is_empty());
                prop_assert!(data.values.iter().all(|value| question.option(value).is_some()));
                let kind = presented.get(id).copied().unwrap_or(question.kind);
                let count = data.values.len() + usize::from(data.custom_text.is_some());
                prop_assert!(count <= 1 || kind == QuestionType::Multi);
            }
            let Some(details) = result.details else { continue };
            for (id, answer) in details["answers"].as_object().unwrap() {
                for value in answer["values"].as_array().unwrap() {
                    let value = value.as_str().unwrap();
                    let known = form.question(id).unwrap().option(value).is_some();
                    prop_assert!(known || answer["customText"] == value);
                }
            }
        }
    }

    #[test]
    fn what_was_accepted_is_accepted_again(answers in answers(), presented in presented()) {
        let response = Response::parse(&json!({"kind":"answer","answers":answers})).unwrap();
        for form in forms() {
            let Ok(outcome) = check(&form, &response, &presented) else { continue };
            let again = json!({"kind":"answer","answers":outcome.answers});
            let again = check(&form, &Response::parse(&again).unwrap(), &presented);
            prop_assert_eq!(again, Ok(outcome));
        }
    }

    #[test]
    fn cancel_carries_no_answers(answers in anything()) {
        let response = Response::parse(&json!({"kind":"cancel","answers":answers})).unwrap();
        for form in forms() {
            let outcome = check(&form, &response, &PresentedTypes::new()).unwrap();
            prop_assert_eq!((outcome.kind, &outcome.answers), (OutcomeKind::Cancelled, &None));
            let result = tool_result(&form, &outcome, &PresentedTypes::new());
            let answers = result.details.map(|details| details["answers"].clone());
            let empty = answers.is_none_or(|answers| answers == json!({}));
            prop_assert!(empty);
        }
    }
}

#[test]
fn a_response_survives_its_own_serialization() {
    let data = AnswerData { values: vec!["x".into()], note: Some("n".into()), ..AnswerData::default() };
    let response = Response::Answer { mode: Default::default(), answers: [("s".to_owned(), data)].into() };
    assert_eq!(Response::parse(&serde_json::to_value(&response).unwrap()), Ok(response));
}
