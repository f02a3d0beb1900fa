//! Pictures of every screen and state at four sizes, and what has to hold in each of them.

use askd_form::{Contract, ParseOptions, parse};
use askd_interact::interaction::{Key, KeyPress};
use askd_wire::settings::Settings;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;

use super::draw;
use crate::app::{App, Surroundings};

const SIZES: [(u16, u16); 4] = [(20, 5), (40, 12), (80, 24), (160, 50)];

pub(crate) fn app_with(contract: Contract, params: &Value, settings: &Value, freeform: bool) -> App {
    let options = ParseOptions { freeform, ..ParseOptions::default() };
    let form = parse(contract, params, &options).unwrap().form;
    let first = form.questions[0].prompt.clone();
    let snapshot = json!({
        "formId": "f1", "contract": form.contract, "state": "open", "seq": 1, "questionCount": form.questions.len(),
        "firstPrompt": first, "source": "tool", "mode": "urgent", "createdAt": 0, "owner": {"attached": true},
        "origin": {"agent": "pi", "parents": ["pi"], "cwd": "/home/ann/src/shop", "title": "release talk", "context": "I looked at both.\nEither works."},
        "viewers": [], "drafted": false, "delivery": "none", "form": form, "draftRevision": 0,
    });
    let settings: Settings = serde_json::from_value(settings.clone()).unwrap();
    let surroundings =
        Surroundings { home: Some("/home/ann".to_owned()), no_color: false, tmux: false, hosted: false };
    App::new(serde_json::from_value(snapshot).unwrap(), settings, surroundings)
}

pub(crate) fn ask(params: &Value) -> App {
    app_with(Contract::Ask, params, &json!({}), false)
}

/// Presses keys by name; `'text'` types each character.
pub(crate) fn press(app: &mut App, keys: &str) {
    for word in keys.split(' ').filter(|word| !word.is_empty()) {
        match word.strip_prefix('\'') {
            Some(text) => {
                for c in text.chars() {
                    let c = if c == '_' { ' ' } else { c };
                    let text = Some(c.to_string());
                    app.on_key(&KeyPress { key: Some(Key::character(c)), text, repeat: false });
                }
            }
            None => {
                app.on_key(&KeyPress::new(Key::parse(word).unwrap()));
            }
        }
    }
}

fn drawn(app: &mut App, columns: u16, rows: u16) -> (Buffer, Option<Position>) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, columns, rows));
    let cursor = draw(app, &mut buffer);
    (buffer, cursor)
}

/// The picture as text, a bar at the right edge, the cursor below.
fn picture(app: &mut App, columns: u16, rows: u16) -> String {
    let (buffer, cursor) = drawn(app, columns, rows);
    let mut out = String::new();
    for y in 0..rows {
        let mut line = String::new();
        let mut x = 0;
        while x < columns {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(symbol.width().max(1)).unwrap();
        }
        out.push_str(&format!("{line}▕\n"));
    }
    match cursor {
        Some(at) => out.push_str(&format!("cursor {},{}\n", at.x, at.y)),
        None => out.push_str("no cursor\n"),
    }
    out
}

fn holds(app: &mut App, columns: u16, rows: u16) {
    let (buffer, cursor) = drawn(app, columns, rows);
    for y in 0..rows {
        let mut x = 0;
        while x < columns {
            let symbol = buffer[(x, y)].symbol();
            assert!(
                !symbol.chars().any(|c| c.is_control()
                    || ('\u{202a}'..='\u{202e}').contains(&c)
                    || ('\u{2066}'..='\u{2069}').contains(&c)),
                "{symbol:?}"
            );
            x += u16::try_from(symbol.width().max(1)).unwrap();
        }
        assert_eq!(x, columns, "a wide character is cut at the edge of row {y}");
    }
    if let Some(at) = cursor {
        assert!(at.x < columns && at.y < rows, "cursor {at:?} outside {columns}x{rows}");
    }
}

/// A snapshot of one state at the four sizes.
pub(crate) fn pictures(name: &str, make: impl Fn() -> App) {
    pictures_after(name, make, "");
}

