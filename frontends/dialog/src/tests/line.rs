//! Line mode against a daemon of one form.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::line::{Ending, Input, LineError, LineIo, answer_form};
use askd_client::Client;
use askd_form::{Contract, OutcomeKind, Reason};
use serde_json::{Value, json};

use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;

use super::fake::{FORM, Fake};

#[derive(Clone)]
struct Paper {
    text: Arc<Mutex<Vec<u8>>>,
    grown: watch::Sender<usize>,
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.text.lock().unwrap().extend_from_slice(bytes);
        self.grown.send_modify(|n| *n += bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A person at the lines.
struct Person {
    keys: mpsc::UnboundedSender<Input>,
    paper: Paper,
    running: JoinHandle<Result<Ending, LineError>>,
}

fn io(terminal: bool) -> (mpsc::UnboundedSender<Input>, Paper, LineIo) {
    let (keys, input) = mpsc::unbounded_channel();
    let paper = Paper { text: Arc::default(), grown: watch::channel(0).0 };
    let io = LineIo::new(input, Box::new(paper.clone()));
    (keys, paper, if terminal { io.as_terminal() } else { io })
}

impl Person {
    async fn sits_down(fake: &Fake, terminal: bool) -> Self {
        let (keys, paper, io) = io(terminal);
        Self::with(fake.client().await, keys, paper, io)
    }

    fn with(client: Client, keys: mpsc::UnboundedSender<Input>, paper: Paper, mut io: LineIo) -> Self {
        let running = tokio::spawn(async move { answer_form(&client, FORM, &mut io).await });
        Self { keys, paper, running }
    }

    fn types(&self, lines: &[&str]) {
        lines.iter().for_each(|line| self.keys.send(Input::Line((*line).to_owned())).unwrap());
    }

    fn text(&self) -> String {
        String::from_utf8(self.paper.text.lock().unwrap().clone()).unwrap()
    }

    async fn reads(&self, words: &str) {
        let mut grown = self.paper.grown.subscribe();
        let waiting = async {
            while !self.text().contains(words) {
                grown.changed().await.unwrap();
            }
        };
        let done = tokio::time::timeout(Duration::from_secs(10), waiting).await;
        assert!(done.is_ok(), "{words:?} not in {}", self.text());
    }

    async fn ends(self) -> (Result<Ending, LineError>, String) {
        let ended = tokio::time::timeout(Duration::from_secs(10), self.running).await;
        let text = String::from_utf8(self.paper.text.lock().unwrap().clone()).unwrap();
        (ended.unwrap_or_else(|_| panic!("still running: {text}")).unwrap(), text)
    }
}

fn two() -> Value {
    json!({"title":"Plan","questions":[
        {"id":"db","label":"Database","prompt":"Which?","options":[
            {"value":"pg","label":"PostgreSQL","recommended":true},{"value":"lite","label":"SQLite"}]},
        {"id":"checks","label":"Checks","prompt":"Which ones?","type":"multi","options":[
            {"value":"lint","label":"Lint"},{"value":"unit","label":"Unit tests"}]}]})
}

async fn fake() -> Fake {
    Fake::start(Contract::Ask, &two()).await
}

#[tokio::test]
async fn a_form_is_shown_answered_and_sent() {
    let fake = fake().await;
    let person = Person::sits_down(&fake, false).await;
    person.types(&["1", "1,2", "1"]);
    let (ending, text) = person.ends().await;
    assert!(matches!(ending.unwrap(), Ending::Submitted(_)));
    assert!(
        text.starts_with("Plan\nAsked by root > pi, in /src/shop, session \"talk\"\n\n[1/2] Database\n"),
        "{text}"
    );
    assert!(text.ends_with("Submitted.\n"));
    assert!(!text.contains('\u{1b}') && !text.contains("> Type"));
    let outcome = fake.outcome().unwrap();
    assert_eq!(outcome.answers.unwrap()["checks"].values, ["lint", "unit"]);
    assert!(fake.state().calls.iter().any(|(name, _)| name == "form/view"));
}

#[tokio::test]
async fn every_answer_is_kept_as_a_draft() {
    let fake = fake().await;
    let person = Person::sits_down(&fake, false).await;
    person.types(&["1"]);
    fake.until("the draft", |state| state.snapshot["draft"]["answers"]["db"]["values"] == json!(["pg"]))
        .await;
    person.types(&["n", "why"]);
    fake.until("the note", |state| state.snapshot["draft"]["answers"]["checks"]["note"] == "why").await;
    // As a process that is killed: the end of input would cancel the form.
    person.running.abort();
    let person = Person::sits_down(&fake, false).await;
    person.reads("Answers from before were kept.").await;
    person.reads("[2/2] Checks").await;
    assert!(!person.text().contains("[1/2]"));
    person.types(&["r", "2"]);
    assert!(matches!(person.ends().await.0.unwrap(), Ending::Elaborated(_)));
}

#[tokio::test]
async fn the_end_of_input_and_an_interrupt_cancel() {
    for entered in [&[][..], &["1"], &["1", "1,3", "text\\"], &["n", "."]] {
        for last in [Input::End, Input::Interrupt] {
            let fake = fake().await;
            let person = Person::sits_down(&fake, false).await;
            person.types(entered);
            person.keys.send(last).unwrap();
            let (ending, text) = person.ends().await;
            assert!(matches!(ending.unwrap(), Ending::Cancelled(_)), "{text}");
            let outcome = fake.outcome().unwrap();
            assert_eq!((outcome.reason, outcome.answers), (Some(Reason::Dismissed), None));
        }
    }
}

#[tokio::test]
async fn answered_elsewhere_it_says_so_and_ends() {
    let fake = fake().await;
    let person = Person::sits_down(&fake, true).await;
    person.reads("? help.\n> ").await;
    person.types(&["2"]);
    fake.until("the draft", |state| state.snapshot["draftRevision"] == 1).await;
    fake.end_elsewhere(&json!({"kind":"answer","answers":{"db":{"values":["pg"]},"checks":{"values":["unit"],"customText":"and\nload"}}}));
    let (ending, text) = person.ends().await;
    assert!(matches!(ending.unwrap(), Ending::Elsewhere(_)));
    let end = "\nAnswered by pixel-phone (bridge), 14:02: PostgreSQL; Unit tests, and load\nWhat you entered here was not sent.\n";
    assert!(text.ends_with(end), "{text}");
}

#[tokio::test]
async fn a_form_that_has_ended_is_not_asked() {
    for (outcome, words) in [
        (json!({"kind":"cancelled","reason":"expired"}), "Expired, 14:02: nobody answered in time"),
        (json!({"kind":"cancelled","reason":"aborted"}), "Withdrawn by pixel-phone (bridge), 14:02"),
        (json!({"kind":"cancelled","reason":"dismissed"}), "Cancelled by pixel-phone (bridge), 14:02."),
        (json!({"kind":"elaborated","answers":{}}), "Sent back for elaboration by pixel-phone"),
    ] {
        let fake = fake().await;
        fake.end_silently(&outcome);
        let (ending, text) = Person::sits_down(&fake, false).await.ends().await;
        assert_eq!(matches!(ending.unwrap(), Ending::Expired(_)), outcome["reason"] == "expired");
        assert!(text.contains(words) && !text.contains("[1/2]"), "{text}");
    }
}

#[tokio::test]
async fn a_late_answer_is_told_who_was_first() {
    let fake = fake().await;
    let person = Person::sits_down(&fake, false).await;
    person.reads("[1/2]").await;
    fake.end_silently(&json!({"kind":"submitted","answers":{"db":{"values":["lite"]}}}));
    person.types(&["1", "r", "1"]);
    let (ending, text) = person.ends().await;
    assert_eq!(ending.unwrap().resolution().outcome.kind, OutcomeKind::Submitted);
    assert!(
        text.contains("Answered by pixel-phone (bridge), 14:02: SQLite\nWhat you entered here was not sent."),
        "{text}"
    );
}

#[tokio::test]
async fn a_refusal_is_told_and_nothing_is_lost() {
    let fake = fake().await;
    fake.state().refuse = Some(json!({"kind":"storeFailed"}));
    let person = Person::sits_down(&fake, false).await;
    person.types(&["2", "r", "1", "1"]);
    let (ending, text) = person.ends().await;
    assert!(matches!(ending.unwrap(), Ending::Submitted(_)), "{text}");
    assert!(text.contains("Not sent: refused"), "{text}");
    assert_eq!(fake.outcome().unwrap().answers.unwrap()["db"].values, ["lite"]);
}

#[tokio::test]
async fn a_lost_connection_is_told_and_everything_is_kept() {
    let mut fake = fake().await;
    let person = Person::sits_down(&fake, true).await;
    person.reads("? help.\n> ").await;
    person.types(&["1"]);
    fake.until("the draft", |state| state.snapshot["draftRevision"] == 1).await;
    fake.die();
    person.reads("The connection to the daemon was lost.").await;
    person.types(&["2"]);
    person.reads("Review of your answers").await;
    fake.listen();
    person.reads("Connected again.").await;
    let viewed = |calls: &[(String, Value)]| calls.iter().filter(|(name, _)| name == "form/view").count();
    fake.until("the form viewed again", |state| viewed(&state.calls) == 2).await;
    fake.until("the draft", |state| {
        state.snapshot["draft"]["answers"]["checks"]["values"] == json!(["unit"])
    })
    .await;
    person.types(&["1"]);
    assert!(matches!(person.ends().await.0.unwrap(), Ending::Submitted(_)));
    let answers = fake.outcome().unwrap().answers.unwrap();
    assert_eq!(
        (&answers["db"].values[..], &answers["checks"].values[..]),
        (&["pg".to_owned()][..], &["unit".to_owned()][..])
    );
}

#[tokio::test]
async fn answers_entered_in_another_window_are_taken_over() {
    let fake = fake().await;
    let person = Person::sits_down(&fake, false).await;
    person.reads("[1/2]").await;
    fake.draft_elsewhere(&json!({"db":{"values":["lite"]}}));
    person.reads("changed in another window:\n  Database: SQLite\n").await;
    person.types(&["r", "1"]);
    let (ending, _) = person.ends().await;
    assert!(matches!(ending.unwrap(), Ending::Submitted(_)));
    assert_eq!(fake.outcome().unwrap().answers.unwrap()["db"].values, ["lite"]);
}

#[tokio::test]
async fn where_the_person_types_wins_over_another_draft() {
    let fake = fake().await;
    let person = Person::sits_down(&fake, false).await;
    person.reads("[1/2]").await;
    {
        let mut state = fake.state();
        state.snapshot["draftRevision"] = json!(7);
        state.snapshot["draft"] = json!({"answers":{"db":{"values":["lite"]}}});
    }
    person.types(&["1"]);
    fake.until("the draft", |state| state.snapshot["draft"]["answers"]["db"]["values"] == json!(["pg"]))
        .await;
    assert_eq!(fake.state().snapshot["draftRevision"], 8);
}

#[tokio::test]
async fn what_was_typed_before_the_form_was_shown_answers_nothing_on_a_terminal() {
    let fake = fake().await;
    let (keys, paper, io) = io(true);
    for line in ["1", "1", "1"] {
        keys.send(Input::Line(line.to_owned())).unwrap();
    }
    let person = Person::with(fake.client().await, keys, paper, io);
    person.reads("? help.\n> ").await;
    person.types(&["q"]);
    let (ending, text) = person.ends().await;
    assert!(matches!(ending.unwrap(), Ending::Cancelled(_)));
    assert!(!text.contains("Database: PostgreSQL"), "{text}");
}

#[tokio::test]
async fn an_unknown_form_is_an_error() {
    let fake = fake().await;
    let client = fake.client().await;
    let (_keys, _, mut io) = io(false);
    let error = answer_form(&client, "nope", &mut io).await.unwrap_err();
    assert!(matches!(error, LineError::Call(_)), "{error}");
}
