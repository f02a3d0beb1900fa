//! `ask` alone: what waits, and how to answer it.

use askd_wire::form::ListParams;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ids;
use crate::view::list;

/// Lists the open forms with a hint.
pub(crate) async fn run(context: &Context) -> Result<Exit, Failure> {
    let client = context.frontend().await?;
    let forms = ids::all(&client, ListParams::default()).await?;
    for form in &forms {
        context.out.value(form)?;
    }
    if forms.is_empty() {
        context.out.say("Nothing is waiting. `ask demo` shows what a question looks like.")?;
    } else {
        context.out.say(&list::open(&forms, context.now()))?;
        context.out.say("\n`ask answer` opens the oldest, `ask answer ID` another one.")?;
    }
    Ok(Exit::Done)
}
