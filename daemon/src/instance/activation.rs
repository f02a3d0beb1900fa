//! What the daemon does for a service manager: taking the socket it holds, telling when it is ready
//! and when it stops (sd_listen_fds(3), sd_notify(3)).

use std::os::unix::net::UnixListener;

use listenfd::ListenFd;
use sd_notify::NotifyState;

use super::error::StartError;
use super::process::Process;
use super::socket::BoundSocket;

/// The socket passed to this process, if one was. Variables meant for another process do not count.
///
/// # Errors
/// [`StartError::Activation`] when what was passed is no Unix stream socket with a path.
pub(crate) fn passed_socket(process: &Process) -> Result<Option<BoundSocket>, StartError> {
    let for_us = process.var("LISTEN_PID").is_some_and(|pid| pid.to_str() == Some(&process.pid.to_string()));
    if !for_us {
        return Ok(None);
    }
    let mut passed = ListenFd::from_env();
    if passed.len() > 1 {
        return Err(StartError::Activation(format!("{} sockets were passed", passed.len())));
    }
    let failed = |error: std::io::Error| StartError::Activation(error.to_string());
    let Some(listener): Option<UnixListener> = passed.take_unix_listener(0).map_err(failed)? else {
        return Ok(None);
    };
    let address = listener.local_addr().map_err(failed)?;
    let Some(path) = address.as_pathname() else {
        return Err(StartError::Activation("it is not bound to a path".to_owned()));
    };
    let path = path.to_owned();
    Ok(Some(BoundSocket::inherited(listener, path)))
}

/// Tells the service manager that clients may connect. Does nothing without one.
pub(crate) fn ready() {
    tell(NotifyState::Ready);
}

/// Tells the service manager that the daemon is going.
pub(crate) fn stopping() {
    tell(NotifyState::Stopping);
}

fn tell(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "the service manager could not be told");
    }
}
