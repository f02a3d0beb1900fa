//! A command in a pseudo-terminal, with a model of its screen.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use crate::{Sandbox, until};

const SCROLLBACK: usize = 10_000;

/// A command that runs in a terminal. Dropping it kills it.
pub struct Terminal {
    child: Box<dyn Child + Send + Sync>,
    input: Box<dyn Write + Send>,
    screen: Arc<Mutex<Output>>,
    // Kept so that the terminal stays open as long as the command runs.
    master: Box<dyn MasterPty + Send>,
}

impl std::fmt::Debug for Terminal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terminal").field("screen", &self.screen()).finish_non_exhaustive()
    }
}

struct Output {
    parser: vt100::Parser,
    bytes: Vec<u8>,
}

impl Terminal {
    /// Runs `ask` in a terminal of this size.
    #[must_use]
    pub fn start(sandbox: &Sandbox, args: &[&str], rows: u16, columns: u16) -> Self {
        Self::start_program(sandbox, sandbox.ask(), args, rows, columns)
    }

    /// Runs another program in a terminal of this size.
    #[must_use]
    pub fn start_program(sandbox: &Sandbox, program: &Path, args: &[&str], rows: u16, columns: u16) -> Self {
        let pty = native_pty_system();
        let pair = pty
            .openpty(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 })
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(program);
        command.args(args);
        command.env_clear();
        for (name, value) in sandbox.env() {
            command.env(name, value);
        }
        command.cwd(sandbox.path("home"));
        let child = pair.slave.spawn_command(command).expect("the command starts");
        drop(pair.slave);
        let input = pair.master.take_writer().expect("the terminal's input");
        let mut output = pair.master.try_clone_reader().expect("the terminal's output");
        let nonzero = |size| NonZero::new(size).expect("a terminal has at least one row and column");
        let parser = vt100::Parser::new(nonzero(rows), nonzero(columns), SCROLLBACK);
        let screen = Arc::new(Mutex::new(Output { parser, bytes: Vec::new() }));
        let shared = Arc::clone(&screen);
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            // Linux ends a terminal's output with an error rather than with zero bytes.
            while let Ok(length @ 1..) = output.read(&mut buffer) {
                let mut screen = shared.lock().expect("the screen");
                screen.parser.process(&buffer[..length]);
                screen.bytes.extend_from_slice(&buffer[..length]);
            }
        });
        Self { child, input, screen, master: pair.master }
    }

    /// Changes the size, as dragging a window's corner does.
    pub fn resize(&mut self, rows: u16, columns: u16) {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).expect("another size");
        let nonzero = |size| NonZero::new(size).expect("a terminal has at least one row and column");
        self.screen.lock().expect("the screen").parser.screen_mut().set_size(nonzero(rows), nonzero(columns));
    }

    /// Whether the terminal is as a shell expects it: main screen, cursor shown, pastes not marked.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let output = self.screen.lock().expect("the screen");
        let screen = output.parser.screen();
        !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste()
    }

    /// Waits until the screen shows `text` now.
    pub fn expect_shown(&self, text: &str) {
        let found = || self.screen().contains(text).then_some(());
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| until(text, found)));
        assert!(waited.is_ok(), "{text:?} is not shown; the screen:\n{}", self.screen());
    }

    /// What the screen shows now.
    #[must_use]
    pub fn screen(&self) -> String {
        self.screen.lock().expect("the screen").parser.screen().contents()
    }

    /// Everything written since the start, lines ending as in a file.
    #[must_use]
    pub fn written(&self) -> String {
        String::from_utf8_lossy(&self.screen.lock().expect("the screen").bytes).replace("\r\n", "\n")
    }

    /// Waits until everything written so far contains `text`.
    pub fn expect(&self, text: &str) {
        self.expect_times(text, 1);
    }

    /// Waits until everything written so far contains `text` at least `times` times.
    pub fn expect_times(&self, text: &str, times: usize) {
        let found = || (self.written().matches(text).count() >= times).then_some(());
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| until(text, found)));
        assert!(waited.is_ok(), "{text:?} was not written {times} time(s); written:\n{}", self.written());
    }

    /// Types a text.
    pub fn type_text(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("typing");
        self.input.flush().expect("typing");
    }

    /// Types a line and Enter.
    pub fn type_line(&mut self, line: &str) {
        self.type_text(&format!("{line}\r"));
    }

    /// Waits until the command has ended and gives its exit status.
    #[must_use]
    pub fn finish(&mut self) -> u32 {
        until("the command in the terminal to end", || self.child.try_wait().expect("its status")).exit_code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