/// The same, with keys pressed after the form was seen.
pub(crate) fn pictures_after(name: &str, make: impl Fn() -> App, keys: &str) {
    let mut shown = String::new();
    for (columns, rows) in SIZES {
        let mut app = make();
        // Twice: what drawing keeps must not move the picture.
        picture(&mut app, columns, rows);
        press(&mut app, keys);
        picture(&mut app, columns, rows);
        shown.push_str(&format!("{columns}x{rows}\n{}\n", picture(&mut app, columns, rows)));
        holds(&mut app, columns, rows);
    }
    insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
        insta::assert_snapshot!(name, shown);
    });
    for (columns, rows) in [(1, 1), (2, 2), (5, 3), (12, 4), (30, 9), (91, 7), (300, 100)] {
        let mut app = make();
        holds(&mut app, columns, rows);
        // And back again.
        holds(&mut app, 80, 24);
        holds(&mut app, columns, rows);
    }
}

fn plan() -> Value {
    json!({"title": "Release plan", "questions": [
        {"id": "db", "label": "Database", "prompt": "Which database should the shop use from the next release on?", "options": [
            {"value": "pg", "label": "PostgreSQL", "description": "what the team knows", "recommended": true},
            {"value": "my", "label": "MySQL"},
            {"value": "lite", "label": "SQLite", "description": "no server to run, one file to back up, and fast enough for what the shop does on an ordinary day of the year"}]},
        {"id": "checks", "label": "Checks", "type": "multi", "prompt": "Which checks should run before the release?", "options": [
            {"value": "lint", "label": "Lint", "description": "the usual mistakes, in seconds", "recommended": true},
            {"value": "unit", "label": "Unit tests"},
            {"value": "int", "label": "Integration tests", "description": "needs the staging database"},
            {"value": "load", "label": "Load test", "description": "an hour on the small machine"}]},
        {"id": "layout", "label": "Layout", "type": "preview", "prompt": "Which layout?", "options": [
            {"value": "side", "label": "Sidebar", "description": "as today", "recommended": true, "preview": "Sidebar\n\n+----+---------------------------+\n|nav | orders                    |\n|    |                           |\n+----+---------------------------+"},
            {"value": "top", "label": "Top bar", "preview": "┌──────────────────────────────────────────────┐\n│ nav\torders\tcustomers\tsettings and more │\n└──────────────────────────────────────────────┘"}]}]})
}

fn at(params: &Value, keys: &str) -> App {
    let mut app = ask(params);
    press(&mut app, keys);
    app
}

fn questionnaire(params: &Value, keys: &str) -> App {
    let mut app = app_with(Contract::Questionnaire, params, &json!({}), false);
    press(&mut app, keys);
    app
}

#[test]
fn single() {
    pictures("single", || at(&plan(), ""));
}

#[test]
fn multi_ticked_and_noted() {
    pictures("multi", || at(&plan(), "tab space down down space n 'only_against_the_EU_copy enter up"));
}

#[test]
fn own_text_open() {
    pictures("editor", || {
        at(&plan(), "down down down 'something_else_entirely shift+enter 'and_a_second_line")
    });
}

#[test]
fn own_text_saved() {
    pictures("written", || at(&plan(), "tab space down down down down '空港_👩‍👩‍👧‍👦 enter"));
}

#[test]
fn option_note_open() {
    pictures("option-note", || at(&plan(), "tab down n 'why"));
}

#[test]
fn question_note_open() {
    pictures("question-note", || at(&plan(), "N 'which_region?"));
}

#[test]
fn previews() {
    pictures("preview", || at(&plan(), "shift+tab shift+tab"));
    pictures("preview-2", || at(&plan(), "shift+tab shift+tab down ctrl+right"));
}

#[test]
fn review_states() {
    let keys = "1 space down down n 'EU_only enter tab tab";
    pictures("review", || at(&plan(), keys));
    pictures("review-armed", || at(&plan(), &format!("{keys} 1")));
    pictures("review-elaborate", || at(&plan(), &format!("{keys} down")));
}

#[test]
fn names_offered_for_a_mention() {
    pictures("mention", || {
        let mut app = at(&plan(), "N 'see_@ma");
        let names = ["src/main.rs", "Makefile", "docs/manual for 空港.md"];
        app.on_found("ma", names.map(str::to_owned).to_vec());
        press(&mut app, "down");
        app
    });
}

