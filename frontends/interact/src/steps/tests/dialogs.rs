use std::collections::HashSet;

use askd_form::{Contract, Outcome, PresentedTypes, Reason, Response, check, tool_result};
use serde_json::{Value, json};

use super::form;
use crate::steps::{Dialogs, Dismissal, Entered, Reply, Step};

fn cases(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/cases/{file}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Shows the dialogs of a form and answers them; gives what was shown and the outcome.
fn play(contract: Contract, params: &Value, replies: &[Value]) -> (Vec<Value>, Outcome) {
    let form = form(contract, params);
    let mut dialogs = Dialogs::new(Entered::new(form.clone()));
    let (mut shown, mut replies) = (Vec::new(), replies.iter());
    loop {
        let rows = match dialogs.next() {
            Step::Done(response) => {
                let outcome = check(&form, &response, &PresentedTypes::new()).unwrap();
                return (shown, outcome);
            }
            Step::Select { title, rows } => {
                assert_eq!(rows.iter().collect::<HashSet<_>>().len(), rows.len(), "{rows:?}");
                shown.push(json!({"kind": "select", "title": title, "options": rows}));
                rows
            }
            Step::Tick { .. } => panic!("a card nobody asked for"),
            Step::Input { title, placeholder } => {
                shown.push(json!({"kind": "input", "title": title, "placeholder": placeholder}));
                Vec::new()
            }
        };
        let reply = replies.next().unwrap_or(&Value::Null);
        if reply.get("abort").is_some() {
            return (shown, Outcome::cancelled(Reason::Aborted));
        }
        let picked = |word: &Value| {
            let word = word.as_str().unwrap();
            rows.iter().find(|row| row.contains(word)).unwrap_or_else(|| panic!("{word} in {rows:?}")).clone()
        };
        let value = match reply {
            Value::Null => None,
            reply if reply.get("choose").is_some() => {
                Some(rows[usize::try_from(reply["choose"].as_u64().unwrap()).unwrap()].clone())
            }
            reply if reply.get("pick").is_some() => Some(picked(&reply["pick"])),
            reply => reply.get("text").or(reply.get("value")).and_then(Value::as_str).map(str::to_owned),
        };
        dialogs.answer(value.map_or(Reply::Cancelled, Reply::Value));
    }
}

fn run(file: &str, contract: Contract) {
    let cases = cases(file);
    assert!(!cases.is_empty());
    for case in cases {
        let name = format!("{} {}", case["id"], case["rule"]);
        let (shown, outcome) = play(contract, &case["params"], case["replies"].as_array().unwrap());
        let expect = &case["expect"];
        if expect["dialogs"][0].is_string() {
            let kinds: Vec<&Value> = shown.iter().map(|dialog| &dialog["kind"]).collect();
            assert_eq!(json!(kinds), expect["dialogs"], "{name}");
        } else {
            assert_eq!(json!(shown), expect["dialogs"], "{name}");
        }
        let result = tool_result(&form(contract, &case["params"]), &outcome, &PresentedTypes::new());
        for (part, got) in [("details", &result.details), ("structuredContent", &result.structured_content)] {
            if let Some(wanted) = expect.get(part) {
                assert_eq!(got.as_ref(), Some(wanted), "{name}");
            }
        }
        if let Some(lines) = expect.get("content") {
            assert_eq!(&json!(result.text().split('\n').collect::<Vec<_>>()), lines, "{name}");
        }
    }
}

#[test]
fn ask_cases() {
    run("ask-dialog", Contract::Ask);
}

#[test]
fn questionnaire_cases() {
    run("questionnaire-dialog", Contract::Questionnaire);
}

fn rows(dialogs: &Dialogs) -> Vec<String> {
    match dialogs.next() {
        Step::Select { rows, .. } => rows,
        other => panic!("{other:?}"),
    }
}

fn title(dialogs: &Dialogs) -> String {
    match dialogs.next() {
        Step::Select { title, .. } | Step::Tick { title, .. } | Step::Input { title, .. } => title,
        Step::Done(response) => panic!("{response:?}"),
    }
}

fn pick(dialogs: &mut Dialogs, word: &str) {
    let row = rows(dialogs).into_iter().find(|row| row.contains(word)).unwrap();
    dialogs.answer(Reply::Value(row));
}

fn questionnaire(question: Value) -> Dialogs {
    Dialogs::new(Entered::new(form(Contract::Questionnaire, &json!({"questions": [question]}))))
}

fn answer(dialogs: &Dialogs) -> Value {
    match dialogs.next() {
        Step::Done(Response::Answer { answers, .. }) => json!(answers),
        other => panic!("{other:?}"),
    }
}

fn assert_safe(text: &str) {
    assert!(!text.chars().any(char::is_control), "{text:?}");
    assert!(!text.contains(['\u{202e}', '\u{2066}', '\u{2028}', '\u{200b}']), "{text:?}");
}

#[test]
fn our_rows_are_told_apart_from_labels_that_read_like_them() {
    let options: Vec<Value> = ["Type something…", "type something...", "Type something… (your own text)"]
        .iter()
        .enumerate()
        .map(|(n, label)| json!({"value": format!("v{n}"), "label": label}))
        .collect();
    let mut dialogs = Dialogs::new(Entered::new(form(
        Contract::Ask,
        &json!({"questions":[{"id":"a","prompt":"?","options":options}]}),
    )));
    assert_eq!(rows(&dialogs).last().unwrap(), "Type something… (your own text, 2)");
    dialogs.answer(Reply::Value(rows(&dialogs)[3].clone()));
    assert!(matches!(dialogs.next(), Step::Input { .. }));

    let words = ["Done", "[x] A", "A", "A", "A (option 4)", "Type your own"];
    let options: Vec<Value> =
        words.iter().enumerate().map(|(n, label)| json!({"value": n.to_string(), "label": label})).collect();
    let mut dialogs = questionnaire(json!({"question":"?","id":"q","multiple":true,"options":options}));
    let before = rows(&dialogs);
    assert_eq!(before.iter().collect::<HashSet<_>>().len(), before.len(), "{before:?}");
    assert_eq!(before.last().unwrap(), "Done (go on)");
    pick(&mut dialogs, "(your own text)");
    dialogs.answer(Reply::Value("A".to_owned()));
    for index in 0..words.len() {
        dialogs.answer(Reply::Value(rows(&dialogs)[index].clone()));
        assert_eq!(rows(&dialogs).iter().collect::<HashSet<_>>().len(), before.len());
    }
    pick(&mut dialogs, "Done (go on)");
    assert_eq!(answer(&dialogs)["q"], json!({"values":["0","1","2","3","4","5"],"customText":"A"}));

    let question = json!({"question":"?","required":false,"allowOther":false,"options":[{"label":"Skip"}]});
    assert_eq!(rows(&questionnaire(question)), ["1. Skip", "Skip (no answer)"]);
}

#[test]
fn five_hundred_options_stay_distinct() {
    let options: Vec<Value> = (0..512).map(|n| json!({"value": n.to_string(), "label": "Same"})).collect();
    let ask = json!({"questions":[{"id":"a","prompt":"?","options":options}]});
    let dialogs = Dialogs::new(Entered::new(form(Contract::Ask, &ask)));
    assert_eq!(rows(&dialogs).into_iter().collect::<HashSet<_>>().len(), 513);
    let mut dialogs = questionnaire(json!({"question":"?","id":"q","multiple":true,"options":options}));
    assert_eq!(rows(&dialogs).into_iter().collect::<HashSet<_>>().len(), 514);
    dialogs.answer(Reply::Value(rows(&dialogs)[511].clone()));
    pick(&mut dialogs, "Done");
    assert_eq!(answer(&dialogs)["q"]["values"], json!(["511"]));
}

#[test]
fn hostile_text_is_harmless_and_values_stay() {
    let evil = "\u{1b}]0;owned\u{7}Go\u{9b}2J\n\r\u{202e}abc\u{1b}[6n\u{2028}x\u{1b}P+q";
    let params = json!({"title": evil, "questions":[{"id":evil,"label":evil,"prompt":evil,"type":"preview","options":[
        {"value":"y\u{1b}[2J","label":evil,"description":evil,"preview":evil},
        {"value":"n","label":"\u{1b}[2J","preview":evil}]}]});
    let mut dialogs = Dialogs::new(Entered::new(form(Contract::Ask, &params)));
    assert_safe(&title(&dialogs));
    rows(&dialogs).iter().for_each(|row| assert_safe(row));
    assert!(rows(&dialogs)[1].starts_with("2. n"), "a label that shows nothing is named by its value");
    pick(&mut dialogs, "1. ");
    assert_eq!(answer(&dialogs)[evil]["values"], json!(["y\u{1b}[2J"]));
}

#[test]
fn a_freeform_question_is_one_input() {
    let params = json!({"title":"T","questions":[{"id":"a","label":"L","prompt":"P?",
        "options":[{"value":"x","label":"Type your answer:","freeform":true}]}]});
    let mut dialogs = Dialogs::new(Entered::new(form(Contract::Ask, &params)));
    let step =
        Step::Input { title: "[1/1] T — L: P?".to_owned(), placeholder: "Enter your answer".to_owned() };
    assert_eq!(dialogs.next(), step);
    dialogs.answer(Reply::Value("mine".to_owned()));
    assert_eq!(answer(&dialogs), json!({"a":{"customText":"mine"}}));
}

#[test]
fn a_multiple_choice_ticks_until_done() {
    let options =
        json!([{"label":"Core","selected":true},{"label":"CLI","description":"the tool"},{"label":"Docs"}]);
    let question = json!({"id":"m","question":"Which?","multiple":true,"min":2,"max":2,"options":options});
    let mut dialogs = questionnaire(question.clone());
    assert_eq!(title(&dialogs), "[1/1] Q1: Which? — pick 2");
    assert_eq!(rows(&dialogs), ["[x] Core", "[ ] CLI — the tool", "[ ] Docs", "Type your own", "Done"]);
    pick(&mut dialogs, "Done");
    assert!(title(&dialogs).ends_with("at least 2 have to be picked, 1 so far"), "{}", title(&dialogs));
    pick(&mut dialogs, "Type your own");
    dialogs.answer(Reply::Cancelled);
    assert_eq!(rows(&dialogs).len(), 5, "dismissing the input gives the card again");
    pick(&mut dialogs, "Type your own");
    dialogs.answer(Reply::Value("mine".to_owned()));
    assert_eq!(rows(&dialogs)[3], "[x] Type your own: mine");
    pick(&mut dialogs, "CLI");
    assert!(title(&dialogs).ends_with("at most 2 can be picked, these would be 3"), "{}", title(&dialogs));
    pick(&mut dialogs, "Core");
    pick(&mut dialogs, "Docs");
    pick(&mut dialogs, "Type your own");
    dialogs.answer(Reply::Value(" ".to_owned()));
    pick(&mut dialogs, "Core");
    pick(&mut dialogs, "Type your own");
    assert!(title(&dialogs).contains("at most 2"), "a full card says so before anything is typed");
    pick(&mut dialogs, "Done");
    assert_eq!(answer(&dialogs), json!({"m":{"values":["Docs","Core"]}}));

    let mut dialogs = questionnaire(question);
    dialogs.answer(Reply::Cancelled);
    assert_eq!(dialogs.next(), Step::Done(Response::Cancel));
}

#[test]
fn a_preselected_single_choice_needs_the_person() {
    let options = json!([{"label":"A"},{"label":"B","selected":true}]);
    let question = json!({"id":"s","question":"?","required":false,"options":options});
    let mut dialogs = questionnaire(question);
    assert_eq!(rows(&dialogs), ["1. A", "2. B (preselected)", "Type your own", "Skip"]);
    pick(&mut dialogs, "Type your own");
    dialogs.answer(Reply::Value("  ".to_owned()));
    pick(&mut dialogs, "Skip");
    assert_eq!(answer(&dialogs), json!({}));
}

#[test]
fn a_typed_question_is_asked_until_it_is_answered() {
    let mut dialogs = questionnaire(json!({"id":"t","question":"Name?","placeholder":"a\tword"}));
    let Step::Input { placeholder, .. } = dialogs.next() else { panic!() };
    assert_eq!(placeholder, "a word");
    dialogs.answer(Reply::Value("\n".to_owned()));
    assert!(title(&dialogs).ends_with("an answer is required"));
    dialogs.answer(Reply::Value("x".repeat(70_000)));
    assert!(title(&dialogs).contains("limit is 65536"));
    dialogs.answer(Reply::Cancelled);
    assert_eq!(dialogs.next(), Step::Done(Response::Cancel));
    let mut dialogs = questionnaire(json!({"id":"t","question":"Name?","required":false}));
    dialogs.answer(Reply::Value(String::new()));
    assert_eq!(answer(&dialogs), json!({}));
}

#[test]
fn a_draft_is_taken_up_and_a_dismissal_drops_its_answer() {
    let params = json!({"questions":[
        {"id":"a","prompt":"A?","options":[{"value":"x","label":"X"}]},
        {"id":"b","prompt":"B?","options":[{"value":"y","label":"Y"}]}]});
    let form = form(Contract::Ask, &params);
    let draft = serde_json::from_value(json!({
        "a":{"values":["x"],"note":"why"},"b":{"values":["gone"]},"c":{"values":["z"]}}))
    .unwrap();
    let mut entered = Entered::new(form);
    entered.restore(&draft, &PresentedTypes::new(), None);
    let mut dialogs = Dialogs::new(entered.clone());
    assert_eq!(title(&dialogs), "[1/2] Q1: A? — now: X");
    dialogs.answer(Reply::Cancelled);
    pick(&mut dialogs, "Y");
    assert_eq!(answer(&dialogs), json!({"a":{"note":"why"},"b":{"values":["y"]}}));
    dialogs.refused("no\nroom");
    assert_eq!(title(&dialogs), "[2/2] Q2: B? — now: Y — no room");
    let mut later = Dialogs::starting_at(entered, 1);
    later.answer(Reply::Cancelled);
    assert_eq!(answer(&later), json!({"a":{"values":["x"],"note":"why"}}));
}

fn card(dialogs: &Dialogs) -> Vec<(String, bool)> {
    match dialogs.next() {
        Step::Tick { rows, .. } => rows,
        other => panic!("{other:?}"),
    }
}

fn tick(dialogs: &mut Dialogs, words: &[&str]) {
    let rows = card(dialogs);
    let row = |word: &&str| rows.iter().find(|(row, _)| row.contains(*word)).unwrap().0.clone();
    dialogs.answer(Reply::Ticked(words.iter().map(row).collect()));
}

fn three(contract: Contract) -> Dialogs {
    let options =
        json!([{"value":"a","label":"Ant"},{"value":"b","label":"Bee"},{"value":"c","label":"Cat"}]);
    let question = match contract {
        Contract::Ask => json!({"id":"q","prompt":"?","type":"multi","options":options}),
        Contract::Questionnaire => {
            json!({"id":"q","question":"?","multiple":true,"min":2,"max":2,"options":options})
        }
    };
    Dialogs::new(Entered::new(form(contract, &json!({"questions":[question]})))).with_cards()
}

#[test]
fn a_card_takes_all_ticks_at_once() {
    let mut dialogs = three(Contract::Ask);
    assert_eq!(card(&dialogs)[3], ("Type something…".to_owned(), false));
    tick(&mut dialogs, &["Cat", "Ant", "Type"]);
    assert_eq!(dialogs.dismissal(), Dismissal::Back);
    dialogs.answer(Reply::Cancelled);
    let ticks: Vec<bool> = card(&dialogs).into_iter().map(|(_, ticked)| ticked).collect();
    assert_eq!(ticks, [true, false, true, false], "ticks stay when the input is dismissed");
    tick(&mut dialogs, &["Bee", "Cat", "Type"]);
    dialogs.answer(Reply::Value("Dog".to_owned()));
    assert_eq!(answer(&dialogs), json!({"q":{"values":["c","b"],"customText":"Dog"}}));

    let mut dialogs = three(Contract::Ask);
    assert_eq!(dialogs.dismissal(), Dismissal::Skip);
    dialogs.answer(Reply::Ticked(Vec::new()));
    assert_eq!(answer(&dialogs), json!({}));
    for wrong in [Reply::Ticked(vec!["1. Ant".to_owned(), "4. Dog".to_owned()]), Reply::Value("x".to_owned())]
    {
        let mut dialogs = three(Contract::Ask);
        dialogs.answer(wrong);
        assert_eq!(dialogs.next(), Step::Done(Response::Cancel), "a row that was not offered");
    }
}

#[test]
fn a_card_keeps_the_limits() {
    let mut dialogs = three(Contract::Questionnaire);
    assert_eq!(dialogs.dismissal(), Dismissal::Cancel);
    tick(&mut dialogs, &["Ant"]);
    assert!(title(&dialogs).ends_with("at least 2 have to be picked, 1 so far"), "{}", title(&dialogs));
    tick(&mut dialogs, &["Ant", "Bee", "Type"]);
    assert!(title(&dialogs).ends_with("at most 2 can be picked, these would be 3"), "{}", title(&dialogs));
    tick(&mut dialogs, &["Ant", "Type"]);
    dialogs.answer(Reply::Value("Dog".to_owned()));
    assert_eq!(answer(&dialogs), json!({"q":{"values":["a"],"customText":"Dog"}}));
    dialogs.refused("no room");
    assert_eq!(card(&dialogs)[3], ("Type your own: Dog".to_owned(), true));
    tick(&mut dialogs, &["Bee", "Cat"]);
    assert_eq!(answer(&dialogs), json!({"q":{"values":["b","c"]}}));
}
