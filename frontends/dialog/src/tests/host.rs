//! The hosted dialogs against a daemon of one form, with hosts that behave and hosts that do not.

use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::time::Duration;

use crate::host::{Closed, HostIo, run};
use askd_client::ConnectError;
use askd_form::{Contract, OutcomeKind, Reason};
use serde_json::{Value, json};

use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::fake::{FORM, Fake};

/// The program that shows the dialogs.
struct Host {
    to: Option<PipeWriter>,
    from: mpsc::UnboundedReceiver<Value>,
    running: JoinHandle<Closed>,
}

impl Host {
    fn start(fake: &Fake) -> Self {
        let options = fake.options();
        Self::shows(FORM, async move { askd_client::Client::connect(options).await })
    }

    /// One that names the form later.
    fn before_the_form(fake: &Fake) -> Self {
        let options = fake.options();
        Self::shows(None, async move { askd_client::Client::connect(options).await })
    }

    fn shows(
        form: impl Into<Option<&'static str>>,
        connect: impl Future<Output = Result<askd_client::Client, ConnectError>> + Send + 'static,
    ) -> Self {
        let (input, to) = std::io::pipe().unwrap();
        let (from, output) = std::io::pipe().unwrap();
        let (sender, receiver) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                let message = serde_json::from_str(&line).unwrap();
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let io = HostIo::new(input, output).unwrap();
        let form = form.into();
        let running = tokio::spawn(run(connect, form, "1.2.3", io));
        Self { to: Some(to), from: receiver, running }
    }

    fn write(&mut self, line: &str) {
        writeln!(self.to.as_mut().unwrap(), "{line}").unwrap();
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc":"2.0","method":method,"params":params}).to_string());
    }

    fn answer(&mut self, id: &Value, result: Value) {
        self.write(&json!({"jsonrpc":"2.0","id":id,"result":result}).to_string());
    }

    async fn next(&mut self) -> Value {
        let message = tokio::time::timeout(Duration::from_secs(10), self.from.recv()).await;
        message.expect("a line in time").expect("a line")
    }

    async fn hello(&mut self) -> Value {
        let hello = self.next().await;
        assert_eq!(hello["method"], "hello");
        hello["params"].clone()
    }

    /// The next request's id and params.
    async fn asked(&mut self, method: &str) -> (Value, Value) {
        let request = self.next().await;
        assert_eq!(request["method"], method, "{request}");
        (request["id"].clone(), request["params"].clone())
    }

    async fn picks(&mut self, row: usize) {
        let (id, params) = self.asked("select").await;
        self.answer(&id, json!({"value": params["options"][row]}));
    }

    /// That it ends without another line.
    async fn ends_unused(mut self) {
        assert_eq!(self.from.recv().await, None);
        let closed = tokio::time::timeout(Duration::from_secs(10), self.running).await.unwrap().unwrap();
        assert_eq!((closed.status(), closed), (0, Closed::Unused));
    }

    /// How it ended: the last line, which nothing follows, and the result.
    async fn closed(mut self) -> (Value, Closed) {
        let last = self.next().await;
        assert_eq!(last["method"], "closed", "{last}");
        assert!(self.from.recv().await.is_none());
        let closed = tokio::time::timeout(Duration::from_secs(10), self.running).await.unwrap().unwrap();
        assert_eq!(closed.status() == 1, last["params"]["reason"] == "failed");
        (last["params"].clone(), closed)
    }
}

fn two() -> Value {
    json!({"title":"Plan","questions":[
        {"id":"db","label":"Database","prompt":"Which?","options":[
            {"value":"pg","label":"PostgreSQL"},{"value":"lite","label":"SQLite"}]},
        {"id":"look","label":"Look","prompt":"How?","options":[{"value":"a","label":"A"}]}]})
}

async fn fake() -> Fake {
    Fake::start(Contract::Ask, &two()).await
}

fn values(fake: &Fake, id: &str) -> Vec<String> {
    fake.outcome().unwrap().answers.unwrap()[id].values.clone()
}

