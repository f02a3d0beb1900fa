//! One daemon's life: find its place, be the only one there, serve until told to stop, leave.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use askd_wire::place::{LockContents, PLACE_TAKEN, Place};
use rustix::fs::Mode;
use rustix::process::{Resource, getrlimit, setrlimit, umask};
use tokio::net::UnixListener;

use super::error::StartError;
use super::lock::InstanceLock;
use super::process::Process;
use super::signals::StopSignals;
use super::socket::BoundSocket;
use super::{activation, detach, dirs, follow, listen};
use crate::config::{Files, Overrides, SettingsStore};
use crate::log;
use crate::notify::Surroundings;
use crate::registry::{Registry, SystemClock};
use crate::rpc::Service;
use crate::store::{OpenError, SqliteStore, Store};

/// Work handed to other threads may take this long to end; it is nothing that was promised.
const LINGER: Duration = Duration::from_millis(200);

/// Flags of `askd` and `ask daemon`.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub struct DaemonArgs {
    /// Stay in the foreground, with the log on stderr
    #[arg(long)]
    pub foreground: bool,
    /// Listen on 127.0.0.1:PORT as well
    #[arg(long, value_name = "ADDR")]
    pub listen: Option<String>,
    /// Listen on this Unix socket
    #[arg(long, value_name = "PATH")]
    pub socket: Option<PathBuf>,
    /// Fix a setting for this daemon, whatever the settings file says
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub settings: Vec<String>,
    /// Given by the daemon to itself when it goes into the background
    #[arg(long, hide = true)]
    pub detached: bool,
}

/// Runs the daemon of this process's environment with the embedded store: in the foreground until it is
/// stopped, or else only until the one started in the background listens. Faults are told on stderr.
#[must_use]
pub fn run(args: &DaemonArgs) -> ExitCode {
    run_with_store(args, &Process::current(), |file| Ok(Arc::new(SqliteStore::open(file)?)))
}

/// Like [`run`], with another process's environment and another store.
#[must_use]
pub fn run_with_store(
    args: &DaemonArgs,
    process: &Process,
    open: impl FnOnce(&Path) -> Result<Arc<dyn Store>, OpenError>,
) -> ExitCode {
    match try_run(args, process, open) {
        Ok(code) => code,
        Err(error) => {
            // There is nobody else to tell when stderr is gone.
            let _ = writeln!(io::stderr(), "askd: {error}");
            match error {
                StartError::Held { .. } if args.detached => ExitCode::from(PLACE_TAKEN),
                _ => ExitCode::FAILURE,
            }
        }
    }
}

