//! File names for `@`: found under the form's directory, ranked by what was typed. Names only, files are never read.
//! One thread, started when an editor opens, answers the newest question only, so that a key never waits.

mod rank;
mod scan;

use std::path::PathBuf;
use std::sync::mpsc;

use tokio::sync::mpsc::UnboundedSender;

/// Names offered for one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) query: String,
    pub(crate) names: Vec<String>,
}

/// Names kept of one ranking.
const MOST: usize = 50;

/// Answers queries in the background.
#[derive(Debug)]
pub(crate) struct Completer {
    root: Option<PathBuf>,
    ask: Option<mpsc::Sender<String>>,
    answer: UnboundedSender<Found>,
    open: usize,
}

impl Completer {
    /// Names under `root`; without one nothing is ever offered.
    pub(crate) fn new(root: Option<PathBuf>, answer: UnboundedSender<Found>) -> Self {
        Self { root, ask: None, answer, open: 0 }
    }

    /// Reads the names ahead, so that the first question need not wait for them.
    pub(crate) fn warm(&mut self) {
        self.sender();
    }

    /// Asks for names. Gives false when there is nowhere to look.
    pub(crate) fn ask(&mut self, query: String) -> bool {
        let sent = self.sender().is_some_and(|sender| sender.send(query).is_ok());
        self.open += usize::from(sent);
        sent
    }

    fn sender(&mut self) -> Option<&mpsc::Sender<String>> {
        let root = self.root.clone()?;
        let answer = self.answer.clone();
        Some(self.ask.get_or_insert_with(|| {
            let (sender, queries) = mpsc::channel();
            std::thread::spawn(move || serve(&root, &queries, &answer));
            sender
        }))
    }

    /// An answer came.
    pub(crate) fn answered(&mut self) {
        self.open = self.open.saturating_sub(1);
    }

    /// Whether a question is still open.
    pub(crate) fn is_busy(&self) -> bool {
        self.open > 0
    }
}

fn serve(root: &std::path::Path, queries: &mpsc::Receiver<String>, answer: &UnboundedSender<Found>) {
    let all = scan::names(root);
    while let Ok(mut query) = queries.recv() {
        // Skipped questions are answered with nothing, so that whoever counts them can.
        while let Ok(newer) = queries.try_recv() {
            let skipped = Found { query: std::mem::replace(&mut query, newer), names: Vec::new() };
            if answer.send(skipped).is_err() {
                return;
            }
        }
        let names = rank::best(&all, &query, MOST);
        if answer.send(Found { query, names }).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_ignored_ones_left_out_and_links_not_followed() {
        let dir = tempfile::tempdir().unwrap();
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret.txt"), "x").unwrap();
        for folder in ["src", "target", ".git"] {
            std::fs::create_dir(dir.path().join(folder)).unwrap();
        }
        for file in ["src/main.rs", "src/my notes.md", "target/built.rs", ".git/config", "Cargo.toml"] {
            std::fs::write(dir.path().join(file), "x").unwrap();
        }
        std::fs::write(dir.path().join(".gitignore"), "target\n").unwrap();
        std::os::unix::fs::symlink(outside.path(), dir.path().join("out")).unwrap();
        let (sender, mut found) = tokio::sync::mpsc::unbounded_channel();
        let mut completer = Completer::new(Some(dir.path().to_owned()), sender);
        assert!(completer.ask("main".to_owned()));
        let first = found.blocking_recv().unwrap();
        completer.answered();
        assert_eq!(first.names, ["src/main.rs"]);
        assert!(!completer.is_busy());
        assert!(completer.ask(String::new()));
        let all = found.blocking_recv().unwrap().names;
        assert!(all.contains(&"src/".to_owned()) && all.contains(&"src/my notes.md".to_owned()), "{all:?}");
        assert!(
            !all.iter()
                .any(|name| name.contains("built") || name.contains(".git/") || name.contains("secret")),
            "{all:?}"
        );
    }

    #[test]
    fn without_a_directory_nothing_is_asked() {
        let (sender, _found) = tokio::sync::mpsc::unbounded_channel();
        assert!(!Completer::new(None, sender).ask("x".to_owned()));
    }
}
