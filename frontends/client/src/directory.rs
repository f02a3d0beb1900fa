//! Whether a socket's directory can be trusted, looked at before the first byte is sent (protocol §1).

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Why a socket's directory is not used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DirectoryFault {
    /// It belongs to someone else, who could put any socket there.
    #[error(
        "The socket directory {dir} belongs to user {owner}, not to you (user {uid}), so what listens there may not be yours. Remove it or have it removed, or name a socket in a directory of your own with --socket or ASKD_SOCKET."
    )]
    Foreign {
        /// The directory.
        dir: PathBuf,
        /// Whose it is.
        owner: u32,
        /// Who asks.
        uid: u32,
    },
    /// Others may write to it.
    #[error(
        "The socket directory {dir} can be written by others (mode {mode:o}), so what listens there may not be yours. {}ame a socket in a private directory of your own with --socket or ASKD_SOCKET.",
        make_private(.dir, *.mode)
    )]
    Writable {
        /// The directory.
        dir: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It is something else than a directory.
    #[error(
        "The socket directory {dir} is no directory. Move what is there away, or name another socket with --socket or ASKD_SOCKET."
    )]
    NoDirectory {
        /// What should be one.
        dir: PathBuf,
    },
    /// It cannot be looked at.
    #[error(
        "The socket directory {dir} cannot be looked at: {why}. Mend its permissions and those of the directories above it, or name another socket with --socket or ASKD_SOCKET."
    )]
    Unreadable {
        /// The directory.
        dir: PathBuf,
        /// The system's words.
        why: String,
    },
}

/// A directory that is shared on purpose is not to be closed to the others.
fn make_private(dir: &Path, mode: u32) -> String {
    const SHARED: u32 = 0o1000;
    if mode & SHARED == 0 { format!("Run `chmod 700 {}`, or n", dir.display()) } else { "N".to_owned() }
}

/// Looks at the directory of a socket. Gives false when there is none yet.
///
/// # Errors
/// [`DirectoryFault`] when it exists and cannot be trusted.
pub fn check_directory(socket: &Path, uid: u32) -> Result<bool, DirectoryFault> {
    let dir = match socket.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    let fault_dir = || dir.to_owned();
    // The link counts with its target: whoever owns either decides what is found behind it.
    let link = match dir.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(DirectoryFault::NoDirectory { dir: fault_dir() });
        }
        Err(error) => return Err(DirectoryFault::Unreadable { dir: fault_dir(), why: error.to_string() }),
    };
    if link.uid() != uid {
        return Err(DirectoryFault::Foreign { dir: fault_dir(), owner: link.uid(), uid });
    }
    let meta = if link.is_symlink() {
        match dir.metadata() {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
            Err(error) => {
                return Err(DirectoryFault::Unreadable { dir: fault_dir(), why: error.to_string() });
            }
        }
    } else {
        link
    };
    if !meta.is_dir() {
        return Err(DirectoryFault::NoDirectory { dir: fault_dir() });
    }
    if meta.uid() != uid {
        return Err(DirectoryFault::Foreign { dir: fault_dir(), owner: meta.uid(), uid });
    }
    let mode = meta.mode() & 0o7777;
    if mode & 0o022 != 0 {
        return Err(DirectoryFault::Writable { dir: fault_dir(), mode });
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn own_uid(dir: &Path) -> u32 {
        dir.metadata().unwrap().uid()
    }

    #[test]
    fn only_a_private_directory_of_ones_own_is_trusted() {
        let temp = tempfile::tempdir().unwrap();
        let uid = own_uid(temp.path());
        let dir = temp.path().join("v1");
        let socket = dir.join("askd.sock");
        assert_eq!(check_directory(&socket, uid), Ok(false));

        create_dir(&dir).unwrap();
        set_permissions(&dir, Permissions::from_mode(0o700)).unwrap();
        assert_eq!(check_directory(&socket, uid), Ok(true));
        assert!(matches!(check_directory(&socket, uid + 1), Err(DirectoryFault::Foreign { .. })));

        for mode in [0o770, 0o702, 0o1777] {
            set_permissions(&dir, Permissions::from_mode(mode)).unwrap();
            let fault = check_directory(&socket, uid).unwrap_err();
            assert_eq!(fault, DirectoryFault::Writable { dir: dir.clone(), mode });
            assert_eq!(fault.to_string().contains("chmod 700"), mode != 0o1777, "{fault}");
        }
    }

    #[test]
    fn a_file_in_the_directorys_place_is_named() {
        let temp = tempfile::tempdir().unwrap();
        let file = temp.path().join("v1");
        write(&file, "").unwrap();
        let fault = check_directory(&file.join("askd.sock"), own_uid(temp.path())).unwrap_err();
        assert!(matches!(fault, DirectoryFault::NoDirectory { .. }), "{fault}");
    }

    #[test]
    fn a_link_counts_with_its_target() {
        let temp = tempfile::tempdir().unwrap();
        let uid = own_uid(temp.path());
        let (target, link) = (temp.path().join("target"), temp.path().join("link"));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        assert_eq!(check_directory(&link.join("s"), uid), Ok(false));
        create_dir(&target).unwrap();
        set_permissions(&target, Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(check_directory(&link.join("s"), uid), Err(DirectoryFault::Writable { .. })));
    }
}
