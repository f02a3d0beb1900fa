//! The `askd` program: the daemon without the frontends.

use std::process::ExitCode;

use clap::Parser;

/// Keeps questions agents ask until a person has answered them.
#[derive(Debug, Parser)]
#[command(name = "askd", version, about)]
struct Cli {
    #[command(flatten)]
    daemon: askd::DaemonArgs,
}

fn main() -> ExitCode {
    askd::run(&Cli::parse().daemon)
}
