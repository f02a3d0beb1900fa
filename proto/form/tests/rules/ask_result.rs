//! What an agent and a person read of an ask form.

use askd_form::{
    Contract, Form, Outcome, ParseOptions, PresentedTypes, QuestionType, Reason, Response, ToolResult, check,
    fallback_result, invalid_result, parse, pending_result, tool_result,
};
use serde_json::{Value, json};

use crate::{choice, form};

fn plan() -> Form {
    let preview =
        json!({"type":"preview","label":"Code","options":[{"value":"v","label":"Vim","preview":"p"}]});
    form(
        Contract::Ask,
        &json!({"title":"Plan","questions":[
            choice("s", json!({"label":"Pick"})),
            choice("m", json!({"type":"multi"})),
            choice("p", preview),
        ]}),
    )
}

fn answered(form: &Form, mode: &str, answers: Value, presented: &PresentedTypes) -> ToolResult {
    let response = Response::parse(&json!({"kind":"answer","mode":mode,"answers":answers})).unwrap();
    tool_result(form, &check(form, &response, presented).unwrap(), presented)
}

fn submitted(form: &Form, answers: Value) -> ToolResult {
    answered(form, "submit", answers, &PresentedTypes::new())
}

fn details(result: &ToolResult) -> &Value {
    result.details.as_ref().unwrap()
}

#[test]
fn notes_follow_their_question_and_only_selected_options_carry_theirs() {
    let result = submitted(
        &plan(),
        json!({
            "m": {"values":["z","x"],"note":"n","optionNotes":{"x":"on x","y":"on y","z":"on z"}},
            "s": {"optionNotes":{"x":"unselected"}},
        }),
    );
    assert_eq!(
        result.text(),
        "Pick: (no answer)\nQ2: Zulu, X-ray\nQ2 note: n\nQ2 / Zulu note: on z\n\
                               Q2 / X-ray note: on x\nCode: (no answer)"
    );
    assert_eq!(
        result.transcript,
        [
            "? Pick: (no answer)",
            "✓ Q2: Zulu, X-ray",
            "  note: n",
            "  Zulu note: on z",
            "  X-ray note: on x",
            "? Code: (no answer)"
        ]
    );
    let answers = &details(&result)["answers"];
    assert_eq!(answers["m"]["optionNotes"], json!({"x":"on x","z":"on z"}));
    assert_eq!(answers.get("s"), None, "a note on an unselected option is no entry");
}

#[test]
fn a_line_end_in_any_text_makes_another_transcript_line() {
    let fields = json!({"label":"Two\nlines","options":[{"value":"x","label":"a\nb"}]});
    let form = form(Contract::Ask, &json!({"questions":[choice("q", fields)]}));
    let result = submitted(&form, json!({"q":{"values":["x"],"note":"n1\nn2"}}));
    assert_eq!(result.transcript, ["✓ Two", "lines: a", "b", "  note: n1", "n2"]);
    assert_eq!(result.text(), "Two\nlines: a\nb\nTwo\nlines note: n1\nn2");
}

#[test]
fn texts_stay_byte_for_byte() {
    let text = "\u{1b}[31m\u{202e} a\r\nb \u{0} ";
    let result = submitted(&plan(), json!({"s":{"customText":text,"note":text}}));
    assert_eq!(
        details(&result)["answers"]["s"],
        json!({
        "values":[text],"labels":[text],"indices":[],"customText":text,"note":text})
    );
    assert!(result.text().starts_with(&format!("Pick: {text}\nPick note: {text}\n")));
}

