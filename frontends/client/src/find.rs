//! Finding a daemon: at one's own path, else where the lock file says (protocol §1).

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use askd_wire::place::{LockContents, Place};
use tokio::net::UnixStream;

use crate::directory::check_directory;
use crate::error::ConnectError;

/// A socket somebody of the same user listens on.
#[derive(Debug)]
pub struct Found {
    /// Connected; nothing sent yet.
    pub(crate) stream: UnixStream,
    /// Its path.
    pub socket: PathBuf,
}

/// What is at a place.
#[derive(Debug)]
pub enum Presence {
    /// Somebody listens.
    There(Found),
    /// Nobody does.
    Nobody,
}

/// Looks for a daemon without starting one.
///
/// # Errors
/// [`ConnectError`] when what is there cannot be trusted or opened.
pub async fn look(place: &Place, uid: u32) -> Result<Presence, ConnectError> {
    if let Some(found) = try_socket(&place.socket, uid).await? {
        return Ok(Presence::There(found));
    }
    let elsewhere = match read_lock(&place.lock_file()) {
        Some(contents) if contents.socket != place.socket => contents.socket,
        _ => return Ok(Presence::Nobody),
    };
    Ok(match try_socket(&elsewhere, uid).await? {
        Some(found) => Presence::There(found),
        None => Presence::Nobody,
    })
}

/// What the lock file says, if it can be read: it may be absent, of a daemon long gone, or half written.
pub(crate) fn read_lock(file: &Path) -> Option<LockContents> {
    serde_json::from_slice(&std::fs::read(file).ok()?).ok()
}

async fn try_socket(socket: &Path, uid: u32) -> Result<Option<Found>, ConnectError> {
    if !check_directory(socket, uid)? {
        return Ok(None);
    }
    let failed =
        |error: std::io::Error| ConnectError::Socket { socket: socket.to_owned(), why: error.to_string() };
    let mut crowded = 0;
    let stream = loop {
        match UnixStream::connect(socket).await {
            Ok(stream) => break stream,
            // A socket its daemon left behind, or no socket at all: a starting daemon judges which.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => {
                return Ok(None);
            }
            // Its queue of new connections is full for the moment.
            Err(error) if error.kind() == ErrorKind::WouldBlock && crowded < 400 => {
                crowded += 1;
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            Err(error) => return Err(failed(error)),
        }
    };
    // The directory could have been exchanged since it was looked at; the peer itself cannot.
    let owner = stream.peer_cred().map_err(failed)?.uid();
    if owner != uid {
        return Err(ConnectError::ForeignPeer { socket: socket.to_owned(), owner, uid });
    }
    Ok(Some(Found { stream, socket: socket.to_owned() }))
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    use super::*;

    fn private(dir: PathBuf) -> PathBuf {
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::set_permissions(&dir, Permissions::from_mode(0o700)).unwrap();
        dir
    }

    fn place(root: &Path) -> (Place, u32) {
        let socket = private(root.join("run")).join("askd.sock");
        let state = private(root.join("state"));
        let uid = root.metadata().unwrap().uid();
        (Place { socket, socket_given: false, state, config_file: root.join("config.json") }, uid)
    }

    fn lock(place: &Place, socket: &Path) {
        let contents = LockContents {
            pid: 1,
            socket: socket.to_owned(),
            instance_id: "i".to_owned(),
            version: "0.1.0".to_owned(),
        };
        std::fs::write(place.lock_file(), serde_json::to_vec(&contents).unwrap()).unwrap();
    }

    async fn found(place: &Place, uid: u32) -> Option<PathBuf> {
        match look(place, uid).await.unwrap() {
            Presence::There(found) => Some(found.socket),
            Presence::Nobody => None,
        }
    }

    #[tokio::test]
    async fn the_own_path_comes_before_the_lock_files() {
        let temp = tempfile::tempdir().unwrap();
        let (place, uid) = place(temp.path());
        let other = private(temp.path().join("other")).join("askd.sock");
        assert_eq!(found(&place, uid).await, None);

        lock(&place, &other);
        assert_eq!(found(&place, uid).await, None, "a lock file of a daemon that is gone");

        let _elsewhere = tokio::net::UnixListener::bind(&other).unwrap();
        assert_eq!(found(&place, uid).await, Some(other));

        let _here = tokio::net::UnixListener::bind(&place.socket).unwrap();
        assert_eq!(found(&place, uid).await, Some(place.socket.clone()));
    }

    #[tokio::test]
    async fn leftovers_count_as_nobody() {
        let temp = tempfile::tempdir().unwrap();
        let (place, uid) = place(temp.path());
        drop(tokio::net::UnixListener::bind(&place.socket).unwrap());
        assert_eq!(found(&place, uid).await, None, "a socket left behind");
        std::fs::remove_file(&place.socket).unwrap();
        std::fs::write(&place.socket, "no socket").unwrap();
        assert_eq!(found(&place, uid).await, None, "a regular file");
        for half in ["", "{\"pid\":1", "[]"] {
            std::fs::write(place.lock_file(), half).unwrap();
            assert_eq!(found(&place, uid).await, None, "lock file {half:?}");
        }
    }

    #[tokio::test]
    async fn a_directory_that_is_not_private_is_refused_even_where_somebody_listens() {
        let temp = tempfile::tempdir().unwrap();
        let (place, uid) = place(temp.path());
        let _listener = tokio::net::UnixListener::bind(&place.socket).unwrap();
        let dir = place.socket.parent().unwrap();
        std::fs::set_permissions(dir, Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(look(&place, uid).await, Err(ConnectError::Directory(_))));
    }
}
