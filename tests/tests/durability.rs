//! What the daemon acknowledges is on the disk: it synchronizes at least once for each answer.

use std::process::Command;

use askd_tests::forms::single;
use askd_tests::strace::Traced;
use askd_tests::{Daemon, Sandbox, sandbox};

const CREATES: usize = 100;

/// How many times a daemon synchronized a file while it acknowledged [`CREATES`] forms, one after the other.
async fn syncs_of_creates(sandbox: &Sandbox, command: &Command) -> usize {
    let (traced, command) = Traced::wrap(sandbox, command);
    let mut daemon = Daemon::start_command(sandbox, command);
    let agent = daemon.client("agent").await;
    let before = traced.syncs();
    for _ in 0..CREATES {
        agent.create(single()).await;
    }
    // Counted at once: what is synchronized after the last answer came too late for it.
    let during = traced.syncs() - before;
    daemon.client("admin").await.call("daemon/stop", serde_json::json!({})).await;
    assert!(daemon.wait_for_exit().success());
    during
}

#[tokio::test]
async fn a_hundred_creates_are_synchronized_a_hundred_times() {
    let sandbox = sandbox!();
    let syncs = syncs_of_creates(&sandbox, &sandbox.command(&["daemon", "--foreground"])).await;
    println!("{syncs} fsync and fdatasync calls during {CREATES} creates");
    assert!(syncs >= CREATES, "{syncs} synchronizations for {CREATES} acknowledged forms");
}

#[tokio::test]
async fn a_store_that_answers_before_it_commits_is_found_out() {
    let sandbox = sandbox!();
    let double = sandbox.command_of(env!("CARGO_BIN_EXE_answers-too-early"), &[]);
    let syncs = syncs_of_creates(&sandbox, &double).await;
    assert!(syncs < CREATES, "{syncs}: the count does not tell an honest store from one that is not");
}
