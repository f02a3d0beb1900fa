//! Everybody starts at once: there is one daemon, and everybody sees the same form.

use askd_tests::forms::single;
use askd_tests::random::Random;
use askd_tests::run::{Running, start};
use askd_tests::{Sandbox, sandbox, until};

const CLIENTS: usize = 20;
const ROUNDS: usize = 3;

#[test]
fn a_daemon_and_twenty_clients_that_start_together_meet() {
    let mut random = Random::new();
    for _ in 0..ROUNDS {
        start_together(&sandbox!(), &mut random);
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Starter {
    Daemon,
    Client { runtime_dir: bool },
}

fn start_together(sandbox: &Sandbox, random: &mut Random) {
    let mut starters: Vec<Starter> =
        (0..CLIENTS).map(|n| Starter::Client { runtime_dir: n.is_multiple_of(2) }).collect();
    starters.push(Starter::Daemon);
    random.shuffle(&mut starters);
    let mut daemon = None;
    let mut clients = Vec::new();
    for starter in starters {
        match starter {
            Starter::Daemon => daemon = Some(start(sandbox.command(&["daemon", "--foreground"]), "")),
            Starter::Client { runtime_dir } => {
                clients.push(client(sandbox, runtime_dir, &["list", "--json"]))
            }
        }
    }
    for client in clients {
        client.finish().expect(0);
    }
    let holder = sandbox.lock_contents().expect("the lock file says who holds the place");
    for runtime_dir in [true, false] {
        let status = client(sandbox, runtime_dir, &["status", "--json"]).finish().expect(0).json();
        assert_eq!(status["instanceId"], holder.instance_id.as_str(), "everybody meets the one daemon");
    }

    // The daemon that was started by hand either holds the place or has given way, saying to whom.
    let mut daemon = daemon.expect("one of the starters is the daemon");
    if daemon.pid() != holder.pid {
        until("the daemon that came too late to end", || daemon.has_ended().then_some(()));
        let late = daemon.finish();
        assert_ne!(late.code, Some(0), "{late:?}");
        // Early enough in the holder's start its address is not there yet, only that it is starting.
        let named = late.stderr.contains(&holder.pid.to_string()) || late.stderr.contains("just starting");
        assert!(named, "it says who holds the place: {late:?}");
    }

    let created =
        client_with_input(sandbox, true, &["new", "-", "--no-wait", "--json"], &single().to_string());
    let form_id = created.finish().expect(0).json()["formId"].as_str().expect("formId").to_owned();
    let lists: Vec<Running> =
        (0..CLIENTS).map(|n| client(sandbox, n.is_multiple_of(2), &["list", "--json"])).collect();
    for list in lists {
        let forms = list.finish().expect(0).json_lines();
        let ids: Vec<&str> = forms.iter().filter_map(|f| f["formId"].as_str()).collect();
        assert_eq!(ids, [form_id.as_str()], "everybody sees the one form");
    }
}

fn client(sandbox: &Sandbox, runtime_dir: bool, args: &[&str]) -> Running {
    client_with_input(sandbox, runtime_dir, args, "")
}

fn client_with_input(sandbox: &Sandbox, runtime_dir: bool, args: &[&str], input: &str) -> Running {
    let mut command = sandbox.command(args);
    if !runtime_dir {
        command.env_remove("XDG_RUNTIME_DIR");
    }
    start(command, input)
}
