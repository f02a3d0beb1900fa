//! The names under a directory, as version control would see them.

use std::path::Path;

use ignore::WalkBuilder;

/// Names kept; a larger tree is cut.
const MOST: usize = 100_000;

/// Names relative to the directory, folders with a slash at the end. Ignore files are respected, symbolic links not
/// followed, so nothing outside is named.
pub(super) fn names(root: &Path) -> Vec<String> {
    let walk = WalkBuilder::new(root).follow_links(false).require_git(false).hidden(true).build();
    let mut names = Vec::new();
    for entry in walk.flatten() {
        let Ok(relative) = entry.path().strip_prefix(root) else { continue };
        let Some(name) =
            relative.to_str().filter(|name| !name.is_empty() && !name.contains(char::is_control))
        else {
            continue;
        };
        let folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        names.push(if folder { format!("{name}/") } else { name.to_owned() });
        if names.len() >= MOST {
            break;
        }
    }
    names.sort_unstable();
    names
}