#[tokio::test]
async fn dialogs_are_asked_one_after_the_other() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    let hello = host.hello().await;
    assert_eq!(hello, json!({"protocol":1,"version":"1.2.3","formId":FORM,"contract":"ask"}));
    let (id, params) = host.asked("select").await;
    let rows = json!(["1. PostgreSQL", "2. SQLite", "Type something…"]);
    assert_eq!(params, json!({"title":"[1/2] Plan — Database: Which?","options":rows}));
    host.answer(&id, json!({"value":"2. SQLite"}));
    host.picks(1).await;
    let (id, params) = host.asked("input").await;
    assert_eq!(params["placeholder"], "Enter your answer");
    host.answer(&id, json!({"value":"mine"}));
    let (params, closed) = host.closed().await;
    assert_eq!((params, closed), (json!({"reason":"submitted"}), Closed::Submitted));
    assert_eq!(values(&fake, "db"), ["lite"]);
    assert_eq!(fake.outcome().unwrap().answers.unwrap()["look"].custom_text.as_deref(), Some("mine"));
}

#[tokio::test]
async fn second_and_unknown_answers_are_ignored() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    host.hello().await;
    let (first, _) = host.asked("select").await;
    for id in [json!(99), json!(2), json!("1"), Value::Null] {
        host.answer(&id, json!({"value":"2. SQLite"}));
    }
    host.answer(&first, json!({"value":"1. PostgreSQL"}));
    host.answer(&first, json!({"value":"1. A"}));
    let (second, _) = host.asked("select").await;
    host.answer(&first, json!({"cancelled":true}));
    host.notify("unheardOf", json!({}));
    host.write(r#"{"jsonrpc":"2.0","id":"h","method":"unheardOf"}"#);
    host.answer(&second, json!({"value":"1. A"}));
    assert_eq!(host.closed().await.1, Closed::Submitted);
    assert_eq!((values(&fake, "db"), values(&fake, "look")), (vec!["pg".to_owned()], vec!["a".to_owned()]));
}

#[tokio::test]
async fn a_row_that_was_not_offered_cancels() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    host.hello().await;
    host.picks(0).await;
    let (id, _) = host.asked("select").await;
    host.answer(&id, json!({"value":"1. PostgreSQL"}));
    assert_eq!(host.closed().await.1, Closed::Cancelled);
    assert_eq!(fake.outcome().unwrap().reason, Some(Reason::Dismissed));
}

#[tokio::test]
async fn lines_that_are_no_json_are_told_and_change_nothing() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    host.hello().await;
    host.write("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"value\":");
    host.write("\u{7f}\u{0}");
    let (id, _) = host.asked("select").await;
    for _ in 0..2 {
        let complaint = host.next().await;
        assert_eq!((&complaint["id"], &complaint["error"]["code"]), (&Value::Null, &json!(-32700)));
    }
    host.answer(&id, json!({"value":"1. PostgreSQL"}));
    host.picks(0).await;
    assert_eq!(host.closed().await.1, Closed::Submitted);
}

