//! One command a file, and which one runs.

pub(crate) mod answer;
pub(crate) mod cancel;
pub(crate) mod choose;
pub(crate) mod completions;
pub(crate) mod confirm;
pub(crate) mod daemon;
pub(crate) mod demo;
pub(crate) mod dialog;
pub(crate) mod doctor;
pub(crate) mod history;
pub(crate) mod inbox;
pub(crate) mod list;
pub(crate) mod new;
pub(crate) mod one_liner;
pub(crate) mod settings;
pub(crate) mod show;
pub(crate) mod status;
pub(crate) mod stop;
pub(crate) mod text;
pub(crate) mod tui;
pub(crate) mod wait;
pub(crate) mod watch;

use crate::args::Command;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs a command to its end.
pub(crate) async fn run(command: Option<Command>, context: &Context) -> Result<Exit, Failure> {
    match command {
        None => inbox::run(context).await,
        Some(Command::Demo(demo)) => demo.run(context).await,
        Some(Command::New(new)) => new.run(context).await,
        Some(Command::Confirm(confirm)) => confirm.run(context).await,
        Some(Command::Choose(choose)) => choose.run(context).await,
        Some(Command::Text(text)) => text.run(context).await,
        Some(Command::Answer(answer)) => answer.run(context).await,
        Some(Command::List(list)) => list.run(context).await,
        Some(Command::Show(show)) => show.run(context).await,
        Some(Command::History(history)) => history.run(context).await,
        Some(Command::Wait(wait)) => wait.run(context).await,
        Some(Command::Cancel(cancel)) => cancel.run(context).await,
        Some(Command::Watch(watch)) => watch.run(context).await,
        Some(Command::Status(status)) => status.run(context).await,
        Some(Command::Doctor(doctor)) => doctor.run(context).await,
        Some(Command::Stop(stop)) => stop.run(context).await,
        Some(Command::Settings(settings)) => settings.run(context).await,
        Some(Command::Tui(tui)) => tui.run(context).await,
        Some(Command::Dialog(dialog)) => dialog.run(context).await,
        Some(Command::Completions(completions)) => completions.run(),
        // It is run before there is a runtime.
        Some(Command::Daemon(_)) => Ok(Exit::Done),
    }
}
