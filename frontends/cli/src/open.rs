//! Opening a form here: which frontend, and where its lines come from and go to.

use std::fs::File;
use std::io::IsTerminal;
use std::path::Path;

use askd_client::Client;
use askd_dialog::line::{Ending, LineIo, answer_form, frontend_info};
use askd_tui::Closed;
use askd_wire::role::Role;
use clap::ValueEnum;

use crate::commands;
use crate::context::Context;
use crate::failure::Failure;

/// The terminal a program was started from, whatever its standard streams are.
const TERMINAL: &str = "/dev/tty";

/// What opens a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum With {
    /// The terminal user interface
    Tui,
    /// Line by line, on a terminal or through a pipe
    Line,
    /// Nothing here: somebody answers elsewhere
    None,
}

/// Where a dialog is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// On the standard streams.
    Standard,
    /// Lines in on stdin; stdout is for a result only, so lines out go to stderr.
    Aside,
    /// On the terminal, as stdin was read for something else.
    Terminal,
}

impl With {
    /// What opens a form when nothing was said: nothing, unless a person sits at a terminal.
    pub(crate) fn by_default(context: &Context, stage: Stage) -> Self {
        // An agent's terminal has nobody at it.
        if context.agent.is_some() {
            return Self::None;
        }
        let person = match stage {
            Stage::Standard | Stage::Aside => std::io::stdin().is_terminal(),
            Stage::Terminal => {
                (std::io::stderr().is_terminal() || std::io::stdout().is_terminal())
                    && File::open(TERMINAL).is_ok()
            }
        };
        match (person, askd_tui::is_possible() && !wants_lines(context)) {
            (true, true) => Self::Tui,
            (true, false) => Self::Line,
            (false, _) => Self::None,
        }
    }
}

/// Whether the person or the terminal asks for plain lines: nothing is drawn or moved then.
pub(crate) fn wants_lines(context: &Context) -> bool {
    let set = |name: &str| context.launch.variable(name).filter(|value| !value.is_empty());
    set("ACCESSIBLE").is_some_and(|value| value != "0") || set("TERM").is_none_or(|term| term == "dumb")
}

/// Whether a person sits at a terminal that a form can be drawn on.
pub(crate) fn draws(context: &Context) -> bool {
    std::io::stdin().is_terminal() && askd_tui::is_possible() && !wants_lines(context)
}

/// Shows a form on the whole terminal, on a connection of its own, until it has ended or was left.
pub(crate) async fn show_screen(context: &Context, form_id: &str) -> Result<Closed, Failure> {
    let options = context.starting(&[Role::Frontend]).frontend("tui", true);
    let client = Client::connect(options).await?;
    screen(context, client, form_id).await
}

/// The same on a connection that is there.
pub(crate) async fn screen(context: &Context, client: Client, form_id: &str) -> Result<Closed, Failure> {
    let closed = askd_tui::screen(client, form_id.to_owned(), commands::tui::surroundings(context)).await;
    closed.map_err(|error| {
        Failure::Other(format!("The form cannot be drawn here: {error}. Answer it with `ask answer --line`."))
    })
}

/// Ends the program as the signal would have that the screen took to give the terminal back.
pub(crate) fn end_by(signal: i32) -> ! {
    std::process::exit(128 + signal)
}

impl Stage {
    /// Where a command that prints a result for a program holds its dialog.
    pub(crate) fn beside_result(context: &Context, stdin_was_read: bool) -> Self {
        if stdin_was_read {
            Self::Terminal
        } else if std::io::stdout().is_terminal() {
            Self::beside_json(context)
        } else {
            Self::Aside
        }
    }

    /// Where a command that talks to a person holds its dialog.
    pub(crate) fn beside_json(context: &Context) -> Self {
        if context.out.json { Self::Aside } else { Self::Standard }
    }
}

/// Shows a form here, on a connection of its own, until it has ended.
pub(crate) async fn show(context: &Context, form_id: &str, stage: Stage) -> Result<Ending, Failure> {
    let mut io = lines(stage)?;
    let client = connect(context, &io).await?;
    answer(&client, form_id, &mut io).await
}

/// The lines of a stage. To be made once in a program.
pub(crate) fn lines(stage: Stage) -> Result<LineIo, Failure> {
    let made = match stage {
        Stage::Standard => LineIo::stdin(Box::new(std::io::stdout())),
        Stage::Aside => LineIo::stdin(Box::new(std::io::stderr())),
        Stage::Terminal => LineIo::terminal(Path::new(TERMINAL)),
    };
    made.map_err(|e| {
        Failure::Other(format!(
            "The form cannot be opened here: {e}. Answer it from a terminal with `ask answer`, or use --with none."
        ))
    })
}

/// Connects as the frontend that shows these lines.
pub(crate) async fn connect(context: &Context, io: &LineIo) -> Result<Client, Failure> {
    let mut options = context.starting(&[Role::Frontend]);
    options.frontend = Some(frontend_info(io.is_terminal()));
    Ok(Client::connect(options).await?)
}

/// Answers one form.
pub(crate) async fn answer(client: &Client, form_id: &str, io: &mut LineIo) -> Result<Ending, Failure> {
    use askd_dialog::line::LineError;
    answer_form(client, form_id, io).await.map_err(|error| match error {
        LineError::Call(error) => error.into(),
        LineError::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Failure::OutputClosed,
        other => Failure::Other(other.to_string()),
    })
}