#[tokio::test]
async fn a_reply_that_says_nothing_is_no_answer() {
    for reply in [
        r#""result":null"#,
        r#""result":{}"#,
        r#""result":{"value":3}"#,
        r#""result":{"cancelled":false}"#,
        r#""result":"x""#,
        r#""error":{"code":-32601,"message":"no"}"#,
    ] {
        let fake = fake().await;
        let mut host = Host::start(&fake);
        host.hello().await;
        host.picks(0).await;
        let (id, _) = host.asked("select").await;
        host.write(&format!(r#"{{"jsonrpc":"2.0","id":{id},{reply}}}"#));
        let (params, _) = host.closed().await;
        assert_eq!(params["reason"], "failed", "{reply}");
        assert_eq!(fake.outcome(), None, "{reply}");
        assert_eq!(fake.state().snapshot["draft"]["answers"]["db"]["values"], json!(["pg"]), "{reply}");
    }
}

#[tokio::test]
async fn a_host_that_goes_leaves_the_form_open_and_the_next_goes_on() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    host.hello().await;
    host.picks(1).await;
    host.asked("select").await;
    host.to = None;
    assert_eq!(host.closed().await.1, Closed::HostGone);
    assert_eq!(fake.outcome(), None);
    assert_eq!(fake.state().snapshot["draft"]["answers"]["db"]["values"], json!(["lite"]));
    let mut host = Host::start(&fake);
    host.hello().await;
    let (id, params) = host.asked("select").await;
    assert_eq!(params["title"], "[2/2] Plan — Look: How?");
    host.answer(&id, json!({"cancelled":true}));
    assert_eq!(host.closed().await.1, Closed::Submitted);
    assert_eq!(values(&fake, "db"), ["lite"]);
}

#[tokio::test]
async fn a_host_that_answers_and_goes_has_answered() {
    let fake =
        Fake::start(Contract::Questionnaire, &json!({"questions":[{"question":"Name?","id":"t"}]})).await;
    let mut host = Host::start(&fake);
    host.hello().await;
    let (id, _) = host.asked("input").await;
    host.answer(&id, json!({"value":"askd"}));
    host.to = None;
    assert_eq!(host.closed().await.1, Closed::Submitted);
    assert_eq!(fake.outcome().unwrap().kind, OutcomeKind::Submitted);
}

#[tokio::test]
async fn a_draft_of_another_frontend_begins_at_the_first_question() {
    let fake = fake().await;
    fake.state().snapshot["draft"] = json!({"answers":{"db":{"values":["pg"]}},"view":{"question":"look"}});
    let mut host = Host::start(&fake);
    host.hello().await;
    let (_, params) = host.asked("select").await;
    assert_eq!(params["title"], "[1/2] Plan — Database: Which? — now: PostgreSQL");
}

#[tokio::test]
async fn an_abort_cancels_for_the_owner() {
    for typing in [false, true] {
        let fake = fake().await;
        let mut host = Host::start(&fake);
        host.hello().await;
        if typing {
            host.picks(2).await;
            host.asked("input").await;
        } else {
            host.asked("select").await;
        }
        host.notify("abort", json!({}));
        assert_eq!(host.closed().await.0, json!({"reason":"aborted"}));
        assert_eq!(fake.outcome().unwrap().reason, Some(Reason::Aborted));
    }
}

#[tokio::test]
async fn answered_elsewhere_the_open_dialog_is_closed() {
    for (response, reason, words) in [
        (
            json!({"kind":"answer","answers":{"db":{"values":["pg"]}}}),
            "elsewhere",
            "by pixel-phone (bridge), ",
        ),
        (json!({"kind":"cancel"}), "elsewhere", "Cancelled by pixel-phone"),
    ] {
        let fake = fake().await;
        let mut host = Host::start(&fake);
        host.hello().await;
        let (id, _) = host.asked("select").await;
        fake.end_elsewhere(&response);
        let close = host.next().await;
        assert_eq!((&close["method"], &close["params"]["id"]), (&json!("close"), &id));
        let (params, _) = host.closed().await;
        assert_eq!(params["reason"], reason);
        assert!(params["message"].as_str().unwrap().contains(words), "{params}");
    }
}

#[tokio::test]
async fn a_form_that_has_ended_is_not_shown() {
    let fake = fake().await;
    fake.end_silently(&json!({"kind":"cancelled","reason":"expired"}));
    let mut host = Host::start(&fake);
    host.hello().await;
    assert_eq!(host.closed().await.0["reason"], "expired");
}

#[tokio::test]
async fn a_late_answer_is_told_as_elsewhere() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    host.hello().await;
    host.picks(0).await;
    let (id, _) = host.asked("select").await;
    fake.end_silently(&json!({"kind":"submitted","answers":{}}));
    host.answer(&id, json!({"value":"1. A"}));
    assert_eq!(host.closed().await.0["reason"], "elsewhere");
}

#[tokio::test]
async fn the_hosts_key_is_shown_to_the_daemon_before_the_answer() {
    let fake = fake().await;
    let mut host = Host::start(&fake);
    host.notify("viewKey", json!({"key":"k-1"}));
    host.hello().await;
    host.picks(0).await;
    host.picks(0).await;
    assert_eq!(host.closed().await.1, Closed::Submitted);
    let state = fake.state();
    let at = |name: &str, key: Option<&str>| {
        state.calls.iter().position(|(n, p)| n == name && p["viewKey"].as_str() == key).unwrap()
    };
    assert!(at("form/view", Some("k-1")) < at("form/submit", None));
}

#[tokio::test]
async fn a_refused_answer_is_asked_again() {
    let fake = fake().await;
    fake.state().refuse = Some(json!({"kind":"storeFailed"}));
    let mut host = Host::start(&fake);
    host.hello().await;
    host.picks(0).await;
    host.picks(0).await;
    let (id, params) = host.asked("select").await;
    assert_eq!(params["title"], "[2/2] Plan — Look: How? — now: A — refused");
    host.answer(&id, json!({"value":"1. A"}));
    assert_eq!(host.closed().await.1, Closed::Submitted);

    let fake = self::fake().await;
    fake.state().refuse = Some(json!({"kind":"notAllowed","reason":"personRequired"}));
    let mut host = Host::start(&fake);
    host.hello().await;
    host.picks(0).await;
    host.picks(0).await;
    assert_eq!(host.closed().await.0["reason"], "failed");
}

