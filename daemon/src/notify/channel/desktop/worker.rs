//! The task behind the desktop channel: what is shown, what replaces it, and when it is taken away.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use askd_wire::Millis;
use askd_wire::settings::Settings;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::super::super::attempts::{Fault, LIMIT, bounded};
use super::super::super::forms::Forms;
use super::super::super::surroundings::Surroundings;
use super::super::super::text::Text;
use super::connection::{self, Bus, Signal};
use super::kept::{Keeper, Kept};
use super::{Order, actions, message};
use crate::registry::Clock;

/// Notifications that were shown before, by which a late click is told from a forged one.
const REMEMBERED: usize = 16;

/// After this time a call that was not answered is taken for lost, and the next form is shown anew.
const LOST: Duration = Duration::from_secs(60);

pub(super) const SILENT: &str = "the notification service did not answer";

/// The notification that is shown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) kept: Kept,
    /// How many forms it was made for.
    told: usize,
    /// Since when, by the steady clock.
    pub(super) since: Millis,
    /// Whether the person or the service has taken it away; its forms still wait.
    pub(super) gone: bool,
}

/// A notification that was handed over, without an answer so far.
#[derive(Debug)]
struct Unanswered {
    call: JoinHandle<Result<u32, Fault>>,
    kept: Kept,
    told: usize,
    since: Instant,
}

/// All that the task holds.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) surroundings: Arc<Surroundings>,
    pub(super) settings: watch::Receiver<Arc<Settings>>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) forms: Arc<dyn Forms>,
    pub(super) keeper: Keeper,
    bus: Option<Bus>,
    signals: (mpsc::Sender<Signal>, mpsc::Receiver<Signal>),
    pub(super) shown: Option<Shown>,
    unanswered: Option<Unanswered>,
    pub(super) past: VecDeque<Kept>,
    /// The desktop's permission to come to the front, and the notification it came for.
    pub(super) token: Option<(u32, String)>,
}

impl Worker {
    pub(super) fn new(
        surroundings: Arc<Surroundings>,
        settings: watch::Receiver<Arc<Settings>>,
        clock: Arc<dyn Clock>,
        forms: Arc<dyn Forms>,
    ) -> Self {
        Self {
            keeper: Keeper(surroundings.kept.clone()),
            surroundings,
            settings,
            clock,
            forms,
            bus: None,
            signals: connection::signals(),
            shown: None,
            unanswered: None,
            past: VecDeque::new(),
            token: None,
        }
    }

    /// Works until the last handle is gone.
    pub(super) async fn run(mut self, mut orders: mpsc::UnboundedReceiver<Order>) {
        self.take_up().await;
        loop {
            let mut order = tokio::select! {
                order = orders.recv() => order,
                Some(signal) = self.signals.1.recv() => {
                    self.heard(signal).await;
                    continue;
                }
                result = answer(&mut self.unanswered) => {
                    self.answered_late(result).await;
                    continue;
                }
            };
            if order.is_none() {
                return;
            }
            while let Some(taken) = order {
                order = self.obey(taken, &mut orders).await;
            }
        }
    }

    /// Goes on with what the daemon before has shown, where the same process still shows it.
    async fn take_up(&mut self) {
        let Some(kept) = self.keeper.load() else { return };
        let found = bounded(LIMIT, SILENT, async {
            let bus = self.bus().await?;
            let owner = bus.owner().await?;
            Ok(bus.id() == kept.bus && owner.is_some_and(|owner| owner.as_str() == kept.server))
        });
        if found.await == Ok(true) {
            let (told, since) = (kept.forms.len(), self.clock.steady());
            self.shown = Some(Shown { kept, told, since, gone: false });
            self.begin().await;
        } else {
            self.keeper.save(None).await;
        }
    }

