//! One daemon for each state directory: how it is born, found and stopped.

mod activation;
mod detach;
mod dirs;
mod error;
mod follow;
mod listen;
mod lock;
mod process;
mod run;
mod signals;
mod socket;

pub use error::StartError;
pub use process::Process;
pub use run::{DaemonArgs, run, run_with_store};
