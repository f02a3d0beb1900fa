//! `ask doctor`: what is wrong with the place and the daemon, and what to do about it.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

use askd_client::{Client, check_directory};
use askd_wire::Empty;
use askd_wire::daemon::Status;
use askd_wire::method::{DaemonStatus, SettingsGet};
use askd_wire::place::LockContents;
use askd_wire::role::Role;
use clap::Args;
use serde::Serialize;

use crate::context::{Context, VERSION};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view::table;

mod notifications;

/// Find out what is wrong, and what to do about it
///
/// Starts the daemon if it is not running, as most faults show only then; --no-start leaves that out.
/// Sends a test notification through every configured channel.
/// Exit status 1 when something is wrong.
#[derive(Debug, Args)]
pub(crate) struct Doctor {}

/// One thing looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    status: Verdict,
    detail: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    Note,
    Problem,
}

#[derive(Debug, Serialize)]
struct Report {
    ok: bool,
    checks: Vec<Check>,
}

impl Doctor {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let mut report = Report { ok: true, checks: Vec::new() };
        report.look_at_place(context);
        report.look_at_lock(context);
        report.look_at_unit(context);
        if let Some(client) = report.reach_daemon(context).await {
            report.look_at_daemon(context, &client).await;
        }
        report.ok = report.checks.iter().all(|check| check.status != Verdict::Problem);
        context.out.value(&report)?;
        context.out.say(&report.text())?;
        Ok(if report.ok { Exit::Done } else { Exit::Failed })
    }
}

impl Report {
    fn ok(&mut self, name: &'static str, detail: impl Into<String>) {
        self.checks.push(Check { name, status: Verdict::Ok, detail: detail.into(), advice: None });
    }

    fn note(&mut self, name: &'static str, detail: impl Into<String>, advice: Option<String>) {
        self.checks.push(Check { name, status: Verdict::Note, detail: detail.into(), advice });
    }

    fn problem(&mut self, name: &'static str, detail: impl Into<String>, advice: Option<String>) {
        self.checks.push(Check { name, status: Verdict::Problem, detail: detail.into(), advice });
    }

    fn look_at_place(&mut self, context: &Context) {
        let place = &context.place;
        let given = if place.socket_given { ", as given" } else { "" };
        self.ok("socket", format!("{}{given}", place.socket.display()));
        match check_directory(&place.socket, context.uid) {
            Ok(true) => self.ok("socket directory", "your own, and private"),
            Ok(false) => self.note("socket directory", "not there yet; the daemon makes it", None),
            Err(fault) => self.problem("socket directory", fault.to_string(), None),
        }
        if let Ok(meta) = place.socket.symlink_metadata() {
            use std::os::unix::fs::FileTypeExt;
            if meta.file_type().is_socket() {
                let mode = meta.mode() & 0o777;
                if mode & 0o077 == 0 {
                    self.ok("socket file", format!("mode {mode:o}"));
                } else {
                    let advice =
                        format!("Run `chmod 600 {}`, or restart the daemon.", place.socket.display());
                    self.problem("socket file", format!("others may connect, mode {mode:o}"), Some(advice));
                }
            } else {
                let advice = "Move it away, or name another socket with --socket or ASKD_SOCKET.".to_owned();
                self.problem("socket file", "what is there is no socket", Some(advice));
            }
        }
        self.look_at_state(&place.state, context.uid);
    }

    fn look_at_state(&mut self, state: &Path, uid: u32) {
        let shown = state.display();
        match state.metadata() {
            Ok(meta) if !meta.is_dir() => {
                let advice = "Move it away, or set XDG_STATE_HOME to another directory.".to_owned();
                self.problem("state directory", format!("{shown} is no directory"), Some(advice));
            }
            Ok(meta) if meta.uid() != uid => {
                let advice = "Set XDG_STATE_HOME to a directory of your own.".to_owned();
                self.problem(
                    "state directory",
                    format!("{shown} belongs to user {}", meta.uid()),
                    Some(advice),
                );
            }
            Ok(meta) if meta.mode() & 0o022 != 0 => {
                let detail = format!("{shown} can be written by others, mode {:o}", meta.mode() & 0o777);
                self.problem("state directory", detail, Some(format!("Run `chmod 700 {shown}`.")));
            }
            Ok(_) if rustix::fs::access(state, rustix::fs::Access::WRITE_OK).is_err() => {
                let advice =
                    format!("Run `chmod u+rwx {shown}`, or see whether its file system is read-only.");
                self.problem("state directory", format!("{shown} cannot be written"), Some(advice));
            }
            Ok(_) => self.ok("state directory", shown.to_string()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                self.note("state directory", format!("{shown} is not there yet; the daemon makes it"), None);
            }
            Err(error) => {
                let advice =
                    "Mend the permissions of the directories above it, or set XDG_STATE_HOME.".to_owned();
                self.problem("state directory", format!("{shown}: {error}"), Some(advice));
            }
        }
    }

