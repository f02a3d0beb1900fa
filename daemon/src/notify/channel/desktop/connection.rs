//! One long-lived connection to the session bus, and the calls and signals of the notification service.
//!
//! A call goes to the process that owns the service's name at that moment, by its unique name: then it is
//! certain whose signals count for what was shown.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::PathBuf;

use futures_util::StreamExt;
use notify_rust::Notification;
use tokio::sync::mpsc;
use zbus::address::Transport;
use zbus::address::transport::{Unix, UnixSocket};
use zbus::message::Type;
use zbus::names::OwnedUniqueName;
use zbus::{Address, Connection, DBusError, Error, MatchRule, Message, MessageStream};

use super::super::super::attempts::Fault;

const SERVICE: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
const BUS: &str = "org.freedesktop.DBus";
const BUS_PATH: &str = "/org/freedesktop/DBus";

/// Signals that wait to be looked at; what comes beyond is dropped, so that nobody on the bus can fill the
/// daemon's memory or hold up its replies.
const WAITING: usize = 64;

/// What the service says about one of its notifications.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signal {
    /// The process that sent it.
    pub(super) sender: String,
    /// The service's id for the notification.
    pub(super) id: u32,
    /// What happened.
    pub(super) event: SignalEvent,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum SignalEvent {
    /// A button was pressed.
    Action(String),
    /// The right to come to the front, for what the next action starts.
    Token(String),
    /// It is no longer shown.
    Closed,
}

/// The process that shows notifications, and what it can do.
#[derive(Debug, Clone)]
pub(super) struct Server {
    /// Its unique name on the bus.
    pub(super) name: OwnedUniqueName,
    capabilities: Vec<String>,
}

impl Server {
    /// Whether it shows buttons.
    pub(super) fn has_actions(&self) -> bool {
        self.can("actions")
    }

    /// Whether it reads markup in a body.
    pub(super) fn has_markup(&self) -> bool {
        self.can("body-markup")
    }

    /// Whether it shows more than a title.
    pub(super) fn has_body(&self) -> bool {
        self.can("body")
    }

    fn can(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|known| known == capability)
    }
}

/// A connection to the session bus.
#[derive(Debug)]
pub(super) struct Bus {
    connection: Connection,
    /// The bus's own id: unique names mean nothing on another one.
    id: String,
    server: Option<Server>,
    reader: tokio::task::JoinHandle<()>,
}

impl Drop for Bus {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// Where the session bus is, as the environment says now. The socket in the runtime directory may appear
/// after the daemon has started.
pub(super) fn address(environment: &HashMap<String, OsString>) -> Result<Address, Fault> {
    let set = |name: &str| environment.get(name).filter(|value| !value.is_empty());
    if let Some(address) = set("DBUS_SESSION_BUS_ADDRESS") {
        let address = address.to_str().and_then(|address| Address::try_from(address).ok());
        return address.ok_or_else(|| {
            Fault::failed("the session bus's address in DBUS_SESSION_BUS_ADDRESS cannot be understood")
        });
    }
    let socket = set("XDG_RUNTIME_DIR").map(|directory| PathBuf::from(directory).join("bus"));
    match socket.filter(|socket| socket.exists()) {
        Some(socket) => Ok(Address::new(Transport::Unix(Unix::new(UnixSocket::File(socket))))),
        None => Err(Fault::failed(
            "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set and XDG_RUNTIME_DIR holds no bus; \
             notifications need a desktop session",
        )),
    }
}

impl Bus {
    /// Connects, and hears the service's signals from then on.
    pub(super) async fn connect(address: Address, signals: mpsc::Sender<Signal>) -> Result<Self, Fault> {
        let connection =
            zbus::connection::Builder::address(address).build().await.map_err(|error| fault(&error))?;
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender(SERVICE)
            .path(PATH)
            .interface(SERVICE)
            .build()
            .map_err(|error| fault(&error))?;
        let stream =
            MessageStream::for_match_rule(rule, &connection, None).await.map_err(|error| fault(&error))?;
        let id = bus_call::<_, String>(&connection, "GetId", &()).await?;
        let reader = tokio::spawn(read(stream, signals));
        Ok(Self { connection, id, server: None, reader })
    }

    /// The bus's own id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Whether the bus is gone.
    pub(super) fn is_closed(&self) -> bool {
        self.connection.is_closed()
    }

    /// The unique name of the process that shows notifications now, if one does.
    pub(super) async fn owner(&self) -> Result<Option<OwnedUniqueName>, Fault> {
        match self.connection.call_method(Some(BUS), BUS_PATH, Some(BUS), "GetNameOwner", &SERVICE).await {
            Ok(reply) => Ok(Some(body(&reply)?)),
            Err(Error::FDO(error)) if matches!(*error, zbus::fdo::Error::NameHasNoOwner(_)) => Ok(None),
            Err(error) => Err(fault(&error)),
        }
    }

    /// The process that shows notifications, started by the bus where none runs yet.
    pub(super) async fn server(&mut self) -> Result<Server, Fault> {
        let owner = match self.owner().await? {
            Some(owner) => owner,
            None => {
                let started =
                    bus_call::<_, u32>(&self.connection, "StartServiceByName", &(SERVICE, 0_u32)).await;
                match (started, self.owner().await?) {
                    (_, Some(owner)) => owner,
                    (Err(Fault::Failed(why)), None) => {
                        return Err(Fault::failed(format!(
                            "no program shows notifications on this desktop ({why})"
                        )));
                    }
                    _ => return Err(Fault::failed("no program shows notifications on this desktop")),
                }
            }
        };
        if let Some(server) = self.server.as_ref().filter(|server| server.name == owner) {
            return Ok(server.clone());
        }
        let capabilities = self.call(owner.as_str(), "GetCapabilities", &()).await?;
        let server = Server { name: owner, capabilities: body(&capabilities)? };
        self.server = Some(server.clone());
        Ok(server)
    }

