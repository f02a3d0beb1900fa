//! Starting the daemon through the systemd user unit, where one is installed for this place.

use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

use askd_wire::place::{Environment, Place};
use tokio::process::Command;

use crate::options::Launch;

const SOCKET_UNIT: &str = "askd.socket";
const SERVICE_UNIT: &str = "askd.service";
/// A manager that does not answer must not keep a person waiting.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks the user's service manager for the daemon. False when there is no unit, no manager, or another place
/// than its own is meant; the daemon is then run directly.
pub(crate) async fn start(launch: &Launch, place: &Place, uid: u32) -> bool {
    if place.socket_given {
        return false;
    }
    let Some(unit) = installed_unit(launch) else { return false };
    let Some(shown) = systemctl(launch, &["show-environment"]).await else { return false };
    if !same_place(&String::from_utf8_lossy(&shown.stdout), place, uid) {
        tracing::debug!(unit, "the unit serves another place");
        return false;
    }
    systemctl(launch, &["start", unit]).await.is_some()
}

/// The systemd user unit that is installed for askd: the socket where there is one, as it starts the service by itself.
#[must_use]
pub fn installed_unit(launch: &Launch) -> Option<&'static str> {
    let dirs = unit_directories(launch);
    [SOCKET_UNIT, SERVICE_UNIT].into_iter().find(|unit| dirs.iter().any(|dir| dir.join(unit).exists()))
}

/// Where user units are looked for (systemd.unit(5), "User Unit Search Path"), the common part.
fn unit_directories(launch: &Launch) -> Vec<PathBuf> {
    let variable = |name: &str| launch.variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let home = variable("HOME");
    let below = |name: &str, rest: &str| variable(name).or_else(|| home.as_ref().map(|h| h.join(rest)));
    let mut dirs: Vec<PathBuf> = [
        below("XDG_CONFIG_HOME", ".config"),
        variable("XDG_RUNTIME_DIR"),
        below("XDG_DATA_HOME", ".local/share"),
    ]
    .into_iter()
    .flatten()
    .map(|dir| dir.join("systemd/user"))
    .collect();
    let system = ["/etc/systemd/user", "/usr/local/lib/systemd/user", "/usr/lib/systemd/user"];
    dirs.extend(system.map(PathBuf::from));
    dirs
}

/// Whether a daemon started with the manager's environment would keep its files where this client looks.
fn same_place(shown: &str, place: &Place, uid: u32) -> bool {
    let lookup = |name: &str| {
        shown.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('=')).map(Into::into)
    };
    let environment = Environment::from_lookup(lookup, "/tmp".into(), uid);
    Place::find(&environment, None).is_ok_and(|its| its.state == place.state)
}

async fn systemctl(launch: &Launch, arguments: &[&str]) -> Option<Output> {
    let program = find_program(launch, "systemctl")?;
    let run = Command::new(program)
        .arg("--user")
        .args(arguments)
        .env_clear()
        .envs(launch.environment.iter().cloned())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(PATIENCE, run).await.ok()?.ok()?;
    output.status.success().then_some(output)
}

fn find_program(launch: &Launch, name: &str) -> Option<PathBuf> {
    let path = launch.variable("PATH")?;
    std::env::split_paths(&path)
        .filter(|dir| dir.is_absolute())
        .map(|dir| dir.join(name))
        .find(|p| p.is_file())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn place(state: &str) -> Place {
        Place {
            socket: "/run/user/7/askd/v1/askd.sock".into(),
            socket_given: false,
            state: state.into(),
            config_file: "/h/.config/askd/config.json".into(),
        }
    }

    fn launch(home: &Path) -> Launch {
        let environment = vec![("HOME".into(), home.into()), ("PATH".into(), home.join("bin").into())];
        Launch { program: "/bin/ask".into(), environment }
    }

    #[test]
    fn the_units_place_has_to_be_the_clients() {
        let shown = "LANG=C\nHOME=/h\nXDG_RUNTIME_DIR=/run/user/7\n";
        assert!(same_place(shown, &place("/h/.local/state/askd"), 7));
        assert!(!same_place(shown, &place("/tmp/test/state/askd"), 7));
        assert!(same_place("HOME=/h\nXDG_STATE_HOME=/s\n", &place("/s/askd"), 7));
        assert!(!same_place("", &place("/s/askd"), 7));
    }

    #[test]
    fn the_socket_unit_comes_before_the_service() {
        let temp = tempfile::tempdir().unwrap();
        let launch = launch(temp.path());
        let units = temp.path().join(".config/systemd/user");
        std::fs::create_dir_all(&units).unwrap();
        std::fs::write(units.join(SERVICE_UNIT), "").unwrap();
        assert_eq!(installed_unit(&launch), Some(SERVICE_UNIT));
        std::fs::write(units.join(SOCKET_UNIT), "").unwrap();
        assert_eq!(installed_unit(&launch), Some(SOCKET_UNIT));
    }

    #[tokio::test]
    async fn the_unit_is_started_when_manager_and_unit_are_there() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        let (launch, home) = (launch(temp.path()), temp.path());
        let own = place(&format!("{}/.local/state/askd", home.display()));
        assert!(!start(&launch, &own, 7).await, "no unit");

        let units = home.join(".config/systemd/user");
        std::fs::create_dir_all(&units).unwrap();
        std::fs::write(units.join(SERVICE_UNIT), "").unwrap();
        assert!(!start(&launch, &own, 7).await, "no systemctl");

        let (bin, called) = (home.join("bin"), home.join("called"));
        std::fs::create_dir_all(&bin).unwrap();
        let script = format!("#!/bin/sh\necho \"$@\" >> '{}'\necho \"HOME=$HOME\"\n", called.display());
        std::fs::write(bin.join("systemctl"), script).unwrap();
        std::fs::set_permissions(bin.join("systemctl"), std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(start(&launch, &own, 7).await);
        let calls = std::fs::read_to_string(&called).unwrap();
        assert_eq!(calls, "--user show-environment\n--user start askd.service\n");

        let given = Place { socket_given: true, ..own };
        assert!(!start(&launch, &given, 7).await, "a socket given by hand is nobody's unit");
    }
}
