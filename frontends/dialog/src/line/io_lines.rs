//! Lines in and lines out: a terminal, a pipe, or a test.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use jiff::tz::TimeZone;
use rustix::termios::{QueueSelector, tcflush};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// Longer lines than this are cut: no answer may be so long (protocol §1), and memory stays bounded.
const LINE_MAX: u64 = 1024 * 1024;

/// What a person does in line mode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A line, without its line end.
    Line(String),
    /// Ctrl+C.
    Interrupt,
    /// The end of input; nothing follows.
    End,
}

/// Where line mode reads and writes.
pub struct LineIo {
    input: mpsc::UnboundedReceiver<Input>,
    output: Box<dyn Write + Send>,
    terminal: bool,
    /// The terminal that lines are typed at.
    typed: Option<OwnedFd>,
    zone: TimeZone,
    /// Set once the input has ended.
    ended: bool,
    /// Ctrl+C came before the question was shown.
    interrupted: bool,
}

impl fmt::Debug for LineIo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LineIo").field("terminal", &self.terminal).finish_non_exhaustive()
    }
}

impl LineIo {
    /// Reads standard input. To be made once in a program; several forms can be answered with it one after
    /// the other. See [`terminal`](Self::terminal) for what it needs.
    ///
    /// # Errors
    /// When the thread or the signal cannot be had.
    pub fn stdin(output: Box<dyn Write + Send>) -> io::Result<Self> {
        let input = io::stdin();
        let typed = if input.is_terminal() { Some(input.as_fd().try_clone_to_owned()?) } else { None };
        Self::reading(BufReader::new(input), output, typed)
    }

    /// Reads and writes a terminal that is not on the standard streams, like `/dev/tty`. Reading happens on
    /// a thread of its own that nothing waits for, so that the program can end while no line comes. Ctrl+C
    /// is taken over from the system. To be called inside the program's tokio runtime.
    ///
    /// # Errors
    /// When the terminal, the thread or the signal cannot be had.
    pub fn terminal(path: &Path) -> io::Result<Self> {
        let input = File::open(path)?;
        let output = File::options().write(true).open(path)?;
        let typed = input.as_fd().try_clone_to_owned()?;
        Self::reading(BufReader::new(input), Box::new(output), Some(typed))
    }

    fn reading(
        input: impl BufRead + Send + 'static,
        output: Box<dyn Write + Send>,
        typed: Option<OwnedFd>,
    ) -> io::Result<Self> {
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut interrupts = signal(SignalKind::interrupt())?;
        let pressed = sender.clone();
        tokio::spawn(async move {
            while interrupts.recv().await.is_some() && pressed.send(Input::Interrupt).is_ok() {}
        });
        std::thread::Builder::new().name("lines".to_owned()).spawn(move || read_lines(input, &sender))?;
        let terminal = typed.is_some();
        Ok(Self { terminal, typed, zone: TimeZone::system(), ..Self::new(receiver, output) })
    }

    /// Other input and output than the program's own: no terminal, times in UTC.
    #[must_use]
    pub fn new(input: mpsc::UnboundedReceiver<Input>, output: Box<dyn Write + Send>) -> Self {
        Self {
            input,
            output,
            terminal: false,
            typed: None,
            zone: TimeZone::UTC,
            ended: false,
            interrupted: false,
        }
    }

    /// The same, taken for a terminal: typing ahead does not answer, and a prompt is shown.
    #[must_use]
    pub fn as_terminal(mut self) -> Self {
        self.terminal = true;
        self
    }

    /// Whether a person sits at the input, as far as can be told.
    #[must_use]
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.zone
    }

    /// Forgets what was typed before the question was shown: it cannot have been meant for it.
    pub(crate) fn forget_typed(&mut self) {
        if !self.terminal {
            return;
        }
        if let Some(terminal) = &self.typed {
            // One that has gone has nothing to forget.
            let _ = tcflush(terminal, QueueSelector::IFlush);
        }
        while let Ok(input) = self.input.try_recv() {
            self.ended |= input == Input::End;
            self.interrupted |= input == Input::Interrupt;
        }
    }

    /// The next thing done. Safe to cancel.
    pub(crate) async fn next(&mut self) -> Input {
        if std::mem::take(&mut self.interrupted) {
            return Input::Interrupt;
        }
        if self.ended {
            return Input::End;
        }
        let input = self.input.recv().await.unwrap_or(Input::End);
        self.ended = input == Input::End;
        input
    }

    /// Prints whole lines.
    pub(crate) fn say<S: AsRef<str>>(&mut self, lines: &[S]) -> io::Result<()> {
        for line in lines {
            self.output.write_all(line.as_ref().as_bytes())?;
            self.output.write_all(b"\n")?;
        }
        self.output.flush()
    }

    /// Shows that a line is waited for. Through a pipe nothing is echoed, so that a mark would stick to the
    /// next line printed.
    pub(crate) fn prompt(&mut self) -> io::Result<()> {
        if self.terminal {
            self.output.write_all(b"> ")?;
        }
        self.output.flush()
    }

    /// Leaves the line that the prompt stands on, before something is printed without Enter.
    pub(crate) fn break_prompt(&mut self) -> io::Result<()> {
        if self.terminal { self.output.write_all(b"\n") } else { Ok(()) }
    }
}

fn read_lines(mut input: impl BufRead, sender: &mpsc::UnboundedSender<Input>) {
    loop {
        let mut line = Vec::new();
        // A read error is the end too: nothing more can come.
        let read = (&mut input).take(LINE_MAX).read_until(b'\n', &mut line).unwrap_or(0);
        if read == 0 {
            break;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        let line = String::from_utf8_lossy(&line).into_owned();
        if sender.send(Input::Line(line)).is_err() {
            return;
        }
    }
    // Nobody listens any more when the form has ended.
    let _ = sender.send(Input::End);
}
