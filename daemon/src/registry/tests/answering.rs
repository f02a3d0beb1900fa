//! Submitting and cancelling: one end, told to everyone alike.

use askd_form::{OutcomeKind, Reason};
use askd_wire::form::{CancelParams, Delivery, DraftParams};
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

pub(super) fn cancellation(form_id: &str, reason: &str) -> CancelParams {
    serde_json::from_value(json!({"formId":form_id,"reason":reason})).unwrap()
}

pub(super) fn draft(form_id: &str, revision: u64, text: &str) -> DraftParams {
    let draft = json!({"formId":form_id,"revision":revision,"draft":{"answers":{"a":{"customText":text}}}});
    serde_json::from_value(draft).unwrap()
}

#[tokio::test]
async fn the_first_answer_wins_and_the_others_are_told() {
    let f = Fixture::new().await;
    let (agent, first, second) = (f.peer("a", Role::Agent), f.person("p1"), f.person("p2"));
    let form_id = f.ask(&agent).await.form_id;
    let won = f.answer(&first, &form_id, "x").await.unwrap();
    assert_eq!(won.outcome.kind, OutcomeKind::Submitted);
    let (kind, data) = fault(f.answer(&second, &form_id, "y").await);
    assert_eq!(kind, ErrorKind::AlreadyResolved);
    assert_eq!(data["outcome"], serde_json::to_value(&won.outcome).unwrap());
    assert_eq!(data["resolvedBy"], serde_json::to_value(&won.resolved_by).unwrap());
    let kept = f.registry.get(&second, named(&form_id)).await.unwrap();
    assert_eq!((kept.summary.outcome, kept.summary.resolved_by), (Some(won.outcome), Some(won.resolved_by)));
    assert_eq!(kept.summary.delivery, Delivery::Pending);
    let (kind, _) = fault(f.registry.cancel(&second, cancellation(&form_id, "dismissed")).await);
    assert_eq!(kind, ErrorKind::AlreadyResolved);
}

#[tokio::test]
async fn an_accepted_request_is_idempotent_also_after_a_restart() {
    let f = Fixture::new().await;
    let (agent, person) = (f.peer("a", Role::Agent), f.person("p"));
    let form_id = f.ask(&agent).await.form_id;
    let with = |value: &str| SubmitParams { request_id: Some("r".to_owned()), ..submission(&form_id, value) };
    let (kind, _) = fault(f.registry.submit(&person, with("nothing")).await);
    assert_eq!(kind, ErrorKind::InvalidAnswer, "refused ones are not remembered");
    let first = f.registry.submit(&person, with("x")).await.unwrap();
    let f = f.restart(0).await;
    assert_eq!(f.registry.submit(&person, with("x")).await.unwrap(), first);
    assert_eq!(fault(f.registry.submit(&person, with("y")).await).0, ErrorKind::Conflict);
    assert_eq!(fault(f.answer(&person, &form_id, "x").await).0, ErrorKind::AlreadyResolved);
}

#[tokio::test]
async fn what_does_not_fit_the_form_is_refused_and_the_form_stays_open() {
    let f = Fixture::new().await;
    let (agent, person) = (f.peer("a", Role::Agent), f.person("p"));
    let form_id = f.ask(&agent).await.form_id;
    for (response, path) in [
        (json!(null), "kind"),
        (json!({"kind":"later"}), "kind"),
        (json!({"kind":"answer","answers":{"a":{"values":["z"]}}}), "answers.a.values[0]"),
        (json!({"kind":"answer","answers":{"b":{}}}), "answers.b"),
    ] {
        let params = SubmitParams { response: response.clone(), ..submission(&form_id, "x") };
        let (kind, data) = fault(f.registry.submit(&person, params).await);
        assert_eq!((kind, &data["path"]), (ErrorKind::InvalidAnswer, &json!(path)), "{response}");
    }
    f.change(|settings| settings.limits.tool_result_bytes = 10);
    assert_eq!(fault(f.answer(&person, &form_id, "x").await).0, ErrorKind::InvalidAnswer);
    assert_eq!(fault(f.answer(&person, "nothing", "x").await).0, ErrorKind::UnknownForm);
    assert_eq!(f.registry.open_count(), 1);
}

#[tokio::test]
async fn values_are_checked_against_the_type_as_presented() {
    let f = Fixture::new().await;
    let (agent, person) = (f.peer("a", Role::Agent), f.person("p"));
    let form_id = f.ask(&agent).await.form_id;
    let both = json!({"kind":"answer","answers":{"a":{"values":["y","x"]}}});
    let plain = SubmitParams { response: both.clone(), ..submission(&form_id, "x") };
    assert_eq!(fault(f.registry.submit(&person, plain.clone()).await).0, ErrorKind::InvalidAnswer);
    let types = serde_json::from_value(json!({"a":"multi"})).unwrap();
    f.registry.submit(&person, SubmitParams { presented_types: Some(types), ..plain }).await.unwrap();
    let waited = waiting::now(&f, &agent, &form_id).await;
    let f = f.restart(0).await;
    assert_eq!(waiting::now(&f, &agent, &form_id).await, waited, "the result does not depend on the restart");
}

