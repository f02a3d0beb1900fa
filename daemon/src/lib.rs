//! The askd daemon: owns open forms, settings and the remote submit contract.
//!
//! `rpc` takes calls and gives results, `registry` owns the forms, `store` decides and keeps, `events`
//! tells everyone attached. See docs/architecture.md for one form's way through them.

pub mod config;
pub mod events;
pub mod instance;
mod json_size;
pub mod log;
pub mod notify;
pub mod peer;
pub mod registry;
mod rpc;
pub mod store;

pub use instance::{DaemonArgs, Process, StartError, run, run_with_store};
