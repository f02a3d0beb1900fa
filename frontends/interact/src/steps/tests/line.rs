use askd_form::{Contract, PresentedTypes, Response, check};
use serde_json::{Value, json};

use super::form;
use crate::steps::{Entered, LineMode, LineOptions, Said};

fn three() -> Value {
    json!({"title":"Release plan","questions":[
        {"id":"db","label":"Database","prompt":"Which database?","options":[
            {"value":"pg","label":"PostgreSQL","description":"boring","recommended":true},
            {"value":"lite","label":"SQLite"}]},
        {"id":"checks","label":"Checks","prompt":"Which checks?","type":"multi","options":[
            {"value":"lint","label":"Lint"},{"value":"unit","label":"Unit tests"},{"value":"load","label":"Load test"}]},
        {"id":"look","label":"Layout","prompt":"Which layout?","type":"preview","options":[
            {"value":"a","label":"Side","preview":"+--+\n|  |\n+--+"},{"value":"b","label":"Top","preview":"====\n\tx"}]}]})
}

fn ask(params: &Value) -> LineMode {
    LineMode::new(Entered::new(form(Contract::Ask, params)), LineOptions::default())
}

fn questionnaire(questions: Value) -> LineMode {
    let form = form(Contract::Questionnaire, &json!({"questions": questions}));
    LineMode::new(Entered::new(form), LineOptions::default())
}

/// Types the lines; the last one's words and, when the form ended, its response.
fn types(mode: &mut LineMode, lines: &[&str]) -> Said {
    let mut last = Said::default();
    for (number, line) in lines.iter().enumerate() {
        assert!(last.end.is_none(), "ended before line {number} {line:?}: {last:?}");
        last = mode.line(line);
    }
    last
}

fn sent(said: &Said) -> Value {
    json!(said.end.as_ref().unwrap_or_else(|| panic!("not sent: {said:?}")))
}

fn told(said: &Said, words: &str) {
    assert!(said.lines.iter().any(|line| line.contains(words)), "{words:?} not in {:#?}", said.lines);
}

fn refused(mode: &mut LineMode, line: &str, words: &str) {
    let before = mode.entered().clone();
    let said = mode.line(line);
    told(&said, words);
    assert_eq!((said.changed, said.end), (false, None), "{line}");
    assert_eq!(mode.entered(), &before, "{line}");
}

#[test]
fn a_question_is_printed_once_from_top_to_bottom() {
    let mode = ask(&three());
    assert_eq!(
        mode.open(),
        [
            "",
            "[1/3] Database",
            "Which database?",
            "  1. PostgreSQL (recommended)",
            "     boring",
            "  2. SQLite",
            "  3. Type your own",
            "Type a number from 1 to 3 or your own text. Or: n note, n2 note on option 2, s skip, r review, q cancel, ? help.",
        ]
    );
    let mut mode = mode;
    let said = types(&mut mode, &["1", "1,3"]);
    assert_eq!(said.lines[0], "Checks: Lint, Load test");
    assert!(said.lines.contains(&"       |  |".to_owned()), "{:?}", said.lines);
    assert!(said.lines.contains(&"       \tx".to_owned()));
}

#[test]
fn the_whole_form_by_numbers() {
    let mut mode = ask(&three());
    let said = types(&mut mode, &["1", "3 1", "2"]);
    told(&said, "Review of your answers");
    told(&said, "  Checks: Load test, Lint");
    told(&said, "  2. Elaborate");
    told(&said, "  5. Change Checks");
    let said = types(&mut mode, &["5", "2-3", "1"]);
    let answers = json!({"db":{"values":["pg"]},"checks":{"values":["unit","load"]},"look":{"values":["b"]}});
    assert_eq!(sent(&said), json!({"kind":"answer","mode":"submit","answers":answers}));
}

#[test]
fn ways_to_name_several_rows() {
    for (line, wanted) in [
        ("1,3", json!(["lint", "load"])),
        ("3;1", json!(["load", "lint"])),
        (" 2 & 1 ", json!(["unit", "lint"])),
        ("1-3", json!(["lint", "unit", "load"])),
        ("#2, 2 ,2", json!(["unit"])),
        ("lint, load TEST", json!(["lint", "load"])),
        ("unit", json!(["unit"])),
    ] {
        let mut mode = ask(&three());
        let said = types(&mut mode, &["s", line, "r", "1"]);
        assert_eq!(sent(&said)["answers"]["checks"]["values"], wanted, "{line}");
    }
}

#[test]
fn options_are_added_and_taken_out() {
    let mut mode = ask(&three());
    let said = types(&mut mode, &["s", "1,2", "b", "+3", "b", "-1", "b", "+4", "more", "r", "1"]);
    let checks = json!({"values":["unit","load"],"customText":"more"});
    assert_eq!(sent(&said)["answers"]["checks"], checks);
}