#[tokio::test]
async fn reasons_belong_to_roles() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let all = ["dismissed", "aborted", "superseded", "session_closed", "expired"];
    let cases = [
        (f.peer("agent", Role::Agent), &all[1..4]),
        (f.person("frontend"), &all[..1]),
        (f.peer("admin", Role::Admin), &all[..4]),
    ];
    for (peer, allowed) in cases {
        for reason in all {
            let form_id = f.ask(&agent).await.form_id;
            let result = f.registry.cancel(&peer, cancellation(&form_id, reason)).await;
            if allowed.contains(&reason) {
                let end = result.unwrap();
                assert_eq!((end.outcome.kind, end.outcome.answers), (OutcomeKind::Cancelled, None));
            } else {
                let (kind, data) = fault(result);
                assert_eq!((kind, &data["allowed"]), (ErrorKind::NotAllowed, &json!(allowed)), "{reason}");
            }
        }
    }
}

#[tokio::test]
async fn a_hosts_abort_comes_through_the_frontend_it_opened() {
    let f = Fixture::new().await;
    let (agent, hosted) = (f.peer("a", Role::Agent), f.person("h"));
    let made = f.ask(&agent).await;
    let params = ViewParams { form_id: made.form_id.clone(), focused: None, view_key: Some(made.view_key) };
    f.registry.view(&hosted, params).await.unwrap();
    let end = f.registry.cancel(&hosted, cancellation(&made.form_id, "aborted")).await.unwrap();
    assert_eq!(end.outcome.reason, Some(Reason::Aborted));
}

#[tokio::test]
async fn everyone_is_told_the_end_and_the_acknowledgement() {
    let f = Fixture::new().await;
    let (agent, person) = (f.peer("a", Role::Agent), f.person("p"));
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1,"kinds":["completed","acknowledged"]})).await;
    let (kind, _) = fault(f.registry.ack(&agent, named(&form_id)).await);
    assert_eq!(kind, ErrorKind::Conflict, "there is nothing to acknowledge yet");
    f.answer(&person, &form_id, "x").await.unwrap();
    let completed = next_of(&mut events, "completed").await;
    assert_eq!((&completed["seq"], &completed["outcome"]["kind"]), (&json!(2), &json!("submitted")));
    assert_eq!(completed["remote"]["result"]["answers"]["a"]["labels"], json!(["X"]));
    let acks = [f.registry.ack(&agent, named(&form_id)).await, f.registry.ack(&agent, named(&form_id)).await];
    assert_eq!(acks.map(|ack| ack.unwrap().first), [true, false]);
    assert_eq!(next_of(&mut events, "acknowledged").await["seq"], 3);
    assert_eq!(fault(f.registry.ack(&agent, named("nothing")).await).0, ErrorKind::UnknownForm);
}

#[tokio::test]
async fn drafts_are_kept_from_agents_and_follow_each_other() {
    let f = Fixture::new().await;
    let (agent, one, two) = (f.peer("a", Role::Agent), f.person("p1"), f.person("p2"));
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1,"kinds":["draft"]})).await;
    assert_eq!(f.registry.draft(&one, draft(&form_id, 0, "mine")).await.unwrap().revision, 1);
    let told = next(&mut events).await;
    assert_eq!(
        (&told["revision"], &told["connectionId"], &told["seq"]),
        (&json!(1), &json!("p1"), &json!(1))
    );
    assert!(!told.to_string().contains("mine"));
    let (kind, data) = fault(f.registry.draft(&two, draft(&form_id, 0, "other")).await);
    assert_eq!((kind, &data["revision"], &data["by"]), (ErrorKind::Conflict, &json!(1), &json!("p1")));
    assert_eq!(data["draft"]["answers"]["a"]["customText"], "mine");
    let f = f.restart(0).await;
    let seen = f.registry.get(&two, named(&form_id)).await.unwrap();
    assert_eq!((seen.draft_revision, seen.summary.drafted), (1, true));
    assert_eq!(seen.draft.unwrap().answers["a"].custom_text.as_deref(), Some("mine"));
    for reader in [f.peer("a2", Role::Agent), f.peer("b", Role::Bridge)] {
        let seen = serde_json::to_string(&f.registry.get(&reader, named(&form_id)).await.unwrap()).unwrap();
        let list = f.registry.list(&reader, serde_json::from_value(json!({"full":true})).unwrap()).await;
        let list = serde_json::to_string(&list.unwrap()).unwrap();
        assert!(!seen.contains("mine") && !list.contains("mine"));
    }
    f.change(|settings| settings.limits.draft_bytes = 10);
    let (kind, data) = fault(f.registry.draft(&two, draft(&form_id, 1, "longer")).await);
    assert_eq!((kind, &data["limit"]), (ErrorKind::Overloaded, &json!("draftBytes")));
    assert_eq!(fault(f.registry.draft(&two, draft("nothing", 0, "")).await).0, ErrorKind::Overloaded);
}

#[tokio::test]
async fn a_draft_goes_with_what_was_sent_and_stays_with_what_was_not() {
    let f = Fixture::new().await;
    let (agent, person) = (f.peer("a", Role::Agent), f.person("p"));
    for (reason, kept) in [(None, false), (Some("dismissed"), false), (Some("aborted"), true)] {
        let form_id = f.ask(&agent).await.form_id;
        f.registry.draft(&person, draft(&form_id, 0, "typed")).await.unwrap();
        let closer = if reason == Some("aborted") { &agent } else { &person };
        match reason {
            None => f.answer(&person, &form_id, "x").await.unwrap(),
            Some(reason) => f.registry.cancel(closer, cancellation(&form_id, reason)).await.unwrap(),
        };
        let seen = f.registry.get(&person, named(&form_id)).await.unwrap();
        assert_eq!((seen.draft.is_some(), seen.summary.drafted), (kept, kept), "{reason:?}");
        let (kind, _) = fault(f.registry.draft(&person, draft(&form_id, 1, "late")).await);
        assert_eq!(kind, ErrorKind::AlreadyResolved);
    }
}