#[test]
fn taking_an_offered_name() {
    let mut app = at(&plan(), "N 'see_@ma");
    app.on_found("ma", vec!["src/main.rs".to_owned(), "my notes.md".to_owned()]);
    press(&mut app, "tab 'and_@my");
    app.on_found("ma", vec!["too late".to_owned()]);
    app.on_found("my", vec!["my notes.md".to_owned()]);
    press(&mut app, "down enter");
    assert_eq!(
        app.work().editor().map(|editor| editor.text.text()),
        Some("see @src/main.rs and @\"my notes.md\" ")
    );
    press(&mut app, "'@x");
    app.on_found("x", vec!["xyz".to_owned()]);
    press(&mut app, "esc 'y enter");
    assert_eq!(
        app.work().pages()[0].answer.note.as_deref(),
        Some("see @src/main.rs and @\"my notes.md\" @xy")
    );
}

#[test]
fn others_and_a_deadline() {
    pictures("others", || {
        let mut app = at(&plan(), "");
        let viewer =
            |kind: &str| json!({"connectionId": kind, "kind": kind, "client": {"name": "x", "version": "1"}});
        app.on_others(serde_json::from_value(json!([viewer("tui"), viewer("dialog")])).unwrap(), 2);
        app.summary.expires_at = Some(1_796_056_740_000);
        app
    });
}

#[test]
fn warnings() {
    pictures("leaving", || at(&plan(), "space esc"));
    pictures("leaving-editor", || at(&plan(), "down down down 'half ctrl+c"));
    pictures("retyping", || at(&plan(), "tab space down space t"));
    pictures("lost", || {
        let mut app = at(&plan(), "");
        app.on_connection(Some(String::new()));
        app
    });
}

#[test]
fn overlays() {
    pictures("help", || at(&plan(), "f1"));
    pictures("context", || at(&plan(), "f2"));
}

#[test]
fn many_questions() {
    let questions: Vec<Value> = (0..64).map(|n| json!({"id": format!("q{n}"), "label": format!("Topic {n}"), "prompt": format!("What about topic {n}?"), "options": [{"value": "y", "label": "Yes"}, {"value": "n", "label": "No"}]})).collect();
    let params = json!({"questions": questions});
    pictures("64-questions", || at(&params, &"1 ".repeat(30)));
    pictures_after("64-questions-review", || at(&params, "1 shift+tab shift+tab"), "ctrl+d");
}

#[test]
fn many_options() {
    let options: Vec<Value> = (0..512).map(|n| json!({"value": format!("v{n}"), "label": format!("Item {n:03}"), "description": if n % 3 == 0 { "with a word about it" } else { "" }})).collect();
    let params = json!({"questions": [{"id": "m", "prompt": "Pick", "type": "multi", "options": options}]});
    pictures("512-options", || at(&params, "pageDown pageDown space down space"));
    pictures("512-options-end", || at(&params, "end"));
}

#[test]
fn long_preview() {
    let preview: Vec<String> =
        (1..=200).map(|n| format!("{n:3} {}", "let x = compute(the, thing);".repeat(n % 7))).collect();
    let params = json!({"questions": [{"id": "p", "type": "preview", "prompt": "Which?", "options": [{"value": "a", "label": "Long one", "preview": preview.join("\n")}, {"value": "b", "label": "Short one", "preview": "x"}]}]});
    pictures("long-preview", || at(&params, ""));
    pictures_after("long-preview-scrolled", || at(&params, ""), "ctrl+d ctrl+d ctrl+d ctrl+right");
}

#[test]
fn long_prompt() {
    let prompt = "A long explanation of what is wanted and why it matters to everyone. ".repeat(30);
    let params = json!({"questions": [{"id": "p", "prompt": prompt, "options": [{"value": "a", "label": "A label of well over thirty characters that is quite normal and then goes on for some time"}, {"value": "b", "label": "B"}], "label": "Header longer than twelve characters and even more"}]});
    pictures("long-prompt", || at(&params, "shift+down shift+down"));
}

