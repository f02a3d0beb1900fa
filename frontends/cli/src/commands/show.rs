//! `ask show`: one form.

use askd_wire::form::FormRef;
use askd_wire::method::FormGet;
use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ids;
use crate::view;

/// Show one form
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// Its id, or the first four or more characters of it
    form: String,
}

impl Show {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = context.frontend().await?;
        let form_id = ids::resolve(&client, &self.form).await?;
        let snapshot = client.call::<FormGet>(FormRef { form_id }).await?;
        context.out.value(&snapshot)?;
        context.out.say(&view::form::whole(&snapshot, context.now()))?;
        Ok(Exit::Done)
    }
}
