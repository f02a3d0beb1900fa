//! `ask tui`: the terminal frontend for another program to show (protocol §9).

use askd_tui::{Shown, Surroundings};
use askd_wire::role::Role;
use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Show a form or the settings inside another program
///
/// The program speaks to it over lines of JSON on stdin and stdout.
#[derive(Debug, Args)]
pub(crate) struct Tui {
    /// Draw frames for the program at stdin and stdout
    #[arg(long, required = true)]
    host: bool,
    /// The form's id
    #[arg(long, value_name = "ID", required_unless_present = "settings", conflicts_with = "settings")]
    form: Option<String>,
    /// The settings instead of a form
    #[arg(long)]
    settings: bool,
}

impl Tui {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        // A host's terminal may belong to an agent; who answered is told by the view key it hands over.
        let options = context.starting(&[Role::Frontend]).frontend("tui", true);
        let shown = self.form.map_or(Shown::Settings, Shown::Form);
        let status = askd_tui::host(options, shown, surroundings(context)).await;
        Ok(if status == 0 { Exit::Done } else { Exit::Failed })
    }
}

/// What the screen takes from the environment.
pub(crate) fn surroundings(context: &Context) -> Surroundings {
    let variable = |name: &str| context.launch.variable(name).filter(|value| !value.is_empty());
    Surroundings {
        home: variable("HOME").and_then(|home| home.into_string().ok()),
        no_color: variable("NO_COLOR").is_some(),
        tmux: variable("TMUX").is_some(),
        hosted: false,
    }
}
