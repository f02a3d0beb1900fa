//! The documentation's links lead somewhere: files exist, headings exist, and a name that is linked to a
//! source file stands in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use askd_tests::artifacts::root;

struct Link {
    text: String,
    target: String,
}

/// The links of a Markdown text, code blocks left out.
fn links(text: &str) -> Vec<Link> {
    let prose: String = text.split("```").step_by(2).collect();
    let mut found = Vec::new();
    let mut rest = prose.as_str();
    while let Some(middle) = rest.find("](") {
        let before = &rest[..middle];
        let start = before.rfind('[').map_or(0, |at| at + 1);
        let after = &rest[middle + 2..];
        let end = after.find(')').expect("a link is closed");
        found.push(Link { text: before[start..].to_owned(), target: after[..end].to_owned() });
        rest = &after[end..];
    }
    found
}

/// The anchors that headings of a Markdown text have.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

fn documents() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/decisions"] {
        let entries = fs::read_dir(root().join(folder)).expect("a folder");
        found.extend(
            entries.map(|e| e.expect("an entry").path()).filter(|p| p.extension().is_some_and(|e| e == "md")),
        );
    }
    found
}

/// What is wrong with a link, if anything.
fn fault(document: &Path, link: &Link) -> Option<String> {
    if link.target.contains("://") {
        return None;
    }
    let (file, anchor) = link.target.split_once('#').unwrap_or((&link.target, ""));
    let path = if file.is_empty() { document.to_owned() } else { document.parent()?.join(file) };
    if !path.exists() {
        return Some(format!("{} is not there", path.display()));
    }
    if path.is_dir() {
        return None;
    }
    let text = fs::read_to_string(&path).expect("a text");
    if !anchor.is_empty() && !anchors(&text).contains(anchor) {
        return Some(format!("{file} has no heading #{anchor}"));
    }
    let name = link.text.trim_matches('`').rsplit("::").next().unwrap_or_default();
    let is_name = link.text.starts_with('`') && path.extension().is_some_and(|e| e == "rs");
    (is_name && !text.contains(&format!(" {name}"))).then(|| format!("{file} does not hold {name}"))
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for link in links(&text) {
            seen += 1;
            wrong.extend(
                fault(&document, &link).map(|f| format!("{}: [{}] {f}", document.display(), link.text)),
            );
        }
    }
    assert!(seen > 50, "only {seen} links were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_readme_starts_with_its_two_commands() {
    let text = fs::read_to_string(root().join("README.md")).expect("README.md");
    let block = text.split("```").nth(1).expect("a code block");
    let commands: Vec<&str> = block.lines().skip(1).collect();
    assert_eq!(commands, ["cargo run --release -- demo", "tests/run"]);
}
