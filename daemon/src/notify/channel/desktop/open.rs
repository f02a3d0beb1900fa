//! Opening a form from a notification: the person's own command, else a terminal found on the system, else a
//! desktop dialog (protocol §6, `notifications.openCommand`).

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;

use tokio::process::Command;

use super::super::super::surroundings::Surroundings;

/// Terminals and what stands between their name and the command to run, the person's or the desktop's own
/// choice first.
const TERMINALS: [(&str, &[&str]); 18] = [
    ("xdg-terminal-exec", &[]),
    ("ptyxis", &["--"]),
    ("kgx", &["--"]),
    ("gnome-terminal", &["--"]),
    ("konsole", &["-e"]),
    ("xfce4-terminal", &["-x"]),
    ("mate-terminal", &["-x"]),
    ("ghostty", &["-e"]),
    ("kitty", &[]),
    ("foot", &[]),
    ("alacritty", &["-e"]),
    ("wezterm", &["start", "--"]),
    ("terminator", &["-x"]),
    ("x-terminal-emulator", &["-e"]),
    ("urxvt", &["-e"]),
    ("st", &["-e"]),
    ("rxvt", &["-e"]),
    ("xterm", &["-e"]),
];

/// Programs that `ask dialog` can show windows with.
const DIALOGS: [&str; 1] = ["zenity"];

/// What is to be opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// The only form, or none for all that wait.
    pub(super) form: Option<&'a str>,
    /// The one to begin with where only one can be shown.
    pub(super) oldest: &'a str,
    /// The desktop's permission to come to the front.
    pub(super) token: Option<&'a str>,
}

/// Starts what shows the form.
///
/// # Errors
/// What to tell the person.
pub(super) fn open(
    surroundings: &Surroundings,
    command: Option<&str>,
    wanted: Wanted<'_>,
) -> Result<(), String> {
    if let Some(command) = command {
        let line = ["sh", "-c", command].map(OsString::from).to_vec();
        return start(surroundings, line, wanted)
            .map_err(|error| format!("notifications.openCommand could not be started: {error}"));
    }
    let Some(ask) = surroundings.ask() else {
        return Err("The `ask` program was not found beside the daemon or on its PATH.".to_owned());
    };
    let mut line = vec![OsString::from(ask)];
    line.extend(["--socket".into(), surroundings.socket.clone().into()]);
    if let Some(form) = wanted.form {
        line.extend(["answer".into(), form.into()]);
    }
    let has_display = surroundings.has_display();
    if has_display {
        for (terminal, between) in terminals(surroundings) {
            let mut whole = vec![terminal.into_os_string()];
            whole.extend(between.iter().map(OsString::from));
            whole.extend(line.iter().cloned());
            if start(surroundings, whole, wanted).is_ok() {
                return Ok(());
            }
        }
        if DIALOGS.iter().any(|dialog| surroundings.program(dialog).is_some()) {
            let arguments = ["dialog", "--with", "auto", "--form", wanted.oldest].map(OsString::from);
            let mut whole = line[..3].to_vec();
            whole.extend(arguments);
            if start(surroundings, whole, wanted).is_ok() {
                return Ok(());
            }
        }
    }
    let why = if has_display { "No terminal was found." } else { "The daemon knows of no display." };
    Err(format!("{why} Run `ask` in a terminal, or set notifications.openCommand."))
}

fn terminals(surroundings: &Surroundings) -> impl Iterator<Item = (PathBuf, &'static [&'static str])> {
    let own = surroundings.variable("TERMINAL").and_then(|name| {
        let path = surroundings.program(name)?;
        let file = path.file_name()?.to_str()?;
        let between = TERMINALS.iter().find(|(known, _)| *known == file).map_or(&["-e"][..], |(_, b)| b);
        Some((path, between))
    });
    let found = TERMINALS.iter().filter_map(|(name, between)| Some((surroundings.program(name)?, *between)));
    own.into_iter().chain(found)
}

/// Starts a program that lives on by itself: what the person opened stays open when the daemon ends.
fn start(surroundings: &Surroundings, line: Vec<OsString>, wanted: Wanted<'_>) -> std::io::Result<()> {
    let Some((program, arguments)) = line.split_first() else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(arguments).env_clear().envs(surroundings.passed_on());
    command.env("ASKD_SOCKET", &surroundings.socket);
    if let Some(form) = wanted.form {
        command.env("ASK_FORM_ID", form);
    }
    if let Some(token) = wanted.token {
        // The first is Wayland's name for it, the second the older one of X11.
        command.env("XDG_ACTIVATION_TOKEN", token).env("DESKTOP_STARTUP_ID", token);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let mut child = command.spawn()?;
    tokio::spawn(async move {
        if let Ok(status) = child.wait().await
            && !status.success()
        {
            tracing::warn!(%status, "what a notification opened ended with a failure");
        }
    });
    Ok(())
}
