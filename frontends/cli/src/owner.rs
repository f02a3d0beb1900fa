//! The asking side of one form: it waits, gives up when it is told to stop, and hands the result over.

use std::collections::BTreeSet;
use std::time::Duration;

use askd_client::{Client, Resolved};
use askd_form::{AnswerData, Outcome, Reason};
use askd_tui::Reasons;
use askd_wire::form::{CancelParams, CreateResult, FormRef};
use askd_wire::method::{FormAck, FormCancel};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::{self, Stage};
use crate::signals::Stop;

/// For the last call of a program that was told to stop.
const LAST_CALL: Duration = Duration::from_secs(3);
/// For a dialog to say that the form was answered elsewhere.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a form is asked from the command line.
#[derive(Debug)]
pub(crate) struct Asking {
    /// Where it is shown here, if at all.
    pub(crate) stage: Option<Stage>,
    /// Whether on the whole terminal instead of in lines.
    pub(crate) screen: bool,
    /// Whether the form outlives this program.
    pub(crate) keep: bool,
    /// Whether it is pointless once the dialog here was left.
    pub(crate) only_here: bool,
    /// Question and value that make it a success.
    pub(crate) expect: Vec<(String, String)>,
}

/// Opens the form, waits for its end, prints what the agent gets, and acknowledges it.
pub(crate) async fn see_through(
    context: &Context,
    client: &Client,
    created: &CreateResult,
    asking: Asking,
) -> Result<Exit, Failure> {
    let resolved = until_resolved(context, client, created, &asking).await?;
    deliver(context, client, &created.form_id, &resolved).await?;
    Ok(exit(&resolved.outcome, &asking.expect))
}

/// Opens the form and waits for its end.
pub(crate) async fn until_resolved(
    context: &Context,
    client: &Client,
    created: &CreateResult,
    asking: &Asking,
) -> Result<Resolved, Failure> {
    // Kept forms need no farewell, so there the signals end the program as usual. Ctrl+C in a dialog is the
    // person's, who says no with it.
    let mut stop = if asking.keep { None } else { Some(Stop::listen(asking.stage.is_none())?) };
    let form_id = created.form_id.as_str();
    let waiting = client.wait(form_id);
    let showing = show(context, form_id, asking);
    tokio::pin!(waiting, showing);
    let mut shown = false;
    let resolved: Resolved = loop {
        tokio::select! {
            biased;
            resolved = &mut waiting => break resolved?,
            () = stopped(&mut stop) => {
                withdraw(client, form_id).await;
                match tokio::time::timeout(LAST_CALL, &mut waiting).await {
                    Ok(resolved) => break resolved?,
                    Err(_) => return Err(untold(form_id)),
                }
            }
            left = &mut showing, if !shown => {
                shown = true;
                match left {
                    Ok(()) => {}
                    Err(failure) if asking.only_here => {
                        withdraw(client, form_id).await;
                        return Err(failure);
                    }
                    // Whoever asks goes on waiting: the form can be answered elsewhere.
                    Err(failure) => {
                        failure.report();
                        say_waiting(context, form_id);
                    }
                }
            }
        }
    };
    if asking.stage.is_some() && !shown {
        // How the dialog closes changes nothing any more.
        let _ = tokio::time::timeout(LAST_WORDS, &mut showing).await;
    }
    Ok(resolved)
}

/// Prints the result, and acknowledges it once it is out.
pub(crate) async fn deliver(
    context: &Context,
    client: &Client,
    form_id: &str,
    resolved: &Resolved,
) -> Result<(), Failure> {
    context.out.tool_result(&resolved.tool_result)?;
    acknowledge(client, form_id).await;
    Ok(())
}

/// Acknowledges a result that is out. It was delivered in any case; unacknowledged it can only be had once
/// more.
pub(crate) async fn acknowledge(client: &Client, form_id: &str) {
    let _ = client.call::<FormAck>(FormRef { form_id: form_id.to_owned() }).await;
}

