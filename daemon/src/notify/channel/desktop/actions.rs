//! Which buttons a desktop notification has, and what a click means.

use std::collections::HashSet;

use askd_form::QuestionType;
use askd_form::safe_text;
use askd_wire::form::FormSnapshot;
use serde_json::{Value, json};

/// The button that opens the form.
pub(super) const OPEN: &str = "Open";

/// What servers call a click on the notification itself; the name is theirs, so it carries no nonce.
const WHOLE: &str = "default";

/// More buttons than this are cut off by common servers.
const MOST: usize = 3;

/// A button shows its label whole or not at all: what is cut off could turn its meaning around.
const LONGEST: usize = 60;

/// What a click asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Click {
    /// Show the form.
    Open,
    /// Answer with the option at this place.
    Answer(usize),
}

/// What became of a key that came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    /// One of the notification's own.
    Known(Click),
    /// Made for what the notification showed before, or for another one.
    Foreign,
}

/// Labels of the buttons that answer: a form of one single choice with few options that no reader can take
/// for another (protocol §6, `notifications.answerButtons`). Empty when it takes more than a click.
pub(super) fn answers(form: &FormSnapshot) -> Vec<String> {
    let [question] = form.form.questions.as_slice() else { return Vec::new() };
    let fits = question.kind == QuestionType::Single
        && !question.is_typed()
        && question.options.len() <= MOST
        && form.summary.requires.is_none();
    if !fits {
        return Vec::new();
    }
    let labels: Vec<String> =
        question.options.iter().map(|option| safe_text::line(&option.label).trim().to_owned()).collect();
    let mut read = HashSet::from([as_read(OPEN)]);
    let plain = labels
        .iter()
        .all(|label| !label.is_empty() && label.chars().count() <= LONGEST && read.insert(as_read(label)));
    if plain { labels } else { Vec::new() }
}

/// A label as somebody in a hurry reads it: case, spaces, underscores and punctuation at its ends do not count.
fn as_read(label: &str) -> String {
    let words = label.to_lowercase();
    let words = words.split(|c: char| c.is_whitespace() || c == '_').filter(|word| !word.is_empty());
    let line = words.collect::<Vec<_>>().join(" ");
    let bare = line.trim_matches(|c: char| c.is_ascii_punctuation() || c == '…');
    if bare.is_empty() { line } else { bare.to_owned() }
}

/// Keys and labels in the order of the notification's list. Answers come first: servers that show few
/// buttons leave out the last, and a click on the notification itself opens the form, too.
pub(super) fn list(answers: &[String], nonce: &str) -> Vec<(String, String)> {
    let answers =
        answers.iter().enumerate().map(|(place, label)| (format!("answer-{place}-{nonce}"), label.clone()));
    let open = [(format!("open-{nonce}"), OPEN.to_owned()), (WHOLE.to_owned(), OPEN.to_owned())];
    answers.chain(open).collect()
}

/// Reads a key that came back for a notification with this nonce and so many answers.
pub(super) fn read(key: &str, nonce: &str, answers: usize) -> Key {
    if key == WHOLE {
        return Key::Known(Click::Open);
    }
    let Some(action) = key.strip_suffix(nonce).and_then(|rest| rest.strip_suffix('-')) else {
        return Key::Foreign;
    };
    if action == "open" {
        return Key::Known(Click::Open);
    }
    let place = action.strip_prefix("answer-").and_then(|place| place.parse().ok());
    match place.filter(|place| *place < answers) {
        Some(place) => Key::Known(Click::Answer(place)),
        None => Key::Foreign,
    }
}

/// The response that picks the option at a place.
pub(super) fn response(form: &FormSnapshot, place: usize) -> Option<Value> {
    let question = form.form.questions.first()?;
    let option = question.options.get(place)?;
    let id = question.id.clone();
    let answers = serde_json::Map::from_iter([(id, json!({"values": [option.value]}))]);
    Some(json!({"kind": "answer", "answers": answers}))
}

#[cfg(test)]
mod tests {
    use askd_wire::form::{Origin, Requires};

    use super::super::super::super::fixture::{choice, form};
    use super::*;

    #[test]
    fn a_small_single_choice_is_answered_by_buttons() {
        assert_eq!(answers(&choice("f", &["Postgres", "SQLite"])), ["Postgres", "SQLite"]);
        assert_eq!(answers(&choice("f", &["a", "b", "c"])).len(), 3);
        assert_eq!(answers(&choice("f", &["a", "b", "c", "d"])), [""; 0]);
    }

    #[test]
    fn labels_that_read_alike_have_no_buttons() {
        for labels in [
            ["Yes", "YES"],
            ["Go  on", "go on"],
            ["Yes", "Yes!"],
            ["use_it", "Use it"],
            ["Yes", "Yes\u{200b}"],
            ["Open", "Close"],
            ["open…", "Close"],
        ] {
            assert_eq!(answers(&choice("f", &labels)), [""; 0], "{labels:?}");
        }
        assert_eq!(answers(&choice("f", &["+", "-"])).len(), 2);
    }

    #[test]
    fn a_label_that_would_be_cut_has_no_button() {
        assert_eq!(answers(&choice("f", &["a", &"b".repeat(60)])).len(), 2);
        assert_eq!(answers(&choice("f", &["a", &"b".repeat(61)])), [""; 0]);
    }

    #[test]
    fn a_person_is_not_a_click() {
        let mut person = choice("f", &["a", "b"]);
        person.summary.requires = Some(Requires::Person);
        assert_eq!(answers(&person), [""; 0]);
    }

    #[test]
    fn other_forms_have_no_buttons() {
        let options = json!([{"value": "a", "label": "A"}, {"value": "b", "label": "B", "preview": "p"}]);
        let question =
            |id: &str, kind: &str| json!({"id": id, "prompt": "?", "type": kind, "options": options});
        for questions in
            [json!([question("a", "multi")]), json!([question("a", "single"), question("b", "single")])]
        {
            let form = form("f", json!({"questions": questions}), Origin::default());
            assert_eq!(answers(&form), [""; 0], "{questions}");
        }
    }

    #[test]
    fn a_key_counts_with_its_nonce_only() {
        let labels = ["A".to_owned(), "B".to_owned()];
        let keys: Vec<String> = list(&labels, "n1").into_iter().map(|(key, _)| key).collect();
        let clicks: Vec<Key> = keys.iter().map(|key| read(key, "n1", 2)).collect();
        let known = [Click::Answer(0), Click::Answer(1), Click::Open, Click::Open].map(Key::Known);
        assert_eq!(clicks, known);
        assert_eq!(read(&keys[0], "n2", 2), Key::Foreign);
        assert_eq!(read("answer-0", "n1", 2), Key::Foreign);
        assert_eq!(read("answer-2-n1", "n1", 2), Key::Foreign);
        assert_eq!(read("answer-0-xn1", "n1", 2), Key::Foreign);
    }

    #[test]
    fn a_click_answers_with_the_options_value() {
        let response = response(&choice("f", &["A", "B"]), 1);
        assert_eq!(response, Some(json!({"kind": "answer", "answers": {"q": {"values": ["v1"]}}})));
    }
}
