//! What every command has: the place, the environment, the output, and ways to connect.

use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

use askd_client::{Client, ConnectOptions, Launch};
use askd_wire::Millis;
use askd_wire::connection::Program;
use askd_wire::place::{Environment, Place};
use askd_wire::role::Role;

use crate::args::Global;
use crate::failure::Failure;
use crate::marker;
use crate::output::Output;

/// The version of this program.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The process as the commands see it.
#[derive(Debug)]
pub(crate) struct Context {
    /// Where the daemon is looked for.
    pub(crate) place: Place,
    /// The user's id.
    pub(crate) uid: u32,
    /// How a daemon would be started.
    pub(crate) launch: Launch,
    /// Whether it must not be.
    pub(crate) no_start: bool,
    /// Standard output.
    pub(crate) out: Output,
    /// The agent marker in the environment.
    pub(crate) agent: Option<String>,
}

impl Context {
    /// Reads the process once; nothing else does.
    pub(crate) fn from_process(global: Global) -> Result<Self, Failure> {
        let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
        let uid = rustix::process::geteuid().as_raw();
        let lookup = |name: &str| std::env::var_os(name);
        let found = Environment::from_lookup(lookup, std::env::temp_dir(), uid);
        let mut place = Place::find(&found, global.socket.as_deref())?;
        // The daemon that listens there later has another working directory.
        if let Ok(absolute) = std::path::absolute(&place.socket) {
            place.socket = absolute;
        }
        let program = std::env::current_exe().map_err(|e| {
            Failure::Other(format!(
                "The program does not know its own path: {e}. Start the daemon with `ask daemon` and use --no-start."
            ))
        })?;
        let agent = marker::find(environment.iter().map(|(n, v)| (n, v)));
        let launch = Launch { program, environment };
        Ok(Self { place, uid, launch, no_start: global.no_start, out: Output { json: global.json }, agent })
    }

    /// Options of a connection in these roles that never starts a daemon.
    pub(crate) fn options(&self, roles: &[Role]) -> ConnectOptions {
        let client = Program { name: "ask".to_owned(), version: VERSION.to_owned() };
        ConnectOptions::new(self.place.clone(), self.uid, client, roles)
    }

    /// The same, which starts a daemon unless `--no-start` was given, and replaces an older idle one.
    pub(crate) fn starting(&self, roles: &[Role]) -> ConnectOptions {
        let mut options = self.options(roles);
        if !self.no_start {
            options = options.start_with(self.launch.clone());
            options.replace_older = true;
        }
        options
    }

    /// Connects as a frontend that shows nothing.
    pub(crate) async fn frontend(&self) -> Result<Client, Failure> {
        Ok(Client::connect(self.starting(&[Role::Frontend])).await?)
    }

    /// Connects as one that asks.
    pub(crate) async fn agent(&self) -> Result<Client, Failure> {
        Ok(Client::connect(self.starting(&[Role::Agent])).await?)
    }

    /// The present time.
    pub(crate) fn now(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
    }
}
