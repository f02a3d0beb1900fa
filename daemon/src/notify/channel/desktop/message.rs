//! A notification as the desktop's service takes it.

use std::time::Duration;

use notify_rust::{Hint, Notification, Timeout, Urgency};

use super::super::super::text::Text;
use super::actions;
use super::connection::Server;

/// How long a short word to the person stays.
const WORD: Duration = Duration::from_secs(6);

/// What waits, with the buttons the server can show.
pub(super) fn waiting(text: &Text, answers: &[String], nonce: &str, server: &Server) -> Notification {
    let mut notification = plain(text, server);
    if server.has_actions() {
        for (key, label) in actions::list(answers, nonce) {
            notification.action(&key, &label);
        }
    }
    notification
}

/// The same after one of several forms ended: nothing new, so it makes no sound.
pub(super) fn quietly(mut notification: Notification) -> Notification {
    notification.hint(Hint::SuppressSound(true));
    notification
}

/// A word about something that happened; it goes away by itself.
pub(super) fn word(text: &Text, server: &Server) -> Notification {
    let mut notification = plain(text, server);
    notification.timeout(Timeout::from(WORD)).hint(Hint::Transient(true));
    notification
}

fn plain(text: &Text, server: &Server) -> Notification {
    let mut notification = Notification::new();
    notification.appname("askd").icon("dialog-question").hint(Hint::Urgency(Urgency::Normal));
    if server.has_body() {
        let lines = [Some(text.message.as_str()), text.asker.as_deref()];
        let body = lines.into_iter().flatten().collect::<Vec<_>>().join("\n");
        notification.summary(text.title).body(&if server.has_markup() { escaped(&body) } else { body });
    } else {
        notification.summary(&format!("{}: {}", text.title, text.message));
    }
    notification
}

/// A text as markup that reads as the text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
