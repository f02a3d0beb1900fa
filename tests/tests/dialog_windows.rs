//! Windows of the real zenity on an X server without a screen.

use std::time::Duration;

use askd_tests::desktop::{Desktop, Window};
use askd_tests::forms::id_of;
use askd_tests::run::start;
use askd_tests::{Client, Daemon, Sandbox, sandbox, until, within};
use rustix::process::Signal;
use serde_json::{Value, json};

const TITLE: &str = "A question from pi";

fn zoo() -> Value {
    json!({"origin": {"agent": "pi"}, "params": {"title": "Zoo", "questions": [
        {"id": "x", "label": "<b>First", "prompt": "Which & why \\n_?", "options": [
            {"value": "help", "label": "--help"}, {"value": "b", "label": "Bee & <i>co"}]},
        {"id": "y", "label": "Second", "prompt": "Which ones?", "type": "multi", "options": [
            {"value": "a", "label": "Ant"}, {"value": "b", "label": "Bee"}]},
        {"id": "z", "label": "Third", "prompt": "Which?", "options": [{"value": "a", "label": "Ant"}]}]}})
}

/// Does something at the list in the window until another one is shown and so many questions are answered: a window that
/// has just come does not take every key yet.
async fn work(
    at: (&Sandbox, &Desktop),
    progress: (&Client, &str, usize),
    before: Option<&Window>,
    act: impl Fn(&Window),
) -> Window {
    let (sandbox, desktop) = at;
    let (frontend, form, count) = progress;
    let mut before = before.cloned();
    let worked = async {
        loop {
            let window = desktop.next_window(sandbox, TITLE, before.as_ref());
            // It closes its input once it has all rows, which come in one by one.
            let input = format!("/proc/{}/fd/0", window.pid);
            until("all rows", || std::fs::symlink_metadata(&input).is_err().then_some(()));
            act(&window);
            let mut gone = false;
            // One that is still there after a second has not taken it; one that is gone has been answered,
            // and the daemon hears of it a little later.
            for round in 0..100 {
                let shown = frontend.get(form).await;
                let answers = shown["draft"]["answers"].as_object().map_or(0, serde_json::Map::len);
                gone = !desktop.windows(sandbox, TITLE).contains(&window);
                if gone && answers >= count {
                    return window;
                }
                if !gone && round > 20 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            before = gone.then_some(window).or(before);
        }
    };
    within("an answer", worked).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_answered_with_keys_and_clicks() {
    let sandbox = sandbox!();
    let desktop = Desktop::start(&sandbox);
    let sandbox = sandbox.with_env("DISPLAY", desktop.display());
    let daemon = Daemon::start(&sandbox);
    let agent = Client::connect(daemon.socket(), "agent").await;
    let frontend = Client::connect(daemon.socket(), "frontend").await;
    let form = id_of(&agent.call("form/create", zoo()).await);
    let showing = start(sandbox.command(&["dialog", "--with", "auto", "--form", &form]), "");

    let at = (&sandbox, &desktop);
    // From the end of the list up to the second option.
    let choose = |_: &Window| desktop.press(&sandbox, &["End", "Up", "Return"]);
    let first = work(at, (&frontend, &form, 1), None, choose).await;
    // The tick of the second row, then OK.
    let tick = |window: &Window| {
        desktop.click(&sandbox, window, 22, 86);
        desktop.click(&sandbox, window, 670, 437);
    };
    let card = work(at, (&frontend, &form, 2), Some(&first), tick).await;
    let own = |_: &Window| desktop.press(&sandbox, &["End", "Return"]);
    let last = work(at, (&frontend, &form, 2), Some(&card), own).await;
    let _ = desktop.next_window(&sandbox, TITLE, Some(&last));
    desktop.type_text(&sandbox, "Plan 9");
    desktop.press(&sandbox, &["Return"]);

    let finished = showing.finish().expect(0);
    assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("", ""));
    let shown = frontend.get(&form).await;
    let answers = json!({"x": {"values": ["b"]}, "y": {"values": ["b"]}, "z": {"customText": "Plan 9"}});
    assert_eq!(shown["outcome"], json!({"kind": "submitted", "answers": answers}));
    assert_eq!(shown["resolvedBy"]["kind"], "dialog");
    assert_eq!(shown["resolvedBy"]["person"], true, "{}", shown["resolvedBy"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn answered_elsewhere_the_window_is_closed() {
    let sandbox = sandbox!();
    let desktop = Desktop::start(&sandbox);
    let sandbox = sandbox.with_env("DISPLAY", desktop.display());
    let daemon = Daemon::start(&sandbox);
    let agent = Client::connect(daemon.socket(), "agent").await;
    let frontend = Client::connect(daemon.socket(), "frontend").await;
    let form = id_of(&agent.call("form/create", zoo()).await);
    let showing = start(sandbox.command(&["dialog", "--with", "zenity", "--form", &form]), "");
    let _ = desktop.next_window(&sandbox, TITLE, None);
    frontend.submit(&form, json!({"kind": "answer", "answers": {"x": {"values": ["b"]}}})).await;
    let finished = showing.finish().expect(0);
    assert!(finished.stderr.contains("Answered by askd-tests"), "{finished:?}");
    until("the window's end", || desktop.windows(&sandbox, TITLE).is_empty().then_some(()));
}

#[tokio::test(flavor = "multi_thread")]
async fn told_to_stop_it_takes_its_window_along() {
    let sandbox = sandbox!();
    let desktop = Desktop::start(&sandbox);
    let sandbox = sandbox.with_env("DISPLAY", desktop.display());
    let daemon = Daemon::start(&sandbox);
    let agent = Client::connect(daemon.socket(), "agent").await;
    let form = id_of(&agent.call("form/create", zoo()).await);
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let showing = start(sandbox.command(&["dialog", "--with", "auto", "--form", &form]), "");
        let _ = desktop.next_window(&sandbox, TITLE, None);
        showing.signal(signal);
        let _ = showing.finish().expect(5);
        until("the window's end", || desktop.windows(&sandbox, TITLE).is_empty().then_some(()));
        assert_eq!(agent.get(&form).await["state"], "open");
    }
}

#[test]
fn without_a_desktop_or_a_program_the_form_stays_open() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let asked = sandbox.run_with(&["new", "-", "--no-wait"], &zoo()["params"].to_string()).expect(0);
    let form = asked.stdout.trim();
    let finished = sandbox.run(&["dialog", "--with", "zenity", "--form", form]).expect(1);
    assert!(finished.stderr.contains("display") && finished.stderr.contains("ask answer"), "{finished:?}");
    let mut command = sandbox.command(&["dialog", "--with", "auto", "--form", form]);
    command.env("PATH", sandbox.path("home"));
    let finished = askd_tests::run::run(command, "").expect(1);
    assert!(finished.stderr.contains("install zenity"), "{finished:?}");
    assert_eq!(sandbox.run(&["show", form, "--json"]).expect(0).json()["state"], "open");
    drop(daemon);
}
