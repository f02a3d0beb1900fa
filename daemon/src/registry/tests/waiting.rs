//! Waiting, owning and being orphaned.

use askd_wire::form::{WaitParams, WaitResult};
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

fn wait(
    f: &Fixture,
    peer: &Arc<Peer>,
    form_id: &str,
    timeout_ms: u64,
) -> impl Future<Output = Result<WaitResult, RpcError>> + use<> {
    let (registry, peer) = (f.registry.clone(), peer.clone());
    let params = WaitParams { form_id: form_id.to_owned(), timeout_ms: Some(timeout_ms) };
    async move { registry.wait(&peer, params).await }
}

/// What `form/wait` says at once.
pub(super) async fn now(f: &Fixture, peer: &Arc<Peer>, form_id: &str) -> WaitResult {
    wait(f, peer, form_id, 0).await.unwrap()
}

async fn owner(f: &Fixture, form_id: &str) -> (bool, bool) {
    let owner = f.registry.get(&f.person("looker"), named(form_id)).await.unwrap().summary.owner;
    (owner.attached, owner.orphaned)
}

#[tokio::test]
async fn every_waiter_gets_the_end() {
    let f = Fixture::new().await;
    let (agent, other) = (f.peer("a", Role::Agent), f.peer("b", Role::Agent));
    let form_id = f.ask(&agent).await.form_id;
    let waiters: Vec<_> =
        [&agent, &other, &agent].map(|peer| tokio::spawn(wait(&f, peer, &form_id, 10_000))).into();
    tokio::task::yield_now().await;
    let end = f.answer(&f.person("p"), &form_id, "y").await.unwrap();
    for waiter in waiters {
        match waiter.await.unwrap().unwrap() {
            WaitResult::Resolved { outcome, resolved_by, tool_result } => {
                assert_eq!((outcome, resolved_by), (end.outcome.clone(), end.resolved_by.clone()));
                assert!(tool_result.text().contains('Y'));
            }
            WaitResult::Open => panic!("it was answered"),
        }
    }
    let f = f.restart(0).await;
    assert!(matches!(now(&f, &agent, &form_id).await, WaitResult::Resolved { .. }));
    assert_eq!(fault(wait(&f, &agent, "nothing", 0).await).0, ErrorKind::UnknownForm);
}

#[tokio::test]
async fn a_waiter_has_the_patience_it_asked_for() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let form_id = f.ask(&agent).await.form_id;
    assert_eq!(now(&f, &agent, &form_id).await, WaitResult::Open);
    for (given, effective) in [(Some(500), 500), (None, 30_000), (Some(u64::MAX), 240_000)] {
        let (registry, agent) = (f.registry.clone(), agent.clone());
        let params = WaitParams { form_id: form_id.clone(), timeout_ms: given };
        let waiter = tokio::spawn(async move { registry.wait(&agent, params).await });
        tokio::task::yield_now().await;
        f.clock.advance(effective - 1);
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        assert!(!waiter.is_finished(), "{given:?}");
        f.clock.advance(1);
        assert_eq!(waiter.await.unwrap().unwrap(), WaitResult::Open);
    }
}

#[tokio::test]
async fn an_owner_comes_and_goes_with_its_connection() {
    let f = Fixture::new().await;
    let (agent, other) = (f.peer("a", Role::Agent), f.peer("b", Role::Agent));
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1,"kinds":["owner"]})).await;
    assert_eq!(owner(&f, &form_id).await, (false, false), "asking alone is no waiting");
    f.clock.advance(100_000);
    assert_eq!(owner(&f, &form_id).await, (false, false), "never owned is not orphaned");
    for peer in [&agent, &other, &agent] {
        now(&f, peer, &form_id).await;
    }
    assert_eq!(next(&mut events).await["attached"], true);
    f.registry.disconnected("a");
    assert_eq!(owner(&f, &form_id).await, (true, false));
    f.registry.disconnected("b");
    let gone = next(&mut events).await;
    assert_eq!((&gone["attached"], &gone["seq"]), (&json!(false), &json!(1)));
    f.clock.advance(59_999);
    assert_eq!(owner(&f, &form_id).await, (false, false));
    f.clock.advance(1);
    assert_eq!(owner(&f, &form_id).await, (false, true));
    let back = f.peer("c", Role::Agent);
    now(&f, &back, &form_id).await;
    assert_eq!(owner(&f, &form_id).await, (true, false));
}

#[tokio::test]
async fn a_form_whose_owner_does_not_come_back_after_a_restart_is_orphaned() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let (owned, never) = (f.ask(&agent).await.form_id, f.ask(&agent).await.form_id);
    now(&f, &agent, &owned).await;
    let f = f.restart(1000).await;
    assert_eq!(owner(&f, &owned).await, (false, false), "it has a minute to come back");
    f.clock.advance(60_000);
    assert_eq!((owner(&f, &owned).await, owner(&f, &never).await), ((false, true), (false, false)));
}

#[tokio::test]
async fn a_single_http_call_owns_only_while_it_lasts() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1,"kinds":["owner"]})).await;
    let passing = Arc::new(peer("http", Role::Agent));
    let call = tokio::spawn(wait(&f, &passing, &form_id, 10_000));
    assert_eq!(next(&mut events).await["attached"], true);
    call.abort();
    assert_eq!(next(&mut events).await["attached"], false);
    f.clock.advance(60_000);
    assert_eq!(owner(&f, &form_id).await, (false, true));
}

#[tokio::test]
async fn a_dropped_wait_leaves_the_form_and_the_others_alone() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let form_id = f.ask(&agent).await.form_id;
    let (gone, stays) =
        (tokio::spawn(wait(&f, &agent, &form_id, 10_000)), tokio::spawn(wait(&f, &agent, &form_id, 10_000)));
    tokio::task::yield_now().await;
    gone.abort();
    assert!(gone.await.unwrap_err().is_cancelled());
    f.answer(&f.person("p"), &form_id, "x").await.unwrap();
    assert!(matches!(stays.await.unwrap().unwrap(), WaitResult::Resolved { .. }));
}
