//! Writing the settings file so that a reader, a crash or a full disk never meets half of it.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _, fchown,
};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

/// A file that a link points to through more links than this is a loop.
const MAX_LINKS: usize = 32;

/// Replaces the file's content in one step. A link is followed, so that the file it points to is
/// replaced and not the link; the file's mode and owner stay, a new one is the user's own with mode 0600.
///
/// # Errors
/// The system's; the file is as it was then.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let real = real_path(path)?;
    if is_read_only(&real) {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "the file is read-only"));
    }
    replace(&real, text.as_bytes())
}

/// Keeps the present bytes beside the file as `NAME.SUFFIX`; nothing to do without a file.
///
/// # Errors
/// The system's.
pub(super) fn keep_copy(path: &Path, suffix: &str) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    replace(&real_path(&path.with_file_name(name))?, &bytes)
}

/// Whether a save can succeed, as far as permissions tell. The directory decides, since saving
/// renames a new file into it, but a file that is read-only for everyone is meant to stay as it is.
pub(super) fn can_write(path: &Path) -> bool {
    let Ok(real) = real_path(path) else { return false };
    let nearest = real.ancestors().skip(1).find(|dir| dir.exists());
    let directory =
        nearest.is_some_and(|dir| dir.is_dir() && access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok());
    directory && !is_read_only(&real)
}

/// Taken from the mode and not from what the process may do: root may write everything.
fn is_read_only(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.permissions().readonly())
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let temporary = dir.join(format!(".{}.{}", uuid::Uuid::new_v4().simple(), "config.tmp"));
    let written = write_new(&temporary, bytes, kept(path)?).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What is left of the attempt helps nobody; the fault to tell is the first one.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    File::open(dir)?.sync_all()
}

fn write_new(path: &Path, bytes: &[u8], like: Option<Metadata>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    if let Some(like) = like {
        let new = file.metadata()?;
        if (new.uid(), new.gid()) != (like.uid(), like.gid()) {
            fchown(&file, Some(like.uid()), Some(like.gid()))?;
        }
        // After the owner: changing it takes some bits of the mode away.
        file.set_permissions(Permissions::from_mode(like.permissions().mode() & 0o7777))?;
    }
    file.sync_all()
}

fn kept(path: &Path) -> io::Result<Option<Metadata>> {
    match path.metadata() {
        Ok(meta) => Ok(Some(meta)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Where the file really is, also when it does not exist yet.
pub(super) fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut real = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&real) {
            Ok(target) => {
                real = match real.parent() {
                    Some(dir) => dir.join(target),
                    None => target,
                };
            }
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) => {
                return Ok(real);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "its links go round in a circle"))
}
