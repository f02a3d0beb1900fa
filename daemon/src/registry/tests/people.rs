//! Who shows a form, who answered it, and whether a person did.

use askd_form::OutcomeKind;
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

async fn keyed(f: &Fixture, peer: &Arc<Peer>, form_id: &str, key: &str) {
    let params = ViewParams { form_id: form_id.to_owned(), focused: None, view_key: Some(key.to_owned()) };
    f.registry.view(peer, params).await.unwrap();
}

#[tokio::test]
async fn viewers_come_go_and_change_focus() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1})).await;
    let person = f.person("p");
    let seen = f.view(&person, &form_id).await;
    assert_eq!((seen.summary.viewers[0].kind.as_str(), seen.summary.viewers.len()), ("tui", 1));
    assert_eq!(next_of(&mut events, "viewing").await["viewer"]["connectionId"], "p");
    f.view(&person, &form_id).await;
    for focused in [true, true, false] {
        let params = ViewParams { form_id: form_id.clone(), focused: Some(focused), view_key: None };
        f.registry.view(&person, params).await.unwrap();
    }
    for focused in [true, false] {
        assert_eq!(next_of(&mut events, "viewing").await["viewer"]["focused"], focused);
    }
    f.registry.leave(&person, named(&form_id)).await.unwrap();
    assert_eq!(next_of(&mut events, "left").await["connectionId"], "p");
    f.view(&person, &form_id).await;
    next_of(&mut events, "viewing").await;
    f.registry.disconnected("p");
    next_of(&mut events, "left").await;
    assert!(f.registry.get(&agent, named(&form_id)).await.unwrap().summary.viewers.is_empty());
    let nothing = ViewParams { form_id: "nothing".to_owned(), focused: None, view_key: None };
    assert_eq!(fault(f.registry.view(&person, nothing).await).0, ErrorKind::UnknownForm);
}

#[tokio::test]
async fn a_person_is_who_has_seen_the_form_long_enough() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    for (shown, person) in [(None, false), (Some(249), false), (Some(250), true)] {
        let form_id = f.ask(&agent).await.form_id;
        let who = f.person("p");
        if let Some(ms) = shown {
            f.view(&who, &form_id).await;
            f.clock.advance(ms);
        }
        let by = f.answer(&who, &form_id, "x").await.unwrap().resolved_by;
        assert_eq!((by.person, by.viewed_ms), (person, shown.map(|ms| ms as u64)), "{shown:?}");
        assert_eq!((by.kind.as_deref(), by.roles), (Some("tui"), vec![Role::Frontend]));
    }
}

#[tokio::test]
async fn an_agents_marker_is_seen_and_a_view_key_outweighs_it() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let marked = || {
        let facts = PeerFacts {
            pid: Some(7),
            exe: Some("/bin/agent".to_owned()),
            agent: Some("CLAUDECODE".to_owned()),
        };
        Arc::new(Peer { facts, ..(*f.person("m")).clone() })
    };
    let form_id = f.ask(&agent).await.form_id;
    f.view(&marked(), &form_id).await;
    f.clock.advance(1000);
    let by = f.answer(&marked(), &form_id, "x").await.unwrap().resolved_by;
    assert_eq!((by.person, by.agent.as_deref(), by.pid), (false, Some("CLAUDECODE"), Some(7)));
    let made = f.ask(&agent).await;
    keyed(&f, &marked(), &made.form_id, "wrong").await;
    keyed(&f, &marked(), &made.form_id, &made.view_key).await;
    assert!(f.answer(&marked(), &made.form_id, "x").await.unwrap().resolved_by.person);
    let made = f.ask(&agent).await;
    keyed(&f, &marked(), &made.form_id, "wrong").await;
    assert!(!f.answer(&marked(), &made.form_id, "x").await.unwrap().resolved_by.person);
    let made = f.ask(&agent).await;
    let frontend = Some(FrontendInfo { kind: "web".to_owned(), human: false });
    let machine = Arc::new(Peer { frontend, ..(*f.person("machine")).clone() });
    keyed(&f, &machine, &made.form_id, &made.view_key).await;
    assert!(!f.answer(&machine, &made.form_id, "x").await.unwrap().resolved_by.person);
}

#[tokio::test]
async fn a_view_key_outlives_a_restart() {
    let f = Fixture::new().await;
    let made = f.ask(&f.peer("a", Role::Agent)).await;
    let f = f.restart(0).await;
    let person = f.person("p");
    keyed(&f, &person, &made.form_id, &made.view_key).await;
    assert!(f.answer(&person, &made.form_id, "x").await.unwrap().resolved_by.person);
}

#[tokio::test]
async fn a_form_that_requires_a_person_takes_no_other_answer() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let ask = || f.ask_with(&agent, json!({"requires":"person"}));
    let form_id = ask().await.unwrap().form_id;
    let program = f.peer("f", Role::Frontend);
    let (kind, data) = fault(f.answer(&program, &form_id, "x").await);
    assert_eq!((kind, &data["reason"]), (ErrorKind::NotAllowed, &json!("personRequired")));
    let submission = json!({"version":1,"requestId":"r","flowId":form_id,"response":{"kind":"cancel"}});
    let (kind, _) = fault(f.registry.remote_submit(&f.peer("b", Role::Bridge), submission).await);
    assert_eq!(kind, ErrorKind::NotAllowed);
    let approver =
        Arc::new(Peer { may_approve: true, token: Some("phone".to_owned()), ..peer("t", Role::Frontend) });
    let by = f.answer(&approver, &form_id, "x").await.unwrap().resolved_by;
    assert_eq!((by.person, by.token.as_deref()), (false, Some("phone")));
    let form_id = ask().await.unwrap().form_id;
    let person = f.person("p");
    f.view(&person, &form_id).await;
    f.clock.advance(250);
    assert!(f.answer(&person, &form_id, "x").await.unwrap().resolved_by.person);
    let form_id = ask().await.unwrap().form_id;
    let end = f.registry.cancel(&agent, answering::cancellation(&form_id, "aborted")).await.unwrap();
    assert_eq!(end.outcome.kind, OutcomeKind::Cancelled, "its owner may always give it up");
}

#[tokio::test]
async fn a_notification_is_taken_once_over_restarts() {
    let f = Fixture::new().await;
    let form_id = f.ask(&f.peer("a", Role::Agent)).await.form_id;
    assert!(f.registry.take_notification(&form_id).await.unwrap());
    let f = f.restart(0).await;
    assert!(!f.registry.take_notification(&form_id).await.unwrap());
    assert!(!f.registry.take_notification("nothing").await.unwrap());
}
