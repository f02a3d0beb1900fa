//! A desktop that is missing, silent or comes and goes: told at once, and never in a form's way.

use std::os::unix::net::UnixListener;
use std::time::{Duration, Instant};

use askd_tests::{Client, Daemon, Sandbox, sandbox, within};
use serde_json::{Value, json};

use super::service::Service;
use super::{Bus, Desktop, ask, configure, pick};

/// The only attempt of a test of the desktop channel, and how long it took.
async fn attempt(daemon: &Daemon) -> (Value, Duration) {
    let admin = daemon.client("admin").await;
    let started = Instant::now();
    let mut result = admin.call("notification/test", json!({"channel": "desktop"})).await;
    let attempts = result["attempts"].as_array_mut().expect("attempts");
    assert_eq!(attempts.len(), 1, "{attempts:?}");
    (attempts.remove(0), started.elapsed())
}

async fn works(daemon: &Daemon) {
    let agent = daemon.client("agent").await;
    let form_id = ask(&agent, "Colour", &["Red", "Blue"]).await;
    daemon.client("frontend").await.submit(&form_id, pick("red")).await;
    assert_eq!(agent.wait(&form_id).await["outcome"]["kind"], "submitted");
}

fn daemon_in(sandbox: &Sandbox) -> Daemon {
    configure(sandbox, json!({}));
    Daemon::start(sandbox)
}

fn why(attempt: &Value) -> &str {
    assert_eq!(attempt["status"], "failed", "{attempt}");
    attempt["error"].as_str().expect("a reason")
}

#[tokio::test]
async fn no_bus() {
    let sandbox = sandbox!();
    let daemon = daemon_in(&sandbox);
    works(&daemon).await;
    let (attempt, took) = attempt(&daemon).await;
    assert!(why(&attempt).contains("no session bus"), "{attempt}");
    assert!(took < Duration::from_secs(2), "took {took:?}");
}

#[tokio::test]
async fn a_bus_that_is_gone() {
    let sandbox = sandbox!().with_env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus");
    let daemon = daemon_in(&sandbox);
    let (attempt, took) = attempt(&daemon).await;
    assert!(why(&attempt).contains("cannot be reached"), "{attempt}");
    assert!(took < Duration::from_secs(2), "took {took:?}");
    works(&daemon).await;
}

#[tokio::test]
async fn an_address_that_is_none() {
    let sandbox = sandbox!().with_env("DBUS_SESSION_BUS_ADDRESS", "autolaunch everything");
    let daemon = daemon_in(&sandbox);
    assert!(why(&attempt(&daemon).await.0).contains("DBUS_SESSION_BUS_ADDRESS"));
    works(&daemon).await;
}

#[tokio::test]
async fn a_bus_that_takes_connections_and_says_nothing() {
    let sandbox = sandbox!();
    let _deaf = UnixListener::bind(sandbox.path("run/bus")).expect("a socket");
    let daemon = daemon_in(&sandbox);
    let (attempt, took) = attempt(&daemon).await;
    assert!(why(&attempt).contains("did not answer within 2 seconds"), "{attempt}");
    assert!(took >= Duration::from_secs(2), "took {took:?}");
    works(&daemon).await;
}

#[tokio::test]
async fn a_bus_without_a_service_and_one_that_comes_later() {
    let sandbox = sandbox!();
    let daemon = daemon_in(&sandbox);
    assert!(why(&attempt(&daemon).await.0).contains("no session bus"));
    // Looked up at each use.
    let bus = Bus::start(&sandbox);
    let (missing, took) = attempt(&daemon).await;
    assert!(why(&missing).contains("no program shows notifications"), "{missing}");
    assert!(took < Duration::from_secs(2), "took {took:?}");
    let mut service = Service::start(&bus).await;
    let (shown, _) = attempt(&daemon).await;
    assert_eq!(shown["status"], "attempted", "{shown}");
    assert_eq!(service.shown().await.summary, "pi ask");
    // The bus goes and another comes in its place.
    drop((service, bus));
    let bus = Bus::start(&sandbox);
    let mut service = Service::start(&bus).await;
    let agent = daemon.client("agent").await;
    ask(&agent, "Colour", &["Red", "Blue"]).await;
    assert!(service.shown().await.body.starts_with("Question waiting: Colour\n"));
}

