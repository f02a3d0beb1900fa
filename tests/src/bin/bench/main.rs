//! Measures a release build of the daemon against what the machine can do at best.
//!
//! `bench [--quick] [--json FILE]`; `tests/bench` builds and runs it.

mod cycle;
mod floor;
mod memory;
mod start;
mod times;
mod tui;

use std::path::PathBuf;
use std::process::ExitCode;

use askd_tests::Sandbox;
use serde_json::{Value, json};

/// How much to measure.
#[derive(Debug, Clone, Copy)]
struct Effort {
    blocks: usize,
    per_block: usize,
    starts: usize,
    forms: usize,
    lists: usize,
}

const FULL: Effort = Effort { blocks: 20, per_block: 100, starts: 21, forms: 10_000, lists: 300 };
const QUICK: Effort = Effort { blocks: 4, per_block: 50, starts: 5, forms: 10_000, lists: 50 };

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        // This program is the other process of a bare round trip, too.
        ["--echo", socket] => {
            floor::echo(socket.as_ref()).await;
            ExitCode::SUCCESS
        }
        [] => measure(FULL, None).await,
        ["--quick"] => measure(QUICK, None).await,
        ["--json", file] => measure(FULL, Some(file.into())).await,
        ["--quick", "--json", file] | ["--json", file, "--quick"] => measure(QUICK, Some(file.into())).await,
        _ => {
            eprintln!("usage: bench [--quick] [--json FILE]");
            ExitCode::from(2)
        }
    }
}

/// A sandbox for the `ask` that was built together with this program.
fn sandbox() -> Sandbox {
    let this = std::env::current_exe().expect("this program's path");
    let ask = this.with_file_name("ask-under-test");
    assert!(ask.exists(), "{} was not built; run tests/bench", ask.display());
    Sandbox::new(ask.to_str().expect("a path in UTF-8"))
}

async fn measure(effort: Effort, file: Option<PathBuf>) -> ExitCode {
    if cfg!(debug_assertions) {
        eprintln!("this is a debug build, whose numbers mean nothing; run tests/bench");
        return ExitCode::from(2);
    }
    let mut report = json!({});
    for name in ["cycle", "coldStart", "idle", "open10k", "tui"] {
        let measured = match name {
            "cycle" => cycle::measure(effort).await,
            "coldStart" => start::cold(effort).await,
            "idle" => memory::idle().await,
            "tui" => tui::measure(effort).await,
            _ => memory::open_forms(effort).await,
        };
        println!("{name} {measured}");
        report[name] = measured;
    }
    for line in verdicts(&report) {
        println!("{line}");
    }
    if let Some(file) = file {
        let text = serde_json::to_string_pretty(&report).expect("JSON") + "\n";
        if let Err(error) = std::fs::write(&file, text) {
            eprintln!("cannot write {}: {error}", file.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// A line for each aim of docs/performance.md: what was measured, and whether it is met.
fn verdicts(report: &Value) -> Vec<String> {
    let number = |path: &str| report.pointer(path).and_then(Value::as_f64);
    let line = |what: &str, value: Option<f64>, aim: f64, unit: &str| match value {
        Some(value) if value <= aim => format!("✓ {what}: {value:.1} {unit} (aim: at most {aim} {unit})"),
        Some(value) => format!("✗ {what}: {value:.1} {unit} (aim: at most {aim} {unit})"),
        None => format!("? {what}: not measured"),
    };
    let cycle = match (number("/cycle/ratio"), number("/cycle/overheadUs")) {
        (Some(ratio), Some(overhead)) => {
            let met = if ratio <= 1.3 || overhead <= 125.0 { '✓' } else { '✗' };
            format!(
                "{met} cycle: {ratio:.2} times the limit, {overhead:.0} µs above it (aim: 1.3 times or 125 µs)"
            )
        }
        _ => "? cycle: not comparable, this disk does not write through".to_owned(),
    };
    vec![
        cycle,
        line("cold start to first reply", number("/coldStart/p50Ms"), 15.0, "ms"),
        line("resident at rest", number("/idle/rssMiB"), 12.0, "MiB"),
        line("10,000 forms reloaded", number("/open10k/reloadMs"), 300.0, "ms"),
    ]
}
