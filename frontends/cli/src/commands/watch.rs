//! `ask watch`: events as they come, for as long as somebody reads them.

use askd_client::Resume;
use askd_wire::event::SubscribeParams;
use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::view;

/// Print what happens, as it happens
///
/// The open forms come first. With --json each line is an event as the daemon sends it. A daemon that
/// restarts interrupts it only: what was missed follows.
#[derive(Debug, Args)]
pub(crate) struct Watch {}

impl Watch {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = context.frontend().await?;
        let mut connection = client.watch_connection();
        let mut events = client.subscribe(SubscribeParams::default(), Resume::Replay).await?;
        let mut lost = false;
        loop {
            tokio::select! {
                now = connection.changed() => {
                    let gone = matches!(now, askd_client::Connection::Reconnecting { .. });
                    if gone != lost {
                        lost = gone;
                        context.out.remark(if gone { "The daemon is gone; waiting for it." } else { "The daemon is back." });
                    }
                }
                received = events.received() => {
                    let received = received?;
                    context.out.raw(received.json.get())?;
                    if let Some(line) = view::event::line(&received.event) {
                        context.out.say(&line)?;
                    }
                }
            }
        }
    }
}
