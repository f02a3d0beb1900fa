//! The calls of the settings list, over a form or alone.

use askd_client::Client;
use askd_wire::Empty;
use askd_wire::method::{SettingsGet, SettingsPatch, SettingsReset};
use askd_wire::settings::PatchParams;
use serde_json::Value;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

use super::{Call, News};

/// What the list asks of the daemon.
#[derive(Debug)]
pub(crate) enum SettingsCall {
    /// What holds, and what is wrong.
    Get,
    /// Save a merge patch.
    Patch(Value),
    /// Put everything back.
    Reset,
}

pub(super) async fn ask(client: &Client, call: SettingsCall) -> News {
    let to_wish = !matches!(call, SettingsCall::Get);
    let answer = match call {
        SettingsCall::Get => client.call::<SettingsGet>(Empty {}).await,
        SettingsCall::Patch(patch) => {
            client.call::<SettingsPatch>(PatchParams { patch, revision: None }).await
        }
        SettingsCall::Reset => client.call::<SettingsReset>(Empty {}).await,
    };
    News::SettingsAnswer { answer: answer.map(Box::new).map_err(|error| error.to_string()), to_wish }
}

/// The calls of a list that lies over no form.
pub(super) async fn run(client: Client, mut todo: UnboundedReceiver<Call>, tell: UnboundedSender<News>) {
    // Nobody listens any more only when the screen is gone.
    let _ = tell.send(match ask(&client, SettingsCall::Get).await {
        News::SettingsAnswer { answer: Err(why), .. } => News::Failed(why),
        news => news,
    });
    while let Some(call) = todo.recv().await {
        if let Call::Settings(call) = call {
            let _ = tell.send(ask(&client, call).await);
        }
        let _ = tell.send(News::Done);
    }
}
