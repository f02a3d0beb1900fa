//! Why the daemon did not start: each message says what failed, why, and the way out.

use std::io;
use std::path::{Path, PathBuf};

use askd_wire::place::{LockContents, PlaceError, SOCKET_PATH_MAX};

use crate::store::{OpenError, StoreError};

/// Why the daemon did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// No directory to keep files in.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// A directory could not be made.
    #[error(
        "cannot create the {what} directory {path}: {source}. Create it yourself as your own with mode 0700, or choose another place with {how}."
    )]
    CreateDirectory {
        /// `state` or `socket`.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// Which variable or flag chooses another.
        how: &'static str,
        /// The system's reason.
        source: io::Error,
    },
    /// A directory others could tamper with.
    #[error("the {what} directory {path} {why}. {mend}, or choose another place with {how}.")]
    UnsafeDirectory {
        /// `state` or `socket`.
        what: &'static str,
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
        /// What makes it right.
        mend: String,
        /// Which variable or flag chooses another.
        how: &'static str,
    },
    /// The state directory cannot be written.
    #[error(
        "cannot write in the state directory: {path}: {source}. Make the directory writable for you and see that its disk is neither full nor read-only, or choose another with XDG_STATE_HOME."
    )]
    StateNotWritable {
        /// The file that could not be written.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another daemon holds the lock.
    #[error("{}", held_message(state, holder.as_deref()))]
    Held {
        /// The state directory both want.
        state: PathBuf,
        /// What the holder says about itself.
        holder: Option<Box<LockContents>>,
    },
    /// Something that is no socket is in the socket's place.
    #[error(
        "{path} is in the way of the socket: it is {what}, and askd removes nothing that is not its own socket. Move it away, or choose another path with --socket or ASKD_SOCKET."
    )]
    InTheWay {
        /// The socket's path.
        path: PathBuf,
        /// What is there.
        what: &'static str,
    },
    /// A living process listens on the socket.
    #[error(
        "another process already listens on {0}, but it does not use this state directory. Stop it, or choose another path with --socket or ASKD_SOCKET."
    )]
    SocketInUse(PathBuf),
    /// The path does not fit into a socket address.
    #[error("the socket path {path} is {length} bytes long, and a socket's path holds at most {SOCKET_PATH_MAX}. Give a shorter one with --socket or ASKD_SOCKET.", length = path.as_os_str().len())]
    SocketPathTooLong {
        /// The path.
        path: PathBuf,
    },
    /// The socket could not be bound.
    #[error("cannot listen on {path}: {source}. Choose another path with --socket or ASKD_SOCKET.")]
    Bind {
        /// The socket's path.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The TCP listener was asked for but cannot be guarded.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// As it was given.
        address: String,
        /// Why not, and what to do.
        why: String,
    },
    /// The socket a service manager passed is not usable.
    #[error(
        "the socket passed by the service manager cannot be used: {0}. It has to be one stream socket on a path; see docs/systemd/askd.socket."
    )]
    Activation(String),
    /// The database could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The open forms could not be read.
    #[error("cannot read the open forms: {0}. Nothing was changed; see `ask doctor`.")]
    Load(#[from] StoreError),
    /// The process could not be set up.
    #[error("cannot start: {what}: {source}.")]
    System {
        /// Which part.
        what: &'static str,
        /// The system's reason.
        source: io::Error,
    },
}

fn held_message(state: &Path, holder: Option<&LockContents>) -> String {
    let state = state.display();
    match holder {
        Some(holder) => format!(
            "another askd already runs for {state}: process {}, version {}, listening on {}. Use that one, or stop it with `ask stop`.",
            holder.pid,
            holder.version,
            holder.socket.display()
        ),
        None => format!(
            "another askd holds {state} and is just starting or stopping. Try again in a moment, or look for it with `ask status`."
        ),
    }
}
