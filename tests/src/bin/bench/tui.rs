//! The terminal frontend as a host sees it: from its start to the first frame, and from a key to the frame it made.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use askd_tests::forms::id_of;
use askd_tests::{Client, Daemon, Sandbox};
use serde_json::{Value, json};

use crate::times::{Times, micros, millis};
use crate::{Effort, sandbox};

/// Options of a form that is long for a person.
const USUAL: usize = 50;
/// Options that no screen shows at once; what a key costs should not depend on them.
const MANY: usize = 5_000;

pub(crate) async fn measure(effort: Effort) -> Value {
    let sandbox = sandbox();
    let settings = json!({
        "schemaVersion": 5,
        "frontends": {"armingDelayMs": 0},
        "limits": {"options": MANY},
    });
    sandbox.write_config(&settings.to_string());
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    let usual = create(&agent, USUAL).await;
    let many = create(&agent, MANY).await;

    let mut starts = Times::default();
    // The first start reads the program from the disk.
    drop(Hosted::start(&sandbox, &usual));
    for _ in 0..effort.starts {
        starts.add(Hosted::start(&sandbox, &usual).first_frame);
    }

    let (mut usual, mut many) = (Hosted::start(&sandbox, &usual), Hosted::start(&sandbox, &many));
    let (mut usual_keys, mut many_keys) = (Times::default(), Times::default());
    for block in 0..effort.blocks {
        // In turns, so that a noisy machine is noisy for both.
        for (hosted, times) in [(&mut usual, &mut usual_keys), (&mut many, &mut many_keys)] {
            for press in 0..effort.per_block {
                let time = hosted.key(if press % 2 == 0 { "down" } else { "up" });
                // The first block warms everything up.
                if block > 0 {
                    times.add(time);
                }
            }
        }
    }
    let (key, key_of_many) = (usual_keys.percentile(50), many_keys.percentile(50));
    json!({
        "firstFrameMs": millis(starts.percentile(50)),
        "keyP50Us": micros(key),
        "keyP99Us": micros(usual_keys.percentile(99)),
        "manyKeyP50Us": micros(key_of_many),
        "manyRatio": (key_of_many.as_secs_f64() / key.as_secs_f64() * 100.0).round() / 100.0,
    })
}

/// A form that rings nowhere.
async fn create(agent: &Client, options: usize) -> String {
    id_of(&agent.call("form/create", json!({"params": form(options), "quiet": true})).await)
}

fn form(options: usize) -> Value {
    let options: Vec<_> =
        (0..options).map(|n| json!({"value": format!("v{n}"), "label": format!("Option {n}")})).collect();
    json!({"questions": [{"id": "q", "prompt": "Which of them?", "options": options}]})
}

/// A frontend that shows a form. Dropping it ends it.
struct Hosted {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The newest frame as it was written.
    shown: String,
    first_frame: Duration,
}

impl Hosted {
    fn start(sandbox: &Sandbox, form_id: &str) -> Self {
        let mut command = sandbox.command(&["tui", "--host", "--form", form_id]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let started = Instant::now();
        let mut child = command.spawn().expect("the frontend's program");
        let input = child.stdin.take().expect("its input");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let mut hosted = Self { child, input, output, shown: String::new(), first_frame: Duration::ZERO };
        hosted.write(&json!({"jsonrpc": "2.0", "method": "resize", "params": {"columns": 100, "rows": 30}}));
        hosted.next_frame();
        hosted.first_frame = started.elapsed();
        hosted.settle();
        hosted
    }

    /// From writing a key to reading the frame that shows what it did.
    fn key(&mut self, name: &str) -> Duration {
        let message = json!({"jsonrpc": "2.0", "method": "key", "params": {"id": name}});
        let started = Instant::now();
        self.write(&message);
        self.next_frame();
        started.elapsed()
    }

    fn write(&mut self, message: &Value) {
        let line = format!("{message}\n");
        self.input.write_all(line.as_bytes()).expect("the frontend reads");
    }

    /// Reads up to a frame that looks different: a draft that was kept may bring the same picture again.
    fn next_frame(&mut self) {
        loop {
            let line = self.line();
            if is_frame(&line) && line != self.shown {
                self.shown = line;
                return;
            }
        }
    }

    /// Waits until nothing is on its way any more, so that the next frame is the next key's.
    fn settle(&mut self) {
        self.write(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}));
        loop {
            let line = self.line();
            if is_frame(&line) {
                self.shown = line;
            } else if line.contains("\"result\"") {
                return;
            }
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).expect("the frontend's output");
        assert!(read > 0, "the frontend ended; the last frame was {}", self.shown);
        line
    }
}

/// Cheap on purpose: parsing the frame is no part of what is measured.
fn is_frame(line: &str) -> bool {
    line.contains("\"method\":\"frame\"")
}

impl Drop for Hosted {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
