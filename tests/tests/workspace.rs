//! The shape of the workspace: which crate may depend on which, and no dependency that nobody uses.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use askd_tests::artifacts::root;
use serde_json::Value;

/// The only edges between our crates (docs/architecture.md, "Dependencies"). The first name may depend on
/// the others; a crate that is not listed may depend on none.
const EDGES: &[(&str, &[&str])] = &[
    ("askd-wire", &["askd-form"]),
    ("askd", &["askd-form", "askd-wire"]),
    ("askd-interact", &["askd-form"]),
    ("askd-client", &["askd-form", "askd-wire"]),
    ("askd-tui", &["askd-client", "askd-form", "askd-interact", "askd-wire"]),
    ("askd-dialog", &["askd-client", "askd-form", "askd-interact", "askd-wire"]),
    ("askd-bridge", &["askd-client", "askd-form", "askd-wire"]),
    ("askd-mcp", &["askd-client", "askd-form", "askd-wire"]),
    (
        "ask",
        &[
            "askd",
            "askd-bridge",
            "askd-client",
            "askd-dialog",
            "askd-form",
            "askd-interact",
            "askd-mcp",
            "askd-tui",
            "askd-wire",
        ],
    ),
    (
        "askd-tests",
        &["ask", "askd", "askd-client", "askd-dialog", "askd-form", "askd-interact", "askd-tui", "askd-wire"],
    ),
];

struct Package {
    name: String,
    directory: PathBuf,
    dependencies: Vec<String>,
}

fn packages() -> Vec<Package> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("metadata is JSON");
    let text = |v: &Value| v.as_str().expect("a text").to_owned();
    let package = |p: &Value| Package {
        name: text(&p["name"]),
        directory: Path::new(p["manifest_path"].as_str().expect("a path")).parent().expect("a folder").into(),
        dependencies: p["dependencies"].as_array().into_iter().flatten().map(|d| text(&d["name"])).collect(),
    };
    metadata["packages"].as_array().expect("packages").iter().map(package).collect()
}

#[test]
fn dependencies_point_one_way() {
    let packages = packages();
    let ours: BTreeSet<&str> = packages.iter().map(|p| p.name.as_str()).collect();
    let mut wrong = Vec::new();
    for package in &packages {
        let allowed = EDGES.iter().find(|(name, _)| *name == package.name).map_or(&[][..], |(_, to)| to);
        let edges = package.dependencies.iter().map(String::as_str).filter(|d| ours.contains(d));
        wrong.extend(edges.filter(|d| !allowed.contains(d)).map(|d| format!("{} -> {d}", package.name)));
    }
    assert!(wrong.is_empty(), "dependencies against the layout (docs/architecture.md): {wrong:#?}");
    assert!(ours.contains("askd-form") && ours.contains("ask"), "the workspace was not read: {ours:?}");
}

#[test]
fn the_pure_crates_stay_pure() {
    const IMPURE: [&str; 6] = ["tokio", "jsonrpsee", "rusqlite", "rustix", "crossterm", "ratatui"];
    for package in packages().iter().filter(|p| ["askd-form", "askd-interact"].contains(&p.name.as_str())) {
        let impure: Vec<_> = package.dependencies.iter().filter(|d| IMPURE.contains(&d.as_str())).collect();
        assert!(impure.is_empty(), "{} is pure, but depends on {impure:?}", package.name);
    }
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for package in packages() {
        let mut source = String::new();
        for folder in ["src", "tests", "benches", "examples"] {
            read_sources(&package.directory.join(folder), &mut source);
        }
        assert!(!source.is_empty(), "{} has no sources", package.name);
        let named = |dependency: &String| {
            let name = dependency.replace('-', "_");
            ["::", " as ", ";", ")"].iter().any(|after| contains_word(&source, &name, after))
        };
        let missing = package.dependencies.iter().filter(|d| !named(d));
        unused.extend(missing.map(|d| format!("{} does not use {d}", package.name)));
    }
    assert!(unused.is_empty(), "remove from Cargo.toml: {unused:#?}");
}

/// Whether `word` stands in the text as a whole name that is followed by `after`.
fn contains_word(text: &str, word: &str, after: &str) -> bool {
    let pattern = format!("{word}{after}");
    text.match_indices(&pattern)
        .any(|(at, _)| !text[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_'))
}

fn read_sources(folder: &Path, into: &mut String) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|e| e.expect("an entry").path()) {
        if path.is_dir() {
            read_sources(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            *into += &fs::read_to_string(&path).expect("a source file");
        }
    }
}
