//! Windows of a program that the test writes: what it is given, and what its answers do.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use askd_form::{Contract, OutcomeKind};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::fake::{FORM, Fake};
use crate::line::Ending;
use crate::windows::{Closing, Program, WindowError, answer_form};

/// A directory with a `zenity` that runs these lines of shell for the window whose number is `$n`, having kept
/// its arguments and input.
struct Stub(TempDir);

impl Stub {
    fn new(script: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let at = directory.path().display();
        let text = format!(
            "#!/bin/sh\ncd '{at}' || exit 74\nn=$(ls | grep -c '^args')\nprintf '%s\\0' \"$@\" > \"args$n\"\n\
             cat > \"input$n\"\n{script}\n"
        );
        let program = directory.path().join("zenity");
        fs::write(&program, text).unwrap();
        fs::set_permissions(&program, Permissions::from_mode(0o755)).unwrap();
        Self(directory)
    }

    fn program(&self) -> Program {
        Program::find(Some(self.0.path().as_os_str())).unwrap()
    }

    fn args(&self, number: usize) -> Vec<String> {
        let text = fs::read_to_string(self.0.path().join(format!("args{number}"))).unwrap();
        text.split_terminator('\0').map(str::to_owned).collect()
    }

    fn input(&self, number: usize) -> String {
        fs::read_to_string(self.0.path().join(format!("input{number}"))).unwrap()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    async fn until(&self, name: &str) -> String {
        let there = async {
            loop {
                match fs::read_to_string(self.file(name)) {
                    Ok(text) if !text.is_empty() => return text,
                    _ => tokio::time::sleep(Duration::from_millis(5)).await,
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), there).await.expect(name)
    }
}

async fn shown(fake: &Fake, stub: &Stub) -> Result<Option<Closing>, WindowError> {
    let client = fake.client().await;
    let program = stub.program();
    let shown = answer_form(&client, FORM, &program, std::future::pending());
    tokio::time::timeout(Duration::from_secs(20), shown).await.expect("an end")
}

fn two() -> Value {
    json!({"title":"Plan","questions":[
        {"id":"db","label":"Database","prompt":"Which?","options":[
            {"value":"pg","label":"PostgreSQL"},{"value":"lite","label":"--help <b>x</b>"}]},
        {"id":"os","label":"Systems","prompt":"Which_ones \\n?","type":"multi","options":[
            {"value":"l","label":"Linux"},{"value":"m","label":"macOS"}]}]})
}

fn answers(fake: &Fake) -> Value {
    json!(fake.outcome().unwrap().answers)
}

fn gone(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    // One that has ended and whom nobody has asked yet counts as gone.
    state.rsplit(')').next().is_none_or(|rest| rest.trim().is_empty() || rest.trim().starts_with('Z'))
}

#[tokio::test]
async fn windows_are_shown_one_after_the_other() {
    let fake = Fake::start(Contract::Ask, &two()).await;
    let stub = Stub::new(
        "case $n in 0) sed -n 2p input0;; 1) echo;; 2) sed -n 2p input1; sed -n 6p input1;; 3) echo Plan 9;; esac",
    );
    let closing = shown(&fake, &stub).await.unwrap().unwrap();
    assert!(matches!(closing.ending, Ending::Submitted(_)) && closing.message.is_none(), "{closing:?}");
    assert_eq!(answers(&fake), json!({"db":{"values":["lite"]},"os":{"values":["l"],"customText":"Plan 9"}}));

    assert_eq!(stub.input(0), "1. PostgreSQL\n2. --help <b>x</b>\nType something…\n");
    let args = stub.args(0);
    assert_eq!(args[0], "--list");
    let text = "--text=Asked by root > pi, in /src/shop, session \"talk\"\n[1/2] Plan — Database: Which?";
    assert!(args.iter().any(|arg| arg.replace("&gt;", ">") == text), "{args:?}");
    assert!(args.contains(&"--cancel-label=Skip".to_owned()), "{args:?}");
    assert_eq!(stub.input(1), "FALSE\n1. Linux\nFALSE\n2. macOS\nFALSE\nType something…\n");
    let args = stub.args(1);
    assert!(args.contains(&"--checklist".to_owned()), "{args:?}");
    assert!(args.iter().any(|arg| arg.ends_with(r"Systems: Which_ones \\n?")), "{args:?}");
    let args = stub.args(2);
    assert!(args.iter().any(|arg| arg.ends_with("tick a row, or press Skip.")), "{args:?}");
    let args = stub.args(3);
    assert_eq!(args[0], "--entry");
    assert!(args.iter().any(|arg| arg.contains(r"Which__ones \\n?")), "{args:?}");
    for number in 0..4 {
        let args = stub.args(number);
        assert!(args.iter().all(|arg| arg.starts_with("--")), "text only as part of an option: {args:?}");
    }
}

#[tokio::test]
async fn a_window_that_is_dismissed_skips_or_cancels() {
    let fake = Fake::start(Contract::Ask, &two()).await;
    let closing = shown(&fake, &Stub::new("exit 72")).await.unwrap().unwrap();
    assert!(matches!(closing.ending, Ending::Submitted(_)), "{closing:?}");
    assert_eq!(answers(&fake), json!({}));

    let typed = json!({"questions":[{"id":"t","question":"Name?"}]});
    let fake = Fake::start(Contract::Questionnaire, &typed).await;
    let closing = shown(&fake, &Stub::new("exit 71")).await.unwrap().unwrap();
    assert!(matches!(closing.ending, Ending::Cancelled(_)), "{closing:?}");
}

#[tokio::test]
async fn ok_without_a_row_and_reading_on_show_the_card_again() {
    let context = "x".repeat(9000);
    let mut form = two();
    form["questions"][0]["prompt"] = json!(format!("Which? {context}"));
    form["questions"].as_array_mut().unwrap().truncate(1);
    let fake = Fake::start(Contract::Ask, &form).await;
    let stub = Stub::new(
        "case $n in 0) echo 'Read all'; exit 71;; 1) exit 0;; 2) echo;; 3) echo '1. PostgreSQL';; esac",
    );
    let closing = shown(&fake, &stub).await.unwrap().unwrap();
    assert!(matches!(closing.ending, Ending::Submitted(_)), "{closing:?}");
    assert_eq!(stub.args(1)[0], "--text-info");
    assert!(stub.input(1).contains(&context) && stub.input(1).contains("1. PostgreSQL"));
    assert!(stub.args(0).concat().len() < 2000, "what is on the command line is cut");
    assert!(stub.args(3).iter().any(|arg| arg.ends_with("Pick a row, then OK.")), "{:?}", stub.args(3));
}

#[tokio::test]
async fn a_program_that_fails_leaves_the_form_open() {
    for (script, words) in [
        ("echo 'cannot open display: :9' >&2; exit 1", "cannot open display: :9"),
        ("exit 74", "status 74"),
        ("kill -9 $$", "a signal"),
    ] {
        let fake = Fake::start(Contract::Ask, &two()).await;
        let error = shown(&fake, &Stub::new(script)).await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(error.to_string().contains("ask answer"), "{error}");
        assert!(fake.outcome().is_none());
    }
}

#[tokio::test]
async fn answered_elsewhere_the_window_and_its_children_are_ended() {
    let fake = Fake::start(Contract::Ask, &two()).await;
    let stub = Stub::new("sleep 60 & echo $! > child; echo $$ > leader; wait");
    let client = fake.client().await;
    let program = stub.program();
    let showing =
        tokio::spawn(async move { answer_form(&client, FORM, &program, std::future::pending()).await });
    let pids = [stub.until("leader").await, stub.until("child").await];
    fake.end_elsewhere(&json!({"kind":"answer","answers":{"db":{"values":["pg"]}}}));
    let closing = tokio::time::timeout(Duration::from_secs(10), showing).await.unwrap().unwrap();
    let closing = closing.unwrap().unwrap();
    assert!(matches!(closing.ending, Ending::Elsewhere(_)), "{closing:?}");
    assert!(closing.message.unwrap().contains("PostgreSQL"));
    for pid in pids {
        let ended = async {
            while !gone(&pid) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), ended).await.expect("it is gone");
    }
}

#[tokio::test]
async fn told_to_stop_it_closes_the_window_and_keeps_what_was_entered() {
    let fake = Fake::start(Contract::Ask, &two()).await;
    let stub = Stub::new("case $n in 0) sed -n 1p input0;; *) echo $$ > leader; exec sleep 60;; esac");
    let client = fake.client().await;
    let program = stub.program();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let showing = tokio::spawn(async move {
        let stopped = async { stopped.await.unwrap_or_default() };
        answer_form(&client, FORM, &program, stopped).await
    });
    let pid = stub.until("leader").await;
    stop.send(()).unwrap();
    let closing = tokio::time::timeout(Duration::from_secs(10), showing).await.unwrap().unwrap().unwrap();
    assert!(closing.is_none() && fake.outcome().is_none());
    assert_eq!(fake.state().snapshot["draft"]["answers"]["db"]["values"], json!(["pg"]));
    let ended = async {
        while !gone(&pid) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), ended).await.expect("it is gone");
}

#[tokio::test]
async fn a_form_that_has_ended_opens_no_window() {
    let fake = Fake::start(Contract::Ask, &two()).await;
    fake.end_silently(&json!({"kind":"cancelled","reason":"dismissed"}));
    let stub = Stub::new("exit 0");
    let closing = shown(&fake, &stub).await.unwrap().unwrap();
    assert_eq!(closing.ending.resolution().outcome.kind, OutcomeKind::Cancelled);
    assert!(!stub.file("args0").exists());
}

#[test]
fn without_the_program_it_says_what_to_install() {
    let empty = tempfile::tempdir().unwrap();
    fs::write(empty.path().join("zenity"), "not executable").unwrap();
    for path in [None, Some(empty.path().as_os_str()), Some(OsStr::new(""))] {
        let error = Program::find(path).unwrap_err().to_string();
        assert!(error.contains("install zenity") && error.contains("ask answer"), "{error}");
    }
}
