//! Directories that nobody but the user may write in: making them, and refusing those others could
//! tamper with (protocol §1).

use std::fs::{DirBuilder, Metadata};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::Path;

use askd_wire::place::Place;

use super::error::StartError;

/// Which directory is looked after, for the messages.
#[derive(Debug, Clone, Copy)]
struct Purpose {
    what: &'static str,
    how: &'static str,
}

const STATE: Purpose = Purpose { what: "state", how: "XDG_STATE_HOME" };
const SOCKET: Purpose = Purpose { what: "socket", how: "--socket or ASKD_SOCKET" };

/// Makes `<state>`, 0700, or checks the one that is there.
///
/// # Errors
/// [`StartError::CreateDirectory`], [`StartError::UnsafeDirectory`].
pub(crate) fn prepare_state(place: &Place, uid: u32) -> Result<(), StartError> {
    prepare(&place.state, STATE, uid)
}

/// Makes the socket's directories, 0700, or checks those that are there. Of a path given by hand only
/// the last one is ours to judge; of the default one the directory above is askd's own too.
///
/// # Errors
/// [`StartError::CreateDirectory`], [`StartError::UnsafeDirectory`].
pub(crate) fn prepare_socket(place: &Place, uid: u32) -> Result<(), StartError> {
    let Some(dir) = place.socket.parent() else { return Ok(()) };
    if !place.socket_given
        && let Some(above) = dir.parent()
    {
        prepare(above, SOCKET, uid)?;
    }
    prepare(dir, SOCKET, uid)
}

fn prepare(path: &Path, purpose: Purpose, uid: u32) -> Result<(), StartError> {
    let failed = |source| StartError::CreateDirectory {
        what: purpose.what,
        path: path.to_owned(),
        how: purpose.how,
        source,
    };
    match path.symlink_metadata() {
        Ok(meta) => return check(path, &meta, purpose, uid),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(failed(error)),
    }
    DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(failed)?;
    // Checked again, for someone may have been quicker.
    check(path, &path.symlink_metadata().map_err(failed)?, purpose, uid)
}

fn check(path: &Path, meta: &Metadata, purpose: Purpose, uid: u32) -> Result<(), StartError> {
    let shown = path.display();
    let (why, mend) = if meta.is_symlink() {
        (
            "is a symbolic link, which others may turn elsewhere".to_owned(),
            "Put a directory in its place".to_owned(),
        )
    } else if !meta.is_dir() {
        ("is no directory".to_owned(), "Move it away".to_owned())
    } else if meta.uid() != uid {
        (
            format!("belongs to another user (uid {}, you are {uid})", meta.uid()),
            "Remove it or have it given to you".to_owned(),
        )
    } else if meta.mode() & 0o1000 != 0 && meta.mode() & 0o022 != 0 {
        // Shared on purpose, like /tmp: closing it would harm others.
        (
            format!("is shared with other users (mode {:04o})", meta.mode() & 0o7777),
            "Use a directory of your own".to_owned(),
        )
    } else if meta.mode() & 0o022 != 0 {
        (
            format!("can be written by others (mode {:04o})", meta.mode() & 0o7777),
            format!("Run `chmod 700 {shown}`"),
        )
    } else {
        return Ok(());
    };
    Err(StartError::UnsafeDirectory {
        what: purpose.what,
        path: path.to_owned(),
        why,
        mend,
        how: purpose.how,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::path::PathBuf;

    use super::*;

    fn uid() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    fn place(dir: &Path, socket_given: bool) -> Place {
        Place {
            socket: dir.join("run/askd/v1/askd.sock"),
            socket_given,
            state: dir.join("state/askd"),
            config_file: PathBuf::new(),
        }
    }

    fn mode(path: &Path) -> u32 {
        path.metadata().unwrap().permissions().mode() & 0o777
    }

    fn chmod(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn missing_directories_are_made_private() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path(), false);
        prepare_state(&place, uid()).unwrap();
        prepare_socket(&place, uid()).unwrap();
        for made in ["state", "state/askd", "run/askd", "run/askd/v1"] {
            assert_eq!(mode(&dir.path().join(made)), 0o700, "{made}");
        }
        prepare_state(&place, uid()).unwrap();
        prepare_socket(&place, uid()).unwrap();
    }

    #[test]
    fn a_directory_others_can_write_in_is_refused_with_the_command_that_mends_it() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path(), false);
        prepare_state(&place, uid()).unwrap();
        chmod(&place.state, 0o770);
        let message = prepare_state(&place, uid()).unwrap_err().to_string();
        assert!(message.contains(&format!("chmod 700 {}", place.state.display())), "{message}");
        chmod(&place.state, 0o1777);
        let message = prepare_state(&place, uid()).unwrap_err().to_string();
        assert!(!message.contains("chmod"), "{message}");
        chmod(&place.state, 0o755);
        prepare_state(&place, uid()).unwrap();
    }

    #[test]
    fn links_files_and_foreign_directories_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let place = place(dir.path(), false);
        fs::create_dir_all(dir.path().join("state")).unwrap();
        symlink(dir.path(), &place.state).unwrap();
        let refused = |uid| prepare_state(&place, uid).unwrap_err().to_string();
        assert!(refused(uid()).contains("symbolic link"));
        fs::remove_file(&place.state).unwrap();
        fs::write(&place.state, "").unwrap();
        assert!(refused(uid()).contains("no directory"));
        fs::remove_file(&place.state).unwrap();
        fs::create_dir(&place.state).unwrap();
        let foreign = refused(uid() + 1);
        assert!(foreign.contains("another user") && foreign.contains("XDG_STATE_HOME"), "{foreign}");
    }

    #[test]
    fn only_the_last_directory_of_a_given_path_is_judged() {
        let dir = tempfile::tempdir().unwrap();
        let above = dir.path().join("run/askd");
        fs::create_dir_all(above.join("v1")).unwrap();
        chmod(&above, 0o777);
        chmod(&above.join("v1"), 0o700);
        prepare_socket(&place(dir.path(), true), uid()).unwrap();
        assert!(prepare_socket(&place(dir.path(), false), uid()).is_err());
        chmod(&above.join("v1"), 0o707);
        assert!(prepare_socket(&place(dir.path(), true), uid()).is_err());
    }

    #[test]
    fn a_directory_that_cannot_be_made_says_how_to_choose_another() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("run"), "").unwrap();
        let message = prepare_socket(&place(dir.path(), false), uid()).unwrap_err().to_string();
        assert!(message.contains("ASKD_SOCKET"), "{message}");
    }
}
