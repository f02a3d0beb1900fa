//! What can go wrong between a client and the daemon: each says what failed, why and what to do.

use std::path::PathBuf;

use askd_wire::{ErrorKind, RpcError};

use crate::directory::DirectoryFault;

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConnectError {
    /// The socket's directory cannot be trusted.
    #[error(transparent)]
    Directory(#[from] DirectoryFault),
    /// Nobody listens, and nobody was to be started.
    #[error(
        "The askd daemon is not running: nothing listens at {socket}. It starts by itself with the first question or answer; `ask daemon` starts it now."
    )]
    NotRunning {
        /// Where it was looked for.
        socket: PathBuf,
    },
    /// The socket is there and cannot be opened.
    #[error(
        "Cannot connect to the daemon at {socket}: {why}. Run `ask doctor` to see what is wrong with the place."
    )]
    Socket {
        /// Which socket.
        socket: PathBuf,
        /// The system's words.
        why: String,
    },
    /// Another user listens there.
    #[error(
        "What listens at {socket} belongs to user {owner}, not to you (user {uid}); nothing was sent to it. Remove the socket, or name another with --socket or ASKD_SOCKET."
    )]
    ForeignPeer {
        /// Which socket.
        socket: PathBuf,
        /// Whose process it is.
        owner: u32,
        /// Who asks.
        uid: u32,
    },
    /// Something answers, but not as a daemon does.
    #[error(
        "What listens at {socket} does not answer as the askd daemon does: {why}. If another program uses this path, name another with --socket or ASKD_SOCKET; else run `ask doctor`."
    )]
    Handshake {
        /// Which socket.
        socket: PathBuf,
        /// What came instead.
        why: String,
    },
    /// The daemon refused the introduction.
    #[error("{0}")]
    Refused(RpcError),
    /// The program that runs the daemon could not be run.
    #[error(
        "The daemon could not be started: running {program} failed: {why}. Install askd again, or start the daemon with `ask daemon`."
    )]
    Spawn {
        /// Which program.
        program: PathBuf,
        /// The system's words.
        why: String,
    },
    /// The daemon ended before it was ready; its own words follow.
    #[error("The daemon could not be started.\n{said}")]
    StartFailed {
        /// What it wrote about it.
        said: String,
    },
    /// It did not become reachable in time.
    #[error(
        "The daemon was started but could not be reached at {socket} within {seconds} s{last}. Look into {log}, or run `ask daemon --foreground` to see what it does."
    )]
    TooSlow {
        /// Where.
        socket: PathBuf,
        /// How long was waited.
        seconds: u64,
        /// What the last attempt said, with its separator, or nothing.
        last: String,
        /// The daemon's log.
        log: PathBuf,
    },
}

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CallError {
    /// The daemon's own refusal, with its kind.
    #[error("{0}")]
    Rpc(RpcError),
    /// A JSON-RPC error without a kind: parse, request, method or params.
    #[error("The daemon did not take the call {method}: {message} (code {code}). {}", standard_hint(*.code))]
    Standard {
        /// The method.
        method: String,
        /// The JSON-RPC code.
        code: i32,
        /// The message, with the error's data.
        message: String,
    },
    /// The connection went away, and the call cannot be repeated without asking.
    #[error(
        "The connection to the daemon was lost during {method}, so it is not known whether the call took effect. Look with `ask list` or `ask show`, then try again."
    )]
    Disconnected {
        /// The method.
        method: String,
    },
    /// There is no connection, and none came back in time; nothing was sent.
    #[error("The daemon is not reachable, so {method} was not called. {why}")]
    Unreachable {
        /// The method.
        method: String,
        /// Why not, and what to do.
        why: String,
    },
    /// No reply in time.
    #[error(
        "The daemon did not answer {method} within {seconds} s. It may be busy or stopped; run `ask doctor`, then try again."
    )]
    NoAnswer {
        /// The method.
        method: String,
        /// How long was waited.
        seconds: u64,
    },
    /// Larger than the daemon takes; nothing was sent.
    #[error(
        "The call {method} has {bytes} bytes, and the daemon takes at most {limit} in one message. Make the payload smaller."
    )]
    TooLarge {
        /// The method.
        method: String,
        /// The size of the message.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// The reply is not of the expected shape.
    #[error(
        "The daemon's reply to {method} was not understood: {why}. Client and daemon may be of different versions; `ask doctor` compares them."
    )]
    Reply {
        /// The method.
        method: String,
        /// What was wrong with it.
        why: String,
    },
}

fn standard_hint(code: i32) -> &'static str {
    match code {
        -32601 => "The daemon is older than this program; restart it with `ask stop`.",
        -32007 | -32008 => "Make the payload smaller.",
        _ => "Client and daemon may be of different versions; `ask doctor` compares them.",
    }
}

impl CallError {
    /// The daemon's kind of error, if it is one of its own.
    #[must_use]
    pub fn kind(&self) -> Option<ErrorKind> {
        match self {
            Self::Rpc(error) => Some(error.kind),
            _ => None,
        }
    }

    /// Whether the daemon could not be asked at all.
    #[must_use]
    pub fn is_connection(&self) -> bool {
        matches!(self, Self::Disconnected { .. } | Self::Unreachable { .. } | Self::NoAnswer { .. })
    }
}
