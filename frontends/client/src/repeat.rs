//! Which calls may be sent again after a connection was lost before their reply came.

use serde_json::Value;

/// Whether calling `method` twice with the same params means the same as calling it once (protocol §3):
/// reading does, and so does what carries its own key.
pub(crate) fn is_repeatable(method: &str, params: &str) -> bool {
    let given = |pointer: &str| {
        serde_json::from_str::<Value>(params).is_ok_and(|p| p.pointer(pointer).is_some_and(|v| !v.is_null()))
    };
    match method {
        "form/wait" | "form/get" | "form/list" | "form/fallback" | "form/validate" | "settings/get"
        | "daemon/status" | "remote/submit" | "settings/reset" => true,
        "form/create" => {
            given("/key") || (given("/toolCallId") && given("/origin/agent") && given("/origin/session"))
        }
        "form/submit" => given("/requestId"),
        "settings/patch" => !given("/revision"),
        // `first` of an acknowledgement, the revision of a draft and the winner of a cancellation tell
        // something only once; viewing belongs to the connection that is gone.
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_carries_its_own_key_may_be_sent_again() {
        assert!(is_repeatable("form/get", r#"{"formId":"f"}"#));
        assert!(!is_repeatable("form/create", r#"{"params":{"key":"inside"}}"#));
        assert!(is_repeatable("form/create", r#"{"key":"k"}"#));
        assert!(!is_repeatable("form/create", r#"{"toolCallId":"t","origin":{"agent":"a"}}"#));
        assert!(is_repeatable("form/create", r#"{"toolCallId":"t","origin":{"agent":"a","session":"s"}}"#));
        assert!(!is_repeatable("form/submit", r#"{"formId":"f","requestId":null}"#));
        assert!(is_repeatable("form/submit", r#"{"formId":"f","requestId":"r"}"#));
        assert!(!is_repeatable("form/ack", r#"{"formId":"f"}"#));
        assert!(!is_repeatable("daemon/stop", "{}"));
    }
}
