//! Expiry: its moment, its grace, restarts and clocks that are set.

use askd_wire::Role;
use askd_wire::form::FormState;
use serde_json::json;

use super::*;

const MINUTE: Millis = 60_000;

async fn open_form(f: &Fixture, expires_in: Millis) -> String {
    let agent = f.peer("a", Role::Agent);
    f.ask_with(&agent, json!({"expiresInMs":expires_in})).await.unwrap().form_id
}

async fn type_something(f: &Fixture, form_id: &str, revision: u64) {
    f.registry.draft(&f.person("p"), answering::draft(form_id, revision, "typing")).await.unwrap();
}

/// Gives the timers every chance to act too early: they run on this thread, and have nothing else to wait
/// for than the store.
async fn settle(f: &Fixture) {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    f.registry.counts().await.unwrap();
}

async fn assert_open(f: &Fixture) {
    settle(f).await;
    assert_eq!(f.registry.open_count(), 1, "it ended too early");
}

async fn assert_expires(f: &Fixture) {
    until(|| f.registry.open_count() == 0).await;
}

#[tokio::test]
async fn a_form_ends_when_its_time_is_over_and_approves_nothing() {
    let f = Fixture::new().await;
    let mut events = f.subscribe(json!({"kinds":["completed"]})).await;
    next_of(&mut events, "snapshot").await;
    let form_id = open_form(&f, MINUTE).await;
    f.clock.advance(MINUTE - 1);
    assert_open(&f).await;
    f.clock.advance(1);
    let told = next(&mut events).await;
    assert_eq!(told["outcome"], json!({"kind":"cancelled","reason":"expired"}));
    assert_eq!(told["resolvedBy"], json!({"roles":[],"person":false}));
    let kept = f.registry.get(&f.person("p"), named(&form_id)).await.unwrap();
    assert_eq!(kept.summary.state, FormState::Resolved);
}

#[tokio::test]
async fn a_later_form_with_an_earlier_end_is_not_slept_through() {
    let f = Fixture::new().await;
    open_form(&f, 10 * MINUTE).await;
    settle(&f).await;
    open_form(&f, MINUTE).await;
    f.clock.advance(MINUTE);
    until(|| f.registry.open_count() == 1).await;
    f.clock.advance(9 * MINUTE);
    assert_expires(&f).await;
}

#[tokio::test]
async fn somebody_typing_keeps_a_form_for_at_most_ten_minutes() {
    let f = Fixture::new().await;
    let form_id = open_form(&f, MINUTE).await;
    f.clock.advance(MINUTE - 1);
    type_something(&f, &form_id, 0).await;
    f.clock.advance(MINUTE - 1);
    assert_open(&f).await;
    for revision in 1..10 {
        type_something(&f, &form_id, revision).await;
        f.clock.advance(MINUTE - 1);
        assert_open(&f).await;
    }
    type_something(&f, &form_id, 10).await;
    f.clock.advance(MINUTE - 1);
    assert_expires(&f).await;
    let kept = f.registry.get(&f.person("p"), named(&form_id)).await.unwrap();
    assert_eq!(kept.draft_revision, 11, "what was typed stays for a day");
    f.clock.advance(25 * 60 * MINUTE);
    for _ in 0..5000 {
        if f.registry.get(&f.person("p"), named(&form_id)).await.unwrap().draft.is_none() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    panic!("the draft outlived its day");
}

#[tokio::test]
async fn the_end_comes_a_minute_after_the_last_word() {
    let f = Fixture::new().await;
    let form_id = open_form(&f, MINUTE).await;
    f.clock.advance(MINUTE / 2);
    type_something(&f, &form_id, 0).await;
    f.clock.advance(MINUTE - 1);
    assert_open(&f).await;
    f.clock.advance(1);
    assert_expires(&f).await;
}

#[tokio::test]
async fn time_goes_on_while_the_daemon_is_down() {
    let f = Fixture::new().await;
    open_form(&f, 10 * MINUTE).await;
    let f = f.restart(4 * MINUTE).await;
    f.clock.advance(6 * MINUTE - 1);
    assert_open(&f).await;
    f.clock.advance(1);
    assert_expires(&f).await;
    open_form(&f, 10 * MINUTE).await;
    let f = f.restart(60 * MINUTE).await;
    assert_expires(&f).await;
}

#[tokio::test]
async fn typing_counts_over_a_restart() {
    let f = Fixture::new().await;
    let form_id = open_form(&f, MINUTE).await;
    f.clock.advance(MINUTE - 1);
    type_something(&f, &form_id, 0).await;
    let f = f.restart(30_000).await;
    assert_open(&f).await;
    f.clock.advance(30_000);
    assert_expires(&f).await;
}

#[tokio::test]
async fn a_clock_that_is_set_ends_nothing_and_prolongs_nothing() {
    for set in [NOON + 1000 * MINUTE, NOON - 1000 * MINUTE] {
        let f = Fixture::new().await;
        open_form(&f, 10 * MINUTE).await;
        f.clock.set_wall(set);
        f.clock.advance(10 * MINUTE - 1);
        assert_open(&f).await;
        f.clock.advance(1);
        assert_expires(&f).await;
    }
    let f = Fixture::new().await;
    open_form(&f, 10 * MINUTE).await;
    let f = f.restart(-1000 * MINUTE).await;
    f.clock.advance(10 * MINUTE - 1);
    assert_open(&f).await;
    f.clock.advance(1);
    assert_expires(&f).await;
}

#[tokio::test]
async fn a_form_without_an_expiry_stays() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    f.ask(&agent).await;
    f.clock.advance(1000 * 24 * 60 * MINUTE);
    assert_open(&f).await;
}
