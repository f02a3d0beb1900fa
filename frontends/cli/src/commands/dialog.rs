//! `ask dialog`: a form as dialogs, for another program to show (protocol §9) or in windows of the desktop.

use askd_client::Client;
use askd_dialog::host::{HostIo, run};
use askd_dialog::windows::{Program, WindowError, answer_form};
use askd_wire::role::Role;
use clap::{ArgGroup, Args, ValueEnum};

use crate::context::{Context, VERSION};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ids;
use crate::signals::Stop;

/// Show a form in windows, or as dialogs of another program
///
/// With --with, windows of the desktop's dialog program ask one question after the other. With --host, the
/// program that started this one gets requests to choose a row or to type a text, as lines of JSON on stdout,
/// and answers them on stdin.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("shown").required(true))]
pub(crate) struct Dialog {
    /// Let the program at stdin and stdout show the dialogs
    #[arg(long, group = "shown")]
    host: bool,
    /// Show windows with this program
    #[arg(long, group = "shown", value_name = "PROGRAM")]
    with: Option<Windows>,
    /// The form's id; with --host it may be named later, by the host
    #[arg(long, value_name = "ID", required_unless_present = "host")]
    form: Option<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Windows {
    /// Zenity
    Zenity,
    /// Whichever is installed
    Auto,
}

impl Dialog {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        match (self.with, self.form) {
            // There is only one to choose from so far.
            (Some(Windows::Zenity | Windows::Auto), Some(form)) => in_windows(context, &form).await,
            (_, form) => for_host(context, form.as_deref()).await,
        }
    }
}

async fn for_host(context: &Context, form: Option<&str>) -> Result<Exit, Failure> {
    // A host shows dialogs to a person; who answered is told by the view key it hands over.
    let options = context.starting(&[Role::Frontend]).frontend("dialog", true);
    let io = HostIo::stdio().map_err(|e| {
        Failure::Other(format!("The dialogs cannot be shown: no thread could be started: {e}. Try again."))
    })?;
    let closed = run(Client::connect(options), form, VERSION, io).await;
    Ok(if closed.status() == 0 { Exit::Done } else { Exit::Failed })
}

async fn in_windows(context: &Context, form: &str) -> Result<Exit, Failure> {
    let path = context.launch.variable("PATH");
    let program = Program::find(path.as_deref()).map_err(failure)?;
    let mut stop = Stop::listen(true)?;
    let client = Client::connect(context.starting(&[Role::Frontend]).frontend("dialog", true)).await?;
    let form_id = ids::resolve_open(&client, form).await?;
    let Some(closing) = answer_form(&client, &form_id, &program, stop.received()).await.map_err(failure)?
    else {
        // It was left, and is still open.
        return Ok(Exit::Expired);
    };
    if let Some(message) = &closing.message {
        context.out.remark(message);
    }
    let resolution = closing.ending.resolution();
    context.out.value(resolution)?;
    Ok(Exit::of(&resolution.outcome))
}

fn failure(error: WindowError) -> Failure {
    match error {
        WindowError::Call(error) => error.into(),
        other => Failure::Other(other.to_string()),
    }
}
