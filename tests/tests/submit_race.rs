//! Two people answer one form at the same moment: one wins, the other learns who and what.

use askd_tests::forms::{pick, single};
use askd_tests::{CallError, Client, Daemon, sandbox, within};
use serde_json::{Value, json};

const ROUNDS: usize = 1000;

#[tokio::test]
async fn one_of_two_submissions_wins_a_thousand_times() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let one = frontend(&daemon, "one").await;
    let two = frontend(&daemon, "two").await;
    for round in 0..ROUNDS {
        let form_id = agent.create(single()).await;
        let submit = |client: &Client, value: &str| {
            client.begin("form/submit", json!({"formId": form_id, "response": pick(value)}))
        };
        // Who sends first alternates, so that neither connection always wins.
        let (first, second) = if round.is_multiple_of(2) {
            let first = submit(&one, "pg");
            (first, submit(&two, "lite"))
        } else {
            let second = submit(&two, "lite");
            (submit(&one, "pg"), second)
        };
        let first = within("the first answer", first).await.expect("an answer");
        let second = within("the second answer", second).await.expect("an answer");
        let snapshot = agent.get(&form_id).await;
        let (winner, loser) = winner_and_loser(first, second);
        assert_eq!(loser.kind(), "alreadyResolved", "round {round}: {loser:?}");
        assert_eq!(loser.data["outcome"], winner["outcome"], "round {round}");
        assert_eq!(loser.data["resolvedBy"], winner["resolvedBy"], "round {round}");
        assert_eq!(snapshot["outcome"], winner["outcome"], "round {round}");
        assert_eq!(snapshot["resolvedBy"], winner["resolvedBy"], "round {round}");
        assert_eq!(snapshot["state"], "resolved");
    }
}

fn winner_and_loser(a: Result<Value, CallError>, b: Result<Value, CallError>) -> (Value, CallError) {
    match (a, b) {
        (Ok(winner), Err(loser)) | (Err(loser), Ok(winner)) => (winner, loser),
        (Ok(a), Ok(b)) => panic!("both won: {a} and {b}"),
        (Err(a), Err(b)) => panic!("both lost: {a:?} and {b:?}"),
    }
}

async fn frontend(daemon: &Daemon, name: &str) -> Client {
    let mut params = askd_tests::client::initialize_params("frontend");
    params["client"]["name"] = json!(name);
    params["frontend"] = json!({"kind": "test", "human": false});
    Client::connect_with(daemon.socket(), params).await
}

#[tokio::test]
async fn a_cancel_and_a_submission_exclude_each_other_too() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let frontend = daemon.client("frontend").await;
    for _ in 0..50 {
        let form_id = agent.create(single()).await;
        let cancel = agent.begin("form/cancel", json!({"formId": form_id, "reason": "aborted"}));
        let submit = frontend.begin("form/submit", json!({"formId": form_id, "response": pick("pg")}));
        let cancel = within("the cancel", cancel).await.expect("an answer");
        let submit = within("the submission", submit).await.expect("an answer");
        let (winner, loser) = winner_and_loser(cancel, submit);
        assert_eq!(loser.kind(), "alreadyResolved");
        assert_eq!(loser.data["outcome"], winner["outcome"]);
        assert_eq!(agent.get(&form_id).await["outcome"], winner["outcome"]);
    }
}
