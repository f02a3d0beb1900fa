//! `ask dialog`: a form as dialogs for another program to show (protocol §9).

use askd_client::Client;
use askd_dialog::host::{HostIo, run};
use askd_wire::role::Role;
use clap::Args;

use crate::context::{Context, VERSION};
use crate::exit::Exit;
use crate::failure::Failure;

/// Show a form as dialogs of another program
///
/// The program gets requests to choose a row or to type a text, as lines of JSON on stdout, and answers them
/// on stdin.
#[derive(Debug, Args)]
pub(crate) struct Dialog {
    /// Let the program at stdin and stdout show the dialogs
    #[arg(long, required = true)]
    host: bool,
    /// The form's id
    #[arg(long, value_name = "ID")]
    form: String,
}

impl Dialog {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        // A host shows dialogs to a person; who answered is told by the view key it hands over.
        let options = context.starting(&[Role::Frontend]).frontend("dialog", true);
        let io = HostIo::stdio().map_err(|e| {
            Failure::Other(format!(
                "The dialogs cannot be shown: no thread could be started: {e}. Try again."
            ))
        })?;
        let closed = run(Client::connect(options), &self.form, VERSION, io).await;
        Ok(if closed.status() == 0 { Exit::Done } else { Exit::Failed })
    }
}