    /// Does what is ordered; gives an order that was taken along and is still to be done.
    async fn obey(&mut self, order: Order, orders: &mut mpsc::UnboundedReceiver<Order>) -> Option<Order> {
        match order {
            Order::Show(forms, done) => {
                let _ = done.send(self.show(forms, false).await);
                None
            }
            Order::Test(done) => {
                let _ = done.send(self.word(&Text::test()).await);
                None
            }
            Order::Ended(_) | Order::Open(_) => {
                // Many forms may end at once; what is shown changes once.
                let mut next = Some(order);
                let rest = loop {
                    match next {
                        Some(Order::Ended(form_id)) => self.forget(|form| *form == form_id),
                        Some(Order::Open(open)) => self.forget(|form| !open.contains(form)),
                        rest => break rest,
                    }
                    next = orders.try_recv().ok();
                };
                self.settle().await;
                rest
            }
        }
    }

    /// Takes forms off what is shown; [`Self::settle`] makes it visible.
    fn forget(&mut self, ended: impl Fn(&Arc<str>) -> bool) {
        let kept = [self.shown.as_mut().map(|s| &mut s.kept), self.unanswered.as_mut().map(|u| &mut u.kept)];
        for kept in kept.into_iter().flatten() {
            kept.forms.retain(|form| !ended(form));
        }
    }

    /// Brings what is shown in line with the forms it still tells of.
    async fn settle(&mut self) {
        let Some(shown) = &self.shown else { return };
        if shown.kept.forms.is_empty() {
            self.withdraw().await;
        } else if !shown.gone && shown.told != shown.kept.forms.len() {
            let forms = shown.kept.forms.clone();
            if let Err(error) = self.show(forms, true).await {
                tracing::warn!(%error, "the desktop notification could not be brought up to date");
            }
        }
    }

    async fn withdraw(&mut self) {
        let Some(shown) = self.shown.take() else { return };
        self.keeper.save(None).await;
        if !shown.gone {
            self.close(&shown.kept).await;
        }
        self.remember(shown.kept).await;
    }

    async fn close(&self, kept: &Kept) {
        let Some(bus) = self.bus.as_ref().filter(|bus| bus.id() == kept.bus) else { return };
        // A service that is gone took its notifications along, so nothing is lost when this fails.
        if let Err(error) = bounded(LIMIT, SILENT, bus.close(&kept.server, kept.id)).await {
            tracing::debug!(%error, "a desktop notification could not be withdrawn");
        }
    }

    async fn remember(&mut self, kept: Kept) {
        if let Some(form_id) = kept.answered() {
            self.forms.shows(form_id, false).await;
        }
        self.past.truncate(REMEMBERED - 1);
        self.past.push_front(kept);
    }