#[test]
fn scripts_of_the_world() {
    let params = json!({"title": "空港リスト", "questions": [{"id": "e", "type": "multi", "label": "空港と👩‍👩‍👧‍👦", "prompt": "どの空港を使いますか？東京国際空港、成田国際空港、関西国際空港、中部国際空港から選んでください。", "options": [
        {"value": "fam", "label": "👩‍👩‍👧‍👦 family"}, {"value": "skin", "label": "👍🏽 thumb"}, {"value": "vs", "label": "✔️ tick / ✔︎ tick"},
        {"value": "flag", "label": "🏳️‍🌈 flag 🇩🇪🇫🇷"}, {"value": "bad", "label": "🥲🏻 odd pair"}, {"value": "rtl", "label": "שלום עולם", "description": "مرحبا بالعالم"},
        {"value": "comb", "label": "e\u{301}e\u{301} ก็ क्षि", "description": "combining"}]}]});
    pictures("scripts", || at(&params, "down space down space"));
}

#[test]
fn hostile_text() {
    let cases: Vec<Value> = serde_json::from_str(
        &std::fs::read_to_string(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/cases/field-reports.json"
        ))
        .unwrap(),
    )
    .unwrap();
    let mut seen = 0;
    for case in cases {
        let input = case["input"].get("payload").unwrap_or(&case["input"]);
        if parse(Contract::Ask, input, &ParseOptions::default()).is_err() {
            continue;
        }
        seen += 1;
        let name = format!("field-{}", case["id"].as_str().unwrap());
        pictures(&name, || at(input, ""));
        for keys in ["down", "space", "tab", "down n 'x"] {
            for (columns, rows) in SIZES {
                holds(&mut at(input, keys), columns, rows);
            }
        }
    }
    assert!(seen >= 7, "{seen} cases were drawn");
}

#[test]
fn freeform() {
    let params = json!({"questions": [{"id": "a", "prompt": "Name it?", "options": [{"value": "freeform", "label": "Type answer", "freeform": true}]}]});
    pictures("freeform", || {
        let mut app = app_with(Contract::Ask, &params, &json!({}), true);
        press(&mut app, "'askd");
        app
    });
}

#[test]
fn questionnaires() {
    let params = json!({"title": "Scope", "submitLabel": "Send it", "questions": [
        {"question": "Which packages should change?", "id": "m", "label": "Packages", "header": "The release is on Friday.", "multiple": true, "min": 1, "max": 2, "options": [
            {"label": "Core", "value": "core", "selected": true}, {"label": "CLI", "value": "cli"}, {"label": "Docs", "value": "docs"}]},
        {"question": "Name it?", "id": "t", "placeholder": "a short name"},
        {"question": "Which?", "id": "s", "required": false, "options": [{"label": "One"}, {"label": "Two", "selected": true}]}]});
    pictures("q-multi", || questionnaire(&params, "down space"));
    pictures("q-over", || questionnaire(&params, "a"));
    pictures("q-typed", || questionnaire(&params, "tab"));
    pictures("q-leaving", || questionnaire(&params, "esc"));
    pictures("q-review", || questionnaire(&params, "shift+tab"));
    pictures("q-refused", || questionnaire(&params, "shift+tab enter"));
}

#[test]
fn without_hints_and_without_colour() {
    let settings = json!({"behaviour": {"showFooterHints": false}, "frontends": {"theme": "none"}});
    pictures("no-hints", || app_with(Contract::Ask, &plan(), &settings, false));
}

#[test]
fn the_focused_row_is_seen_wherever_one_goes() {
    let options: Vec<Value> = (0..40).map(|n| json!({"value": format!("v{n}"), "label": format!("Item {n:03} {}", "long words ".repeat(n % 9)), "description": "some words about it ".repeat(n % 5)})).collect();
    let params = json!({"questions": [{"id": "m", "prompt": "Pick", "type": "multi", "options": options}]});
    for (columns, rows) in SIZES {
        let mut app = ask(&params);
        for step in 0..120 {
            let key =
                ["down", "down", "down", "up", "pageDown", "home", "end", "up"][(step * 7 + step / 5) % 8];
            press(&mut app, key);
            let (buffer, cursor) = drawn(&mut app, columns, rows);
            let marks = (0..rows)
                .flat_map(|y| (0..columns).map(move |x| (x, y)))
                .filter(|at| buffer[*at].symbol() == "❯")
                .count();
            let editing = app.work().editor().is_some();
            assert!(
                marks == 1 || editing,
                "{marks} markers after {key} at {columns}x{rows}\n{}",
                picture(&mut app, columns, rows)
            );
            assert!(cursor.is_some());
        }
    }
}
