//! Creating forms: checks, keys, modes, limits.

use askd_wire::form::{FormState, WaitParams};
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

#[tokio::test]
async fn a_form_is_kept_and_told() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let mut events = f.subscribe(json!({})).await;
    assert_eq!(next_of(&mut events, "snapshot").await["forms"], json!([]));
    let made = f
        .ask_with(&agent, json!({"toolCallId":"t","origin":{"agent":"pi","session":"s","context":"before"}}))
        .await
        .unwrap();
    assert!(made.created && made.state == FormState::Open && made.tool_result.is_none());
    assert_eq!((made.seq, made.form_id.len()), (1, 16));
    let started = next_of(&mut events, "started").await;
    assert_eq!((&started["seq"], &started["formId"]), (&json!(1), &json!(made.form_id)));
    assert_eq!(started["form"]["form"], serde_json::to_value(&made.form).unwrap());
    assert_eq!(started["form"]["origin"]["context"], "before");
    assert_eq!(started["form"]["firstPrompt"], "Which of them?");
    assert_eq!(started["remote"]["flowId"], json!(made.form_id));
    assert_eq!(started["remote"]["toolCallId"], "t");
    let text = started.to_string();
    assert!(!text.contains(&made.view_key), "the view key is for the asking side only");
    let again = f.subscribe(json!({})).await;
    let mut again = again;
    let snapshot = next_of(&mut again, "snapshot").await;
    assert_eq!(snapshot["forms"][0]["formId"], json!(made.form_id));
    assert!(snapshot["forms"][0]["origin"].get("context").is_none(), "summaries have no context");
}

#[tokio::test]
async fn a_faulty_payload_is_refused_with_all_faults_and_a_result() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let (kind, data) =
        fault(f.ask_with(&agent, json!({"params":{"questions":[{"id":"a"}]},"expiresInMs":0})).await);
    assert_eq!(kind, ErrorKind::InvalidInput);
    let paths: Vec<_> = data["issues"].as_array().unwrap().iter().map(|issue| &issue["path"]).collect();
    assert!(paths.contains(&&json!("expiresInMs")) && paths.len() > 1, "{paths:?}");
    assert!(data["toolResult"]["content"][0]["text"].as_str().unwrap().contains("expiresInMs"));
    for expires in [json!(-1), json!(0.5), json!(-1e300)] {
        let (kind, _) = fault(f.ask_with(&agent, json!({"expiresInMs": expires})).await);
        assert_eq!(kind, ErrorKind::InvalidInput, "{expires}");
    }
    assert_eq!(f.registry.seq(), 0, "nothing was kept");
}

#[tokio::test]
async fn the_expiry_is_held_to_its_bounds_and_echoed() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let day = 24 * 60 * 60 * 1000;
    for (given, effective) in [
        (json!(null), None),
        (json!(1), Some(5000)),
        (json!(60_000), Some(60_000)),
        (json!(60000.0), Some(60_000)),
        (json!(1e300), Some(90 * day)),
    ] {
        let made = f.ask_with(&agent, json!({"expiresInMs": given})).await.unwrap();
        assert_eq!(made.expires_at, effective.map(|ms| NOON + ms), "{given}");
    }
}

#[tokio::test]
async fn a_repeated_call_finds_its_form_until_it_is_acknowledged() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let call = json!({"toolCallId":"t","origin":{"agent":"pi","session":"s"}});
    let first = f.ask_with(&agent, call.clone()).await.unwrap();
    let again = f.ask_with(&agent, call.clone()).await.unwrap();
    assert!(!again.created && again.form_id == first.form_id && again.view_key == first.view_key);
    assert_eq!((again.form, f.registry.seq()), (first.form, 1));
    let mut other = call.clone();
    other["params"] = json!({"questions":[{"id":"b","prompt":"?","options":[{"value":"x","label":"X"}]}]});
    let (kind, data) = fault(f.ask_with(&agent, other).await);
    assert_eq!((kind, &data["formId"]), (ErrorKind::Conflict, &json!(first.form_id)));
    f.answer(&f.person("p"), &first.form_id, "y").await.unwrap();
    let done = f.ask_with(&agent, call.clone()).await.unwrap();
    assert!(!done.created && done.state == FormState::Resolved);
    assert!(done.tool_result.unwrap().text().contains('Y'));
    f.registry.ack(&agent, named(&first.form_id)).await.unwrap();
    let fresh = f.ask_with(&agent, call).await.unwrap();
    assert!(fresh.created && fresh.form_id != first.form_id);
}

