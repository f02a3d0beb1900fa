//! The form screen in a real terminal: answering, and the manners of a program that takes the whole screen.

use std::fs;
use std::path::Path;

use askd_tests::{Daemon, Sandbox, Terminal, sandbox, until};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// What follows a program in a shell: its status, the terminal's modes, and the next line that is typed.
const AFTER: &str = r#"; echo "status=$?"; stty -a; printf 'ready\n'; read -r line; echo "shell:<$line>""#;

fn three() -> Value {
    let options = json!([{"value": "a", "label": "Apple"}, {"value": "b", "label": "Banana"}, {"value": "c", "label": "Cherry"}]);
    json!({"title": "Fruit", "questions": [
        {"id": "one", "label": "One", "prompt": "Which one?", "options": options},
        {"id": "many", "label": "Many", "prompt": "Which ones?", "type": "multi", "options": options},
        {"id": "look", "label": "Look", "prompt": "How should it look?", "type": "preview",
         "options": [{"value": "x", "label": "Plain", "preview": "plain text"}, {"value": "y", "label": "Fancy", "preview": "*fancy*"}]}]})
}

/// A shell in a terminal that runs `ask` with these words and then what [`AFTER`] says.
fn shell(sandbox: &Sandbox, words: &str, rows: u16, columns: u16) -> Terminal {
    let line = format!("'{}' {words}{AFTER}", sandbox.ask().display());
    Terminal::start_program(sandbox, Path::new("/bin/sh"), &["-c", &line], rows, columns)
}

fn asked(sandbox: &Sandbox, settings: &Value) {
    sandbox.write_config(&settings.to_string());
    fs::write(sandbox.path("home").join("form.json"), three().to_string()).expect("the form");
}

/// Keys count at once.
fn at_once() -> Value {
    json!({"schemaVersion": 5, "frontends": {"armingDelayMs": 0}})
}

fn pid_of(sandbox: &Sandbox, word: &str) -> Pid {
    until("the program's process", || {
        let named = |pid: &i32| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let mut words = words.split(|b| *b == 0);
            words.next().is_some_and(|program| program == sandbox.ask().as_os_str().as_encoded_bytes())
                && words.next() == Some(word.as_bytes())
        };
        sandbox.processes().into_iter().find(named).and_then(Pid::from_raw)
    })
}

/// The terminal is the shell's again: line by line, with echo, nothing of the screen left.
fn is_given_back(terminal: &mut Terminal, status: &str) {
    terminal.expect("ready\n");
    let written = terminal.written();
    let after = &written[written.find("status=").expect("a status")..];
    assert!(after.starts_with(status), "{after}");
    for mode in ["icanon", "echo", "isig"] {
        assert!(
            after.split_whitespace().any(|word| word.trim_end_matches(';') == mode),
            "{mode} is off: {after}"
        );
    }
    assert!(terminal.is_plain(), "modes are left on: {written:?}");
    for (on, off) in [("\u{1b}[>3u", "\u{1b}[<1u"), ("\u{1b}[?1004h", "\u{1b}[?1004l")] {
        assert_eq!(written.matches(on).count(), written.matches(off).count(), "{on:?}");
    }
    terminal.type_line("still here");
    terminal.expect("shell:<still here>");
}

#[test]
fn three_questions_are_answered_from_ask_new() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    for (rows, columns) in [(24, 80), (5, 20), (50, 160)] {
        let mut terminal = shell(&sandbox, "new form.json --expect one=b --expect many=a,c", rows, columns);
        for (shown, keys) in
            [("Which one", "2"), ("Which ones", "13\r"), ("How should", "\u{1b}[B\r"), ("Submit", "\r")]
        {
            terminal.expect_shown(shown);
            terminal.type_text(keys);
        }
        is_given_back(&mut terminal, "status=0\n");
        let written = terminal.written();
        for line in ["One: Banana\n", "Many: Apple, Cherry\n", "Look: Fancy\n"] {
            assert!(written.contains(line), "{written}");
        }
    }
}

#[test]
fn a_burst_before_the_first_picture_answers_nothing() {
    let sandbox = sandbox!();
    asked(&sandbox, &json!({"schemaVersion": 5}));
    let _daemon = Daemon::start(&sandbox);
    let mut terminal = shell(&sandbox, "new form.json", 24, 80);
    terminal.type_text("1\r\r11 33");
    terminal.expect_shown("Which one?");
    terminal.type_text("111");
    let listed = sandbox.run(&["list", "--json"]).expect(0).json_lines();
    assert_eq!(listed.len(), 1, "still open: {listed:?}");
    assert_eq!(listed[0]["drafted"], false, "{listed:?}");
    assert!(!terminal.screen().contains('☒'), "{}", terminal.screen());
}

