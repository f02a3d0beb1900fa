//! What can stand in a daemon's way when it starts: each fault is told with the way out.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use askd_tests::forms::single;
use askd_tests::{Daemon, Finished, Sandbox, sandbox, until};

/// Starts a daemon that is expected to end by itself, and checks that its message is one for people.
fn fails_to_start(sandbox: &Sandbox) -> Finished {
    let finished = sandbox.run(&["daemon", "--foreground"]);
    assert!(finished.code.is_some_and(|code| code != 0), "{finished:?}");
    assert!(!finished.stderr.trim().is_empty(), "{finished:?}");
    assert!(!finished.stderr.contains("panicked"), "{finished:?}");
    finished
}

fn names(finished: &Finished, path: &Path) {
    assert!(
        finished.stderr.contains(&path.display().to_string()),
        "it names {}: {finished:?}",
        path.display()
    );
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
}

#[test]
fn a_second_daemon_says_who_holds_the_place() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let second = fails_to_start(&sandbox);
    assert!(second.stderr.contains(&daemon.pid().to_string()), "{second:?}");
    names(&second, daemon.socket());
    // Also from elsewhere: the state directory decides, not the socket's path.
    let mut command = sandbox.command(&["daemon", "--foreground", "--socket"]);
    command.arg(sandbox.path("run/other.sock"));
    let elsewhere = askd_tests::run::run(command, "");
    assert_ne!(elsewhere.code, Some(0));
    names(&elsewhere, daemon.socket());
    assert!(!sandbox.path("run/other.sock").exists());
    assert!(askd_tests::http::post(daemon.socket(), &[], "{}").status > 0, "the first one still answers");
}

#[test]
fn directories_and_socket_are_private() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let mode = |path: &Path| fs::metadata(path).expect("it exists").permissions().mode() & 0o777;
    assert_eq!(mode(daemon.socket()), 0o600);
    assert_eq!(mode(daemon.socket().parent().expect("a directory")), 0o700);
    let place = sandbox.place();
    assert_eq!(mode(&place.state), 0o700);
    for file in [place.database(), place.lock_file()] {
        assert_eq!(mode(&file) & 0o077, 0, "{} is for its owner only", file.display());
    }
}

#[test]
fn a_stale_socket_is_taken_over() {
    let sandbox = sandbox!();
    Daemon::start(&sandbox).kill();
    assert!(sandbox.socket().exists(), "a killed daemon leaves its socket");
    let daemon = Daemon::start(&sandbox);
    assert!(daemon.terminate().success());
    assert!(!sandbox.socket().exists());
}

#[test]
fn a_daemon_whose_socket_was_taken_away_makes_room() {
    let sandbox = sandbox!();
    let mut daemon = Daemon::start(&sandbox);
    let made = sandbox.run_with(&["new", "-", "--no-wait"], &single().to_string()).expect(0);
    fs::remove_dir_all(daemon.socket().parent().expect("a directory")).expect("it goes");
    assert!(daemon.wait_for_exit().success());
    let listed = sandbox.run(&["list", "--json"]).expect(0);
    assert!(listed.stdout.contains(made.stdout.trim()), "{listed:?}");
}

#[test]
fn a_regular_file_in_the_sockets_place_is_left_alone() {
    let sandbox = sandbox!();
    let socket = sandbox.socket();
    make_private(socket.parent().expect("a directory"));
    fs::write(&socket, "precious").expect("a file");
    names(&fails_to_start(&sandbox), &socket);
    assert_eq!(fs::read_to_string(&socket).expect("it is still there"), "precious");
}

#[test]
fn a_foreign_listener_on_the_socket_is_left_alone() {
    let sandbox = sandbox!();
    let socket = sandbox.socket();
    make_private(socket.parent().expect("a directory"));
    let _listener = UnixListener::bind(&socket).expect("a listener");
    names(&fails_to_start(&sandbox), &socket);
    assert!(socket.exists());
}

