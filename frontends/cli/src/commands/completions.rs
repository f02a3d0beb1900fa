//! `ask completions`: a shell's completion script.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Arguments;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// Print a completion script for a shell
///
/// For bash: `ask completions bash > ~/.local/share/bash-completion/completions/ask`
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// Which shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<Exit, Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Arguments::command(), "ask", &mut script);
        output::write(&String::from_utf8_lossy(&script))?;
        Ok(Exit::Done)
    }
}
