//! The daemon as a process: how it is born, what it keeps of its starter, how it ends.

#![allow(clippy::unwrap_used, reason = "a test's helpers fail the test")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use askd_wire::place::LockContents;
use rustix::process::{Pid, Signal, getsid, kill_process, test_kill_process};
use tempfile::TempDir;

const DEADLINE: Duration = Duration::from_secs(20);

/// A user of its own: directories, environment, and at the end no process left.
struct Home {
    dir: TempDir,
}

impl Home {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("run")).unwrap();
        fs::set_permissions(dir.path().join("run"), fs::Permissions::from_mode(0o700)).unwrap();
        Self { dir }
    }

    fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    fn socket(&self) -> PathBuf {
        self.path("run/askd/v1/askd.sock")
    }

    fn lock_file(&self) -> PathBuf {
        self.path(".local/state/askd/daemon.lock")
    }

    fn environment(&self, command: &mut Command) {
        command.env_clear().env("HOME", self.dir.path()).env("XDG_RUNTIME_DIR", self.path("run"));
    }

    fn askd(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_askd"));
        command.args(arguments).stdin(Stdio::null());
        self.environment(&mut command);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.askd(arguments).output().unwrap()
    }

    fn holder(&self) -> Option<LockContents> {
        serde_json::from_slice(&fs::read(self.lock_file()).ok()?).ok()
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.holder().unwrap().pid).unwrap()).unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if self.holder().is_some() {
            let _ = kill_process(self.pid(), Signal::KILL);
        }
    }
}

fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < DEADLINE, "in vain: {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn gone(pid: Pid) -> bool {
    test_kill_process(pid).is_err()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn post(socket: &Path, method: &str) -> String {
    let body = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"{method}\"}}");
    let mut stream = UnixStream::connect(socket).unwrap();
    write!(
        stream,
        "POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAskd-Role: admin\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

fn wait(mut child: Child) -> Option<i32> {
    let mut status = None;
    until("the process ends", || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.and_then(|status| status.code())
}

#[test]
fn it_detaches_once_it_listens() {
    let home = Home::new();
    let mut command = home.askd(&[]);
    command.env("AI_AGENT", "x").env("ASKD_AGENT", "x").env("SECRET", "x").env("ASKD_LOG", "debug");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert!(post(&home.socket(), "daemon/status").contains("\"protocol\":1"));
    let pid = home.pid();
    assert_eq!(getsid(Some(pid)).unwrap(), pid);
    assert_eq!(home.holder().unwrap().socket, home.socket());
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.socket()), 0o600);
    assert_eq!(mode(home.socket().parent().unwrap()), 0o700);
    for file in ["daemon.log", "daemon.lock", "askd.db"] {
        assert_eq!(mode(&home.path(".local/state/askd").join(file)), 0o600, "{file}");
    }
    if cfg!(target_os = "linux") {
        let proc = PathBuf::from(format!("/proc/{}", pid.as_raw_nonzero()));
        assert_eq!(fs::read_link(proc.join("cwd")).unwrap(), Path::new("/"));
        let environment = fs::read_to_string(proc.join("environ")).unwrap();
        let names: Vec<_> =
            environment.split('\0').filter_map(|entry| Some(entry.split_once('=')?.0)).collect();
        assert!(names.contains(&"HOME") && names.contains(&"ASKD_LOG"), "{names:?}");
        assert!(!names.iter().any(|name| ["AI_AGENT", "ASKD_AGENT", "SECRET"].contains(name)), "{names:?}");
    }
}

#[test]
fn it_ignores_a_hangup_and_ends_well_on_a_request() {
    let home = Home::new();
    assert!(home.run(&[]).status.success());
    let pid = home.pid();
    kill_process(pid, Signal::HUP).unwrap();
    assert!(post(&home.socket(), "daemon/status").contains("\"result\""));
    kill_process(pid, Signal::TERM).unwrap();
    until("the daemon ends", || gone(pid));
    assert!(!home.socket().exists());
    assert_eq!(fs::read(home.lock_file()).unwrap(), b"");
}

#[test]
fn a_second_one_says_who_holds_the_place_and_where() {
    let home = Home::new();
    assert!(home.run(&[]).status.success());
    let holder = home.holder().unwrap();
    for arguments in [&[][..], &["--foreground"][..]] {
        let output = home.run(arguments);
        assert_eq!(output.status.code(), Some(1));
        let said = said(&output);
        assert!(
            said.contains(&holder.pid.to_string()) && said.contains(holder.socket.to_str().unwrap()),
            "{said}"
        );
    }
    assert_eq!(home.holder().unwrap(), holder);
    assert!(post(&home.socket(), "daemon/status").contains("\"result\""));
}

