//! Stopping a daemon that many wait on: quick, clean, and without touching a form.

use std::time::{Duration, Instant};

use askd_tests::forms::single;
use askd_tests::{Daemon, sandbox, within};
use serde_json::json;

const WAITERS: usize = 100;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stop_with_a_hundred_waiters_takes_less_than_a_second() {
    let sandbox = sandbox!();
    let mut daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let mut forms = Vec::new();
    let mut waiters = Vec::new();
    for number in 0..WAITERS {
        // A session each: the number of open forms in one session is limited.
        let params = json!({"params": single(), "origin": {"session": format!("s{number}")}});
        let form_id = askd_tests::forms::id_of(&agent.call("form/create", params).await);
        let client = daemon.client("agent").await;
        let answer = client.begin("form/wait", json!({"formId": form_id, "timeoutMs": 240_000}));
        forms.push(form_id);
        waiters.push((client, answer));
    }
    for form_id in &forms {
        let attached = async {
            while agent.get(form_id).await["owner"]["attached"] != true {
                tokio::time::sleep(Duration::from_millis(2)).await;
            }
        };
        within("a waiter to be attached", attached).await;
    }

    let started = Instant::now();
    let stopped = tokio::task::block_in_place(|| sandbox.run(&["stop"]));
    let status = tokio::task::block_in_place(|| daemon.wait_for_exit());
    let took = started.elapsed();
    stopped.expect(0);
    assert!(status.success(), "the daemon ended with {status}: {}", daemon.stderr());
    assert!(took < Duration::from_secs(1), "stopping took {took:?}");
    for (client, answer) in waiters {
        let error = within("a waiter's release", answer).await.expect("an answer").expect_err("no outcome");
        assert_eq!(error.kind(), "shuttingDown");
        client.closed().await;
    }

    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    for form_id in &forms {
        assert_eq!(agent.get(form_id).await["state"], "open");
    }
}