#[test]
fn keys_that_come_too_late_do_not_reach_the_shell() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let mut terminal = shell(&sandbox, "new form.json", 24, 80);
    terminal.expect_shown("Which one?");
    terminal.type_text("\u{3}rm -rf everything\rls\r");
    is_given_back(&mut terminal, "status=3\n");
    assert!(!terminal.written().contains("everything"), "{}", terminal.written());
}

#[test]
fn a_signal_gives_the_terminal_back_and_leaves_the_form() {
    for (signal, status) in
        [(Signal::TERM, "status=143\n"), (Signal::HUP, "status=129\n"), (Signal::INT, "status=130\n")]
    {
        let sandbox = sandbox!();
        asked(&sandbox, &at_once());
        let id = sandbox.run(&["new", "form.json", "--no-wait"]).expect(0).stdout;
        let mut terminal = shell(&sandbox, &format!("answer {id}", id = id.trim()), 24, 80);
        terminal.expect_shown("Which one?");
        terminal.type_text(" ");
        terminal.expect_shown("☒ One");
        kill_process(pid_of(&sandbox, "answer"), signal).expect("the signal");
        is_given_back(&mut terminal, status);
        let form = sandbox.run(&["show", id.trim(), "--json"]).expect(0).json();
        assert_eq!(
            (&form["state"], &form["draft"]["answers"]["one"]["values"][0]),
            (&json!("open"), &json!("a"))
        );
    }
}

#[test]
fn stopped_while_it_asks_it_takes_the_question_back() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let mut terminal = shell(&sandbox, "new form.json", 24, 80);
    terminal.expect_shown("Which one?");
    kill_process(pid_of(&sandbox, "new"), Signal::TERM).expect("the signal");
    is_given_back(&mut terminal, "status=3\n");
    assert!(sandbox.run(&["list", "--json"]).expect(0).json_lines().is_empty());
}

#[test]
fn a_panic_gives_the_terminal_back_before_its_message() {
    let sandbox = sandbox!();
    let program = env!("CARGO_BIN_EXE_panics-on-screen");
    let mut terminal = Terminal::start_program(
        &sandbox,
        Path::new("/bin/sh"),
        &["-c", &format!("'{program}'{AFTER}")],
        24,
        80,
    );
    is_given_back(&mut terminal, "status=101\n");
    let written = terminal.written();
    let (left, message) = (written.find("\u{1b}[?1049l"), written.find("the panic's message is to be read"));
    assert!(left.is_some() && left < message, "{written:?}");
}

#[test]
fn it_follows_the_size_while_one_types_and_takes_a_paste_as_one_edit() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let mut terminal = shell(&sandbox, "new form.json", 24, 80);
    terminal.expect_shown("Which one?");
    terminal.type_text("4typed ");
    for (rows, columns) in [(5, 20), (12, 40), (1, 1), (50, 160), (24, 80)] {
        terminal.resize(rows, columns);
        terminal.type_text("x");
    }
    terminal.expect_shown("typed xxxxx");
    terminal.type_text("\u{1b}[200~ line 1\r\n2\r\n\tq?n \u{1b}[31m\u{1b}[201~");
    terminal.expect_shown("q?n [31m");
    // A row is written as a whole, so nothing of another size is left.
    assert_eq!(terminal.screen().matches("Which one?").count(), 1, "{}", terminal.screen());
    terminal.type_text("\r\t\t\r");
    is_given_back(&mut terminal, "status=0\n");
    let form = sandbox.run(&["history", "--json"]).expect(0).json_lines().remove(0);
    assert_eq!(form["outcome"]["answers"]["one"]["customText"], "typed xxxxx line 1\n2\n\tq?n [31m");
}

#[test]
fn killed_in_the_middle_of_a_note_everything_is_there_again() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let id = sandbox.run(&["new", "form.json", "--no-wait"]).expect(0).stdout;
    let words = format!("answer {}", id.trim());
    let mut terminal = shell(&sandbox, &words, 24, 80);
    terminal.expect_shown("Which one?");
    terminal.type_text("1 \u{1b}[Bnwhy not\u{1b}[D");
    terminal.expect_shown("why not");
    let note = until("the draft with the note", || {
        let form = sandbox.run(&["show", id.trim(), "--json"]).expect(0).json();
        let text = form.pointer("/draft/view/editor/text")?.as_str()?.to_owned();
        let cursor = form.pointer("/draft/view/editor/cursor")?.as_u64()?;
        (cursor == 6).then_some(text)
    });
    assert_eq!(note, "why not");
    kill_process(pid_of(&sandbox, "answer"), Signal::KILL).expect("the signal");
    terminal.expect("status=137");
    let mut terminal = shell(&sandbox, &words, 24, 80);
    terminal.expect_shown("why not");
    let screen = terminal.screen();
    assert!(
        screen.contains("☒ One") && screen.contains("[x] Apple") && screen.contains("❯ 2. [ ] Banana"),
        "{screen}"
    );
    terminal.type_text("!\r\t\t\r");
    is_given_back(&mut terminal, "status=0\n");
    let form = sandbox.run(&["history", "--json"]).expect(0).json_lines().remove(0);
    assert_eq!(form["outcome"]["answers"]["many"]["optionNotes"]["b"], "why no!t");
}

