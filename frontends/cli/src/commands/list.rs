//! `ask list`: the open forms.

use askd_wire::form::ListParams;
use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ids;
use crate::view::list;

/// List the open forms, oldest first
#[derive(Debug, Args)]
pub(crate) struct List {}

impl List {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = context.frontend().await?;
        let forms = ids::all(&client, ListParams::default()).await?;
        for form in &forms {
            context.out.value(form)?;
        }
        if forms.is_empty() {
            context.out.say("Nothing is waiting.")?;
        } else {
            context.out.say(&list::open(&forms, context.now()))?;
        }
        Ok(Exit::Done)
    }
}