#[test]
fn a_socket_directory_that_others_may_write_is_refused() {
    let sandbox = sandbox!();
    let socket = sandbox.socket();
    let directory = socket.parent().expect("a directory");
    make_private(directory);
    set_mode(directory, 0o777);
    names(&fails_to_start(&sandbox), directory);
    // A client does not trust it either, and does not start a daemon there.
    let client = sandbox.run(&["list"]);
    assert_ne!(client.code, Some(0));
    names(&client, directory);
    assert!(sandbox.processes().is_empty());
}

#[test]
fn a_socket_directory_of_someone_else_is_refused() {
    if !rustix::process::geteuid().is_root() {
        // Only root can give a directory away; a symbolic link to root's own stands in for it.
        let sandbox = sandbox!();
        let directory = sandbox.path("run/askd");
        symlink("/", &directory).expect("a link");
        fails_to_start(&sandbox);
        return;
    }
    let sandbox = sandbox!();
    let socket = sandbox.socket();
    let directory = socket.parent().expect("a directory");
    make_private(directory);
    let nobody = rustix::fs::Uid::from_raw(65_534);
    rustix::fs::chown(directory, Some(nobody), None).expect("root may give a directory away");
    names(&fails_to_start(&sandbox), directory);
    let client = sandbox.run(&["list"]);
    assert_ne!(client.code, Some(0));
    names(&client, directory);
}

#[test]
fn a_socket_path_that_is_too_long_is_refused_when_given() {
    let sandbox = sandbox!();
    let long = sandbox.path(&"d".repeat(120));
    let mut command = sandbox.command(&["daemon", "--foreground", "--socket"]);
    command.arg(&long);
    let finished = askd_tests::run::run(command, "");
    assert_ne!(finished.code, Some(0));
    assert!(finished.stderr.contains("--socket") && finished.stderr.contains("103"), "{finished:?}");
}

#[test]
fn a_default_path_that_is_too_long_moves_to_the_temporary_directory() {
    let sandbox = sandbox!();
    let long = sandbox.path(&"d".repeat(110));
    fs::create_dir(&long).expect("a directory");
    set_mode(&long, 0o700);
    let sandbox = sandbox.with_env("XDG_RUNTIME_DIR", long);
    let daemon = Daemon::start(&sandbox);
    assert!(daemon.socket().starts_with(sandbox.path("tmp")));
    assert!(sandbox.run(&["status", "--no-start"]).code == Some(0), "clients find it there");
}

#[test]
fn a_state_directory_that_cannot_be_made_is_told() {
    let sandbox = sandbox!();
    // A file where the directory should be stops root, too, whom no permission stops.
    let state = sandbox.place().state;
    fs::write(&state, "in the way").expect("a file");
    names(&fails_to_start(&sandbox), &state);
    assert_eq!(fs::read_to_string(&state).expect("it is still there"), "in the way");
}

#[test]
fn a_read_only_state_directory_is_told() {
    let sandbox = sandbox!();
    if rustix::process::geteuid().is_root() {
        // No mode stops root; /proc is where it cannot make a directory either.
        let mut command = sandbox.command(&["daemon", "--foreground"]);
        command.env("XDG_STATE_HOME", "/proc/self");
        let finished = askd_tests::run::run(command, "");
        assert_ne!(finished.code, Some(0));
        names(&finished, Path::new("/proc/self/askd"));
        return;
    }
    set_mode(&sandbox.path("state"), 0o500);
    names(&fails_to_start(&sandbox), &sandbox.place().state);
}

#[test]
fn a_database_that_is_none_is_told_and_kept() {
    let sandbox = sandbox!();
    Daemon::start(&sandbox).kill();
    let database = sandbox.place().database();
    let damaged = b"this is no database, and longer than one page header is".repeat(100);
    fs::write(&database, &damaged).expect("a file");
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(format!("{}{suffix}", database.display()));
    }
    names(&fails_to_start(&sandbox), &database);
    assert_eq!(fs::read(&database).expect("it is still there"), damaged, "it was not written over");
}