#[test]
fn numbers_and_text_together_on_a_multiple_choice() {
    let mut mode = ask(&three());
    let said = types(&mut mode, &["s", "1,3 = and 2, please", "r", "1"]);
    assert_eq!(
        sent(&said)["answers"]["checks"],
        json!({"values":["lint","load"],"customText":"and 2, please"})
    );
    let mut mode = ask(&three());
    types(&mut mode, &["s", "fuzz", "b"]);
    let said = mode.line("1");
    told(&said, "Checks: Lint");
    mode.line("b");
    told(&Said { lines: mode.open(), ..Said::default() }, "Your text, not part of the answer now: fuzz");
    let said = types(&mut mode, &["1,4", "r", "1"]);
    assert_eq!(sent(&said)["answers"]["checks"], json!({"values":["lint"],"customText":"fuzz"}));
}

#[test]
fn text_that_looks_like_something_else_can_be_typed() {
    for (lines, wanted) in [
        (&["= 2"][..], "2"),
        (&["=b"], "b"),
        (&["3", "2"], "2"),
        (&["3", "q"], "q"),
        (&["=", " s "], " s "),
        (&["MySQL, please"], "MySQL, please"),
        (&["=  two spaces"], " two spaces"),
        (&["one \\", "two\\\\"], "one \ntwo\\"),
        (&[".", "one", "", "2", "\\.", "."], "one\n\n2\n."),
        (&["3", ".", "one", "two", "."], "one\ntwo"),
        (&["3", "one\\", "two\\", "."], "one\ntwo"),
        (&["3", "\\."], "."),
        (&["= -"], "-"),
    ] {
        let mut mode = ask(&three());
        types(&mut mode, lines);
        let said = types(&mut mode, &["r", "1"]);
        assert_eq!(sent(&said)["answers"]["db"], json!({"customText": wanted}), "{lines:?}");
    }
}

#[test]
fn wrong_lines_are_told_and_change_nothing() {
    let mut mode = ask(&three());
    mode.line("2");
    mode.line("b");
    for (line, words) in [
        ("4", "numbers are 1 to 3"),
        ("0", "numbers are 1 to 3"),
        ("99999999999999999999999", "numbers are 1 to 3"),
        ("1,2", "takes one answer"),
        ("1 = x", "not both"),
        ("+1", "takes one answer"),
        ("3.5", "= 3.5"),
        ("2026-11-30", "= 2026-11-30"),
        ("x", "no command"),
        ("y", "= y"),
        ("help", "command ?"),
        ("Quit", "command q"),
        ("n9", "options are 1 to 2"),
        ("n3", "options are 1 to 2"),
        ("\u{1b}[A", "arrow keys"),
        ("a\u{fffd}", "control characters"),
        ("b", "first question"),
    ] {
        refused(&mut mode, line, words);
    }
    types(&mut mode, &["1"]);
    refused(&mut mode, "3-1", "write 1-3");
    refused(&mut mode, "1,9", "numbers are 1 to 4");
    refused(&mut mode, "", "Nothing is chosen yet");
    assert_eq!(mode.entered().answer(0).values, ["pg"]);
}

#[test]
fn a_line_that_could_mean_two_things_is_refused() {
    let params = json!({"questions":[{"id":"n","prompt":"How many?","type":"multi","options":[
        {"value":"two","label":"2"},{"value":"four","label":"4"},{"value":"eight","label":"8"},{"value":"b","label":"B"},
        {"value":"s1","label":"Same"},{"value":"s2","label":"same"},{"value":"skip","label":"Skip"},{"value":"n2","label":"n2"}]}]});
    let mut mode = ask(&params);
    refused(&mut mode, "2", "type #2 or #1");
    refused(&mut mode, "1,4", "type #4 or #2");
    refused(&mut mode, "b", "option type #4");
    refused(&mut mode, "same", "numbers 5, 6");
    refused(&mut mode, "n2", "type #8");
    told(&mode.line("skip"), "Q1: Skip");
    mode.line("b");
    told(&mode.line("#2,#4"), "Q1: 4, B");
    mode.line("b");
    refused(&mut mode, ":b", "first question");
}

#[test]
fn notes_on_question_and_option() {
    let mut mode = ask(&three());
    let said = types(&mut mode, &["n", "why\\", "this?", "n2", "2", "n 1"]);
    told(&said, "Note on PostgreSQL");
    told(&mode.line(""), "Nothing changed");
    let said = types(&mut mode, &["1", "r"]);
    told(&said, "    note: why this?");
    told(&said, "    note on SQLite: 2");
    let said = mode.line("2");
    let db = json!({"values":["pg"],"note":"why\nthis?","optionNotes":{"lite":"2"}});
    assert_eq!(sent(&said), json!({"kind":"answer","mode":"elaborate","answers":{"db":db}}));
    let mut mode = ask(&three());
    told(&types(&mut mode, &["n", "x", "n", "-"]), "removed");
    assert!(!mode.entered().is_dirty());
}

