//! The list of settings in a terminal: alone, and over a form that it changes live.

use askd_tests::{Daemon, Terminal, sandbox, until};
use serde_json::{Value, json};

use super::{FILE, frontend, hints_shown, text, with_file};

#[tokio::test]
async fn in_a_terminal_each_change_is_saved_at_once() {
    let sandbox = with_file(sandbox!(), FILE);
    let daemon = Daemon::start(&sandbox);
    let mut terminal = Terminal::start(&sandbox, &["settings"], 24, 100);
    terminal.expect_shown("❯ [ ] Auto-submit when answered without notes");
    terminal.expect_shown(&sandbox.place().config_file.display().to_string());
    terminal.type_text("\x1b[B\x1b[B\x1b[B ");
    terminal.expect_shown("❯ [ ] Show footer hints");
    hints_shown(&frontend(&daemon).await, false).await;
    assert_eq!(text(&sandbox), FILE.replace("\"showFooterHints\": true", "\"showFooterHints\": false"));
    // What others change shows.
    sandbox.run(&["settings", "set", "behaviour.autoSubmitWhenAnsweredWithoutNotes", "true"]).expect(0);
    terminal.expect_shown("[x] Auto-submit");
    terminal.type_text("?");
    assert_eq!(terminal.finish(), 0);
    assert!(terminal.is_plain());
}

#[tokio::test]
async fn what_cannot_be_saved_is_put_back() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = with_file(sandbox!(), FILE);
    let file = sandbox.place().config_file;
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o400)).unwrap();
    let _daemon = Daemon::start(&sandbox);
    let mut terminal = Terminal::start(&sandbox, &["settings"], 24, 100);
    terminal.expect_shown("❯ [ ] Auto-submit");
    terminal.type_text("\r");
    terminal.expect_shown("Put back");
    terminal.expect_shown("❯ [ ] Auto-submit");
    assert_eq!(text(&sandbox), FILE);
}

#[tokio::test]
async fn the_reset_takes_two_presses() {
    let sandbox = with_file(sandbox!(), FILE);
    let _daemon = Daemon::start(&sandbox);
    let mut terminal = Terminal::start(&sandbox, &["settings"], 24, 100);
    terminal.expect_shown("❯ [ ] Auto-submit");
    terminal.type_text("\x1b[F\r");
    terminal.expect_shown("Press Enter again");
    assert_eq!(text(&sandbox), FILE);
    terminal.type_text("\r");
    terminal.expect_shown("All settings are back");
    let now = text(&sandbox);
    assert!(!now.contains("enabled") && now.contains("\"mine\": { \"a\":  1 }"), "{now}");
    let kept = sandbox.place().config_file.with_file_name("config.json.before-reset");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), FILE);
}

fn form() -> Value {
    let options = json!([{"value": "pg", "label": "PostgreSQL"}, {"value": "lite", "label": "SQLite"}]);
    json!({"questions": [
        {"id": "db", "label": "Database", "prompt": "Which database?", "options": options},
        {"id": "os", "label": "System", "prompt": "Which system?", "options": options},
    ]})
}

#[tokio::test]
async fn over_a_form_at_its_review_auto_submit_ends_it() {
    let sandbox = sandbox!();
    sandbox.write_config(
        r#"{"schemaVersion": 5, "frontends": {"armingDelayMs": 0}, "notifications": {"enabled": false}}"#,
    );
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let id = agent.create(form()).await;
    let mut terminal = Terminal::start(&sandbox, &["answer", &id], 24, 100);
    terminal.expect_shown("Which database?");
    terminal.type_text("1");
    terminal.expect_shown("Which system?");
    terminal.type_text("2");
    terminal.expect_shown("[☰ Review]");
    terminal.type_text("?");
    terminal.expect_shown("❯ [ ] Auto-submit");
    terminal.type_text("\x1b[B\x1b[B\x1b[B ");
    terminal.expect_shown("❯ [ ] Show footer hints");
    terminal.type_text("\x1b");
    // The footer is gone with the setting.
    until("the form without its footer", || {
        let screen = terminal.screen();
        (screen.contains("[☰ Review]") && !screen.contains("settings")).then_some(())
    });
    terminal.type_text("?");
    terminal.expect_shown("❯ [ ] Auto-submit");
    terminal.type_text(" ");
    assert_eq!(terminal.finish(), 0, "{}", terminal.written());
    let outcome = agent.call("form/wait", json!({"formId": id})).await;
    assert_eq!(outcome["outcome"]["kind"], "submitted");
}
