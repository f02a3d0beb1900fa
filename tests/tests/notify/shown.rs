//! What is shown, when, and when it goes away.

use askd_tests::{Daemon, until};
use serde_json::json;

use super::service::{Call, Service};
use super::{Desktop, ask, choice, configure, person, pick};

#[tokio::test]
async fn a_waiting_question_is_shown_with_its_asker_and_its_answers() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    desktop.ask(&agent, "R&D <b>", &["Yes", "No"]).await;
    let shown = desktop.service.shown().await;
    assert_eq!(shown.summary, "pi ask");
    assert_eq!(shown.body, "Question waiting: R&amp;D &lt;b&gt;\nshop · pi");
    assert_eq!(shown.buttons(), ["Yes", "No", "Open"]);
    assert_eq!((shown.replaced, shown.timeout), (0, -1));
}

#[tokio::test]
async fn it_is_withdrawn_when_the_question_is_answered_elsewhere() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    for end in ["submitted", "dismissed", "aborted"] {
        let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
        let shown = desktop.service.shown().await;
        let frontend = desktop.daemon.client("frontend").await;
        match end {
            "submitted" => drop(frontend.submit(&form_id, pick("red")).await),
            "dismissed" => {
                frontend.call("form/cancel", json!({"formId": form_id, "reason": "dismissed"})).await;
            }
            _ => drop(agent.call("form/cancel", json!({"formId": form_id, "reason": "aborted"})).await),
        }
        assert_eq!(desktop.service.closed().await, shown.id, "{end}");
    }
}

#[tokio::test]
async fn several_questions_share_one_notification() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let first = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let alone = desktop.service.shown().await;
    let second = desktop.ask(&agent, "Size", &["S", "M"]).await;
    let both = desktop.service.shown().await;
    assert_eq!((both.replaced, both.id), (alone.id, alone.id), "replaced, not repeated");
    assert_eq!(both.body, "2 questions waiting: Size, Colour\nshop · pi");
    assert_eq!(both.buttons(), ["Open"]);
    let frontend = desktop.daemon.client("frontend").await;
    frontend.submit(&second, pick("s")).await;
    let left = desktop.service.shown().await;
    assert_eq!((left.replaced, left.body.as_str()), (alone.id, "Question waiting: Colour\nshop · pi"));
    assert_eq!(left.buttons(), ["Red", "Blue", "Open"]);
    assert!(left.hints.iter().any(|hint| hint == "suppress-sound"), "nothing new: {:?}", left.hints);
    frontend.submit(&first, pick("red")).await;
    assert_eq!(desktop.service.closed().await, alone.id);
}

#[tokio::test]
async fn questions_asked_in_one_go_end_in_one_notification() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    for label in ["One", "Two", "Three", "Four"] {
        desktop.ask(&agent, label, &["A", "B"]).await;
    }
    let shown = desktop.service.shown_for(4).await;
    assert!(shown.body.starts_with("4 questions waiting: Four, Three, Two\n"), "{}", shown.body);
}

#[tokio::test]
async fn one_that_was_dismissed_does_not_come_back_by_itself() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let frontend = desktop.daemon.client("frontend").await;
    let first = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let second = desktop.ask(&agent, "Size", &["S", "M"]).await;
    let shown = desktop.service.shown_for(2).await;
    let kept = desktop.sandbox.place().state.join("notification.json");
    until("what is shown to be kept for the next daemon", || kept.exists().then_some(()));
    desktop.service.dismiss(&shown).await;
    until("the daemon to hear of it", || (!kept.exists()).then_some(()));
    frontend.submit(&first, pick("red")).await;
    let third = desktop.ask(&agent, "Shape", &["Round", "Square"]).await;
    // Had the answer brought anything, it would have come before this.
    let again = desktop.service.shown().await;
    assert_eq!(again.replaced, 0);
    assert!(again.body.starts_with("2 questions waiting: Shape, Size\n"), "{}", again.body);
    for (form_id, value) in [(&second, "s"), (&third, "round")] {
        frontend.submit(form_id, pick(value)).await;
    }
}

#[tokio::test]
async fn quiet_questions_are_not_told() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let frontend = person(&desktop.daemon, "tui").await;
    let params = json!({"params": choice("Hush", &["A", "B"]), "quiet": true});
    let quiet = askd_tests::forms::id_of(&agent.call("form/create", params).await);
    frontend.call("form/view", json!({"formId": quiet})).await;
    desktop.ask(&agent, "Loud", &["A", "B"]).await;
    assert!(desktop.service.shown().await.body.starts_with("Question waiting: Loud\n"));
}

#[tokio::test]
async fn privacy_keeps_the_question_and_its_answers_out() {
    let mut desktop = Desktop::with(json!({"privacy": true})).await;
    let agent = desktop.daemon.client("agent").await;
    desktop.ask(&agent, "Salaries", &["Publish", "Hide"]).await;
    let shown = desktop.service.shown().await;
    assert_eq!(shown.body, "Question waiting\nshop · pi");
    assert_eq!(shown.buttons(), ["Open"]);
}