#[test]
fn answered_elsewhere_it_closes_and_says_who_and_how() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let id = sandbox.run(&["new", "form.json", "--no-wait"]).expect(0).stdout;
    let mut terminal = shell(&sandbox, &format!("answer {}", id.trim()), 24, 80);
    terminal.expect_shown("Which one?");
    sandbox.run(&["answer", id.trim(), "--values", "one=c", "--values", "many=a,b"]).expect(0);
    terminal.expect("Answered by ask (cli): Cherry; Apple, Banana\n");
    is_given_back(&mut terminal, "status=0\n");
}

#[test]
fn stopped_by_job_control_it_comes_back_as_it_was() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let line = format!(
        "set -m; '{}' new form.json; printf 'stopped\\n'; read -r line; fg >/dev/null; echo \"status=$?\"",
        sandbox.ask().display()
    );
    let mut terminal = Terminal::start_program(&sandbox, Path::new("/bin/bash"), &["-c", &line], 24, 80);
    terminal.expect_shown("Which one?");
    terminal.type_text(" \u{1a}");
    terminal.expect("stopped\n");
    assert!(terminal.is_plain());
    terminal.type_line("");
    terminal.expect_shown("☒ One");
    terminal.type_text("\u{3}\u{3}");
    terminal.expect("status=3");
}

#[test]
fn while_it_waits_it_does_nothing() {
    let sandbox = sandbox!();
    asked(&sandbox, &at_once());
    let id = sandbox.run(&["new", "form.json", "--no-wait"]).expect(0).stdout;
    let terminal = shell(&sandbox, &format!("answer {}", id.trim()), 24, 80);
    terminal.expect_shown("Which one?");
    let pid = pid_of(&sandbox, "answer");
    let switches = || -> u64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", pid.as_raw_nonzero())).expect("its threads");
        let count = |task: fs::DirEntry| {
            let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
            let lines = status.lines().filter(|line| line.contains("voluntary_ctxt_switches"));
            lines.filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok()).sum::<u64>()
        };
        tasks.flatten().map(count).sum()
    };
    // Until it has come to rest.
    let mut last = switches();
    until("the screen to come to rest", || {
        std::thread::sleep(std::time::Duration::from_millis(200));
        let now = switches();
        (std::mem::replace(&mut last, now) == now).then_some(())
    });
    std::thread::sleep(std::time::Duration::from_secs(2));
    assert!(switches() - last <= 2, "woke up {} times in two seconds", switches() - last);
}

#[tokio::test]
async fn it_rings_its_own_terminal_through_tmux_where_it_has_to() {
    for (tmux, osc9) in [
        (None, "\u{1b}]9;pi ask: This is a test: notifications work.\u{7}"),
        (
            Some("/tmp/tmux-1/default,1,0"),
            "\u{1b}Ptmux;\u{1b}\u{1b}]9;pi ask: This is a test: notifications work.\u{7}\u{1b}\\",
        ),
    ] {
        let sandbox = tmux.into_iter().fold(sandbox!(), |sandbox, value| sandbox.with_env("TMUX", value));
        let mut settings = at_once();
        settings["notifications"] = json!({"channels": ["desktop"]});
        asked(&sandbox, &settings);
        let daemon = Daemon::start(&sandbox);
        daemon.client("agent").await.call("form/create", json!({"params": three(), "quiet": true})).await;
        let mut terminal = shell(&sandbox, "new form.json", 24, 80);
        // Knowing of the other form it hears what happens, and is asked to ring.
        terminal.expect_shown("1 more waiting");
        let before = terminal.written();
        assert!(!before.contains('\u{7}'), "the channels are not the terminal's: {before:?}");
        let admin = daemon.client("admin").await;
        for (channel, bytes) in [("osc9", osc9), ("bell", "\u{7}")] {
            let before = terminal.written().matches(bytes).count();
            let result = admin.call("notification/test", json!({"channel": channel})).await;
            assert_eq!(result["attempts"], json!([{"channel": channel, "status": "attempted"}]));
            terminal.expect_times(bytes, before + 1);
        }
        assert!(terminal.screen().contains("Which one?"), "the picture stands: {}", terminal.screen());
        terminal.type_text("\u{3}");
        is_given_back(&mut terminal, "status=3\n");
    }
}
