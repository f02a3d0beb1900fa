//! `ask watch`: events as they come, for as long as somebody reads them.

use askd_client::Resume;
use askd_wire::event::SubscribeParams;
use clap::Args;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{output, view};

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
        // Nothing may happen for hours, so a reader that left would go unnoticed until then.
        let gone = output::reader_gone();
        tokio::pin!(gone);
        loop {
            tokio::select! {
                () = &mut gone => return Err(Failure::OutputClosed),
                now = connection.changed() => {
                    let away = matches!(now, askd_client::Connection::Reconnecting { .. });
                    if away != lost {
                        lost = away;
                        context.out.remark(if away { "The daemon is gone; waiting for it." } else { "The daemon is back." });
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