#[tokio::test]
async fn an_answer_waits_for_a_daemon_that_is_away() {
    let mut fake = fake().await;
    let mut host = Host::start(&fake);
    host.hello().await;
    host.picks(1).await;
    let (id, _) = host.asked("select").await;
    fake.die();
    host.answer(&id, json!({"value":"1. A"}));
    fake.listen();
    assert_eq!(host.closed().await.1, Closed::Submitted);
    assert_eq!(values(&fake, "db"), ["lite"]);
}

#[tokio::test]
async fn what_cannot_be_shown_fails_with_a_reason() {
    let fake = fake().await;
    let options = fake.options();
    let mut host = Host::shows("nope", async move { askd_client::Client::connect(options).await });
    assert_eq!(host.hello().await, json!({"protocol":1,"version":"1.2.3","formId":"nope"}));
    assert_eq!(host.closed().await.0["reason"], "failed");
    let nobody = async { Err(ConnectError::NotRunning { socket: "/none".into() }) };
    let mut host = Host::shows(FORM, nobody);
    host.hello().await;
    let (params, _) = host.closed().await;
    assert!(params["message"].as_str().unwrap().contains("not running"));
    let mut host = Host::shows(FORM, std::future::pending());
    host.to = None;
    host.hello().await;
    assert_eq!(host.closed().await.1, Closed::HostGone);
}

#[tokio::test]
async fn one_started_beforehand_shows_the_form_its_host_names() {
    let fake = fake().await;
    let mut host = Host::before_the_form(&fake);
    assert_eq!(host.hello().await, json!({"protocol":1,"version":"1.2.3"}));
    assert!(!fake.state().calls.iter().any(|(name, _)| name == "form/view"), "nothing is shown yet");
    host.notify("abort", json!({}));
    host.notify("unheardOf", json!({"formId":"f-2"}));
    host.answer(&json!(1), json!({"value":"2. SQLite"}));
    host.write("form");
    assert_eq!(host.next().await["error"]["code"], -32700);
    host.notify("form", json!({"formId":FORM,"viewKey":"k-1"}));
    let (id, params) = host.asked("select").await;
    assert_eq!((&id, &params["title"]), (&json!(1), &json!("[1/2] Plan — Database: Which?")));
    host.answer(&id, json!({"value":"2. SQLite"}));
    host.picks(0).await;
    assert_eq!(host.closed().await.1, Closed::Submitted);
    assert_eq!(values(&fake, "db"), ["lite"]);
    let state = fake.state();
    let views: Vec<_> = state.calls.iter().filter(|(name, _)| name == "form/view").collect();
    assert_eq!(views.len(), 1, "the key comes with the form: {views:?}");
    assert_eq!(views[0].1["viewKey"], "k-1");
}

#[tokio::test]
async fn a_form_named_before_the_connection_stands_is_shown() {
    let fake = fake().await;
    let (go, told) = tokio::sync::oneshot::channel::<()>();
    let options = fake.options();
    let mut host = Host::shows(None, async move {
        told.await.unwrap();
        askd_client::Client::connect(options).await
    });
    host.notify("form", json!({"formId":FORM}));
    host.notify("abort", json!({}));
    go.send(()).unwrap();
    host.hello().await;
    host.asked("select").await;
    assert_eq!(host.closed().await.1, Closed::Aborted);
}

#[tokio::test]
async fn one_that_is_not_needed_goes_without_a_word() {
    let mut fake = fake().await;
    let mut host = Host::before_the_form(&fake);
    host.hello().await;
    host.to = None;
    host.ends_unused().await;
    let mut host = Host::shows(None, std::future::pending());
    host.to = None;
    host.ends_unused().await;
    let mut host = Host::before_the_form(&fake);
    host.hello().await;
    fake.die();
    host.ends_unused().await;
    assert_eq!(fake.outcome(), None);
}

#[tokio::test]
async fn one_started_beforehand_says_why_it_cannot_show_a_form() {
    let fake = fake().await;
    for (params, why) in [(json!({}), "named no form"), (json!({"formId":"nope"}), "")] {
        let mut host = Host::before_the_form(&fake);
        host.hello().await;
        host.notify("form", params);
        let (params, _) = host.closed().await;
        assert_eq!(params["reason"], "failed");
        assert!(params["message"].as_str().unwrap().contains(why), "{params}");
    }
    let nobody = async { Err(ConnectError::NotRunning { socket: "/none".into() }) };
    let mut host = Host::shows(None, nobody);
    host.hello().await;
    assert!(host.closed().await.0["message"].as_str().unwrap().contains("not running"));
}