#[tokio::test]
async fn a_given_key_and_a_tool_call_are_never_mistaken_for_each_other() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    f.ask_with(&agent, json!({"toolCallId":"t","origin":{"agent":"pi","session":"s"}})).await.unwrap();
    for key in [r#"["pi","s","t"]"#, r#"call:["pi","s","t"]"#, "t"] {
        assert!(f.ask_with(&agent, json!({ "key": key })).await.unwrap().created, "{key}");
    }
    for _ in 0..2 {
        let made = f.ask_with(&agent, json!({"toolCallId":"t","origin":{"agent":"pi"}})).await.unwrap();
        assert!(made.created, "without a session there is no key");
    }
}

#[tokio::test]
async fn two_creates_at_once_give_one_form() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let (registry, agent) = (f.registry.clone(), agent.clone());
            tokio::spawn(async move { registry.create(&agent, params(json!({"key":"k"}))).await.unwrap() })
        })
        .collect();
    let mut made = Vec::new();
    for call in calls {
        made.push(call.await.unwrap());
    }
    assert_eq!(made.iter().filter(|made| made.created).count(), 1);
    assert!(made.iter().all(|one| one.form_id == made[0].form_id));
}

#[tokio::test]
async fn a_resumed_form_starts_anew_for_everyone() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let first = f.ask_with(&agent, json!({"key":"k"})).await.unwrap();
    f.view(&f.person("p"), &first.form_id).await;
    let mut events = f.subscribe(json!({"since":1})).await;
    let resumed = f.ask_with(&agent, json!({"key":"k","source":"ask:resume"})).await.unwrap();
    assert!(!resumed.created && resumed.seq == 2 && resumed.form_id == first.form_id);
    let started = next_of(&mut events, "started").await;
    assert_eq!((&started["seq"], &started["remote"]["source"]), (&json!(2), &json!("ask:resume")));
    assert_eq!(next_of(&mut events, "viewing").await["viewer"]["connectionId"], "p");
    let snapshot = f.registry.get(&agent, named(&first.form_id)).await.unwrap();
    assert_eq!(snapshot.summary.source, askd_wire::form::Source::AskResume);
    assert_eq!(snapshot.summary.viewers.len(), 1, "whoever shows it still does");
    f.answer(&f.person("p"), &first.form_id, "y").await.unwrap();
    let late = f.ask_with(&agent, json!({"key":"k","source":"ask:resume"})).await.unwrap();
    assert_eq!((late.state, late.created), (FormState::Resolved, false));
}

#[tokio::test]
async fn the_mode_comes_from_the_call_then_the_payload_then_the_contract() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let questionnaire = json!({"questions":[{"question":"Which?","options":[{"label":"X"}]}]});
    let with = |mode: &str| {
        let mut payload = questionnaire.clone();
        payload["mode"] = json!(mode);
        payload
    };
    for (fields, background) in [
        (json!({}), false),
        (json!({"mode":"background"}), true),
        (json!({"contract":"questionnaire","params":questionnaire}), true),
        (json!({"contract":"questionnaire","params":with("urgent")}), false),
        (json!({"contract":"questionnaire","params":with("urgent"),"mode":"background"}), true),
    ] {
        let made = f.ask_with(&agent, fields.clone()).await.unwrap();
        assert_eq!(made.tool_result.is_some(), background, "{fields}");
        let kept = f.registry.get(&agent, named(&made.form_id)).await.unwrap();
        assert_eq!(kept.summary.mode == askd_form::Mode::Background, background, "{fields}");
    }
}

#[tokio::test]
async fn a_session_has_one_background_questionnaire() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let call = json!({"contract":"questionnaire","params":{"questions":[{"question":"Which?","options":[{"label":"X"}]}]},
        "origin":{"agent":"pi","session":"s"}});
    let first = f.ask_with(&agent, call.clone()).await.unwrap();
    let (kind, data) = fault(f.ask_with(&agent, call.clone()).await);
    assert_eq!((kind, &data["formId"]), (ErrorKind::Conflict, &json!(first.form_id)));
}

