//! `ask cancel`: a person says no to a form.

use askd_client::Client;
use askd_form::Reason;
use askd_wire::ErrorKind;
use askd_wire::form::{CancelParams, ListParams, Resolution};
use askd_wire::method::FormCancel;
use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::list;
use crate::{ids, marker};

/// Cancel a form; its agent learns that it was dismissed
#[derive(Debug, Args)]
pub(crate) struct Cancel {
    /// Its id, or the first four or more characters of it
    #[arg(required_unless_present = "orphaned", conflicts_with = "orphaned")]
    form: Option<String>,
    /// Cancel every open form whose agent went away at least a minute ago
    #[arg(long)]
    orphaned: bool,
    /// Cancel although an agent runs this command; it is recorded
    #[arg(long)]
    as_agent: bool,
}

impl Cancel {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        marker::refuse(context.agent.as_deref(), self.as_agent, "cancel")?;
        let client = context.frontend().await?;
        let Some(given) = self.form else { return orphaned(context, &client).await };
        let form_id = ids::resolve_open(&client, &given).await?;
        let resolution = cancel(&client, &form_id).await?;
        context.out.value(&resolution)?;
        context.out.say(&format!("Cancelled {form_id}."))?;
        Ok(Exit::Done)
    }
}

/// Cancels what nobody waits for any more. Whoever is faster with one of them is welcome.
async fn orphaned(context: &Context, client: &Client) -> Result<Exit, Failure> {
    let open = ids::all(client, ListParams::default()).await?;
    let mut cancelled = Vec::new();
    for form in open.iter().filter(|form| form.owner.orphaned) {
        match cancel(client, &form.form_id).await {
            Ok(_) => {
                context.out.say(&format!("Cancelled {}: {}", form.form_id, list::describe(form)))?;
                cancelled.push(form.form_id.as_str());
            }
            Err(Failure::Call(error))
                if matches!(error.kind(), Some(ErrorKind::AlreadyResolved | ErrorKind::UnknownForm)) => {}
            Err(failure) => return Err(failure),
        }
    }
    if cancelled.is_empty() {
        context.out.say("No open form is orphaned.")?;
    }
    context.out.value(&json!({ "cancelled": cancelled }))?;
    Ok(Exit::Done)
}

async fn cancel(client: &Client, form_id: &str) -> Result<Resolution, Failure> {
    let params =
        CancelParams { form_id: form_id.to_owned(), reason: Reason::Dismissed, presented_types: None };
    Ok(client.call::<FormCancel>(params).await?)
}
