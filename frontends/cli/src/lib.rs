//! The `ask` command: everything a person or a script does with askd (protocol §10).
//!
//! A command a file under `commands`, which connects, calls, and prints through `output`; its errors end
//! in one exit status each (`exit`). With `--json` stdout carries JSON and nothing else, errors included:
//! they go to stderr as text in either case.

mod args;
mod commands;
mod context;
mod exit;
mod failure;
mod ids;
mod marker;
mod open;
mod output;
mod owner;
mod signals;
mod view;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs the program with the process's arguments and environment.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // What cannot be printed has nowhere else to go.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    // The daemon makes its own runtime, after it has gone into the background.
    if let Some(Command::Daemon(daemon)) = arguments.command {
        return commands::daemon::run(daemon, arguments.global.socket);
    }
    match run(arguments) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            failure.report();
            failure.exit().into()
        }
    }
}

fn run(arguments: Arguments) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::Other(format!("The program could not start: {e}. Try again.")))?;
    let context = Context::from_process(arguments.global)?;
    let result = runtime.block_on(commands::run(arguments.command, &context));
    // A thread that still reads the terminal must not keep the program from ending.
    runtime.shutdown_background();
    result
}
