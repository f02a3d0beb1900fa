//! A form's turn: taken once in the store, then told over each channel in the order of the settings.

use std::sync::Arc;

use askd_wire::notification::{Attempt, ChannelKind};
use askd_wire::settings::{Channel, ChannelName};
use tokio::sync::mpsc;

use super::Inner;
use super::attempts::Fault;
use super::channel::command;
use super::forms::Forms;
use super::text::Text;

/// Notifies about the forms whose turn comes, together about those that come while the last notification is
/// still being delivered.
pub(super) async fn deliver(inner: Arc<Inner>, mut due: mpsc::UnboundedReceiver<Vec<Arc<str>>>) {
    while let Some(mut forms) = due.recv().await {
        while let Ok(more) = due.try_recv() {
            forms.extend(more);
        }
        let settings = inner.settings.borrow().notifications.clone();
        if !settings.enabled {
            continue;
        }
        let new = take(&inner, forms).await;
        let Some(text) = text(&inner, &new, settings.privacy).await else { continue };
        tracing::info!(forms = new.len(), "notifying");
        for channel in &settings.channels {
            tell(&inner, channel, &new, &text).await;
        }
    }
}

/// Takes the turns in the store; gives the forms that nobody was told of before.
async fn take(inner: &Inner, forms: Vec<Arc<str>>) -> Vec<Arc<str>> {
    let mut new = Vec::new();
    for form_id in forms {
        if inner.registry.is_quiet(&form_id) != Some(false) {
            continue;
        }
        match inner.registry.take_notification(&form_id).await {
            Ok(first) => {
                inner.told().insert(form_id.clone());
                // It may have ended before it stood there to be taken off.
                if inner.registry.is_quiet(&form_id).is_none() {
                    inner.ended(&form_id);
                } else if first {
                    new.push(form_id);
                }
            }
            // Without the turn on disk it could be told again after a restart; better not at all.
            Err(error) => tracing::error!(%error, form = %form_id, "a form is not notified about"),
        }
    }
    new
}

/// What to say of these forms; nothing when all have ended.
async fn text(inner: &Inner, forms: &[Arc<str>], privacy: bool) -> Option<Text> {
    let mut named = Vec::new();
    let mut total = forms.len();
    for form_id in forms.iter().rev() {
        match inner.registry.open_form(form_id).await {
            Some(form) => named.push(form),
            None => total -= 1,
        }
        if named.len() == Text::NAMED {
            break;
        }
    }
    (!named.is_empty()).then(|| Text::waiting(&named, total, privacy))
}

async fn tell(inner: &Inner, channel: &Channel, forms: &[Arc<str>], text: &Text) -> Attempt {
    let kind = match channel {
        Channel::Name(name) => kind(*name),
        Channel::Command(_) => ChannelKind::Command,
    };
    let result = match channel {
        Channel::Name(ChannelName::Desktop) => {
            let told: Vec<_> = inner.told().iter().cloned().collect();
            inner.desktop.show(told).await
        }
        Channel::Name(_) => inner.terminals.ring(&inner.registry, kind, forms, text, None).await,
        Channel::Command(command) => {
            command::run(&inner.surroundings, &command.command, command::Event::Waiting, text).await
        }
    };
    inner.attempts.record(kind, result)
}

/// Tries a channel with a text about nothing, for a connection that asked for it.
pub(super) async fn try_channel(inner: &Inner, kind: ChannelKind, asking: &str) -> Attempt {
    let result = match kind {
        ChannelKind::Desktop => inner.desktop.test().await,
        ChannelKind::Command => Err(Fault::nobody("no command was named")),
        ChannelKind::Bell | ChannelKind::Osc9 | ChannelKind::Osc777 => {
            inner.terminals.ring(&inner.registry, kind, &[], &Text::test(), Some(asking)).await
        }
    };
    inner.attempts.record(kind, result)
}

/// Tries a command.
pub(super) async fn try_command(inner: &Inner, line: &str) -> Attempt {
    let result = command::run(&inner.surroundings, line, command::Event::Test, &Text::test()).await;
    inner.attempts.record(ChannelKind::Command, result)
}

/// The channel behind a setting's name.
pub(super) fn kind(name: ChannelName) -> ChannelKind {
    match name {
        ChannelName::Desktop => ChannelKind::Desktop,
        ChannelName::Bell => ChannelKind::Bell,
        ChannelName::Osc9 => ChannelKind::Osc9,
        ChannelName::Osc777 => ChannelKind::Osc777,
    }
}
