//! The desktop channel with a real notification service: dunst, on an X server without a screen.

use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};

use askd_tests::{Daemon, Sandbox, sandbox, until};
use serde_json::json;

use super::{Bus, armed, ask, configure, pick};

/// A program that ends with the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn x_server(sandbox: &Sandbox) -> (Program, String) {
    // It chooses a free display itself and says which.
    let mut command =
        sandbox.command_of("Xvfb", &["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]);
    let mut server = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("Xvfb");
    let mut display = String::new();
    let stdout = server.stdout.take().expect("stdout");
    BufReader::new(stdout).read_line(&mut display).expect("the display's number");
    (Program(server), format!(":{}", display.trim()))
}

fn dunstctl(sandbox: &Sandbox, args: &[&str]) -> String {
    let output = sandbox.command_of("dunstctl", args).output().expect("dunstctl");
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}

#[tokio::test]
async fn dunst_shows_withdraws_and_answers() {
    let sandbox = sandbox!();
    let bus = Bus::start(&sandbox);
    let (_server, display) = x_server(&sandbox);
    let sandbox = sandbox.with_env("DISPLAY", display).with_env("DBUS_SESSION_BUS_ADDRESS", bus.address());
    configure(&sandbox, json!({}));
    // Its menu of actions goes through a program, which here always takes the button "S".
    let menu = sandbox.path("tmp/menu");
    std::fs::write(&menu, "#!/bin/sh\ngrep -m1 '#S '\n").expect("the menu");
    std::fs::set_permissions(&menu, Permissions::from_mode(0o755)).expect("its mode");
    let config = sandbox.path("tmp/dunstrc");
    std::fs::write(&config, format!("[global]\ndmenu = {}\n", menu.display())).expect("dunst's settings");
    let mut dunst: Command = sandbox.command_of("dunst", &["-conf", &config.display().to_string()]);
    let _dunst = Program(dunst.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("dunst"));
    until("dunst", || (dunstctl(&sandbox, &["is-paused"]) == "false").then_some(()));
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;

    let form_id = ask(&agent, "Colour", &["Red", "Blue"]).await;
    let displayed = |count: &'static str| {
        let sandbox = &sandbox;
        move || (dunstctl(sandbox, &["count", "displayed"]) == count).then_some(())
    };
    until("a notification", displayed("1"));
    daemon.client("frontend").await.submit(&form_id, pick("red")).await;
    until("its withdrawal", displayed("0"));

    let form_id = ask(&agent, "Size", &["S", "M"]).await;
    until("a notification", displayed("1"));
    super::shown::viewed(&agent, &form_id).await;
    armed().await;
    dunstctl(&sandbox, &["context"]);
    let ended = agent.wait(&form_id).await;
    assert_eq!(ended["resolvedBy"]["kind"], "notification", "{ended}");
    assert!(ended["resolvedBy"]["exe"].as_str().is_some_and(|exe| exe.ends_with("dunst")), "{ended}");
    until("its end", displayed("0"));
}