#[tokio::test]
async fn a_service_that_restarts() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let frontend = desktop.daemon.client("frontend").await;
    let first = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let before = desktop.service.shown().await;
    desktop.service.leave().await;
    desktop.service = Service::start(&desktop.bus).await;
    // The ids of the one before mean nothing to this one.
    desktop.service.action(before.id, before.key("Red")).await;
    let second = desktop.ask(&agent, "Size", &["S", "M"]).await;
    let after = desktop.service.shown().await;
    assert_eq!(after.replaced, 0, "{after:?}");
    assert!(after.body.starts_with("2 questions waiting: Size, Colour\n"), "{}", after.body);
    assert_eq!(agent.get(&first).await["state"], "open");
    frontend.submit(&first, pick("red")).await;
    assert_eq!(desktop.service.shown().await.replaced, after.id);
    frontend.submit(&second, pick("s")).await;
    assert_eq!(desktop.service.closed().await, after.id);
}

#[tokio::test]
async fn a_service_that_never_answers() {
    let mut desktop = Desktop::start().await;
    desktop.service.answers(false);
    let agent = desktop.daemon.client("agent").await;
    let mut events = agent.subscribe(json!({})).await;
    events.snapshot().await;
    let form_id = desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    events.next_of("started").await;
    let held = desktop.service.shown().await;
    // It holds its reply now. Everyone else goes on.
    let frontend = desktop.daemon.client("frontend").await;
    let second = desktop.ask(&agent, "Size", &["S", "M"]).await;
    assert_eq!(events.next_of("started").await["formId"], second.as_str());
    frontend.submit(&form_id, pick("red")).await;
    assert_eq!(events.next_of("completed").await["formId"], form_id.as_str());
    frontend.submit(&second, pick("s")).await;
    assert_eq!(events.next_of("completed").await["formId"], second.as_str());
    assert!(desktop.service.waiting().is_none(), "nothing further was asked of it");
    // Once it comes to itself, what it shows is withdrawn: nothing waits any longer.
    let (attempt, took) = attempt(&desktop.daemon).await;
    assert!(why(&attempt).contains("did not answer within 2 seconds"), "{attempt}");
    assert!(took < Duration::from_secs(5), "took {took:?}");
    desktop.service.shown().await;
    desktop.service.answers(true);
    assert_eq!(desktop.service.closed().await, held.id);
}

#[tokio::test]
async fn a_service_that_comes_to_itself_shows_what_waits_then() {
    let mut desktop = Desktop::start().await;
    desktop.service.answers(false);
    let agent = desktop.daemon.client("agent").await;
    desktop.ask(&agent, "Colour", &["Red", "Blue"]).await;
    let held = desktop.service.shown().await;
    armed_twice().await;
    desktop.ask(&agent, "Size", &["S", "M"]).await;
    armed_twice().await;
    desktop.service.answers(true);
    let both = desktop.service.shown().await;
    assert_eq!(both.replaced, held.id);
    assert!(both.body.starts_with("2 questions waiting: Size, Colour\n"), "{}", both.body);
}

/// Longer than the daemon waits for an answer.
async fn armed_twice() {
    tokio::time::sleep(Duration::from_millis(2500)).await;
}

#[tokio::test]
async fn the_log_holds_no_question() {
    let mut desktop = Desktop::start().await;
    let agent = desktop.daemon.client("agent").await;
    let form_id = desktop.ask(&agent, "Unspeakable", &["Hush-one", "Hush-two"]).await;
    desktop.service.shown().await;
    desktop.daemon.client("frontend").await.submit(&form_id, pick("hush-one")).await;
    desktop.service.closed().await;
    stopped(&desktop.daemon.client("admin").await).await;
    let log = desktop.daemon.stderr();
    assert!(log.contains("notifying"), "{log}");
    assert!(!log.to_lowercase().contains("hush") && !log.contains("Unspeakable"), "{log}");
}

async fn stopped(admin: &Client) {
    admin.call("daemon/stop", json!({})).await;
    within("the daemon's end", admin.closed()).await;
}
