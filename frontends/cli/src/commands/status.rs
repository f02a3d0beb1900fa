//! `ask status`: how the daemon is, without ever starting it.

use askd_client::{Client, ConnectError};
use askd_wire::Empty;
use askd_wire::daemon::Status as DaemonStatusResult;
use askd_wire::method::DaemonStatus;
use askd_wire::role::Role;
use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use crate::view::{age, table};

/// Tell how the daemon is; never starts it
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// One short line for a status bar, like `2 waiting`
    #[arg(long)]
    line: bool,
}

impl Status {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = match Client::connect(context.options(&[Role::Frontend])).await {
            Ok(client) => client,
            // A status bar shows stdout only.
            Err(ConnectError::NotRunning { .. }) if self.line && !context.out.json => {
                output::write("not running")?;
                return Ok(Exit::Unreachable);
            }
            Err(error) => return Err(error.into()),
        };
        let status = client.call::<DaemonStatus>(Empty {}).await?;
        context.out.value(&status)?;
        if self.line {
            context.out.say(&format!("{} waiting", status.open_forms))?;
        } else {
            context.out.say(&whole(&status, context))?;
        }
        Ok(Exit::Done)
    }
}

fn whole(status: &DaemonStatusResult, context: &Context) -> String {
    let mut rows = Vec::new();
    let mut row = |name: &str, text: String| rows.push(vec![name.to_owned(), text]);
    row("Version", format!("{}, protocol {}", status.version, status.protocol));
    row("Process", format!("{}, up {}", status.pid, age::since(status.started_at, context.now())));
    row("Forms", format!("{} waiting, {} finished kept", status.open_forms, status.resolved_forms));
    row("Listens", status.listeners.join(", "));
    row("Database", format!("{}, {} KiB", status.database.file, status.database.bytes.div_ceil(1024)));
    row("Settings", context.place.config_file.display().to_string());
    let connected: Vec<String> = status
        .connections
        .iter()
        .map(|connection| {
            let name = connection.client.as_ref().map_or("not introduced", |client| client.name.as_str());
            match &connection.kind {
                Some(kind) => format!("{name} ({kind})"),
                None => name.to_owned(),
            }
        })
        .collect();
    row("Connected", connected.join(", "));
    table::aligned(&rows)
}
