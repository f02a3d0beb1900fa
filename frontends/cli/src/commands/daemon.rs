//! `ask daemon`: the daemon, run from its library.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

/// Run the daemon
///
/// It goes into the background once it is ready, unless --foreground is given. The other commands start it
/// by themselves when they need it.
#[derive(Debug, Args)]
pub(crate) struct Daemon {
    #[command(flatten)]
    args: askd::DaemonArgs,
}

/// Runs it to its end, or until it is in the background. `socket` is the option given before the command.
pub(crate) fn run(daemon: Daemon, socket: Option<PathBuf>) -> ExitCode {
    let mut args = daemon.args;
    args.socket = args.socket.or(socket);
    askd::run(&args)
}
