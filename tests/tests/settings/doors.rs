//! What names a program or opens a door: not for `settings/patch`, written on a terminal after a yes.

use std::fs;

use askd_tests::{Daemon, Terminal, sandbox};
use serde_json::json;

use super::{FILE, frontend, get, text, with_file};

const KEY: &str = "notifications.openCommand";

#[tokio::test]
async fn nobody_is_asked_without_a_terminal() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let refused = frontend(&daemon)
        .await
        .refused("settings/patch", json!({"patch": {"notifications": {"openCommand": "x"}}}))
        .await;
    assert_eq!((refused.kind(), &refused.data["key"]), ("notAllowed", &json!(KEY)));
    let said = sandbox.run_with(&["settings", "set", KEY, "xterm"], "y\n").expect(1);
    assert!(said.stderr.contains("terminal") && said.stderr.contains("config.json"), "{}", said.stderr);
    assert_eq!(text(&sandbox), FILE);
}

#[tokio::test]
async fn an_agent_does_not_open_doors() {
    let sandbox = with_file(sandbox!(), FILE).with_env("AI_AGENT", "pi");
    let _daemon = Daemon::start(&sandbox);
    let mut terminal = Terminal::start(&sandbox, &["settings", "set", KEY, "xterm", "--as-agent"], 24, 80);
    terminal.expect("AI_AGENT");
    assert_eq!(terminal.finish(), 1);
    assert_eq!(text(&sandbox), FILE);
}

#[tokio::test]
async fn on_a_terminal_it_is_shown_and_written_after_a_yes() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    for (answer, status) in [("n", 3), ("", 3), ("y", 0)] {
        let mut terminal = Terminal::start(&sandbox, &["settings", "set", KEY, "xterm -e ask"], 24, 120);
        terminal.expect("notifications.openCommand: not set → \"xterm -e ask\"");
        terminal.expect("[y/N]");
        assert_eq!(text(&sandbox), FILE);
        terminal.type_line(answer);
        assert_eq!(terminal.finish(), status, "{}", terminal.written());
    }
    let state = get(&frontend(&daemon).await).await;
    assert_eq!(state["settings"]["notifications"]["openCommand"], "xterm -e ask");
    assert!(text(&sandbox).contains("// what I like"), "{}", text(&sandbox));
}

#[tokio::test]
async fn an_import_takes_over_what_a_person_has_seen() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let theirs = sandbox.path("home/pi.json");
    let channels = json!([{"type": "command", "command": "cmux notify"}, "bell"]);
    let file = json!({"schemaVersion": 3, "keymaps": {"confirm": "ctrl+k"}, "notifications": {"channels": channels}});
    fs::write(&theirs, file.to_string()).unwrap();
    let path = theirs.display().to_string();

    let said = sandbox.run(&["settings", "import", &path]).expect(0);
    assert!(
        said.stderr.contains("notifications.channels") && said.stderr.contains("left out"),
        "{}",
        said.stderr
    );
    let client = frontend(&daemon).await;
    let state = get(&client).await;
    assert_eq!(state["settings"]["keymaps"]["editor"]["submit"], json!(["ctrl+k"]));
    assert_eq!(state["settings"]["notifications"]["channels"], json!(["desktop", "bell"]));

    let mut terminal = Terminal::start(&sandbox, &["settings", "import", &path], 24, 160);
    terminal.expect("cmux notify");
    terminal.expect("[y/N]");
    terminal.type_line("yes");
    assert_eq!(terminal.finish(), 0, "{}", terminal.written());
    assert_eq!(get(&client).await["settings"]["notifications"]["channels"], channels);
    assert_eq!(sandbox.run(&["settings", "import", &path]).expect(0).stdout.lines().count(), 1);

    fs::write(&theirs, r#"{"version": 1, "expose": "tui"}"#).unwrap();
    sandbox.run(&["settings", "import", &path]).expect(0);
    assert_eq!(get(&client).await["settings"]["tool"]["expose"], "tui");
    fs::write(&theirs, "nothing").unwrap();
    sandbox.run(&["settings", "import", &path]).expect(6);
    sandbox.run(&["settings", "import", "/nowhere"]).expect(1);
}
