//! Being told to stop: interrupt, terminate, hang-up.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::Failure;

/// Waits for the first of the signals that stop a program. From its making on they no longer end it.
#[derive(Debug)]
pub(crate) struct Stop {
    signals: Vec<Signal>,
}

impl Stop {
    /// Takes the signals over; the interrupt only where nobody else makes something of it.
    pub(crate) fn listen(interrupt: bool) -> Result<Self, Failure> {
        let mut kinds = vec![SignalKind::terminate(), SignalKind::hangup()];
        if interrupt {
            kinds.push(SignalKind::interrupt());
        }
        let signals =
            kinds.into_iter().map(signal).collect::<Result<_, _>>().map_err(|e| {
                Failure::Other(format!("The program cannot listen for signals: {e}. Try again."))
            })?;
        Ok(Self { signals })
    }

    /// Waits for one of them. Safe to cancel.
    pub(crate) async fn received(&mut self) {
        std::future::poll_fn(|context| {
            let ready = self.signals.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}
