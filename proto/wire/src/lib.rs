//! The askd protocol, version 1, as types: one table of methods, events, errors and settings.
//!
//! The JSON Schema, the TypeScript declarations and the tables of `docs/protocol.md` are generated from
//! here. No I/O: the daemon registers these methods, clients call them.

pub mod connection;
pub mod daemon;
pub mod error;
pub mod event;
pub mod form;
pub mod method;
pub mod notification;
pub mod place;
pub mod remote;
pub mod role;
pub mod settings;

pub use error::{ErrorKind, RpcError};
pub use method::{METHODS, Method, MethodInfo};
pub use role::Role;

/// The protocol version this crate speaks.
pub const PROTOCOL: u32 = 1;

/// Milliseconds since the Unix epoch.
pub type Millis = i64;

/// An object without fields, for calls that take or give nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Empty {}
