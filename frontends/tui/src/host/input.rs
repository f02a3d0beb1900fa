//! What a host says, read on a thread of its own: a read that waits for a host must not hold the program up.

use std::io::BufRead;

use askd_interact::interaction::{Key, KeyPress};
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// One message of the host.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Resize(u16, u16),
    Key(KeyPress),
    Paste(String),
    Theme(Value),
    Focus(bool),
    ViewKey(String),
    Abort,
    /// With the id to answer under.
    Ping(Value),
    /// Nothing more will come.
    End,
}

/// Cells and rows that a screen has at most; a larger one is treated as this large.
const LARGEST: u64 = 2000;

pub(super) fn start() -> UnboundedReceiver<Message> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if let Some(message) = read(&line)
                && sender.send(message).is_err()
            {
                return;
            }
        }
        // The receiver may be gone already.
        let _ = sender.send(Message::End);
    });
    receiver
}

/// Reads one line; what is not understood is left out, as unknown methods are.
fn read(line: &str) -> Option<Message> {
    let message: Value = serde_json::from_str(line).ok()?;
    let params = message.get("params").unwrap_or(&Value::Null);
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    match message.get("method")?.as_str()? {
        "resize" => {
            let number = |name: &str| params.get(name).and_then(Value::as_u64).map(|n| n.min(LARGEST));
            Some(Message::Resize(
                u16::try_from(number("columns")?).ok()?,
                u16::try_from(number("rows")?).ok()?,
            ))
        }
        "key" => {
            let key = text("id").and_then(Key::parse);
            let typed = text("text").map(str::to_owned).or_else(|| key.and_then(Key::text));
            let repeat = params.get("repeat").and_then(Value::as_bool).unwrap_or(false);
            (key.is_some() || typed.is_some()).then_some(Message::Key(KeyPress { key, text: typed, repeat }))
        }
        "paste" => text("text").map(|text| Message::Paste(text.to_owned())),
        "theme" => params.get("colors").or_else(|| params.get("colours")).cloned().map(Message::Theme),
        "focus" => params.get("focused").and_then(Value::as_bool).map(Message::Focus),
        "viewKey" => text("key").map(|key| Message::ViewKey(key.to_owned())),
        "abort" => Some(Message::Abort),
        "ping" => message.get("id").filter(|id| !id.is_null()).cloned().map(Message::Ping),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn key(params: &Value) -> KeyPress {
        let line = json!({"jsonrpc":"2.0","method":"key","params":params}).to_string();
        match read(&line) {
            Some(Message::Key(press)) => press,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn keys_come_by_name_by_text_or_by_both() {
        assert_eq!(key(&json!({"id":"Escape"})).key, Key::parse("esc"));
        assert_eq!(key(&json!({"id":"N"})).text.as_deref(), Some("N"));
        assert_eq!(
            key(&json!({"text":"空"})),
            KeyPress { key: None, text: Some("空".to_owned()), repeat: false }
        );
        assert!(key(&json!({"id":"t","text":"t","repeat":true})).repeat);
    }

    #[test]
    fn what_is_not_understood_is_left_out() {
        for line in [
            "",
            "x",
            "[]",
            r#"{"method":"dance"}"#,
            r#"{"method":"resize","params":{"columns":-1,"rows":2}}"#,
            r#"{"method":"key","params":{}}"#,
            r#"{"method":"ping"}"#,
        ] {
            assert_eq!(read(line), None, "{line}");
        }
        assert_eq!(
            read(r#"{"method":"resize","params":{"columns":80,"rows":24}}"#),
            Some(Message::Resize(80, 24))
        );
        assert_eq!(read(r#"{"method":"ping","id":"a"}"#), Some(Message::Ping(json!("a"))));
    }
}
