//! Binding the Unix socket, clearing a dead one away, and unlinking ours at the end.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use askd_wire::place::SOCKET_PATH_MAX;
use rustix::fs::Mode;
use rustix::process::umask;

use super::error::StartError;

/// Between two looks whether the socket is still in its place; less than a client waits for a daemon.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// A listening socket and what is needed to take only this one away again.
#[derive(Debug)]
pub(crate) struct BoundSocket {
    listener: Option<UnixListener>,
    path: PathBuf,
    /// Device and inode; none for a socket that belongs to the service manager.
    identity: Option<(u64, u64)>,
}

impl BoundSocket {
    /// Binds `path` with mode 0600, in a directory already checked and with the instance's lock held:
    /// only then is a socket that refuses connections known to be dead.
    ///
    /// # Errors
    /// [`StartError::SocketPathTooLong`], [`StartError::InTheWay`], [`StartError::SocketInUse`],
    /// [`StartError::Bind`].
    pub(crate) fn bind(path: &Path) -> Result<Self, StartError> {
        if path.as_os_str().len() > SOCKET_PATH_MAX {
            return Err(StartError::SocketPathTooLong { path: path.to_owned() });
        }
        clear(path)?;
        let failed = |source| StartError::Bind { path: path.to_owned(), source };
        // Under a umask, not by chmod afterwards: there is no moment in which others could connect.
        let before = umask(Mode::RWXG | Mode::RWXO | Mode::XUSR);
        let bound = UnixListener::bind(path);
        umask(before);
        let listener = bound.map_err(failed)?;
        let meta = path.symlink_metadata().map_err(failed)?;
        Ok(Self { listener: Some(listener), path: path.to_owned(), identity: Some((meta.dev(), meta.ino())) })
    }

    /// Takes over a listener the service manager owns; it is not unlinked at the end.
    pub(crate) fn inherited(listener: UnixListener, path: PathBuf) -> Self {
        Self { listener: Some(listener), path, identity: None }
    }

    /// Where it listens.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The listener, to be taken once.
    pub(crate) fn take_listener(&mut self) -> Option<UnixListener> {
        self.listener.take()
    }

    /// Ends when the path no longer leads to this socket, as when the runtime directory is cleared at a logout:
    /// nobody can find the daemon then, and while it holds the lock no other can take its place.
    pub(crate) async fn lost(&self) {
        while !self.is_lost() {
            tokio::time::sleep(LOOK_AGAIN).await;
        }
    }

    fn is_lost(&self) -> bool {
        let Some(identity) = self.identity else { return false };
        match self.path.symlink_metadata() {
            Ok(meta) => (meta.dev(), meta.ino()) != identity,
            // Other faults may pass, and say nothing about the socket.
            Err(error) => error.kind() == ErrorKind::NotFound,
        }
    }

    /// Unlinks the socket if the path still leads to it.
    pub(crate) fn unlink(&self) {
        let Some(identity) = self.identity else { return };
        let ours = self.path.symlink_metadata().is_ok_and(|meta| (meta.dev(), meta.ino()) == identity);
        if ours && let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, "the socket could not be removed");
        }
    }
}

impl Drop for BoundSocket {
    fn drop(&mut self) {
        self.unlink();
        self.identity = None;
    }
}

fn clear(path: &Path) -> Result<(), StartError> {
    let in_the_way = |what| Err(StartError::InTheWay { path: path.to_owned(), what });
    let failed = |source| StartError::Bind { path: path.to_owned(), source };
    let kind = match path.symlink_metadata() {
        Ok(meta) => meta.file_type(),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    if kind.is_symlink() {
        return in_the_way("a symbolic link");
    }
    if kind.is_dir() {
        return in_the_way("a directory");
    }
    if !kind.is_socket() {
        return in_the_way("a file of another kind");
    }
    match UnixStream::connect(path) {
        Ok(_) => Err(StartError::SocketInUse(path.to_owned())),
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path).map_err(failed),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn fixture() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.sock");
        (dir, path)
    }

    #[test]
    fn the_socket_is_private_from_its_first_moment() {
        let (_dir, path) = fixture();
        let _socket = BoundSocket::bind(&path).unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_dead_socket_is_replaced_and_a_living_one_is_not() {
        let (_dir, path) = fixture();
        drop(UnixListener::bind(&path).unwrap());
        assert!(path.exists());
        let socket = BoundSocket::bind(&path).unwrap();
        assert!(matches!(BoundSocket::bind(&path), Err(StartError::SocketInUse(_))));
        assert!(UnixStream::connect(&path).is_ok());
        drop(socket);
        assert!(!path.exists());
    }

    #[test]
    fn a_socket_that_was_taken_away_or_replaced_is_lost() {
        let (_dir, path) = fixture();
        let socket = BoundSocket::bind(&path).unwrap();
        assert!(!socket.is_lost());
        fs::rename(&path, path.with_extension("old")).unwrap();
        assert!(socket.is_lost());
        let other = UnixListener::bind(&path).unwrap();
        assert!(socket.is_lost());
        let inherited = BoundSocket::inherited(other, path.with_extension("none"));
        assert!(!inherited.is_lost(), "the service manager looks after its own");
    }

    #[test]
    fn what_is_no_socket_stays() {
        let (dir, path) = fixture();
        fs::write(&path, "mine").unwrap();
        let message = BoundSocket::bind(&path).unwrap_err().to_string();
        assert!(message.contains("--socket"), "{message}");
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        let link = dir.path().join("l.sock");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        assert!(matches!(BoundSocket::bind(&link), Err(StartError::InTheWay { .. })));
        let folder = dir.path().join("d.sock");
        fs::create_dir(&folder).unwrap();
        assert!(matches!(BoundSocket::bind(&folder), Err(StartError::InTheWay { .. })));
        assert!(link.symlink_metadata().is_ok() && folder.is_dir());
    }

    #[test]
    fn anothers_socket_at_the_same_path_is_left_alone() {
        let (_dir, path) = fixture();
        let ours = BoundSocket::bind(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let _theirs = UnixListener::bind(&path).unwrap();
        drop(ours);
        assert!(path.exists());
    }

    #[test]
    fn a_path_too_long_says_so() {
        let path = PathBuf::from(format!("/{}", "d".repeat(120)));
        let message = BoundSocket::bind(&path).unwrap_err().to_string();
        assert!(message.contains("103"), "{message}");
    }
}
