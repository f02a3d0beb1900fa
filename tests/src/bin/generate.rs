//! Writes the generated files of `docs/` again.

use askd_tests::artifacts;

fn main() -> std::io::Result<()> {
    for (path, text) in artifacts::all() {
        let path = artifacts::root().join(path);
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(())
}
