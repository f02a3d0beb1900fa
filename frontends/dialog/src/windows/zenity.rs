//! Zenity's command line and its answers. Agent text goes to it on standard input where it reads it from
//! there, else as part of an option (`--text=…`), escaped for the way that option is read; never as an
//! argument of its own.

use std::process::ExitStatus;

use askd_interact::steps::{Dismissal, flat};

use super::WindowError;
use super::card::{Card, Kind};
use super::process::{Finished, Process};
use super::program::Program;

/// The button for everything that did not fit.
const MORE: &str = "Read all";
const CANCEL: i32 = 71;
const CLOSE: i32 = 72;
/// Own statuses for what a person does: zenity's usual 1 for a dismissal is also that of a display that cannot
/// be opened, which must not pass for one.
const STATUSES: [(&str, &str); 5] = [
    ("ZENITY_OK", "0"),
    ("ZENITY_CANCEL", "71"),
    ("ZENITY_ESC", "72"),
    ("ZENITY_EXTRA", "73"),
    ("ZENITY_ERROR", "74"),
];
/// Characters of an error that are passed on.
const WHY_MAX: usize = 300;

/// What a person did with a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Said {
    /// OK, with the rows or the text.
    Text(String),
    /// Cancelled, or closed the window.
    Dismissed,
    /// Wants to read everything.
    More,
}

/// A window that is shown.
pub(super) struct Window {
    process: Process,
    program: String,
}

/// Shows a card.
pub(super) fn card(program: &Program, card: &Card, dismissal: Dismissal) -> Result<Window, WindowError> {
    let mut args = Vec::new();
    let mut input = String::new();
    match card.kind {
        Kind::Type => {
            args.push("--entry".to_owned());
            args.push(format!("--text={}", mnemonic(&card.lines)));
        }
        Kind::Choose | Kind::Tick => {
            args.extend(["--list", "--hide-header", "--width=720", "--height=460"].map(str::to_owned));
            args.push(format!("--text={}", markup(&card.lines)));
            if card.kind == Kind::Tick {
                args.extend(["--checklist", "--column=tick", "--print-column=2"].map(str::to_owned));
                args.push("--separator=\n".to_owned());
            }
            args.push("--column=row".to_owned());
        }
    }
    for (row, ticked) in &card.rows {
        if card.kind == Kind::Tick {
            input.push_str(if *ticked { "TRUE\n" } else { "FALSE\n" });
        }
        input.push_str(row);
        input.push('\n');
    }
    args.push(format!("--title={}", card.title));
    let dismiss = match dismissal {
        Dismissal::Skip => "Skip",
        Dismissal::Back => "Back",
        Dismissal::Cancel => "Cancel",
    };
    args.push(format!("--cancel-label={dismiss}"));
    if card.all.is_some() {
        args.push(format!("--extra-button={MORE}"));
    }
    open(program, &args, input)
}

/// Shows everything that a card left out.
pub(super) fn text(program: &Program, card: &Card) -> Result<Window, WindowError> {
    let args = ["--text-info", "--width=720", "--height=560", "--ok-label=Back", "--cancel-label=Close"];
    let mut args: Vec<String> = args.map(str::to_owned).into();
    args.push(format!("--title={}", card.title));
    open(program, &args, card.all.clone().unwrap_or_default())
}

fn open(program: &Program, args: &[String], input: String) -> Result<Window, WindowError> {
    let process = Process::start(&program.path, args, &STATUSES, input)
        .map_err(|error| WindowError::Start(program.name(), error))?;
    Ok(Window { process, program: program.name() })
}

impl Window {
    /// Waits until it is answered. Safe to cancel.
    pub(super) async fn said(&mut self) -> Result<Said, WindowError> {
        let finished =
            self.process.finished().await.map_err(|error| WindowError::Start(self.program.clone(), error))?;
        said(&finished).ok_or_else(|| WindowError::Broken {
            program: self.program.clone(),
            status: ended(finished.status),
            why: why(&finished.stderr),
        })
    }

    /// Closes it.
    pub(super) async fn close(self) {
        self.process.end().await;
    }
}

/// What a program's end means; nothing when it says nothing about the person.
fn said(finished: &Finished) -> Option<Said> {
    let text = finished.stdout.strip_suffix('\n').unwrap_or(&finished.stdout);
    match finished.status.code() {
        Some(0) => Some(Said::Text(text.to_owned())),
        // Depending on the version the extra button counts as a dismissal, and only its text tells.
        Some(_) if text == MORE => Some(Said::More),
        Some(CANCEL | CLOSE) => Some(Said::Dismissed),
        // A program that takes its place and knows nothing of the statuses.
        Some(1) if finished.stderr.trim().is_empty() => Some(Said::Dismissed),
        _ => None,
    }
}

fn ended(status: ExitStatus) -> String {
    status.code().map_or_else(|| "a signal".to_owned(), |code| format!("status {code}"))
}

fn why(stderr: &str) -> String {
    let line = flat(stderr.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default());
    if line.is_empty() { line } else { format!(" ({})", line.chars().take(WHY_MAX).collect::<String>()) }
}

/// Text of a list: read as Pango markup after backslash sequences.
fn markup(lines: &[String]) -> String {
    let text = lines.join("\n").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('\\', "\\\\")
}

/// Text of an entry: an underscore marks a key, after backslash sequences.
fn mnemonic(lines: &[String]) -> String {
    lines.join("\n").replace('_', "__").replace('\\', "\\\\")
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt;

    use super::*;

    fn finished(status: i32, stdout: &str, stderr: &str) -> Finished {
        Finished {
            status: ExitStatus::from_raw(status),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        }
    }

    #[test]
    fn only_a_person_answers_or_dismisses() {
        assert_eq!(said(&finished(0, "1. A\n", "a warning")), Some(Said::Text("1. A".to_owned())));
        assert_eq!(said(&finished(0, " two words \n\n", "")), Some(Said::Text(" two words \n".to_owned())));
        assert_eq!(said(&finished(71 << 8, "", "a warning")), Some(Said::Dismissed));
        assert_eq!(said(&finished(72 << 8, "", "")), Some(Said::Dismissed));
        assert_eq!(said(&finished(71 << 8, "Read all\n", "")), Some(Said::More));
        assert_eq!(said(&finished(1 << 8, "", "")), Some(Said::Dismissed));
        assert_eq!(said(&finished(1 << 8, "", "cannot open display:")), None);
        assert_eq!(said(&finished(74 << 8, "", "")), None);
        assert_eq!(said(&finished(9, "", "")), None, "killed");
    }

    #[test]
    fn text_is_shown_and_not_read() {
        let lines = ["a <b>&amp;</b>".to_owned(), r"C:\new_file".to_owned()];
        assert_eq!(markup(&lines), "a &lt;b&gt;&amp;amp;&lt;/b&gt;\nC:\\\\new_file");
        assert_eq!(mnemonic(&lines), "a <b>&amp;</b>\nC:\\\\new__file");
    }
}