#[test]
fn one_that_was_killed_leaves_nothing_in_the_way() {
    let home = Home::new();
    assert!(home.run(&[]).status.success());
    let first = home.pid();
    kill_process(first, Signal::KILL).unwrap();
    until("the daemon is dead", || UnixStream::connect(home.socket()).is_err());
    assert!(home.socket().exists());
    let output = home.run(&[]);
    assert!(output.status.success(), "{}", said(&output));
    assert_ne!(home.pid(), first);
    assert!(post(&home.socket(), "daemon/status").contains("\"result\""));
}

#[test]
fn faults_at_the_start_reach_the_caller_with_a_way_out() {
    let home = Home::new();
    let refused = |arguments: &[&str], way_out: &str| {
        let output = home.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(said(&output).contains(way_out), "{arguments:?}: {}", said(&output));
    };
    fs::create_dir_all(home.socket().parent().unwrap()).unwrap();
    for dir in ["run/askd", "run/askd/v1"] {
        fs::set_permissions(home.path(dir), fs::Permissions::from_mode(0o700)).unwrap();
    }
    fs::write(home.socket(), "mine").unwrap();
    refused(&[], "Move it away");
    assert_eq!(fs::read(home.socket()).unwrap(), b"mine");
    fs::remove_file(home.socket()).unwrap();
    fs::set_permissions(home.path("run/askd/v1"), fs::Permissions::from_mode(0o777)).unwrap();
    refused(&[], "chmod 700");
    refused(&["--socket", &format!("/{}", "d".repeat(120))], "--socket");
    refused(&["--listen", "0.0.0.0:7777"], "loopback");
    refused(&["--listen", "127.0.0.1:7777"], "tokens");
    assert_eq!(fs::read(home.lock_file()).unwrap(), b"");
}

#[test]
fn a_state_directory_that_cannot_be_made_is_named() {
    let home = Home::new();
    fs::write(home.path("file"), "").unwrap();
    let output = home.askd(&[]).env("XDG_STATE_HOME", home.path("file")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("XDG_STATE_HOME"), "{}", said(&output));
}

#[test]
fn a_relative_socket_path_means_the_starters_directory() {
    let home = Home::new();
    let output = home.askd(&["--socket", "here.sock"]).current_dir(home.path("run")).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    assert_eq!(home.holder().unwrap().socket, home.path("run/here.sock"));
    assert!(home.path("run/here.sock").exists());
}

#[test]
fn a_client_may_end_it() {
    let home = Home::new();
    let child = home.askd(&["--foreground"]).stderr(Stdio::null()).spawn().unwrap();
    until("it listens", || home.holder().is_some() && UnixStream::connect(home.socket()).is_ok());
    assert!(post(&home.socket(), "daemon/stop").contains("\"result\":{}"));
    assert_eq!(wait(child), Some(0));
    assert!(!home.socket().exists());
}

#[test]
fn a_service_manager_is_told_and_its_socket_is_used_and_kept() {
    let home = Home::new();
    let manager = UnixDatagram::bind(home.path("notify")).unwrap();
    manager.set_read_timeout(Some(DEADLINE)).unwrap();
    let path = home.path("passed.sock");
    let listener = UnixListener::bind(&path).unwrap();
    // The shell puts the listener where a service manager would, and becomes the daemon under its id.
    let script = "exec 3<&0 </dev/null; LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID LISTEN_FDS; exec \"$0\" --foreground";
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_askd")]).stderr(Stdio::null());
    home.environment(&mut command);
    command.env("NOTIFY_SOCKET", home.path("notify")).stdin(Stdio::from(OwnedFd::from(listener)));
    let child = command.spawn().unwrap();
    let told = || {
        let mut text = [0; 256];
        let length = manager.recv(&mut text).unwrap();
        String::from_utf8_lossy(&text[..length]).into_owned()
    };
    assert!(told().contains("READY=1"));
    assert_eq!(home.holder().unwrap().socket, path);
    assert!(!home.socket().exists());
    assert!(post(&path, "daemon/stop").contains("\"result\":{}"));
    assert!(told().contains("STOPPING=1"));
    assert_eq!(wait(child), Some(0));
    assert!(path.exists());
}
