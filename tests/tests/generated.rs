//! The generated files of `docs/` are what their generator makes now.

use askd_tests::artifacts;

#[test]
fn generated_files_are_up_to_date() {
    for (path, expected) in artifacts::all() {
        let found = std::fs::read_to_string(artifacts::root().join(path)).unwrap_or_default();
        assert!(found == expected, "{path} is not what its types say; run `{}`", artifacts::COMMAND);
    }
}