#[tokio::test]
async fn settings_are_followed_live() {
    let mut desktop = Desktop::with(json!({"enabled": false})).await;
    let agent = desktop.daemon.client("agent").await;
    let frontend = person(&desktop.daemon, "tui").await;
    let unheard = desktop.ask(&agent, "Unheard", &["A", "B"]).await;
    // Its turn comes with the view, while notifications are off.
    let mut events = frontend.subscribe(json!({"kinds": ["viewing"]})).await;
    frontend.call("form/view", json!({"formId": unheard})).await;
    events.next_of("viewing").await;
    super::armed().await;
    let on = json!({"patch": {"notifications": {"enabled": true, "answerButtons": false}}});
    frontend.call("settings/patch", on).await;
    desktop.ask(&agent, "Heard", &["A", "B"]).await;
    let shown = desktop.service.shown().await;
    assert!(shown.body.starts_with("Question waiting: Heard\n"), "{}", shown.body);
    assert_eq!(shown.buttons(), ["Open"]);
}

#[tokio::test]
async fn a_service_gets_only_what_it_can_show() {
    let sandbox = askd_tests::sandbox!();
    configure(&sandbox, json!({}));
    let bus = super::Bus::start(&sandbox);
    let mut service = Service::with(&bus, &["body"]).await;
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    ask(&agent, "R&D", &["Yes", "No"]).await;
    let shown = service.shown().await;
    assert_eq!(shown.body, "Question waiting: R&D\nshop · pi", "no markup");
    assert!(shown.actions.is_empty(), "no buttons: {shown:?}");
    service.leave().await;
    let mut service = Service::with(&bus, &[]).await;
    ask(&agent, "Size", &["S", "M"]).await;
    let shown = service.shown().await;
    assert_eq!((shown.summary.as_str(), shown.body.as_str()), ("pi ask: 2 questions waiting: Size, R&D", ""));
}

#[tokio::test]
async fn a_form_that_needs_a_person_has_no_answer_buttons() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let params = json!({"params": choice("Deploy", &["Yes", "No"]), "requires": "person"});
    agent.call("form/create", params).await;
    assert_eq!(desktop.service.shown().await.buttons(), ["Open"]);
}

#[tokio::test]
async fn it_is_told_once_and_withdrawn_by_the_next_daemon() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    // Its buttons are known to the daemon when it says that it shows the form.
    viewed(&agent, &form_id).await;
    desktop.daemon.kill();
    let daemon = Daemon::start(&desktop.sandbox);
    let agent = daemon.client("agent").await;
    let frontend = person(&daemon, "tui").await;
    frontend.call("form/view", json!({"formId": form_id})).await;
    viewed(&agent, &form_id).await;
    frontend.submit(&form_id, pick("red")).await;
    match desktop.service.call().await {
        Call::Close(id) => assert_eq!(id, shown.id),
        other => panic!("told twice: {other:?}"),
    }
}

#[tokio::test]
async fn it_is_withdrawn_also_by_a_daemon_that_does_not_notify() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let shown = desktop.service.shown().await;
    viewed(&agent, &form_id).await;
    desktop.daemon.kill();
    configure(&desktop.sandbox, json!({"enabled": false}));
    let daemon = Daemon::start(&desktop.sandbox);
    daemon.client("frontend").await.submit(&form_id, pick("red")).await;
    assert_eq!(desktop.service.closed().await, shown.id);
}

#[tokio::test]
async fn one_answered_while_no_daemon_ran_would_be_withdrawn_at_the_start() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let params = json!({"params": choice("Soon", &["A", "B"]), "expiresInMs": 5000});
    let form_id = askd_tests::forms::id_of(&agent.call("form/create", params).await);
    let shown = desktop.service.shown().await;
    viewed(&agent, &form_id).await;
    desktop.daemon.kill();
    tokio::time::sleep(std::time::Duration::from_secs(5)).await;
    let _daemon = Daemon::start(&desktop.sandbox);
    assert_eq!(desktop.service.closed().await, shown.id);
}

/// Waits until the notification counts as one that shows the form.
pub(crate) async fn viewed(client: &askd_tests::Client, form_id: &str) {
    let seen = async {
        loop {
            let form = client.get(form_id).await;
            let viewers = form["viewers"].as_array().expect("viewers");
            if viewers.iter().any(|viewer| viewer["kind"] == "notification") {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    askd_tests::within("the notification to show the form", seen).await;
}

#[tokio::test]
async fn a_daemon_that_was_killed_early_tells_after_its_start() {
    let sandbox = askd_tests::sandbox!();
    configure(&sandbox, json!({}));
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    ask(&agent, "Colour", &["Red", "Blue"]).await;
    daemon.kill();
    let bus = super::Bus::start(&sandbox);
    let mut service = Service::start(&bus).await;
    let _daemon = Daemon::start(&sandbox);
    assert!(service.shown().await.body.starts_with("Question waiting: Colour\n"));
}