#[test]
fn one_closing_line_names_the_types_of_answered_questions() {
    let form = plan();
    let presented = PresentedTypes::from_iter([
        ("s".to_owned(), QuestionType::Multi),
        ("m".to_owned(), QuestionType::Single),
        ("p".to_owned(), QuestionType::Multi),
    ]);
    let answers = json!({"s":{"values":["x","y"]},"m":{"note":"only a note"},"p":{"values":["v"]}});
    let result = answered(&form, "submit", answers.clone(), &presented);
    let last = result.text().lines().last().unwrap();
    assert_eq!(
        last,
        "Presented as another type: Pick (single-select shown as multi-select), \
                      Code (preview shown as multi-select)"
    );
    assert_eq!(result.transcript.last().unwrap(), &format!("  {last}"));
    let types: Vec<_> = details(&result)["questions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|q| (q["type"].clone(), q["presentedType"].clone()))
        .collect();
    assert_eq!(
        types,
        [
            (json!("single"), json!("multi")),
            (json!("multi"), json!("single")),
            (json!("preview"), json!("multi"))
        ]
    );

    let elaborated = answered(&form, "elaborate", answers, &presented);
    assert!(elaborated.text().ends_with(last));
    assert_eq!(details(&elaborated)["elaboration"]["items"][0]["question"]["presentedType"], "single");

    let unanswered = answered(&form, "submit", json!({}), &presented);
    assert_eq!(unanswered.text(), "Pick: (no answer)\nQ2: (no answer)\nCode: (no answer)");
}

#[test]
fn going_back_to_the_requested_type_leaves_no_trace() {
    let options = ParseOptions { present_single_as_multi: true, ..ParseOptions::default() };
    let params = json!({"questions":[choice("s", json!({}))]});
    let form = parse(Contract::Ask, &params, &options).unwrap().form;
    let back = PresentedTypes::from_iter([("s".to_owned(), QuestionType::Single)]);
    let result = answered(&form, "submit", json!({"s":{"values":["x"]}}), &back);
    assert_eq!(result.text(), "Q1: X-ray");
    assert_eq!(
        details(&result)["questions"][0],
        json!({"id":"s","label":"Q1","prompt":"s?","type":"single"})
    );
}

#[test]
fn elaboration_revisits_what_has_notes_and_preserves_the_rest() {
    let result = answered(
        &plan(),
        "elaborate",
        json!({
            "s": {"values":["y"]},
            "m": {"values":["z"],"note":"say \"why\"","optionNotes":{"y":"unselected","x":"other"}},
        }),
        &PresentedTypes::new(),
    );
    let details = details(&result);
    let chosen = json!({"values":["y"],"labels":["Yankee"],"indices":[2]});
    assert_eq!(
        details["continuation"],
        json!({
            "strategy":"refine_only",
            "affectedQuestionIds":["m"],
            "preservedAnswers":{"s":chosen},
            "questionStates":{"s":{"status":"answered"},"m":{"status":"needs_clarification"},"p":{"status":"unanswered"}},
        })
    );
    assert_eq!(details["answers"].as_object().unwrap().keys().collect::<Vec<_>>(), ["s", "m"]);
    let targets: Vec<_> =
        details["elaboration"]["items"].as_array().unwrap().iter().map(|item| &item["target"]).collect();
    assert_eq!(
        targets,
        [
            &json!({"kind":"question"}),
            &json!({"kind":"option","optionValue":"x"}),
            &json!({"kind":"option","optionValue":"y"})
        ]
    );
    assert_eq!(
        result.text().lines().collect::<Vec<_>>(),
        [
            r#"User asked to elaborate on question "m?" with note "say \"why\"" (current answer: "Zulu")"#,
            r#"User asked to elaborate on question "m?" option "X-ray" with note "other" (current answer: "Zulu")"#,
            r#"User asked to elaborate on question "m?" option "Yankee" with note "unselected" (current answer: "Zulu")"#,
        ]
    );
    assert_eq!(result.transcript.join("\n"), result.text());
}

#[test]
fn elaboration_without_notes_tells_the_answers_or_that_it_was_asked_for() {
    let none = PresentedTypes::new();
    let result = answered(&plan(), "elaborate", json!({"s":{"customText":"my\nown"}}), &none);
    assert_eq!(result.text(), r#"User asked to elaborate on question "s?" with current answer "my\nown""#);
    assert_eq!(result.transcript.len(), 1);
    let result = answered(&plan(), "elaborate", json!({}), &none);
    assert_eq!(result.text().lines().count(), 1);
    assert!(result.text().contains("elaborate"));
}

#[test]
fn the_freeform_marker_stands_in_no_details() {
    let options = ParseOptions { freeform: true, ..ParseOptions::default() };
    let params =
        json!({"questions":[choice("f", json!({"options":[{"value":"freeform","freeform":true}]}))]});
    let form = parse(Contract::Ask, &params, &options).unwrap().form;
    let result =
        answered(&form, "elaborate", json!({"f":{"customText":"t","note":"n"}}), &PresentedTypes::new());
    assert!(!details(&result).to_string().contains("freeform"));
    assert!(!fallback_result(&form).text().contains("freeform"));
    assert!(fallback_result(&form).text().contains("Type your answer:"));
}

#[test]
fn a_cancelled_form_says_why_and_carries_nothing() {
    for (reason, said) in [
        (Reason::Dismissed, "user cancelled"),
        (Reason::Expired, "no approval"),
        (Reason::Aborted, "withdrawn before anyone answered"),
        (Reason::Superseded, "withdrawn before anyone answered"),
        (Reason::SessionClosed, "withdrawn before anyone answered"),
    ] {
        let presented = PresentedTypes::from_iter([("s".to_owned(), QuestionType::Multi)]);
        let result = tool_result(&plan(), &Outcome::cancelled(reason), &presented);
        assert!(result.text().contains(said), "{}", result.text());
        assert_eq!((result.text().lines().count(), result.transcript.len()), (1, 1));
        let details = details(&result);
        assert_eq!((&details["cancelled"], &details["mode"]), (&json!(true), &json!("submit")));
        assert_eq!(
            (&details["answers"], &details["questions"][0]["presentedType"]),
            (&json!({}), &json!("multi"))
        );
        assert_eq!((details.get("continuation"), details.get("elaboration")), (None, None));
    }
}

#[test]
fn an_invalid_payload_lists_its_issues() {
    let params = json!({"title":" Plan ","questions":[]});
    let issues = parse(Contract::Ask, &params, &ParseOptions::default()).unwrap_err();
    let result = invalid_result(Contract::Ask, &params, &issues);
    let listed = format!("Invalid ask_user payload:\n- questions: {}", issues[0].message);
    assert_eq!(
        (result.text(), result.transcript.as_slice()),
        (listed.as_str(), ["Invalid tool payload".to_owned()].as_slice())
    );
    assert_eq!(
        details(&result),
        &json!({"title":"Plan","cancelled":true,"mode":"submit","questions":[],"answers":{},
        "error":{"kind":"invalid_input","issues":[{"path":"questions","message":issues[0].message}]}})
    );
    for params in [json!(null), json!({"title":" "}), json!({"title":3})] {
        assert_eq!(invalid_result(Contract::Ask, &params, &issues).details.unwrap().get("title"), None);
    }
}

#[test]
fn pending_and_fallback_decide_nothing() {
    let pending = pending_result(&plan());
    assert_eq!((pending.text().lines().count(), pending.transcript.len()), (1, 1));
    assert_eq!(
        (&details(&pending)["cancelled"], &details(&pending)["pending"]),
        (&json!(false), &json!(true))
    );
    assert_eq!(details(&pending)["answers"], json!({}));
    let fallback = fallback_result(&plan());
    for text in ["1. Pick: s?", "X-ray [value: x]", "Type your own", "3. Code: p?", "Vim [value: v]"] {
        assert!(fallback.text().contains(text), "{text}");
    }
}
