//! `ask history`: what was asked and what came of it.

use askd_wire::form::{ListParams, StateFilter};
use askd_wire::method::FormList;
use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::list;

/// List finished forms, newest first
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct History {
    #[command(subcommand)]
    action: Option<Action>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Remove finished forms for good
    Forget(Forget),
}

#[derive(Debug, Args)]
struct Forget {
    /// Its id, or the first four or more characters of it
    #[arg(required_unless_present = "before", conflicts_with = "before")]
    form: Option<String>,
    /// All that were finished before this day (UTC), like 2026-01-31
    #[arg(long, value_name = "DATE")]
    before: Option<String>,
}

impl History {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if let Some(Action::Forget(forget)) = self.action {
            let _ = (forget.form, forget.before);
            return Err(Failure::Other(
                "This daemon cannot remove single forms; retention.days says how long it keeps them."
                    .to_owned(),
            ));
        }
        let client = context.frontend().await?;
        let params =
            ListParams { state: StateFilter::Resolved, limit: Some(self.limit), ..ListParams::default() };
        let mut forms = Vec::new();
        let mut params = params;
        let wanted = self.limit as usize;
        while forms.len() < wanted {
            let page = client.call::<FormList>(params.clone()).await?;
            forms.extend(page.forms.iter().map(|form| form.summary().clone()));
            match page.next_cursor {
                Some(cursor) => params.cursor = Some(cursor),
                None => break,
            }
        }
        forms.truncate(wanted);
        for form in &forms {
            context.out.value(form)?;
        }
        if forms.is_empty() {
            context.out.say("No form was finished yet.")?;
        } else {
            context.out.say(&list::resolved(&forms, context.now()))?;
        }
        Ok(Exit::Done)
    }
}
