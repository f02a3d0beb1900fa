//! An X server without a screen, and a person at it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use crate::{Sandbox, until};

/// A window. The server gives the number of one that is gone to the next, so that the process tells them apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    id: String,
    /// The process that shows it.
    pub pid: String,
}

/// A running X server. Dropping it ends it.
#[derive(Debug)]
pub struct Desktop {
    server: Child,
    display: String,
}

impl Desktop {
    /// Starts one on a display that is free.
    #[must_use]
    pub fn start(sandbox: &Sandbox) -> Self {
        // It chooses the display itself and says which.
        // Without -noreset it would start anew, and refuse whoever comes then, each time its last window goes.
        let args = ["-displayfd", "1", "-noreset", "-screen", "0", "1024x768x24", "-nolisten", "tcp"];
        let mut command = sandbox.command_of("Xvfb", &args);
        let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("Xvfb");
        let mut number = String::new();
        let stdout = server.stdout.take().expect("stdout");
        BufReader::new(stdout).read_line(&mut number).expect("the display's number");
        Self { server, display: format!(":{}", number.trim()) }
    }

    /// What `DISPLAY` has to be.
    #[must_use]
    pub fn display(&self) -> &str {
        &self.display
    }

    /// The windows that are shown under this title.
    #[must_use]
    pub fn windows(&self, sandbox: &Sandbox, title: &str) -> Vec<Window> {
        let found = self.tool(sandbox, &["search", "--onlyvisible", "--name", title]);
        let window = |id: &str| {
            let pid = self.tool(sandbox, &["getwindowpid", id]).trim().to_owned();
            // One that has gone meanwhile has none.
            (!pid.is_empty()).then(|| Window { id: id.to_owned(), pid })
        };
        found.split_whitespace().filter_map(window).collect()
    }

    /// Waits for a window that is not the one before, and gives it the focus.
    #[must_use]
    pub fn next_window(&self, sandbox: &Sandbox, title: &str, before: Option<&Window>) -> Window {
        let window = until("a window", || {
            self.windows(sandbox, title).into_iter().find(|window| Some(window) != before)
        });
        // There is no window manager that would do it. A window that is not ready yet does not take it.
        until("the focus", || {
            self.tool(sandbox, &["windowfocus", &window.id]);
            (self.tool(sandbox, &["getwindowfocus"]).trim() == window.id).then_some(())
        });
        window
    }

    /// Presses keys, by their names.
    pub fn press(&self, sandbox: &Sandbox, keys: &[&str]) {
        self.tool(sandbox, &[&["key"], keys].concat());
    }

    /// Types a text.
    pub fn type_text(&self, sandbox: &Sandbox, text: &str) {
        self.tool(sandbox, &["type", "--", text]);
    }

    /// Clicks at a place of a window.
    pub fn click(&self, sandbox: &Sandbox, window: &Window, x: u32, y: u32) {
        let (x, y) = (x.to_string(), y.to_string());
        self.tool(sandbox, &["mousemove", "--window", &window.id, &x, &y, "click", "1"]);
    }

    fn tool(&self, sandbox: &Sandbox, args: &[&str]) -> String {
        let mut command = sandbox.command_of("xdotool", args);
        let output = command.env("DISPLAY", &self.display).output().expect("xdotool");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

impl Drop for Desktop {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
