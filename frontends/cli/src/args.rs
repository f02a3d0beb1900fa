//! The command line's grammar: global options and the list of commands; each command's own options are in
//! its file.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands;

/// Ask a person, and answer what agents ask.
///
/// Without a command it lists the open forms.
///
/// Exit status: 0 submitted or done, or yes; 10 answered, but no, or not as --expect says; 2 wrong usage;
/// 3 cancelled; 4 sent back for elaboration; 5 expired, or still open when the time ran out; 6 invalid input;
/// 7 daemon not reachable; 1 anything else.
#[derive(Debug, Parser)]
#[command(name = "ask", version, max_term_width = 100)]
pub(crate) struct Arguments {
    /// What every command takes.
    #[command(flatten)]
    pub(crate) global: Global,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What every command takes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// The daemon's socket [default: $ASKD_SOCKET, else in $XDG_RUNTIME_DIR/askd]
    #[arg(long, global = true, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// Write JSON to stdout and nothing else; errors stay text on stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Never start the daemon
    #[arg(long, global = true)]
    pub(crate) no_start: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a sample form, open it, and print what the agent would get
    Demo(commands::demo::Demo),
    /// Ask with a form from JSON, wait, and print the tool result
    New(commands::new::New),
    /// Ask yes or no; exit status 0 means yes and nothing else does
    Confirm(commands::confirm::Confirm),
    /// Ask to choose one of some options, or several; print what was chosen
    Choose(commands::choose::Choose),
    /// Ask for a text and print it
    Text(commands::text::Text),
    /// Answer a form, the oldest one without an id
    Answer(commands::answer::Answer),
    /// List the open forms, oldest first
    List(commands::list::List),
    /// Show one form
    Show(commands::show::Show),
    /// List finished forms, newest first
    History(commands::history::History),
    /// Wait for a form's end and print the tool result
    Wait(commands::wait::Wait),
    /// Cancel a form
    Cancel(commands::cancel::Cancel),
    /// Print what happens, as it happens
    Watch(commands::watch::Watch),
    /// Tell how the daemon is; never starts it
    Status(commands::status::Status),
    /// Find out what is wrong, and what to do about it
    Doctor(commands::doctor::Doctor),
    /// Stop the daemon; open forms stay open
    Stop(commands::stop::Stop),
    /// See and change settings
    Settings(commands::settings::SettingsCommand),
    /// Show a form inside another program
    Tui(commands::tui::Tui),
    /// Show a form in windows, or as dialogs of another program
    Dialog(commands::dialog::Dialog),
    /// Run the daemon
    Daemon(commands::daemon::Daemon),
    /// Print a completion script for a shell
    Completions(commands::completions::Completions),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_grammar_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn global_options_stand_before_and_after_the_command() {
        for line in ["ask --json --socket /s list --no-start", "ask list --no-start --socket /s --json"] {
            let arguments = parse(line).unwrap();
            assert!(arguments.global.json && arguments.global.no_start, "{line}");
            assert_eq!(arguments.global.socket, Some("/s".into()), "{line}");
            assert!(matches!(arguments.command, Some(Command::List(_))));
        }
    }

    #[test]
    fn wrong_usage_is_refused() {
        for line in [
            "ask nothing",
            "ask show",
            "ask cancel",
            "ask cancel abcd --orphaned",
            "ask wait abcd --timeout soon",
            "ask answer abcd --response r.json --values a=b",
            "ask new --with web",
            "ask new --no-wait --expect a=b",
            "ask settings set one",
            "ask completions tcsh",
            "ask list --colour",
            "ask dialog --form abcd",
            "ask dialog --with auto",
            "ask dialog --host --with auto --form abcd",
            "ask dialog --with kitty --form abcd",
            "ask confirm",
            "ask choose Where?",
            "ask text",
        ] {
            let error = parse(line).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn options_of_the_protocol_are_there() {
        for line in [
            "ask",
            "ask demo --line",
            "ask new",
            "ask new - --contract questionnaire --session s --tool-call-id t",
            "ask new f.json --expect a=b --expect c=d --keep --with none",
            "ask new - --no-wait",
            "ask answer",
            "ask answer abcd --values q=a,b --text q=T --note q=T",
            "ask answer abcd --line",
            "ask answer --response -",
            "ask list",
            "ask show abcd",
            "ask history",
            "ask wait abcd --timeout 1.5",
            "ask cancel abcd",
            "ask cancel --orphaned",
            "ask watch",
            "ask status --line",
            "ask doctor",
            "ask stop",
            "ask settings",
            "ask settings get behaviour",
            "ask settings set a.b 1",
            "ask settings reset",
            "ask settings path",
            "ask settings import ask.json",
            "ask daemon --foreground --set behaviour.showFooterHints=false",
            "ask dialog --host --form abcd",
            "ask dialog --host",
            "ask dialog --with auto --form abcd",
            "ask dialog --with zenity --form abcd",
            "ask confirm Deploy? --person",
            "ask choose Where? staging production --multi",
            "ask choose -- -Where? -a --b",
            "ask text Name?",
            "ask daemon --foreground --listen 127.0.0.1:0",
            "ask completions bash",
            "ask history forget abcd",
            "ask history forget --before 2026-01-31",
        ] {
            if let Err(error) = parse(line) {
                panic!("{line}: {error}");
            }
        }
    }
}
