//! JSON-RPC with the host, an object a line (protocol §9).

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};

/// Longer lines are no JSON-RPC of a dialog host; what is left of them is not JSON either.
const LINE_MAX: u64 = 4 * 1024 * 1024;
/// How long the last lines may take to be read by the host.
const LAST_LINES: Duration = Duration::from_secs(1);

/// What the host sent.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Incoming {
    /// The answer to a request: its result, or nothing when the host reports an error.
    Reply { id: Value, result: Option<Value> },
    /// A notification.
    Notification { method: String, params: Value },
    /// A line that is no JSON-RPC.
    Broken,
    /// The host is gone.
    End,
}

/// The streams that connect to the host.
pub struct HostIo {
    input: mpsc::UnboundedReceiver<Incoming>,
    output: mpsc::UnboundedSender<Vec<u8>>,
    written: oneshot::Receiver<()>,
    /// What came while only the host's end was waited for.
    early: VecDeque<Incoming>,
    ended: bool,
}

impl fmt::Debug for HostIo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostIo").field("ended", &self.ended).finish_non_exhaustive()
    }
}

impl HostIo {
    /// Standard input and output.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn stdio() -> io::Result<Self> {
        Self::new(io::stdin(), io::stdout())
    }

    /// Other streams. Each has a thread of its own that nothing waits for, so that neither a host that sends
    /// nothing nor one that reads nothing holds the frontend up.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Self> {
        let (incoming, receiver) = mpsc::unbounded_channel();
        let (sender, outgoing) = mpsc::unbounded_channel();
        let (done, written) = oneshot::channel();
        let gone = incoming.clone();
        std::thread::Builder::new().name("host-in".to_owned()).spawn(move || read(input, &incoming))?;
        std::thread::Builder::new().name("host-out".to_owned()).spawn(move || {
            if write(output, outgoing).is_err() {
                // The receiver is gone only when the frontend has ended.
                let _ = gone.send(Incoming::End);
            }
            let _ = done.send(());
        })?;
        Ok(Self { input: receiver, output: sender, written, early: VecDeque::new(), ended: false })
    }

    /// The next thing the host sent. Safe to cancel.
    pub(super) async fn next(&mut self) -> Incoming {
        if let Some(incoming) = self.early.pop_front() {
            return incoming;
        }
        self.receive().await
    }

    /// Waits for the host's end. What it sends before is kept for [`next`](Self::next).
    pub(super) async fn gone(&mut self) {
        loop {
            match self.receive().await {
                Incoming::End => return,
                incoming => self.early.push_back(incoming),
            }
        }
    }

    async fn receive(&mut self) -> Incoming {
        if self.ended {
            return Incoming::End;
        }
        let incoming = self.input.recv().await.unwrap_or(Incoming::End);
        self.ended = incoming == Incoming::End;
        incoming
    }

    pub(super) fn request(&self, id: u64, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    pub(super) fn notify(&self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Tells the host that a line was not understood.
    pub(super) fn complain(&self) {
        let error =
            json!({ "code": -32700, "message": "This line is no JSON-RPC 2.0 object; it was ignored." });
        self.send(&json!({ "jsonrpc": "2.0", "id": null, "error": error }));
    }

    fn send(&self, message: &Value) {
        // The writer ends only after a failed write, which has been reported as the host's end.
        let _ = self.output.send(format!("{message}\n").into_bytes());
    }

    /// Sends the last line and gives the host a moment to read all of it.
    pub(super) async fn close(self, reason: &Value) {
        self.notify("closed", reason);
        let Self { output, written, .. } = self;
        drop(output);
        // Whether in time or not, the frontend ends now.
        let _ = tokio::time::timeout(LAST_LINES, written).await;
    }
}

fn write(mut output: impl Write, mut lines: mpsc::UnboundedReceiver<Vec<u8>>) -> io::Result<()> {
    while let Some(line) = lines.blocking_recv() {
        output.write_all(&line)?;
        output.flush()?;
    }
    Ok(())
}

fn read(input: impl Read, incoming: &mpsc::UnboundedSender<Incoming>) {
    let mut input = BufReader::new(input);
    loop {
        let mut line = Vec::new();
        // A read error is the end too: nothing more can come.
        let read = input.by_ref().take(LINE_MAX).read_until(b'\n', &mut line).unwrap_or(0);
        if read == 0 {
            break;
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        if let Some(message) = parse(&line)
            && incoming.send(message).is_err()
        {
            return;
        }
    }
    // Nobody listens any more when the frontend has ended.
    let _ = incoming.send(Incoming::End);
}

/// Reads a line; nothing for a request, as the host has none that a dialog answers.
fn parse(line: &[u8]) -> Option<Incoming> {
    let Ok(Value::Object(mut message)) = serde_json::from_slice(line) else { return Some(Incoming::Broken) };
    let id = message.remove("id");
    match (message.remove("method"), id) {
        (Some(Value::String(method)), None) => {
            let params = message.remove("params").unwrap_or_default();
            Some(Incoming::Notification { method, params })
        }
        (Some(_), Some(_)) => None,
        (None, Some(id)) => Some(Incoming::Reply { id, result: message.remove("result") }),
        _ => Some(Incoming::Broken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        let read = |line: &str| parse(line.as_bytes());
        let reply = |id: Value, result| Some(Incoming::Reply { id, result });
        assert_eq!(read(r#"{"id":1,"result":{"value":"x"}}"#), reply(json!(1), Some(json!({"value":"x"}))));
        assert_eq!(read(r#"{"id":1,"error":{"code":1}}"#), reply(json!(1), None));
        let notification = Incoming::Notification { method: "abort".to_owned(), params: Value::Null };
        assert_eq!(read(r#"{"method":"abort"}"#), Some(notification));
        assert_eq!(read(r#"{"id":3,"method":"ping"}"#), None);
        for broken in ["x", "[]", "{", "{}", r#"{"method":3}"#, "\u{fffd}"] {
            assert_eq!(read(broken), Some(Incoming::Broken), "{broken}");
        }
        assert_eq!(parse(&[0xff, b'\n']), Some(Incoming::Broken));
    }
}
