//! Taking the terminal and giving it back: on leaving, on a signal, on a panic. It is asked nothing: a terminal that
//! does not answer must not hold anybody up.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::AsFd;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::termios::{QueueSelector, tcflush};

/// The terminal a program was started from, whatever its standard streams are.
const TERMINAL: &str = "/dev/tty";
/// Alternate screen; bracketed paste; focus events; the keyboard protocol that tells keys apart and marks repeats.
/// Terminals that do not know one of them ignore it.
const ENTER: &str = "\x1b[?1049h\x1b[2J\x1b[H\x1b[?2004h\x1b[?1004h\x1b[>3u";
/// The same back, in the other order, with the cursor shown.
const LEAVE: &str = "\x1b[<1u\x1b[?1004l\x1b[?2004l\x1b[0m\x1b[?2026l\x1b[?1049l\x1b[?25h";
/// Keys that are on their way when the screen closes belong to it, not to the shell.
const LATE_KEYS: std::time::Duration = std::time::Duration::from_millis(15);
/// Where the size cannot be read.
const USUAL: (u16, u16) = (80, 24);

/// Whether the terminal is ours now; the panic hook asks it.
static TAKEN: AtomicBool = AtomicBool::new(false);
static HOOK: Once = Once::new();

/// Whether there is a terminal to draw on and to read keys from.
#[must_use]
pub fn is_possible() -> bool {
    File::options().read(true).write(true).open(TERMINAL).is_ok_and(|tty| tty.is_terminal())
}

/// The terminal, taken: given back when this is dropped, and before the message of a panic.
#[derive(Debug)]
pub struct Terminal {
    tty: File,
}

impl Terminal {
    /// Takes the terminal. Keys pressed before are thrown away: they were not meant for the form.
    ///
    /// # Errors
    /// There is no terminal, or it cannot be set.
    pub fn open() -> io::Result<Self> {
        let tty = File::options().read(true).write(true).open(TERMINAL)?;
        HOOK.call_once(restore_on_panic);
        let mut terminal = Self { tty };
        terminal.enter()?;
        Ok(terminal)
    }

    pub(super) fn enter(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        flush_keys(&self.tty);
        self.write(ENTER)
    }

    /// Gives the terminal back, once.
    pub(super) fn leave(&mut self) {
        give_back(&mut self.tty, true);
    }

    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        self.tty.write_all(text.as_bytes())?;
        self.tty.flush()
    }

    /// One line on the terminal after it was given back.
    pub(super) fn say(&mut self, line: &str) {
        // A terminal that is gone is told nothing.
        let _ = self.write(&format!("{}\n", askd_form::safe_text::line(line)));
    }

    /// Columns and rows now.
    pub(super) fn size(&self) -> (u16, u16) {
        match rustix::termios::tcgetwinsize(&self.tty) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col, size.ws_row),
            _ => USUAL,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
    }
}

fn give_back(tty: &mut File, wait: bool) {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    // Nothing can be done about a terminal that takes no more bytes.
    let _ = tty.write_all(LEAVE.as_bytes()).and_then(|()| tty.flush());
    flush_keys(tty);
    if wait {
        std::thread::sleep(LATE_KEYS);
        flush_keys(tty);
    }
    let _ = disable_raw_mode();
}

fn flush_keys(tty: &impl AsFd) {
    let _ = tcflush(tty, QueueSelector::IFlush);
}

/// The message of a panic has to be read on a terminal that shows it.
fn restore_on_panic() {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if let Ok(mut tty) = File::options().read(true).write(true).open(TERMINAL) {
            give_back(&mut tty, false);
        }
        before(panic);
    }));
}
