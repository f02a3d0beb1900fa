//! Folding, event by event.

use serde_json::{Value, json};

use super::*;

fn summary(id: &str) -> Value {
    json!({
        "formId": id, "contract": "ask", "state": "open", "seq": 1, "questionCount": 1, "firstPrompt": "?",
        "source": "tool", "origin": {}, "mode": "urgent", "createdAt": 1, "owner": {"attached": false},
        "viewers": [], "drafted": false, "delivery": "none"
    })
}

fn event(seq: u64, kind: &str, form: Option<&str>, rest: Value) -> Event {
    let mut event = json!({ "seq": seq, "at": 1, "kind": kind });
    let object = event.as_object_mut().unwrap();
    if let Some(form) = form {
        object.insert("formId".to_owned(), json!(form));
    }
    object.extend(rest.as_object().unwrap().clone());
    serde_json::from_value(event).unwrap()
}

fn snapshot(seq: u64, last: bool, ids: &[&str]) -> Event {
    let forms: Vec<Value> = ids.iter().map(|id| summary(id)).collect();
    event(seq, "snapshot", None, json!({ "last": last, "forms": forms, "settingsRevision": 3 }))
}

fn started(seq: u64, id: &str) -> Event {
    let mut form = summary(id);
    form.as_object_mut().unwrap().insert(
        "form".to_owned(),
        json!({ "contract": "ask", "questions": [], "rules": { "review": "always", "notes": true, "elaborate": true,
            "typeChange": true, "enforced": false, "dismiss": "whenDirty", "digits": "advance" } }),
    );
    let remote = json!({ "version": 1, "flowId": id, "source": "tool", "questions": [], "createdAt": 1 });
    event(seq, "started", Some(id), json!({ "form": form, "remote": remote }))
}

fn completed(seq: u64, id: &str) -> Event {
    let remote = json!({ "version": 1, "flowId": id, "source": "tool", "result": {}, "completedAt": 1 });
    let rest = json!({
        "outcome": { "kind": "cancelled", "reason": "dismissed" },
        "resolvedBy": { "roles": ["frontend"], "person": false }, "remote": remote
    });
    event(seq, "completed", Some(id), rest)
}

fn ids(mirror: &Mirror) -> Vec<&str> {
    mirror.forms().keys().map(String::as_str).collect()
}

#[test]
fn a_snapshot_counts_when_its_last_part_is_there() {
    let mut mirror = Mirror::default();
    assert_eq!(mirror.fold(snapshot(5, false, &["a", "b"])), None);
    assert!(!mirror.is_whole());
    assert_eq!(mirror.fold(snapshot(5, true, &["c"])), Some(Change::Reset));
    assert_eq!(ids(&mirror), ["a", "b", "c"]);
    assert_eq!((mirror.is_whole(), mirror.seq(), mirror.settings_revision()), (true, 5, 3));
}

#[test]
fn forms_come_in_order_and_go() {
    let mut mirror = Mirror::default();
    mirror.fold(snapshot(1, true, &["a"]));
    assert_eq!(mirror.fold(started(2, "b")), Some(Change::Started { form_id: "b".to_owned() }));
    assert_eq!(ids(&mirror), ["a", "b"]);
    assert!(
        matches!(mirror.fold(completed(3, "a")), Some(Change::Completed { form_id, .. }) if form_id == "a")
    );
    assert_eq!(ids(&mirror), ["b"]);
    // A form that is taken up again keeps its place.
    mirror.fold(started(4, "c"));
    mirror.fold(started(5, "b"));
    assert_eq!((ids(&mirror), mirror.seq()), (vec!["b", "c"], 5));
}

#[test]
fn a_lag_replaces_the_view_and_half_a_snapshot_never_shows() {
    let mut mirror = Mirror::default();
    mirror.fold(snapshot(1, true, &["a", "b"]));
    assert_eq!(mirror.fold(event(1, "lagged", None, json!({}))), None);
    mirror.fold(snapshot(9, false, &["c"]));
    assert_eq!(ids(&mirror), ["a", "b"]);
    mirror.restart();
    mirror.fold(snapshot(10, true, &["d"]));
    assert_eq!(ids(&mirror), ["d"]);
}

#[test]
fn hints_touch_known_forms_only() {
    let mut mirror = Mirror::default();
    mirror.fold(snapshot(1, true, &["a"]));
    let viewer = |focused: bool| {
        json!({ "viewer": { "connectionId": "c1", "kind": "tui", "client": { "name": "ask", "version": "1" },
            "focused": focused } })
    };
    assert!(mirror.fold(event(1, "viewing", Some("a"), viewer(false))).is_some());
    assert!(mirror.fold(event(1, "viewing", Some("a"), viewer(true))).is_some());
    let viewers = &mirror.forms()["a"].viewers;
    assert_eq!((viewers.len(), viewers[0].focused), (1, Some(true)));
    mirror.fold(event(1, "left", Some("a"), json!({ "connectionId": "c1" })));
    assert!(mirror.forms()["a"].viewers.is_empty());

    mirror.fold(event(1, "owner", Some("a"), json!({ "attached": true })));
    assert!(mirror.forms()["a"].owner.attached);
    mirror.fold(event(1, "draft", Some("a"), json!({ "revision": 2, "connectionId": "c1" })));
    assert!(mirror.forms()["a"].drafted);
    assert_eq!(mirror.fold(event(1, "owner", Some("gone"), json!({ "attached": true }))), None);
    assert_eq!(mirror.seq(), 1);
}

#[test]
fn kinds_of_a_newer_daemon_are_passed_over() {
    let mut mirror = Mirror::default();
    mirror.fold(snapshot(1, true, &["a"]));
    assert_eq!(mirror.fold(event(2, "something-new", Some("a"), json!({ "x": 1 }))), None);
    assert_eq!(ids(&mirror), ["a"]);
}