#[test]
fn an_empty_custom_answer_leaves_everything_as_it_was() {
    let mut mode = ask(&three());
    types(&mut mode, &["1", "s", "b"]);
    let said = types(&mut mode, &["4", ""]);
    told(&said, "Nothing changed");
    assert_eq!(said.end, None);
    assert_eq!(mode.position(), Some(1));
    assert_eq!(mode.entered().answer(0).values, ["pg"]);
    assert!(!mode.entered().answer(1).is_answered());
}

#[test]
fn leaving_asks_again_when_something_was_entered() {
    let mut mode = ask(&three());
    assert_eq!(sent(&mode.line("q")), json!({"kind":"cancel"}));
    let mut mode = ask(&three());
    let said = types(&mut mode, &["1", "q"]);
    assert_eq!(said.end, None);
    told(&said, "q again");
    let said = types(&mut mode, &["?", "q"]);
    assert_eq!(said.end, None, "another key in between takes the question back");
    assert_eq!(sent(&mode.line("q")), json!({"kind":"cancel"}));
    let mut mode = ask(&three());
    assert_eq!(sent(&types(&mut mode, &["1", "r", "3"])), json!({"kind":"cancel"}));
    let options = LineOptions { confirm_dismiss: false, ..LineOptions::default() };
    let mut mode = LineMode::new(Entered::new(form(Contract::Ask, &three())), options);
    assert_eq!(sent(&types(&mut mode, &["1", "q"])), json!({"kind":"cancel"}));
}

#[test]
fn the_review_takes_numbers_and_words_and_nothing_by_accident() {
    let mut mode = ask(&three());
    mode.line("r");
    refused(&mut mode, "", "Nothing is sent yet");
    refused(&mut mode, "9", "no entry");
    refused(&mut mode, "yes", "no entry");
    assert_eq!(sent(&mode.line("submit")), json!({"kind":"answer","mode":"submit","answers":{}}));
}

#[test]
fn the_type_can_be_changed() {
    let mut mode = ask(&three());
    told(&types(&mut mode, &["t"]), "several answers now");
    types(&mut mode, &["1,2", "b"]);
    told(&mode.line("t"), "t again");
    refused(&mut mode, "l", "Database");
    told(&mode.line("t"), "t again");
    told(&mode.line("t"), "one answer now");
    assert!(!mode.entered().answer(0).is_answered());
    assert!(mode.entered().presented().is_empty());
    let said = types(&mut mode, &["t", "1,2", "r", "1"]);
    let response = said.end.unwrap();
    assert!(check(mode.entered().form(), &response, mode.entered().presented()).is_ok());
    assert!(check(mode.entered().form(), &response, &PresentedTypes::new()).is_err());
}

#[test]
fn auto_submit_sends_on_arrival_at_the_review() {
    let options = LineOptions { auto_submit: true, ..LineOptions::default() };
    let mut mode = LineMode::new(Entered::new(form(Contract::Ask, &three())), options);
    assert_eq!(sent(&types(&mut mode, &["1", "1", "1"]))["mode"], "submit");
    let mut mode = LineMode::new(Entered::new(form(Contract::Ask, &three())), options);
    assert_eq!(types(&mut mode, &["n", "?", "1", "1", "1"]).end, None, "not with a note");
}

#[test]
fn a_draft_is_taken_up_where_it_was_left() {
    let form = form(Contract::Ask, &three());
    let mut entered = Entered::new(form);
    let answers = serde_json::from_value(json!({"db":{"values":["lite"]}})).unwrap();
    let view =
        json!({"unselected":{"checks":"fuzz"},"editor":{"target":"answer","text":"half"},"question":"look"});
    entered.restore(&answers, &PresentedTypes::new(), Some(&view));
    let mut mode = LineMode::new(entered, LineOptions::default());
    assert_eq!(mode.position(), Some(1));
    assert_eq!(mode.entered().view(Some(1))["unselected"], json!({"checks":"fuzz","look":"half"}));
    let said = types(&mut mode, &["4", "3", "", "1"]);
    assert_eq!(
        sent(&said)["answers"],
        json!({"db":{"values":["lite"]},"checks":{"customText":"fuzz"},"look":{"customText":"half"}})
    );
}

#[test]
fn a_refused_response_leads_back_with_everything_kept() {
    let mut mode = ask(&three());
    types(&mut mode, &["1", "r"]);
    let said = mode.refused("too\u{1b}[2J large");
    told(&said, "Not sent: too large");
    told(&said, "  Database: PostgreSQL");
    assert_eq!(sent(&mode.line("1"))["answers"]["db"]["values"], json!(["pg"]));
}

