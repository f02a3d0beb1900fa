//! A single question for a script: asked, waited for, and told by value and exit status. Whatever is not the
//! answer the script waits for has a status of its own, so that `&&` never goes on by accident.

use std::time::Duration;

use askd_form::{AnswerData, Contract, Mode, Outcome, OutcomeKind};
use askd_wire::form::{CreateParams, Origin, Requires};
use askd_wire::method::FormCreate;
use clap::Args;
use serde_json::Value;

use crate::commands::new::AGENT;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::{Stage, With};
use crate::output::write;
use crate::owner::{self, Asking};
use crate::view::who;

/// The id of the only question.
pub(crate) const QUESTION: &str = "answer";

/// What all of them take.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Take the answer only from a person who has seen the question
    #[arg(long)]
    person: bool,
    /// Give up when nobody has answered after so many seconds, at least 5, with exit status 5
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "give seconds, like 30".to_owned();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number).ok().filter(|time| !time.is_zero()).ok_or_else(wrong)
}

/// The question's text, which has to say something.
pub(crate) fn question(text: &str) -> Result<&str, Failure> {
    match text.trim() {
        "" => Err(Failure::Usage(
            "There is nothing to ask: the text is empty. Give the question, in quotes if it has spaces."
                .to_owned(),
        )),
        text => Ok(text),
    }
}

/// Asks and waits. Gives the answer when the form was submitted; else says on stderr what happened, and gives
/// the exit status.
pub(crate) async fn ask(
    context: &Context,
    contract: Contract,
    params: Value,
    common: &Common,
) -> Result<Result<AnswerData, Exit>, Failure> {
    let client = context.agent().await?;
    let created = client
        .call::<FormCreate>(CreateParams {
            contract,
            params,
            origin: Some(Origin {
                agent: Some(AGENT.to_owned()),
                cwd: std::env::current_dir().ok().map(|dir| dir.display().to_string()),
                ..Origin::default()
            }),
            mode: Some(Mode::Urgent),
            expires_in_ms: common.timeout.map(|time| milliseconds(time).into()),
            requires: common.person.then_some(Requires::Person),
            ..CreateParams::default()
        })
        .await?;
    let stage = Stage::beside_result(context, false);
    let with = With::by_default(context, stage);
    let asking = Asking {
        stage: (with != With::None).then_some(stage),
        screen: with == With::Tui,
        keep: false,
        only_here: false,
        expect: Vec::new(),
    };
    let resolved = owner::until_resolved(context, &client, &created, &asking).await?;
    // There is no further way to it: a script that was ended meanwhile does not ask for it again.
    owner::acknowledge(&client, &created.form_id).await;
    let outcome = resolved.outcome;
    if outcome.kind == OutcomeKind::Submitted {
        return Ok(Ok(answer(outcome)));
    }
    let mut text = format!("ask: not answered: the question is {}.", who::outcome(&outcome));
    if outcome.kind == OutcomeKind::Elaborated {
        text = format!("ask: not answered: {}", resolved.tool_result.text());
    }
    context.out.remark(&text);
    context.out.value(&Value::Null)?;
    Ok(Err(Exit::of(&outcome)))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

fn answer(outcome: Outcome) -> AnswerData {
    outcome.answers.and_then(|mut answers| answers.swap_remove(QUESTION)).unwrap_or_default()
}

/// Prints a value as it is, or as JSON.
pub(crate) fn print(context: &Context, value: &str) -> Result<(), Failure> {
    if context.out.json { context.out.value(&value) } else { write(&format!("{value}\n")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_says_something() {
        assert_eq!(question(" Deploy? ").unwrap(), "Deploy?");
        assert_eq!(question(" \n\t").unwrap_err().exit().code(), 2);
    }

    #[test]
    fn a_timeout_is_more_than_nothing() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        for wrong in ["0", "-1", "soon", "inf"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
