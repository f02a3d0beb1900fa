//! A waiter that stays attached for longer than any default time limit on the way.

use std::time::{Duration, Instant};

use askd_tests::forms::{pick, single};
use askd_tests::run::start;
use askd_tests::{Daemon, sandbox, within};
use serde_json::json;

/// Beyond the 30 s of a ping, the 60 s of a JSON-RPC client and the 75 s after which a silent peer is gone.
const ATTACHED: Duration = Duration::from_secs(125);

#[tokio::test]
async fn waiters_stay_attached_for_more_than_two_minutes() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let form_id = agent.create(single()).await;
    let mut answer = agent.begin("form/wait", json!({"formId": form_id, "timeoutMs": 240_000}));
    let mut command = start(sandbox.command(&["wait", &form_id, "--json"]), "");

    // The time itself is what is tested here, so this one wait is a sleep.
    let started = Instant::now();
    tokio::time::sleep(ATTACHED).await;
    assert!(answer.try_recv().is_err(), "the wait ended although nobody answered");
    assert!(!command.has_ended(), "`ask wait` ended although nobody answered");
    let frontend = daemon.client("frontend").await;
    let snapshot = frontend.get(&form_id).await;
    assert_eq!(snapshot["owner"]["attached"], true);
    assert_eq!(snapshot["state"], "open");

    frontend.submit(&form_id, pick("lite")).await;
    let result = within("the waiter's outcome", answer).await.expect("an answer").expect("an outcome");
    assert_eq!(result["outcome"]["kind"], "submitted");
    let finished = command.finish().expect(0);
    assert!(finished.stdout.contains("lite"), "{finished:?}");
    println!("attached for {:?}", started.elapsed());
}
