//! `ask wait`: the end of a form somebody else asked.

use std::time::Duration;

use askd_wire::form::{FormRef, WaitResult};
use askd_wire::method::FormGet;
use clap::Args;

use crate::commands::new::AGENT;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{ids, owner};

/// Wait for a form's end and print the tool result
#[derive(Debug, Args)]
pub(crate) struct Wait {
    /// Its id, or the first four or more characters of it
    form: String,
    /// Give up after so many seconds, with exit status 5; the form stays open
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    timeout: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "give seconds, like 30 or 0.5".to_owned();
    let number: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(number).map_err(|_| wrong())
}

impl Wait {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = context.agent().await?;
        let form_id = ids::resolve(&client, &self.form).await?;
        let resolved = match self.timeout {
            Some(at_most) => client.wait_for(&form_id, at_most).await?,
            None => Some(client.wait(&form_id).await?),
        };
        let Some(resolved) = resolved else {
            context.out.value(&WaitResult::Open)?;
            context.out.remark(&format!("The form {form_id} is still open."));
            return Ok(Exit::Expired);
        };
        // An agent acknowledges its own results; of those asked with `ask new`, this is the owner.
        let snapshot = client.call::<FormGet>(FormRef { form_id: form_id.clone() }).await?;
        if snapshot.summary.origin.agent.as_deref() == Some(AGENT) {
            owner::deliver(context, &client, &form_id, &resolved).await?;
        } else {
            context.out.tool_result(&resolved.tool_result)?;
        }
        Ok(Exit::of(&resolved.outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timeout_is_a_number_of_seconds() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        for wrong in ["-1", "soon", "NaN", "inf", "1e300"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
