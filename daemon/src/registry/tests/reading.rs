//! Streams of events: where they begin, what they hold, what a slow reader gets.

use std::collections::HashSet;

use askd_wire::Role;
use serde_json::json;

use super::*;

async fn seqs(events: &mut Subscription, count: usize) -> Vec<u64> {
    let mut seqs = Vec::new();
    for _ in 0..count {
        seqs.push(next(events).await["seq"].as_u64().unwrap());
    }
    seqs
}

#[tokio::test]
async fn a_stream_begins_with_its_subscription() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let before = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({})).await;
    let after = f.ask(&agent).await.form_id;
    let snapshot = next_of(&mut events, "snapshot").await;
    assert_eq!((&snapshot["seq"], &snapshot["last"]), (&json!(1), &json!(true)));
    assert_eq!(snapshot["forms"].as_array().unwrap().len(), 1);
    assert_eq!(snapshot["forms"][0]["formId"], json!(before));
    assert_eq!(next_of(&mut events, "started").await["formId"], json!(after));
}

#[tokio::test]
async fn a_large_snapshot_comes_in_parts_with_one_number() {
    let f = Fixture::with(Settings {
        limits: askd_wire::settings::Limits { open_forms: 2000, ..Default::default() },
        ..Settings::default()
    })
    .await;
    let agent = f.peer("a", Role::Agent);
    let mut made = Vec::new();
    for _ in 0..900 {
        made.push(f.ask_with(&agent, json!({"origin":{"title":"t".repeat(500)}})).await.unwrap().form_id);
    }
    let mut events = f.subscribe(json!({"kinds":["completed"]})).await;
    f.answer(&f.person("p"), &made[0], "x").await.unwrap();
    let (mut forms, mut parts) = (Vec::new(), 0);
    loop {
        let part = next_of(&mut events, "snapshot").await;
        assert!(part.to_string().len() < 256 * 1024);
        assert_eq!(part["seq"], 900);
        forms.extend(
            part["forms"].as_array().unwrap().iter().map(|form| form["formId"].as_str().unwrap().to_owned()),
        );
        parts += 1;
        if part["last"] == json!(true) {
            break;
        }
    }
    assert_eq!((forms, parts > 2), (made, true));
    assert_eq!(next_of(&mut events, "completed").await["seq"], 901);
}

#[tokio::test]
async fn named_forms_are_given_whatever_their_state() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let (open, done, other) =
        (f.ask(&agent).await.form_id, f.ask(&agent).await.form_id, f.ask(&agent).await.form_id);
    f.answer(&f.person("p"), &done, "x").await.unwrap();
    let mut events = f.subscribe(json!({"forms":[done, open, "nothing", done]})).await;
    let snapshot = next_of(&mut events, "snapshot").await;
    let states: Vec<_> = snapshot["forms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|form| (form["formId"].clone(), form["state"].clone()))
        .collect();
    assert_eq!(states, [(json!(open), json!("open")), (json!(done), json!("resolved"))]);
    f.answer(&f.person("p"), &other, "x").await.unwrap();
    f.answer(&f.person("p"), &open, "x").await.unwrap();
    assert_eq!(next_of(&mut events, "completed").await["formId"], json!(open));
}

#[tokio::test]
async fn a_stream_goes_on_after_a_known_event() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    for _ in 0..5 {
        f.ask(&agent).await;
    }
    let store = f.registry.store_id().to_owned();
    let mut events = f.subscribe(json!({"since":2,"store":store})).await;
    assert_eq!(seqs(&mut events, 3).await, [3, 4, 5]);
    let f = f.restart(0).await;
    let mut replayed = f.subscribe(json!({"since":2,"store":store})).await;
    let mut caught_up = f.subscribe(json!({"since":5,"store":store})).await;
    f.ask(&f.peer("b", Role::Agent)).await;
    assert_eq!(seqs(&mut replayed, 4).await, [3, 4, 5, 6], "from the log, then live");
    assert_eq!(seqs(&mut caught_up, 1).await, [6]);
    for params in [json!({"since":7}), json!({"since":2,"store":"other"})] {
        let mut events = f.subscribe(params).await;
        next_of(&mut events, "snapshot").await;
    }
}