async fn show(context: &Context, form_id: &str, asking: &Asking) -> Result<(), Failure> {
    let Some(stage) = asking.stage else {
        say_waiting(context, form_id);
        return std::future::pending().await;
    };
    if !asking.screen {
        return open::show(context, form_id, stage).await.map(|_| ());
    }
    let closed = open::show_screen(context, form_id).await?;
    match (closed.reason, closed.signal) {
        (_, Some(signal)) if asking.keep => open::end_by(signal),
        // The question is taken back first; a terminal that is gone has sent no signal.
        (_, Some(_)) => {
            let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM);
            std::future::pending().await
        }
        (Reasons::Failed, None) => return Err(Failure::Other(closed.message.unwrap_or_default())),
        (Reasons::Minimised, None) => say_waiting(context, form_id),
        _ => {}
    }
    Ok(())
}

fn say_waiting(context: &Context, form_id: &str) {
    context.out.remark(&format!("Waiting for an answer to {form_id}; `ask answer {form_id}` gives one."));
}

fn untold(form_id: &str) -> Failure {
    Failure::Other(format!(
        "The program was told to stop, and the daemon could not be told: the form {form_id} may still be open. Cancel it with `ask cancel {form_id}`."
    ))
}

async fn stopped(stop: &mut Option<Stop>) {
    match stop {
        Some(stop) => stop.received().await,
        None => std::future::pending().await,
    }
}

/// Takes the question back. Somebody may have been faster, which the waiting tells.
async fn withdraw(client: &Client, form_id: &str) {
    let params = CancelParams { form_id: form_id.to_owned(), reason: Reason::Aborted, presented_types: None };
    let _ = tokio::time::timeout(LAST_CALL, client.call::<FormCancel>(params)).await;
}

fn exit(outcome: &Outcome, expected: &[(String, String)]) -> Exit {
    let exit = Exit::of(outcome);
    let empty = AnswerData::default();
    let meets = |(question, value): &(String, String)| {
        let answer = outcome.answers.as_ref().and_then(|answers| answers.get(question));
        is_answer(answer.unwrap_or(&empty), value)
    };
    if exit == Exit::Done && !expected.iter().all(meets) { Exit::Otherwise } else { exit }
}

/// Whether an answer is this value, this text, or these values in any order.
fn is_answer(answer: &AnswerData, expected: &str) -> bool {
    match (&answer.custom_text, answer.values.as_slice()) {
        (Some(text), []) => text == expected,
        (None, [one]) => one == expected,
        (None, many) if !many.is_empty() => {
            let given: BTreeSet<&str> = many.iter().map(String::as_str).collect();
            given == expected.split(',').map(str::trim).collect()
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use askd_form::OutcomeKind;
    use indexmap::IndexMap;

    use super::*;

    fn answer(values: &[&str], text: Option<&str>) -> AnswerData {
        AnswerData {
            values: values.iter().map(|v| (*v).to_owned()).collect(),
            custom_text: text.map(str::to_owned),
            ..AnswerData::default()
        }
    }

    #[test]
    fn an_expected_answer_is_the_whole_answer() {
        assert!(is_answer(&answer(&["pg"], None), "pg"));
        assert!(is_answer(&answer(&["a,b"], None), "a,b"));
        assert!(is_answer(&answer(&["b", "a"], None), "a, b"));
        assert!(is_answer(&answer(&[], Some("my own")), "my own"));
        assert!(!is_answer(&answer(&["a", "b"], None), "a"));
        assert!(!is_answer(&answer(&["a"], Some("and more")), "a"));
        assert!(!is_answer(&answer(&[], None), ""));
    }

    #[test]
    fn only_a_submission_can_be_other_than_expected() {
        let outcome = |kind, reason| Outcome {
            kind,
            reason,
            answers: Some(IndexMap::from([("db".to_owned(), answer(&["pg"], None))])),
        };
        let expect = |value: &str| vec![("db".to_owned(), value.to_owned())];
        let submitted = outcome(OutcomeKind::Submitted, None);
        assert_eq!(exit(&submitted, &expect("pg")), Exit::Done);
        assert_eq!(exit(&submitted, &expect("mysql")), Exit::Otherwise);
        assert_eq!(exit(&submitted, &[("other".to_owned(), "x".to_owned())]), Exit::Otherwise);
        assert_eq!(exit(&outcome(OutcomeKind::Elaborated, None), &expect("mysql")), Exit::Elaborated);
        assert_eq!(exit(&Outcome::cancelled(Reason::Expired), &expect("mysql")), Exit::Expired);
    }
}
