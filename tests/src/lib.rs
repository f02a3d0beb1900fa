//! The harness: real processes in directories of their own, and the means to talk to them.
//!
//! A test makes a [`Sandbox`] with [`sandbox!`], starts a daemon or the `ask` command in it, and waits for
//! what it expects with a deadline. Nothing here reads or writes anything outside the sandbox.

pub mod artifacts;
pub mod cases;
pub mod client;
pub mod daemon;
pub mod desktop;
pub mod forms;
pub mod http;
pub mod program;
pub mod pty;
pub mod random;
pub mod run;
pub mod sandbox;
pub mod strace;
pub mod wait;

pub use client::{CallError, Client, Events};
pub use daemon::Daemon;
pub use pty::Terminal;
pub use run::Finished;
pub use sandbox::Sandbox;
pub use wait::{until, within};

/// A new sandbox for the `ask` binary that cargo built together with the calling test.
#[macro_export]
macro_rules! sandbox {
    () => {
        $crate::Sandbox::new(env!("CARGO_BIN_EXE_ask-under-test"))
    };
}
