//! Writing the settings file so that a reader, a crash or a full disk never meets half of it.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};
use serde_json::Value;

/// A file that a link points to through more links than this is a loop.
const MAX_LINKS: usize = 32;

/// Replaces the file's content in one step. A link is followed, so that the file it points to is
/// replaced and not the link; the file's mode stays, a new one is 0600.
pub(super) fn write(path: &Path, value: &Value) -> io::Result<()> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    replace(&real_path(path)?, text.as_bytes())
}

/// Keeps the present bytes beside the file as `NAME.before-reset`; nothing to do without a file.
pub(super) fn keep_copy(path: &Path) -> io::Result<()> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".before-reset");
    replace(&real_path(&path.with_file_name(name))?, &bytes)
}

/// Whether a save can succeed, as far as permissions tell. The directory decides, since saving
/// renames a new file into it.
pub(super) fn can_write(path: &Path) -> bool {
    let Ok(real) = real_path(path) else { return false };
    let nearest = real.ancestors().skip(1).find(|dir| dir.exists());
    nearest.is_some_and(|dir| dir.is_dir() && access(dir, Access::WRITE_OK | Access::EXEC_OK).is_ok())
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(dir)?;
    let temporary = dir.join(format!(".{}.{}", uuid::Uuid::new_v4().simple(), "config.tmp"));
    let written = write_new(&temporary, bytes, mode_of(path)?).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // What is left of the attempt helps nobody; the fault to tell is the first one.
        let _ = fs::remove_file(&temporary);
        return written;
    }
    File::open(dir)?.sync_all()
}

fn write_new(path: &Path, bytes: &[u8], mode: Option<u32>) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(bytes)?;
    if let Some(mode) = mode {
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    file.sync_all()
}

fn mode_of(path: &Path) -> io::Result<Option<u32>> {
    match path.metadata() {
        Ok(meta) => Ok(Some(meta.permissions().mode() & 0o7777)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Where the file really is, also when it does not exist yet.
fn real_path(path: &Path) -> io::Result<PathBuf> {
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
