//! The contracts' case files, judged end to end over the wire.

use askd_tests::cases::{Judge, load, name_of, report};
use askd_tests::{Daemon, sandbox};

async fn agree(file: &str) {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let mut judge = Judge::new(&daemon).await;
    let mut results = Vec::new();
    for case in load(file) {
        results.push((name_of(&case), judge.run(&case).await));
    }
    report(&results);
}

#[tokio::test]
async fn ask_payloads_are_validated() {
    agree("ask-validate.json").await;
}

#[tokio::test]
async fn ask_labels_are_derived() {
    agree("ask-prepare.json").await;
}

#[tokio::test]
async fn ask_forms_are_answered_by_remote_submissions() {
    agree("ask-remote.json").await;
}

#[tokio::test]
async fn ask_forms_have_a_text_for_hosts_that_cannot_ask() {
    agree("ask-headless.json").await;
}

#[tokio::test]
async fn questionnaire_payloads_are_validated() {
    agree("questionnaire-validate.json").await;
}

#[tokio::test]
async fn questionnaires_are_answered_by_remote_submissions() {
    agree("questionnaire-submit.json").await;
}