    fn look_at_lock(&mut self, context: &Context) {
        let file = context.place.lock_file();
        let contents: Option<LockContents> =
            std::fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok());
        match contents {
            Some(holder) => {
                let detail = format!(
                    "process {}, version {}, at {}",
                    holder.pid,
                    holder.version,
                    holder.socket.display()
                );
                self.ok("lock", detail);
                if holder.socket != context.place.socket {
                    let detail = "the daemon listens elsewhere than this environment says; it is found through its lock";
                    self.note("lock", detail, None);
                }
            }
            None => self.note("lock", "nobody holds it", None),
        }
    }

    fn look_at_unit(&mut self, context: &Context) {
        match askd_client::installed_unit(&context.launch) {
            Some(unit) if context.place.socket_given => {
                self.note(
                    "systemd",
                    format!("{unit} is installed, and not used for a socket given by hand"),
                    None,
                );
            }
            Some(unit) => self.ok("systemd", format!("{unit} is installed")),
            None => self.note("systemd", "no user unit is installed; the daemon is started on demand", None),
        }
    }

    async fn reach_daemon(&mut self, context: &Context) -> Option<Client> {
        match Client::connect(context.starting(&[Role::Admin])).await {
            Ok(client) => {
                let socket = client.socket().map_or_else(String::new, |s| s.display().to_string());
                self.ok("daemon", format!("answers at {socket}"));
                Some(client)
            }
            Err(askd_client::ConnectError::NotRunning { .. }) => {
                self.note("daemon", "not running; it is started on demand", None);
                None
            }
            Err(error) => {
                self.problem("daemon", error.to_string(), None);
                self.note("log", context.place.log_file().display().to_string(), None);
                None
            }
        }
    }

    async fn look_at_daemon(&mut self, context: &Context, client: &Client) {
        match client.call::<DaemonStatus>(Empty {}).await {
            Ok(status) => self.look_at_status(context, &status),
            Err(error) => self.problem("daemon", error.to_string(), None),
        }
        match client.call::<SettingsGet>(Empty {}).await {
            Ok(state) => {
                self.ok("settings", state.file.clone());
                if !state.writable {
                    let advice =
                        "Mend the file or its permissions; until then settings cannot be saved.".to_owned();
                    self.problem("settings", "cannot be saved", Some(advice));
                }
                for notice in &state.notices {
                    self.problem("settings", notice.text.clone(), None);
                }
                self.look_at_notifications(client, state.settings.notifications.enabled).await;
            }
            Err(error) => self.problem("settings", error.to_string(), None),
        }
        self.look_at_log(context);
    }

    fn look_at_status(&mut self, context: &Context, status: &Status) {
        if status.version == VERSION {
            self.ok("versions", format!("program and daemon are {VERSION}, protocol {}", status.protocol));
        } else {
            let detail =
                format!("program {VERSION}, daemon {}, protocol {}", status.version, status.protocol);
            let advice =
                "Run `ask stop` when nothing is waiting; the next command starts the daemon of this version.";
            self.note("versions", detail, Some(advice.to_owned()));
        }
        self.ok("forms", format!("{} waiting, {} finished kept", status.open_forms, status.resolved_forms));
        let expected = context.place.database().display().to_string();
        self.ok(
            "database",
            format!("{}, {} KiB", status.database.file, status.database.bytes.div_ceil(1024)),
        );
        if status.database.file != expected {
            let advice =
                "Set XDG_STATE_HOME alike for all programs, or stop the other daemon with `ask stop`.";
            self.problem(
                "database",
                format!("another one than this environment's {expected}"),
                Some(advice.to_owned()),
            );
        }
    }

    fn look_at_log(&mut self, context: &Context) {
        let file = context.place.log_file();
        match file.metadata() {
            Ok(meta) => self.ok("log", format!("{}, {} KiB", file.display(), meta.len().div_ceil(1024))),
            Err(_) => self.note("log", "on the daemon's stderr or in the journal", None),
        }
    }

    fn text(&self) -> String {
        let mut rows = Vec::new();
        for check in &self.checks {
            let status = match check.status {
                Verdict::Ok => "ok",
                Verdict::Note => "note",
                Verdict::Problem => "PROBLEM",
            };
            let mut lines =
                check.detail.lines().chain(check.advice.as_deref().into_iter().flat_map(str::lines));
            let first = lines.next().unwrap_or_default().to_owned();
            rows.push(vec![status.to_owned(), check.name.to_owned(), first]);
            rows.extend(lines.map(|line| vec![String::new(), String::new(), line.to_owned()]));
        }
        let verdict =
            if self.ok { "Everything is in order." } else { "Something is wrong; see PROBLEM above." };
        format!("{}\n\n{verdict}", table::aligned(&rows))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_stands_below_its_problem() {
        let mut report = Report { ok: false, checks: Vec::new() };
        report.ok("socket", "/s");
        report.problem("state directory", "no good", Some("Mend it.".to_owned()));
        let text = report.text();
        assert!(
            text.starts_with("ok       socket           /s\nPROBLEM  state directory  no good\n"),
            "{text}"
        );
        assert!(text.contains("                          Mend it.\n"), "{text}");
        assert_eq!(serde_json::to_value(&report).unwrap()["checks"][1]["status"], "problem");
    }
}