#[test]
fn a_database_of_a_later_version_is_told_and_kept() {
    // Where an SQLite file keeps its `user_version`, as four bytes (SQLite, "Database File Format", 1.3).
    const USER_VERSION: std::ops::Range<usize> = 60..64;
    let sandbox = sandbox!();
    assert!(Daemon::start(&sandbox).terminate().success());
    let database = sandbox.place().database();
    let mut bytes = fs::read(&database).expect("a database");
    bytes[USER_VERSION].copy_from_slice(&999_u32.to_be_bytes());
    fs::write(&database, &bytes).expect("a file");
    let finished = fails_to_start(&sandbox);
    names(&finished, &database);
    assert!(finished.stderr.contains("newer"), "{finished:?}");
    assert_eq!(fs::read(&database).expect("it is still there"), bytes, "it was not written over");
}

#[test]
fn a_place_that_cannot_be_told_is_explained() {
    let sandbox = sandbox!();
    let mut command = sandbox.command(&["daemon", "--foreground"]);
    command.env_remove("HOME").env_remove("XDG_STATE_HOME");
    let finished = askd_tests::run::run(command, "");
    assert_ne!(finished.code, Some(0));
    assert!(finished.stderr.contains("HOME"), "{finished:?}");
}

#[test]
fn a_client_that_starts_a_daemon_hears_of_its_faults() {
    let sandbox = sandbox!();
    let state = sandbox.place().state;
    fs::write(&state, "in the way").expect("a file");
    let finished = sandbox.run(&["list"]);
    assert_eq!(finished.code, Some(7), "{finished:?}");
    names(&finished, &state);
}

#[test]
fn a_daemon_started_on_demand_leaves_its_caller_alone() {
    let sandbox = sandbox!();
    // The harness fails when a pipe of the command stays open after its end.
    let created = sandbox.run_with(&["new", "-", "--no-wait", "--json"], &single().to_string()).expect(0);
    assert!(created.json()["formId"].is_string());
    let pid = sandbox.lock_contents().expect("a daemon").pid;
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("it runs");
    let after_name = stat.rsplit_once(") ").expect("its name").1;
    let session: u32 = after_name.split(' ').nth(3).and_then(|s| s.parse().ok()).expect("its session");
    assert_eq!(session, pid, "it leads a session of its own");
    let cwd = fs::read_link(format!("/proc/{pid}/cwd")).expect("its directory");
    assert_eq!(cwd, Path::new("/"), "it keeps no directory busy");
    assert!(sandbox.place().log_file().exists());
    sandbox.run(&["stop"]).expect(0);
    until("the daemon's end", || sandbox.processes().is_empty().then_some(()));
}

#[test]
fn a_daemon_started_on_demand_has_only_the_listed_environment() {
    let sandbox = sandbox!();
    let mut command = sandbox.command(&["list"]);
    command.env("SECRET_TOKEN", "hunter2").env("ASKD_NOTE", "kept").env("LC_TIME", "C").env("AI_AGENT", "x");
    askd_tests::run::run(command, "").expect(0);
    let pid = sandbox.lock_contents().expect("a daemon").pid;
    let environ = fs::read(format!("/proc/{pid}/environ")).expect("its environment");
    let environ = String::from_utf8_lossy(&environ).into_owned();
    let names: Vec<&str> = environ.split('\0').filter_map(|e| Some(e.split_once('=')?.0)).collect();
    for name in ["HOME", "PATH", "LANG", "XDG_STATE_HOME", "ASKD_NOTE", "LC_TIME"] {
        assert!(names.contains(&name), "{name} is kept: {names:?}");
    }
    for name in ["SECRET_TOKEN", "AI_AGENT"] {
        assert!(!names.contains(&name), "{name} is not: {names:?}");
    }
}

fn make_private(directory: &Path) {
    fs::create_dir_all(directory).expect("a directory");
    for ancestor in directory.ancestors().take(2) {
        set_mode(ancestor, 0o700);
    }
}