    /// Shows these forms in place of what is shown; `quiet` when none of them is new.
    async fn show(&mut self, mut forms: Vec<Arc<str>>, quiet: bool) -> Result<(), Fault> {
        let deadline = Instant::now() + LIMIT;
        if let Some(unanswered) = self.unanswered.take_if(|unanswered| unanswered.since.elapsed() > LOST) {
            unanswered.call.abort();
        }
        if let Some(unanswered) = &mut self.unanswered {
            // Shown as soon as the service has come to itself.
            unanswered.kept.forms = forms;
            return Err(Fault::failed("the notification service has not answered the last call so far"));
        }
        let (mut named, mut ended) = (Vec::new(), Vec::new());
        for form_id in forms.iter().rev() {
            match self.forms.open_form(form_id).await {
                Some(form) => named.push(form),
                None => ended.push(form_id.clone()),
            }
            if named.len() == Text::NAMED {
                break;
            }
        }
        forms.retain(|form_id| !ended.contains(form_id));
        if named.is_empty() {
            return Err(Fault::nobody("the form was answered before"));
        }
        let (bus, server) = bounded(LIMIT, SILENT, async {
            let bus = self.bus().await?;
            let server = bus.server().await?;
            Ok((bus.id().to_owned(), server))
        })
        .await?;
        let settings = self.settings.borrow().notifications.clone();
        // Labels are part of the question, so privacy keeps them out, too.
        let buttons = settings.answer_buttons && !settings.privacy && server.has_actions();
        let answers = match forms.as_slice() {
            [_] if buttons => actions::answers(&named[0]),
            _ => Vec::new(),
        };
        let name = server.name.to_string();
        let here = |shown: &&Shown| !shown.gone && shown.kept.bus == bus && shown.kept.server == name;
        let replaced = self.shown.as_ref().filter(here).map_or(0, |shown| shown.kept.id);
        let nonce = uuid::Uuid::new_v4().simple().to_string();
        let text = Text::waiting(&named, forms.len(), settings.privacy);
        let mut notification = message::waiting(&text, &answers, &nonce, &server);
        if quiet {
            notification = message::quietly(notification);
        }
        let (told, answers) = (forms.len(), answers.len());
        let mut kept = Kept { bus, server: name, id: replaced, nonce, answers, forms };
        let call = self.bus().await?.show(&server, replaced, notification);
        let mut call = tokio::spawn(call);
        match timeout_at(deadline, &mut call).await {
            Ok(Ok(result)) => {
                kept.id = result?;
                self.put(kept, told).await;
                Ok(())
            }
            Ok(Err(_)) => Err(Fault::failed("showing the notification was interrupted")),
            Err(_) => {
                self.unanswered = Some(Unanswered { call, kept, told, since: Instant::now() });
                Err(Fault::failed(format!("{SILENT} within {} seconds", LIMIT.as_secs())))
            }
        }
    }

    /// A service answered after the channel's turn was over: its notification counts from now on.
    async fn answered_late(&mut self, result: Result<u32, Fault>) {
        let Some(Unanswered { mut kept, told, .. }) = self.unanswered.take() else { return };
        let Ok(id) = result else { return };
        kept.id = id;
        let other = self
            .shown
            .take_if(|shown| !shown.gone && (shown.kept.id != id || shown.kept.server != kept.server));
        if let Some(other) = other {
            self.close(&other.kept).await;
            self.remember(other.kept).await;
        }
        self.put(kept, told).await;
        self.settle().await;
    }

    async fn put(&mut self, kept: Kept, told: usize) {
        self.keeper.save(Some(&kept)).await;
        let shown = Shown { kept, told, since: self.clock.steady(), gone: false };
        if let Some(before) = self.shown.replace(shown) {
            self.remember(before.kept).await;
        }
        self.begin().await;
    }

    /// A notification that answers shows its form, as any frontend does.
    async fn begin(&self) {
        if let Some(form_id) = self.shown.as_ref().and_then(|shown| shown.kept.answered()) {
            self.forms.shows(form_id, true).await;
        }
    }

    /// Shows a short text beside whatever is shown.
    pub(super) async fn word(&mut self, text: &Text) -> Result<(), Fault> {
        bounded(LIMIT, SILENT, async {
            let bus = self.bus().await?;
            let server = bus.server().await?;
            bus.show(&server, 0, message::word(text, &server)).await.map(|_| ())
        })
        .await
    }

    /// The connection to the bus, made anew after a loss.
    pub(super) async fn bus(&mut self) -> Result<&mut Bus, Fault> {
        let bus = match self.bus.take().filter(|bus| !bus.is_closed()) {
            Some(bus) => bus,
            None => {
                let address = connection::address(&self.surroundings.environment)?;
                Bus::connect(address, self.signals.0.clone()).await?
            }
        };
        Ok(self.bus.insert(bus))
    }
}

/// The answer to a call that is still waited for; never without one.
async fn answer(unanswered: &mut Option<Unanswered>) -> Result<u32, Fault> {
    match unanswered {
        Some(unanswered) => match (&mut unanswered.call).await {
            Ok(result) => result,
            Err(_) => Err(Fault::failed("showing the notification was interrupted")),
        },
        None => std::future::pending().await,
    }
}
