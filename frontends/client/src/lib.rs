//! Connects to the daemon, starts it when it may, keeps the connection, and mirrors the open forms.
//!
//! [`Client::connect`] finds the daemon (protocol §1) or starts it, introduces itself and gives a handle
//! that is cheap to clone. The handle outlives the connection: when the daemon goes, it reconnects in the
//! background, [`Client::wait`] goes on waiting, and an [`EventStream`] subscribes again where it stopped.
//!
//! ```no_run
//! # async fn example(options: askd_client::ConnectOptions) -> Result<(), Box<dyn std::error::Error>> {
//! use askd_client::{Change, Client};
//! let client = Client::connect(options).await?;
//! let mut mirror = client.mirror().await?;
//! while let Ok(change) = mirror.changed().await {
//!     if let Change::Started { form_id } = change {
//!         let waiting = mirror.forms().len();
//!         # let _ = (form_id, waiting);
//!     }
//! }
//! # Ok(()) }
//! ```
//!
//! What is lost with a connection: `form/view` belongs to it, so a frontend watches
//! [`Client::connection`] and sends `form/view` again when the generation changes.

mod client;
mod connector;
mod directory;
mod error;
mod events;
mod find;
mod launch;
mod link;
mod live;
pub mod mirror;
mod options;
mod reconnect;
mod repeat;
mod replace;
mod systemd;
mod wait;

pub use client::{Client, Connection, ConnectionWatch};
pub use error::{CallError, ConnectError};
pub use events::{EventStream, Received, Resume};
pub use find::{Found, Presence, look};
pub use live::LiveMirror;
pub use mirror::{Change, Mirror};
pub use options::{Autostart, ConnectOptions, Launch};
pub use wait::Resolved;

pub use directory::{DirectoryFault, check_directory};
pub use systemd::installed_unit;