    /// The process id of the one that shows notifications now.
    pub(super) async fn pid(&self) -> Result<i32, Fault> {
        let pid = bus_call::<_, u32>(&self.connection, "GetConnectionUnixProcessID", &SERVICE).await?;
        i32::try_from(pid).map_err(|_| Fault::failed("the notification service's process is not known"))
    }

    /// The environment of the desktop's session, as its service manager has it.
    pub(super) async fn session_environment(&self) -> Result<Vec<String>, Fault> {
        let property = ("org.freedesktop.systemd1.Manager", "Environment");
        let properties = Some("org.freedesktop.DBus.Properties");
        let (manager, path) = ("org.freedesktop.systemd1", "/org/freedesktop/systemd1");
        let reply = self.connection.call_method(Some(manager), path, properties, "Get", &property).await;
        let value: zbus::OwnedVariant = body(&reply.map_err(|error| fault(&error))?)?;
        Vec::try_from(value).map_err(|error| fault(&error))
    }

    /// Shows a notification, in place of the one with this id if it is not 0; gives its id. The future
    /// stands for itself: it can be kept after the caller has given up on it.
    pub(super) fn show(
        &self,
        server: &Server,
        replaced: u32,
        notification: Notification,
    ) -> impl Future<Output = Result<u32, Fault>> + Send + 'static + use<> {
        let (connection, name) = (self.connection.clone(), server.name.clone());
        async move {
            let hints: HashMap<&str, _> = notification.hints.iter().map(Into::into).collect();
            let arguments = (
                &notification.appname,
                replaced,
                &notification.icon,
                &notification.summary,
                &notification.body,
                &notification.actions,
                hints,
                i32::from(notification.timeout),
            );
            let reply = connection
                .call_method(Some(name.as_str()), PATH, Some(SERVICE), "Notify", &arguments)
                .await
                .map_err(|error| fault(&error))?;
            body(&reply)
        }
    }

    /// Takes a notification away. One that is gone already is no fault.
    pub(super) async fn close(&self, server: &str, id: u32) -> Result<(), Fault> {
        self.call(server, "CloseNotification", &id).await.map(|_| ())
    }

    async fn call<B>(&self, server: &str, method: &str, arguments: &B) -> Result<Message, Fault>
    where
        B: serde::Serialize + zbus::DynamicType,
    {
        self.connection
            .call_method(Some(server), PATH, Some(SERVICE), method, arguments)
            .await
            .map_err(|error| fault(&error))
    }
}

async fn bus_call<B, R>(connection: &Connection, method: &str, arguments: &B) -> Result<R, Fault>
where
    B: serde::Serialize + zbus::DynamicType,
    R: for<'d> serde::Deserialize<'d> + zbus::Type,
{
    let reply = connection.call_method(Some(BUS), BUS_PATH, Some(BUS), method, arguments).await;
    body(&reply.map_err(|error| fault(&error))?)
}

fn body<R>(reply: &Message) -> Result<R, Fault>
where
    R: for<'d> serde::Deserialize<'d> + zbus::Type,
{
    reply.body().deserialize().map_err(|error| fault(&error))
}

/// Takes every signal at once, whatever the channel is busy with: a stream that is not read holds up the
/// connection's replies.
async fn read(mut stream: MessageStream, signals: mpsc::Sender<Signal>) {
    while let Some(Ok(message)) = stream.next().await {
        if let Some(signal) = signal(&message) {
            let _ = signals.try_send(signal);
        }
    }
}

fn signal(message: &Message) -> Option<Signal> {
    let header = message.header();
    let sender = header.sender()?.to_string();
    let body = message.body();
    let (id, event) = match header.member()?.as_str() {
        "ActionInvoked" => {
            let (id, key) = body.deserialize::<(u32, String)>().ok()?;
            (id, SignalEvent::Action(key))
        }
        "ActivationToken" => {
            let (id, token) = body.deserialize::<(u32, String)>().ok()?;
            (id, SignalEvent::Token(token))
        }
        "NotificationClosed" => (body.deserialize::<(u32, u32)>().ok()?.0, SignalEvent::Closed),
        _ => return None,
    };
    Some(Signal { sender, id, event })
}

/// The channel on which a connection's signals come.
pub(super) fn signals() -> (mpsc::Sender<Signal>, mpsc::Receiver<Signal>) {
    mpsc::channel(WAITING)
}

/// What a D-Bus error says. Of an error reply only the name: its text is the other side's, and could repeat
/// what was to be shown.
fn fault(error: &Error) -> Fault {
    let why = match error {
        Error::Connection(error, _) => format!("the session bus cannot be reached: {error}"),
        Error::InputOutput(error) => format!("the session bus is gone: {error}"),
        Error::FDO(error) => error.name().to_string(),
        Error::MethodError(name, ..) => name.to_string(),
        Error::Handshake(_) => "the session bus refused the connection".to_owned(),
        Error::Unsupported => "the session bus's address is of a kind that is not supported".to_owned(),
        _ => "the notification service gave a reply that cannot be understood".to_owned(),
    };
    Fault::failed(why)
}
