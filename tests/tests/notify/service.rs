//! A notification service that shows nothing, tells the test what it was asked, and clicks when it is told to.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use askd_tests::within;
use tokio::sync::{mpsc, watch};
use zbus::message::Header;
use zbus::{Connection, OwnedVariant, interface};

pub(crate) const NAME: &str = "org.freedesktop.Notifications";
pub(crate) const PATH: &str = "/org/freedesktop/Notifications";

/// What most desktops can.
pub(crate) const USUAL: [&str; 3] = ["actions", "body", "body-markup"];

/// What the service was asked.
#[derive(Debug, Clone)]
pub(crate) enum Call {
    /// To show something.
    Notify(Shown),
    /// To take something away.
    Close(u32),
}

/// A notification.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    /// The id it got.
    pub(crate) id: u32,
    /// The id it came in place of, or 0.
    pub(crate) replaced: u32,
    pub(crate) summary: String,
    pub(crate) body: String,
    /// Keys and labels.
    pub(crate) actions: Vec<(String, String)>,
    pub(crate) hints: Vec<String>,
    pub(crate) timeout: i32,
    /// The unique name of who sent it.
    pub(crate) sender: String,
}

impl Shown {
    /// The key of a button.
    pub(crate) fn key(&self, label: &str) -> &str {
        let found = self.actions.iter().find(|(_, known)| known == label);
        found.map_or_else(|| panic!("no button {label} in {self:?}"), |(key, _)| key)
    }

    /// The labels of all buttons; the click on the whole notification is none.
    pub(crate) fn buttons(&self) -> Vec<&str> {
        self.actions.iter().filter(|(key, _)| key != "default").map(|(_, label)| label.as_str()).collect()
    }
}

struct Interface {
    capabilities: Vec<String>,
    calls: mpsc::UnboundedSender<Call>,
    last: Arc<AtomicU32>,
    answers: watch::Receiver<bool>,
}

#[interface(name = "org.freedesktop.Notifications")]
impl Interface {
    fn get_capabilities(&self) -> Vec<String> {
        self.capabilities.clone()
    }

    fn get_server_information(&self) -> (String, String, String, String) {
        ["test", "askd", "1", "1.2"].map(str::to_owned).into()
    }

    #[expect(clippy::too_many_arguments, reason = "the specification's call has so many")]
    async fn notify(
        &self,
        #[zbus(header)] header: Header<'_>,
        _app_name: String,
        replaces_id: u32,
        _app_icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        hints: HashMap<String, OwnedVariant>,
        expire_timeout: i32,
    ) -> u32 {
        let id = if replaces_id == 0 { self.last.fetch_add(1, Ordering::Relaxed) + 1 } else { replaces_id };
        let (pairs, []) = actions.as_chunks::<2>() else { panic!("a key without a label: {actions:?}") };
        let shown = Shown {
            id,
            replaced: replaces_id,
            summary,
            body,
            actions: pairs.iter().cloned().map(Into::into).collect(),
            hints: hints.into_keys().collect(),
            timeout: expire_timeout,
            sender: header.sender().expect("a sender").to_string(),
        };
        let _ = self.calls.send(Call::Notify(shown));
        let mut answers = self.answers.clone();
        let _ = answers.wait_for(|answers| *answers).await;
        id
    }

    async fn close_notification(&self, id: u32, #[zbus(connection)] connection: &Connection) {
        let _ = self.calls.send(Call::Close(id));
        signal(connection, "NotificationClosed", &(id, 3_u32)).await;
    }
}

async fn signal<B: zbus::DynamicType + zbus::export::serde::Serialize>(
    connection: &Connection,
    name: &str,
    body: &B,
) {
    connection.emit_signal(None::<&str>, PATH, NAME, name, body).await.expect("a signal");
}

/// A running service. Dropping it takes it off the bus.
pub(crate) struct Service {
    connection: Connection,
    calls: mpsc::UnboundedReceiver<Call>,
    answers: watch::Sender<bool>,
}

impl Service {
    /// One that can what most desktops can.
    pub(crate) async fn start(bus: &super::bus::Bus) -> Self {
        Self::with(bus, &USUAL).await
    }

    /// One with these capabilities.
    pub(crate) async fn with(bus: &super::bus::Bus, capabilities: &[&str]) -> Self {
        let (give, calls) = mpsc::unbounded_channel();
        let answers = watch::Sender::new(true);
        let interface = Interface {
            capabilities: capabilities.iter().map(|word| (*word).to_owned()).collect(),
            calls: give,
            // Ids of one service say nothing to another.
            last: Arc::new(AtomicU32::new(u32::from(rand_byte()) * 100)),
            answers: answers.subscribe(),
        };
        let connection = zbus::connection::Builder::address(bus.address().as_str())
            .serve_at(PATH, interface)
            .name(NAME)
            // One that has just left may still have the name for a moment.
            .allow_name_replacements(true)
            .replace_existing_names(true)
            .build()
            .await
            .expect("the notification service");
        Self { connection, calls, answers }
    }

    /// Stops or begins to answer; it takes calls all the same.
    pub(crate) fn answers(&self, answers: bool) {
        self.answers.send_replace(answers);
    }

    /// Leaves the bus, as a program that is ended does.
    pub(crate) async fn leave(self) {
        self.connection.close().await.expect("the end of a connection");
    }

    /// The next call.
    pub(crate) async fn call(&mut self) -> Call {
        within("a call to the notification service", self.calls.recv()).await.expect("the service runs")
    }

    /// The next call, which has to show something.
    pub(crate) async fn shown(&mut self) -> Shown {
        match self.call().await {
            Call::Notify(shown) => shown,
            other => panic!("expected a notification, got {other:?}"),
        }
    }

    /// What tells of so many questions. On a busy machine the first of them may be told of before.
    pub(crate) async fn shown_for(&mut self, questions: usize) -> Shown {
        let mut id = 0;
        loop {
            let shown = self.shown().await;
            assert_eq!(shown.replaced, id, "replaced, not repeated: {shown:?}");
            if shown.body.starts_with(&format!("{questions} questions waiting")) {
                return shown;
            }
            id = shown.id;
        }
    }

    /// The next call, which has to take something away.
    pub(crate) async fn closed(&mut self) -> u32 {
        match self.call().await {
            Call::Close(id) => id,
            other => panic!("expected a withdrawal, got {other:?}"),
        }
    }

    /// A call that has come already.
    pub(crate) fn waiting(&mut self) -> Option<Call> {
        self.calls.try_recv().ok()
    }

    /// Presses a button, as the person would: the service then takes the notification away.
    pub(crate) async fn click(&self, shown: &Shown, key: &str) {
        self.action(shown.id, key).await;
        signal(&self.connection, "NotificationClosed", &(shown.id, 2_u32)).await;
    }

    /// Says that a button was pressed.
    pub(crate) async fn action(&self, id: u32, key: &str) {
        signal(&self.connection, "ActionInvoked", &(id, key)).await;
    }

    /// Says that the person took the notification away.
    pub(crate) async fn dismiss(&self, shown: &Shown) {
        signal(&self.connection, "NotificationClosed", &(shown.id, 2_u32)).await;
    }

    /// Gives the right to come to the front with the next click.
    pub(crate) async fn token(&self, shown: &Shown, token: &str) {
        signal(&self.connection, "ActivationToken", &(shown.id, token)).await;
    }
}

fn rand_byte() -> u8 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(0).to_be_bytes()[0] | 1
}