#[tokio::test]
async fn limits_are_told_by_the_name_of_their_setting() {
    let f = Fixture::new().await;
    f.change(|settings| {
        settings.limits.open_forms = 3;
        settings.limits.open_forms_per_session = 1;
    });
    let agent = f.peer("a", Role::Agent);
    let session = json!({"origin":{"session":"s"}});
    f.ask_with(&agent, session.clone()).await.unwrap();
    let (kind, data) = fault(f.ask_with(&agent, session).await);
    assert_eq!((kind, &data["limit"]), (ErrorKind::Overloaded, &json!("openFormsPerSession")));
    f.ask(&agent).await;
    f.change(|settings| settings.limits.open_form_bytes = 100);
    let (_, data) = fault(f.ask_with(&agent, json!({})).await);
    assert_eq!(data["limit"], "openFormBytes");
    f.change(|settings| settings.limits.open_form_bytes = 1 << 20);
    f.ask(&agent).await;
    let (_, data) = fault(f.ask_with(&agent, json!({})).await);
    assert_eq!(data["limit"], "openForms");
    f.change(|settings| settings.limits.text_bytes = 8);
    let long = json!({"origin":{"parents":["short", "far too long"]}});
    let (kind, data) = fault(f.ask_with(&agent, long).await);
    assert_eq!(kind, ErrorKind::InvalidInput);
    let issues = data["issues"].as_array().unwrap();
    assert!(issues.iter().any(|issue| issue["path"] == "origin.parents[1]"), "{issues:?}");
}

#[tokio::test]
async fn an_origin_is_bounded_as_a_whole_but_for_its_context() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let most = Settings::default().limits.text_bytes as usize;
    let origin = |parents: usize, each: usize| json!({"origin":{"agent":"pi","context":"c".repeat(most),"parents":vec!["p".repeat(each); parents]}});
    f.ask_with(&agent, origin(4, most / 5)).await.unwrap();
    let (kind, data) = fault(f.ask_with(&agent, origin(6, most / 5)).await);
    assert_eq!((kind, &data["issues"][0]["path"]), (ErrorKind::InvalidInput, &json!("origin")));
}

#[tokio::test]
async fn nothing_is_taken_after_the_shutdown_and_all_is_there_after_the_start() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let made = f.ask(&agent).await;
    let mut events = f.subscribe(json!({})).await;
    let waiters: Vec<_> = (0..20)
        .map(|_| {
            let (registry, agent, form_id) = (f.registry.clone(), agent.clone(), made.form_id.clone());
            let params = WaitParams { form_id, timeout_ms: None };
            tokio::spawn(async move { registry.wait(&agent, params).await })
        })
        .collect();
    tokio::task::yield_now().await;
    f.registry.shutdown().await;
    for waiter in waiters {
        assert_eq!(fault(waiter.await.unwrap()).0, ErrorKind::ShuttingDown);
    }
    assert_eq!(fault(f.ask_with(&agent, json!({})).await).0, ErrorKind::ShuttingDown);
    let mut kinds = Vec::new();
    while let Some(event) = events.next().await {
        kinds.push(serde_json::from_str::<Value>(event.get()).unwrap()["kind"].clone());
    }
    assert_eq!(kinds.last(), Some(&json!("shutting-down")));
    let f = f.restart(0).await;
    let kept = f.registry.get(&agent, named(&made.form_id)).await.unwrap();
    assert_eq!(kept.summary.state, FormState::Open);
    assert_eq!(f.registry.counts().await.unwrap(), crate::registry::Counts { open: 1, resolved: 0 });
}

#[tokio::test]
async fn fallback_and_validate_ask_nobody() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let good = serde_json::from_value(json!({"params": payload()})).unwrap();
    let result = f.registry.fallback(&agent, good).await.unwrap();
    assert!(result.text().starts_with("Needs user input"), "{}", result.text());
    let bad = serde_json::from_value(json!({"params": 3})).unwrap();
    let (kind, data) = fault(f.registry.fallback(&agent, bad).await);
    assert_eq!((kind, data["toolResult"].is_object()), (ErrorKind::InvalidInput, true));
    let bad = serde_json::from_value(json!({"params": 3})).unwrap();
    let verdict = serde_json::to_value(f.registry.validate(&agent, bad).await.unwrap()).unwrap();
    assert_eq!((&verdict["ok"], &verdict["issues"][0]["path"]), (&json!(false), &json!("questions")));
    assert_eq!(f.registry.seq(), 0);
}
