//! Client programs in other languages: how each finds its library, and speaking to one by lines.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::mpsc;

use crate::Sandbox;
use crate::wait::within_time;

/// How long a program may take for an answer that makes it read everything there is.
const LONG: Duration = Duration::from_secs(60);

/// Where `tests/run` puts the client libraries.
fn libraries() -> PathBuf {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".deps");
    assert!(
        path.is_dir(),
        "the client libraries are not there; `tests/run` installs them into {}",
        path.display()
    );
    path
}

/// A program of Node's that imports `ws`.
#[must_use]
pub fn node(sandbox: &Sandbox, program: &Path) -> Command {
    // Node looks for a module beside the program that imports it.
    let copy = sandbox.path("home").join(program.file_name().expect("a file"));
    fs::copy(program, &copy).expect("the program");
    symlink(libraries().join("node_modules"), sandbox.path("home/node_modules")).expect("a link");
    let mut command = sandbox.command_of("node", &[]);
    command.arg(copy);
    command
}

/// A program of Python's that imports `websockets`.
#[must_use]
pub fn python(sandbox: &Sandbox, program: &Path) -> Command {
    let mut command = sandbox.command_of("python3", &[]);
    command.arg(program).env("PYTHONPATH", libraries().join("python"));
    command
}

/// A program that answers lines with JSON lines. Dropping it kills it; its stderr is the test's.
#[derive(Debug)]
pub struct Dialogue {
    child: Child,
    stdin: ChildStdin,
    lines: mpsc::UnboundedReceiver<String>,
}

impl Dialogue {
    /// Starts it.
    #[must_use]
    pub fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{command:?}: {e}"));
        let stdin = child.stdin.take().expect("stdin");
        let stdout = BufReader::new(child.stdout.take().expect("stdout"));
        let (give, lines) = mpsc::unbounded_channel();
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| give.send(line)));
        Self { child, stdin, lines }
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("the program reads its stdin");
    }

    /// Waits for its next line.
    pub async fn answer(&mut self) -> Value {
        let line = within_time("a program's answer", LONG, self.lines.recv()).await;
        let line = line.expect("the program has not ended");
        serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"))
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
