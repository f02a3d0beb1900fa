//! A session bus of the test's own, at the place where the daemon of the sandbox looks for it.

use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Stdio};

use askd_tests::{Sandbox, until};
use zbus::Connection;

/// A running `dbus-daemon`. Dropping it ends it.
#[derive(Debug)]
pub(crate) struct Bus {
    child: Child,
    socket: PathBuf,
}

impl Bus {
    /// Starts one whose socket is in the sandbox's runtime directory.
    pub(crate) fn start(sandbox: &Sandbox) -> Self {
        let socket = sandbox.path("run/bus");
        let config = sandbox.path("bus.conf");
        // Anyone may send anything to anyone, as on a desktop's session bus.
        let text = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#,
            socket.display()
        );
        std::fs::write(&config, text).expect("the bus's configuration");
        let config = format!("--config-file={}", config.display());
        let mut command = sandbox.command_of("dbus-daemon", &[&config, "--nofork", "--nopidfile"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("dbus-daemon");
        let bus = Self { child, socket };
        until("the bus's socket", || UnixStream::connect(&bus.socket).ok());
        bus
    }

    /// Its address.
    pub(crate) fn address(&self) -> String {
        format!("unix:path={}", self.socket.display())
    }

    /// A connection of the test's own.
    pub(crate) async fn connect(&self) -> Connection {
        let builder = zbus::connection::Builder::address(self.address().as_str());
        builder.build().await.expect("a connection to the bus")
    }
}

impl Drop for Bus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.socket);
    }
}