#[test]
fn freeform_takes_text_numbers_too() {
    let mut mode = ask(&json!({"questions":[{"id":"a","prompt":"Port?",
        "options":[{"value":"x","label":"Type your answer:","freeform":true}]}]}));
    told(&Said { lines: mode.open(), ..Said::default() }, "Type your answer.");
    refused(&mut mode, "skip", "command s");
    let said = types(&mut mode, &["8080", "1"]);
    assert_eq!(sent(&said)["answers"], json!({"a":{"customText":"8080"}}));
}

#[test]
fn hostile_text_prints_as_plain_lines() {
    let evil = "\u{1b}]0;owned\u{7}Go\u{9b}2J\rx\u{202e}\u{1b}[6n";
    let params = json!({"title":evil,"questions":[{"id":"e","label":evil,"prompt":evil,"type":"preview","options":[
        {"value":evil,"label":evil,"description":evil,"preview":evil}]}]});
    let mut mode = ask(&params);
    let mut lines = mode.open();
    for line in ["?", "n1", "x", "1", "l"] {
        lines.extend(mode.line(line).lines);
    }
    for line in lines {
        assert!(!line.chars().any(|c| c.is_control() || c == '\u{202e}'), "{line:?}");
    }
}

#[test]
fn a_single_question_of_a_questionnaire_is_sent_as_it_is_answered() {
    let mut mode =
        questionnaire(json!([{"id":"a","question":"Which?","options":[{"label":"Core"},{"label":"CLI"}]}]));
    refused(&mut mode, "s", "an answer is required");
    refused(&mut mode, "r", "no review");
    refused(&mut mode, "n", "no notes");
    refused(&mut mode, "n1", "no notes");
    refused(&mut mode, "t", "cannot be changed");
    assert_eq!(sent(&mode.line("2"))["answers"], json!({"a":{"values":["CLI"]}}));
    let mut mode = questionnaire(
        json!([{"id":"a","question":"Which?","allowOther":false,"options":[{"label":"Core"}]}]),
    );
    refused(&mut mode, "other", "That is no option");
    refused(&mut mode, "= other", "no text of your own");
    refused(&mut mode, ".", "no text of your own");
    told(&mode.line("q"), "q again");
    assert_eq!(sent(&mode.line("q")), json!({"kind":"cancel"}));
}

#[test]
fn limits_of_a_questionnaire_are_kept() {
    let options = json!([{"label":"A"},{"label":"B"},{"label":"C"}]);
    let mut mode = questionnaire(
        json!([{"id":"m","question":"Which?","multiple":true,"min":2,"max":2,"options":options}]),
    );
    told(&Said { lines: mode.open(), ..Said::default() }, "Pick 2. Required.");
    refused(&mut mode, "1", "At least 2");
    refused(&mut mode, "1-3", "At most 2");
    refused(&mut mode, "1,2,4", "At most 2");
    refused(&mut mode, "1,2 = x", "At most 2");
    let said = mode.line("mine");
    told(&said, "kept as row 4");
    assert_eq!(sent(&mode.line("3,4"))["answers"]["m"], json!({"values":["C"],"customText":"mine"}));
}

#[test]
fn required_questions_are_asked_again_from_the_review() {
    let mut mode = questionnaire(json!([
        {"id":"a","question":"A?","options":[{"label":"X"}]},
        {"id":"t","question":"T?","required":false},
    ]));
    told(&mode.line("s"), "Before submitting an answer is required");
    let said = mode.line("some text");
    told(&said, "  Q1: (no answer) (an answer is required)");
    assert!(!said.lines.iter().any(|line| line.contains("Elaborate")));
    told(&mode.line("1"), "Not sent. Question 1");
    let said = types(&mut mode, &["1", "1"]);
    assert_eq!(sent(&said)["answers"], json!({"a":{"values":["X"]},"t":{"customText":"some text"}}));
}

#[test]
fn preselected_options_count_only_when_confirmed() {
    let options = json!([{"label":"A"},{"label":"B","selected":true}]);
    let questions = json!([
        {"id":"a","question":"A?","required":false,"options":options},
        {"id":"b","question":"B?","required":false,"options":options},
    ]);
    let mut mode = questionnaire(questions);
    told(&Said { lines: mode.open(), ..Said::default() }, "Preselected: B. Enter takes it.");
    let said = types(&mut mode, &["", "r", "1"]);
    assert_eq!(sent(&said)["answers"], json!({"a":{"values":["B"]}}));
}

#[test]
fn every_response_is_accepted() {
    let mut mode = ask(&three());
    let said = types(&mut mode, &["text", "1,2 = t", "n", "x", "2", "1"]);
    let response: Response = said.end.unwrap();
    assert!(check(mode.entered().form(), &response, mode.entered().presented()).is_ok());
}
