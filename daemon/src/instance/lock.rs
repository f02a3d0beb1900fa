//! The lock that makes a daemon the only one of its state directory, held for its whole life.
//!
//! The system drops it with the process, however that ends, so there is never a stale one to judge.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

use askd_wire::place::{LockContents, Place};
use rustix::fs::OFlags;

use super::error::StartError;

/// More than the contents ever need.
const MAX_CONTENTS: u64 = 64 * 1024;

/// How long a killed daemon may take to let go: the system closes its socket and its lock one after the
/// other, and not at the moment of the kill.
const DYING: Duration = Duration::from_secs(1);

/// The lock, held until it is dropped.
#[derive(Debug)]
pub(crate) struct InstanceLock {
    file: File,
}

impl InstanceLock {
    /// Takes the lock, or says who holds it.
    ///
    /// # Errors
    /// [`StartError::Held`], [`StartError::StateNotWritable`].
    pub(crate) fn take(place: &Place) -> Result<Self, StartError> {
        let patience = Instant::now() + DYING;
        Self::take_with(place, || {
            thread::sleep(DYING / 50);
            Instant::now() < patience
        })
    }

    /// As [`Self::take`]; `again` is asked, and may wait, each time a holder turns out to be dying.
    fn take_with(place: &Place, mut again: impl FnMut() -> bool) -> Result<Self, StartError> {
        let path = place.lock_file();
        let failed = |source| StartError::StateNotWritable { path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
            .open(&path)
            .map_err(failed)?;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) => {
                    let holder = read(&mut file);
                    if holder.as_ref().is_some_and(refuses) && again() {
                        continue;
                    }
                    return Err(StartError::Held {
                        state: place.state.clone(),
                        holder: holder.map(Box::new),
                    });
                }
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
        }
        // What a daemon that was killed left behind is not true any more.
        file.set_len(0).map_err(failed)?;
        Ok(Self { file })
    }

    /// Writes where the daemon is found.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn write(&mut self, contents: &LockContents) -> io::Result<()> {
        let text = serde_json::to_vec(contents)?;
        self.file.set_len(0)?;
        self.file.rewind()?;
        self.file.write_all(&text)
    }

    /// Takes the contents back; the next daemon may start from here on.
    pub(crate) fn release(self) {
        // If it fails, the contents name a socket that nobody listens on, which clients can tell.
        let _ = self.file.set_len(0);
    }
}

/// Whether the holder's socket is there and nobody listens on it any more.
fn refuses(holder: &LockContents) -> bool {
    UnixStream::connect(&holder.socket).is_err_and(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

fn read(file: &mut File) -> Option<LockContents> {
    let mut text = Vec::new();
    file.rewind().ok()?;
    file.take(MAX_CONTENTS).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn place(dir: &Path) -> Place {
        Place {
            socket: dir.join("s"),
            socket_given: true,
            state: dir.to_owned(),
            config_file: PathBuf::new(),
        }
    }

    fn contents() -> LockContents {
        LockContents {
            pid: 42,
            socket: "/run/a.sock".into(),
            instance_id: "i".into(),
            version: "1.2.3".into(),
        }
    }

    #[test]
    fn a_holder_that_listens_no_more_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        let mut lock = InstanceLock::take(&place).unwrap();
        drop(std::os::unix::net::UnixListener::bind(&place.socket).unwrap());
        lock.write(&LockContents { socket: place.socket.clone(), ..contents() }).unwrap();
        let mut dying = Some(lock);
        let taken = InstanceLock::take_with(&place, || dying.take().is_some());
        assert!(taken.is_ok() && dying.is_none(), "taken once the holder let go");
        let held = InstanceLock::take_with(&place, || unreachable!("this one has not said where it is"));
        assert!(held.is_err());
    }

    #[test]
    fn a_second_daemon_learns_who_holds_the_place_and_where() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        let mut lock = InstanceLock::take(&place).unwrap();
        let early = InstanceLock::take(&place).unwrap_err().to_string();
        assert!(early.contains("just starting"), "{early}");
        lock.write(&contents()).unwrap();
        let message = InstanceLock::take(&place).unwrap_err().to_string();
        for part in ["42", "1.2.3", "/run/a.sock", "ask stop"] {
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(
            serde_json::from_slice::<LockContents>(&fs::read(place.lock_file()).unwrap()).unwrap(),
            contents()
        );
    }

    #[test]
    fn a_released_lock_is_free_and_empty() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        let mut lock = InstanceLock::take(&place).unwrap();
        lock.write(&contents()).unwrap();
        lock.release();
        assert_eq!(fs::read(place.lock_file()).unwrap(), b"");
        InstanceLock::take(&place).unwrap();
    }

    #[test]
    fn what_a_killed_daemon_left_behind_does_not_count() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        fs::write(place.lock_file(), serde_json::to_vec(&contents()).unwrap()).unwrap();
        let _lock = InstanceLock::take(&place).unwrap();
        assert_eq!(fs::read(place.lock_file()).unwrap(), b"");
    }

    #[test]
    fn a_lock_file_that_cannot_be_opened_names_the_state_directory() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path());
        fs::create_dir(place.lock_file()).unwrap();
        let message = InstanceLock::take(&place).unwrap_err().to_string();
        assert!(message.contains("XDG_STATE_HOME"), "{message}");
    }
}
