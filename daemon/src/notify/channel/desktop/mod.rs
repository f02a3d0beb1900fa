//! The desktop channel: one notification for all that waits, replaced rather than repeated, and taken away
//! when nothing waits any longer.
//!
//! A task of its own owns the connection to the bus and what is shown; everything comes to it as an order or
//! a signal, one after the other, so that a click meets exactly what was on the screen.

mod actions;
mod click;
mod connection;
mod kept;
mod message;
mod open;
mod worker;

use std::collections::HashSet;
use std::sync::Arc;

use askd_wire::settings::Settings;
use tokio::sync::{mpsc, oneshot, watch};

use super::super::attempts::Fault;
use super::super::forms::Forms;
use super::super::surroundings::Surroundings;
use crate::registry::Clock;
use worker::Worker;

/// The desktop channel. Its task ends with the last handle; what is shown stays.
#[derive(Debug, Clone)]
pub(in super::super) struct Desktop {
    orders: mpsc::UnboundedSender<Order>,
}

/// What the task is asked to do.
#[derive(Debug)]
enum Order {
    /// Tell of these forms, all that wait, oldest first.
    Show(Vec<Arc<str>>, oneshot::Sender<Result<(), Fault>>),
    /// Show that notifications work.
    Test(oneshot::Sender<Result<(), Fault>>),
    /// A form is no longer open.
    Ended(Arc<str>),
    /// No others are open.
    Open(HashSet<Arc<str>>),
}

impl Desktop {
    /// Starts the task; call it inside a Tokio runtime.
    pub(in super::super) fn start(
        surroundings: Arc<Surroundings>,
        settings: watch::Receiver<Arc<Settings>>,
        clock: Arc<dyn Clock>,
        forms: Arc<dyn Forms>,
    ) -> Self {
        // Without a bound: what comes is ids, each about a form that is or was open.
        let (orders, taken) = mpsc::unbounded_channel();
        tokio::spawn(Worker::new(surroundings, settings, clock, forms).run(taken));
        Self { orders }
    }

    /// Tells of these forms in place of what is shown.
    pub(in super::super) async fn show(&self, forms: Vec<Arc<str>>) -> Result<(), Fault> {
        let (done, result) = oneshot::channel();
        let _ = self.orders.send(Order::Show(forms, done));
        result.await.unwrap_or_else(|_| Err(ended()))
    }

    /// Shows a notification about nothing.
    pub(in super::super) async fn test(&self) -> Result<(), Fault> {
        let (done, result) = oneshot::channel();
        let _ = self.orders.send(Order::Test(done));
        result.await.unwrap_or_else(|_| Err(ended()))
    }

    /// A form is no longer open: it is told of no longer.
    pub(in super::super) fn ended(&self, form_id: Arc<str>) {
        let _ = self.orders.send(Order::Ended(form_id));
    }

    /// These forms and no others are open.
    pub(in super::super) fn only_open(&self, forms: HashSet<Arc<str>>) {
        let _ = self.orders.send(Order::Open(forms));
    }
}

fn ended() -> Fault {
    Fault::failed("the daemon is going")
}
