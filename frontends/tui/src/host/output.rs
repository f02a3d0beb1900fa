//! What a host is told, written on a thread of its own. A frame that was not written yet is replaced by a newer one
//! in its place: a slow host sees the newest picture, never a queue of old ones.

use std::io::Write;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use serde_json::{Value, json};

#[derive(Debug)]
enum Waiting {
    Message(String),
    Frame(Value),
}

#[derive(Debug, Default)]
struct Queue {
    waiting: std::collections::VecDeque<Waiting>,
    finished: bool,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug)]
pub(super) struct Output {
    shared: Arc<Shared>,
    writer: Mutex<Option<JoinHandle<()>>>,
}

impl Output {
    pub(super) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let own = Arc::clone(&shared);
        let writer = std::thread::spawn(move || own.write_all(&mut std::io::stdout().lock()));
        Self { shared, writer: Mutex::new(Some(writer)) }
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(super) fn send(&self, message: &Value) {
        self.shared.push(Waiting::Message(message.to_string()));
    }

    pub(super) fn frame(&self, params: Value) {
        self.shared.push(Waiting::Frame(params));
    }

    /// Writes what waits and ends.
    pub(super) fn finish(&self) {
        self.shared.queue.lock().unwrap_or_else(PoisonError::into_inner).finished = true;
        self.shared.changed.notify_all();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            // A writer that panicked has nothing more to write.
            let _ = writer.join();
        }
    }
}

impl Shared {
    fn push(&self, waiting: Waiting) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let old = queue.waiting.iter_mut().find(|old| matches!(old, Waiting::Frame(_)));
        match (old, waiting) {
            (Some(old), Waiting::Frame(frame)) => *old = Waiting::Frame(frame),
            (_, waiting) => queue.waiting.push_back(waiting),
        }
        drop(queue);
        self.changed.notify_all();
    }

    fn write_all(&self, to: &mut impl Write) {
        loop {
            let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
            let next = loop {
                if let Some(next) = queue.waiting.pop_front() {
                    break next;
                }
                if queue.finished {
                    return;
                }
                queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
            };
            drop(queue);
            let mut line = match next {
                Waiting::Message(line) => line,
                Waiting::Frame(params) => {
                    json!({"jsonrpc": "2.0", "method": "frame", "params": params}).to_string()
                }
            };
            line.push('\n');
            // A host that closed its end is told nothing more; its end of stdin ends the program.
            if to.write_all(line.as_bytes()).and_then(|()| to.flush()).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_waits_is_replaced_in_its_place() {
        let shared = Shared::default();
        shared.push(Waiting::Message("hello".to_owned()));
        shared.push(Waiting::Frame(json!(1)));
        shared.push(Waiting::Message("pong".to_owned()));
        shared.push(Waiting::Frame(json!(2)));
        shared.queue.lock().unwrap().finished = true;
        let mut out = Vec::new();
        shared.write_all(&mut out);
        let text = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 3, "{text}");
        assert_eq!((lines[0], lines[2]), ("hello", "pong"));
        assert!(lines[1].contains("\"params\":2"));
    }
}