fn try_run(
    args: &DaemonArgs,
    process: &Process,
    open: impl FnOnce(&Path) -> Result<Arc<dyn Store>, OpenError>,
) -> Result<ExitCode, StartError> {
    if !args.foreground && !args.detached {
        return detach::start(process);
    }
    let place = find_place(process, args.socket.as_deref())?;
    if args.detached {
        detach::leave_session()?;
    }
    // Whatever this process ever creates is the user's own.
    umask(Mode::RWXG | Mode::RWXO);
    raise_file_limit();
    dirs::prepare_state(&place, process.uid)?;
    let mut lock = InstanceLock::take(&place)?;
    let level = log::level(process.var(log::LEVEL_VARIABLE).and_then(|word| word.to_str()));
    let file = args.detached.then(|| place.log_file());
    log::start(level, file.as_deref())
        .map_err(|source| StartError::StateNotWritable { path: place.log_file(), source })?;
    let settings = Arc::new(open_settings(args, process, &place));
    listen::refuse_until_guarded(args.listen.as_deref(), &settings.current().listen)?;
    let store = open(&place.database())?;
    let system = |what| move |source| StartError::System { what, source };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(system("creating the runtime"))?;
    let socket = runtime.block_on(async {
        let signals = StopSignals::catch(args.detached).map_err(system("catching signals"))?;
        let daemon = Daemon::start(&place, process, settings, store, &mut lock).await?;
        if args.detached {
            detach::report_ready(&place.log_file())?;
        }
        activation::ready();
        daemon.until_stopped(signals).await
    });
    // The database is closed and the socket gone before the lock is: the next daemon finds all free.
    runtime.shutdown_timeout(LINGER);
    socket?.unlink();
    lock.release();
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// A daemon that serves.
struct Daemon {
    serving: crate::rpc::Serving,
    socket: BoundSocket,
}

impl Daemon {
    async fn start(
        place: &Place,
        process: &Process,
        settings: Arc<SettingsStore>,
        store: Arc<dyn Store>,
        lock: &mut InstanceLock,
    ) -> Result<Self, StartError> {
        let system = |what| move |source| StartError::System { what, source };
        let instance_id = uuid::Uuid::new_v4().to_string();
        let clock = Arc::new(SystemClock);
        let registry = Registry::open(store, clock.clone(), settings.watch(), instance_id.clone()).await?;
        let mut socket = match activation::passed_socket(process)? {
            Some(socket) => socket,
            None => {
                dirs::prepare_socket(place, process.uid)?;
                BoundSocket::bind(&place.socket)?
            }
        };
        let contents = LockContents {
            pid: process.pid,
            socket: socket.path().to_owned(),
            instance_id: instance_id.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        lock.write(&contents)
            .map_err(|source| StartError::StateNotWritable { path: place.lock_file(), source })?;
        let listener = socket.take_listener().map(into_tokio).transpose().map_err(system("listening"))?;
        let Some(listener) = listener else {
            return Err(system("listening")(io::ErrorKind::NotFound.into()));
        };
        let listeners = vec![format!("unix:{}", socket.path().display())];
        let surroundings = Surroundings::of(process, socket.path(), place.state.join("notification.json"));
        tokio::spawn(follow::settings_file(settings.clone(), registry.clone()));
        let service = Service { registry, settings, clock, listeners, uid: process.uid, surroundings };
        let serving = service
            .start(listener)
            .map_err(|error| system("registering the methods")(io::Error::other(error)))?;
        tracing::info!(pid = process.pid, instance = %instance_id, version = env!("CARGO_PKG_VERSION"), "listening");
        Ok(Self { serving, socket })
    }

    /// Serves until a signal or a client ends it; gives the socket, which is still to be unlinked.
    async fn until_stopped(self, mut signals: StopSignals) -> Result<BoundSocket, StartError> {
        let why = tokio::select! {
            signal = signals.next() => signal,
            () = self.serving.stop_asked() => "daemon/stop",
            () = self.socket.lost() => "the socket was taken away",
        };
        tracing::info!(why, "stopping");
        activation::stopping();
        self.serving.stop().await;
        Ok(self.socket)
    }
}

fn into_tokio(listener: std::os::unix::net::UnixListener) -> io::Result<UnixListener> {
    listener.set_nonblocking(true)?;
    UnixListener::from_std(listener)
}

/// The settings, from the file, the environment and the flags.
fn open_settings(args: &DaemonArgs, process: &Process, place: &Place) -> SettingsStore {
    let path = |name: &str| process.var(name).filter(|value| !value.is_empty()).map(Path::new);
    let files = Files::from(place.config_file.clone()).with_pi(path("PI_CODING_AGENT_DIR"), path("HOME"));
    SettingsStore::open_with(files, Overrides::new(&process.env, &args.settings))
}

/// Where the daemon lives, with absolute paths: a detached one works elsewhere.
fn find_place(process: &Process, socket: Option<&Path>) -> Result<Place, StartError> {
    let mut place = Place::find(&process.environment(), socket)?;
    for path in [&mut place.socket, &mut place.state, &mut place.config_file] {
        *path = process.directory.join(&*path);
    }
    Ok(place)
}

/// A thousand connections need more files than many systems allow at first.
fn raise_file_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Without it there are fewer connections, and each refusal says so.
    let _ = setrlimit(Resource::Nofile, limit);
}