#[tokio::test]
async fn events_no_longer_held_give_a_snapshot() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let person = f.person("p");
    f.ask(&agent).await;
    for _ in 0..3 {
        let form_id = f.ask(&agent).await.form_id;
        f.answer(&person, &form_id, "x").await.unwrap();
    }
    let f = f.restart(0).await;
    let prune = crate::store::Retain {
        now: NOON + 2 * crate::store::DAY,
        forms: 100,
        form_age: 100 * crate::store::DAY,
        events: 2,
        event_age: crate::store::DAY,
        draft_age: crate::store::DAY,
    };
    f.registry.inner.store.apply(crate::store::Command::Retain(prune)).await.unwrap();
    let mut lost = f.subscribe(json!({"since":1})).await;
    assert_eq!(next_of(&mut lost, "snapshot").await["forms"].as_array().unwrap().len(), 1);
    let mut held = f.subscribe(json!({"since":5})).await;
    assert_eq!(seqs(&mut held, 2).await, [6, 7]);
}

#[tokio::test]
async fn kinds_and_settings_are_told_apart() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let mut events = f.subscribe(json!({"since":0,"kinds":["settings-changed"]})).await;
    f.ask(&agent).await;
    let settings = Settings::default();
    assert_eq!(f.registry.announce_settings(vec!["tool.enabled".to_owned()], &settings).await.unwrap(), 1);
    let told = next_of(&mut events, "settings-changed").await;
    assert_eq!(
        (&told["revision"], &told["changed"], &told["seq"]),
        (&json!(1), &json!(["tool.enabled"]), &json!(2))
    );
    assert_eq!(told["settings"]["schemaVersion"], 5);
    let f = f.restart(0).await;
    assert_eq!(f.registry.settings_revision(), 1);
}

#[tokio::test]
async fn a_slow_reader_is_told_and_given_everything_anew_while_others_go_on() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let person = f.person("p");
    let mut slow = f.subscribe(json!({})).await;
    next_of(&mut slow, "snapshot").await;
    let mut quick = f.subscribe(json!({"since":0})).await;
    let mut large = payload();
    large["questions"][0]["prompt"] = json!("p".repeat(50_000));
    let mut open = HashSet::new();
    for at in 0..120 {
        let form_id = f.ask_with(&agent, json!({"params":large})).await.unwrap().form_id;
        next_of(&mut quick, "started").await;
        if at % 2 == 0 {
            f.answer(&person, &form_id, "x").await.unwrap();
            next_of(&mut quick, "completed").await;
        } else {
            open.insert(form_id);
        }
    }
    let lagged = next_of(&mut slow, "lagged").await;
    let snapshot = next_of(&mut slow, "snapshot").await;
    assert_eq!((&lagged["seq"], &snapshot["seq"]), (&json!(180), &json!(180)));
    let given: HashSet<_> = snapshot["forms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|form| form["formId"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!((given, &snapshot["last"]), (open, &json!(true)));
    f.ask(&agent).await;
    assert_eq!(next_of(&mut slow, "started").await["seq"], 181);
}

#[tokio::test]
async fn typing_pushes_no_durable_event_out() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let person = f.person("p");
    let mut slow = f.subscribe(json!({"since":0})).await;
    let form_id = f.ask(&agent).await.form_id;
    for focused in 0..8000 {
        let params = ViewParams { form_id: form_id.clone(), focused: Some(focused % 2 == 0), view_key: None };
        f.registry.view(&person, params).await.unwrap();
    }
    assert_eq!(next_of(&mut slow, "started").await["seq"], 1);
    let mut hints = 0;
    f.ask(&agent).await;
    loop {
        let event = next(&mut slow).await;
        if event["kind"] == "started" {
            break;
        }
        assert_eq!(event["kind"], "viewing");
        hints += 1;
    }
    assert!(hints > 0 && hints < 8000, "{hints} hints held: some are dropped for a slow reader");
}

#[tokio::test]
async fn only_a_stream_that_would_tell_of_it_is_asked_to_ring() {
    let f = Fixture::new().await;
    let subscribe = async |id: &str, params: Value| {
        let params = serde_json::from_value(params).unwrap();
        f.registry.subscribe(&f.person(id), params).await.unwrap()
    };
    let _lines = subscribe("lines", json!({"kinds":["completed"]})).await;
    assert!(f.registry.terminals(&[]).is_empty());
    let _screen = subscribe("screen", json!({"kinds":["completed", "notify"]})).await;
    let _all = subscribe("all", json!({})).await;
    let mut asked: Vec<_> = f.registry.terminals(&[]).into_iter().map(|t| t.connection_id).collect();
    asked.sort();
    assert_eq!(asked, ["all", "screen"]);
}
