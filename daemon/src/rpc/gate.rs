//! What every call passes before its method: is the caller known, may it, is there room.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use askd_wire::event::UNSUBSCRIBE;
use askd_wire::{ErrorKind, METHODS, MethodInfo, Role, RpcError};
use futures_util::FutureExt as _;
use futures_util::future::Either;
use jsonrpsee::core::middleware::{Batch, Notification};
use jsonrpsee::server::MethodResponse;
use jsonrpsee::server::middleware::rpc::RpcServiceT;
use jsonrpsee::types::{ErrorObjectOwned, Request};

use super::connection::{Connection, Entered};
use super::context::Context;
use super::error;
use crate::peer::Peer;

const INITIALIZE: &str = "initialize";
const SUBSCRIBE: &str = "events/subscribe";
const WAIT: &str = "form/wait";

/// The caller of one HTTP POST, who belongs to no connection.
#[derive(Debug, Clone)]
pub(super) struct SingleCaller(pub(super) Arc<Peer>);

/// The layer around jsonrpsee's own service.
#[derive(Debug, Clone)]
pub(super) struct Gate<S> {
    pub(super) inner: S,
    pub(super) context: Arc<Context>,
}

/// A call that may go on.
struct Passed {
    /// Who calls; none for `initialize`, which makes the caller known.
    peer: Option<Arc<Peer>>,
    connection: Arc<Connection>,
    /// Counted while it is in flight.
    entered: Option<Entered>,
    single: bool,
}

impl<S> RpcServiceT for Gate<S>
where
    S: RpcServiceT<
            MethodResponse = MethodResponse,
            NotificationResponse = MethodResponse,
            BatchResponse = MethodResponse,
        >,
{
    type MethodResponse = MethodResponse;
    type NotificationResponse = MethodResponse;
    type BatchResponse = MethodResponse;

    fn call<'a>(&self, mut request: Request<'a>) -> impl Future<Output = MethodResponse> + Send + 'a {
        let passed = match self.pass(&request) {
            Ok(passed) => passed,
            Err(refusal) => {
                let response = MethodResponse::error(request.id.clone(), refusal);
                count(request.extensions(), &response);
                return Either::Left(std::future::ready(response));
            }
        };
        if let Some(peer) = passed.peer {
            request.extensions_mut().insert(peer);
        }
        let id = request.id.clone().into_owned();
        let call = AssertUnwindSafe(self.inner.call(request)).catch_unwind();
        Either::Right(async move {
            let _entered = passed.entered;
            // A fault of one call must not be one of the daemon's; its place is in the log.
            let response = call.await.unwrap_or_else(|_| MethodResponse::error(id, error::internal()));
            if !passed.single {
                passed.connection.traffic.produce(response.as_json().get().len());
            }
            response
        })
    }

    fn batch<'a>(&self, batch: Batch<'a>) -> impl Future<Output = MethodResponse> + Send + 'a {
        // Batches are switched off in the server's configuration; nothing comes here.
        self.inner.batch(batch)
    }

    fn notification<'a>(
        &self,
        notification: Notification<'a>,
    ) -> impl Future<Output = MethodResponse> + Send + 'a {
        self.inner.notification(notification)
    }
}

impl<S> Gate<S> {
    fn pass(&self, request: &Request<'_>) -> Result<Passed, ErrorObjectOwned> {
        let extensions = request.extensions();
        let Some(connection) = extensions.get::<Arc<Connection>>() else {
            return Err(error::internal());
        };
        let name = request.method_name();
        let single = extensions.get::<SingleCaller>();
        let info = row(name);
        if let (Some(caller), Some(info)) = (single, info)
            && info.connection
        {
            return Err(needs_connection(&caller.0, name));
        }
        let peer = single.map(|caller| &caller.0).or(connection.peer.get());
        let mut passed = Passed {
            peer: peer.cloned(),
            connection: connection.clone(),
            entered: None,
            single: single.is_some(),
        };
        match (peer, name) {
            (None, INITIALIZE) => return Ok(passed),
            (None, _) => return Err(error::object(&not_initialized(name))),
            (Some(_), INITIALIZE) => {
                return Err(error::invalid_request(
                    "`initialize` is the first call of a connection and comes once; open another connection for other roles.",
                ));
            }
            (Some(peer), _) => {
                let info = info.ok_or_else(error::method_not_found)?;
                check_role(peer, info, name).map_err(|refusal| error::object(&refusal))?;
            }
        }
        passed.entered = self.enter(&passed, name).map_err(|refusal| error::object(&refusal))?;
        Ok(passed)
    }

    /// Limits of one connection (protocol §1).
    fn enter(&self, passed: &Passed, name: &str) -> Result<Option<Entered>, RpcError> {
        let limits = self.context.settings.current().limits;
        if !passed.single && passed.connection.traffic.waiting() >= limits.queued_bytes {
            let message =
                "More answers wait for this connection than it may leave unread. Read them, then call again.";
            return Err(error::overloaded("queuedBytes", limits.queued_bytes, message));
        }
        if name == WAIT {
            return Ok(None);
        }
        match passed.connection.calls.enter(limits.calls) {
            Some(entered) => Ok(Some(entered)),
            None => {
                let message = "Too many calls of this connection are in flight. Wait for some of their answers, then call again.";
                Err(error::overloaded("calls", limits.calls.into(), message))
            }
        }
    }
}

/// Counts a response that is about to be queued for a connection.
fn count(extensions: &http::Extensions, response: &MethodResponse) {
    if extensions.get::<SingleCaller>().is_none()
        && let Some(connection) = extensions.get::<Arc<Connection>>()
    {
        connection.traffic.produce(response.as_json().get().len());
    }
}

/// The method's row in the table. What ends a subscription is allowed to whom beginning one is.
fn row(name: &str) -> Option<&'static MethodInfo> {
    let name = if name == UNSUBSCRIBE { SUBSCRIBE } else { name };
    METHODS.iter().find(|info| info.name == name)
}

fn check_role(peer: &Peer, info: &MethodInfo, name: &str) -> Result<(), RpcError> {
    if peer.has(Role::Admin) || info.roles.iter().any(|role| peer.has(*role)) {
        return Ok(());
    }
    let may: Vec<_> = info.roles.iter().map(|role| role.name()).collect();
    let message = format!(
        "This connection may not call {name}; it takes one of the roles {}. Ask for it in `initialize`.",
        may.join(", ")
    );
    Err(RpcError::not_allowed(&peer.roles, name, message))
}

fn needs_connection(peer: &Peer, name: &str) -> ErrorObjectOwned {
    let message = format!(
        "{name} belongs to a connection and cannot be called by a single HTTP POST. Open a WebSocket for it."
    );
    error::object(&RpcError::not_allowed(&peer.roles, name, message).with("reason", "connectionRequired"))
}

fn not_initialized(name: &str) -> RpcError {
    let message =
        format!("{name} was called before `initialize`. Call `initialize` first on every connection.");
    RpcError::new(ErrorKind::NotInitialized, message).with("method", name)
}

#[cfg(test)]
mod tests {
    use askd_wire::connection::Program;

    use super::*;
    use crate::peer::PeerFacts;

    fn peer(roles: &[Role]) -> Peer {
        Peer {
            connection_id: "c1".to_owned(),
            roles: roles.to_vec(),
            client: Program { name: "t".to_owned(), version: "1".to_owned() },
            frontend: None,
            facts: PeerFacts::default(),
            token: None,
            may_approve: false,
            since: 0,
        }
    }

    #[test]
    fn each_role_may_call_what_its_row_says_and_nothing_else() {
        for info in METHODS {
            for role in Role::ALL {
                let allowed = check_role(&peer(&[role]), info, info.name).is_ok();
                assert_eq!(
                    allowed,
                    role == Role::Admin || info.roles.contains(&role),
                    "{} {role:?}",
                    info.name
                );
            }
        }
    }

    #[test]
    fn several_roles_add_up() {
        let both = peer(&[Role::Agent, Role::Frontend]);
        for name in ["form/create", "form/submit"] {
            assert!(check_role(&both, row(name).unwrap(), name).is_ok());
        }
        let refusal = check_role(&both, row("daemon/stop").unwrap(), "daemon/stop").unwrap_err();
        assert_eq!(refusal.kind, ErrorKind::NotAllowed);
        assert_eq!(refusal.to_data()["roles"], serde_json::json!(["agent", "frontend"]));
        assert_eq!(refusal.to_data()["method"], "daemon/stop");
    }

    #[test]
    fn ending_a_subscription_is_in_the_table_through_beginning_one() {
        assert_eq!(row(UNSUBSCRIBE).unwrap().name, SUBSCRIBE);
        assert!(row("form/unknown").is_none());
    }

    #[derive(Debug)]
    struct Faulty;

    impl RpcServiceT for Faulty {
        type MethodResponse = MethodResponse;
        type NotificationResponse = MethodResponse;
        type BatchResponse = MethodResponse;

        fn call<'a>(&self, _: Request<'a>) -> impl Future<Output = MethodResponse> + Send + 'a {
            futures_util::future::lazy(|_| panic!("a fault of one method"))
        }

        fn batch<'a>(&self, _: Batch<'a>) -> impl Future<Output = MethodResponse> + Send + 'a {
            std::future::ready(MethodResponse::notification())
        }

        fn notification<'a>(&self, _: Notification<'a>) -> impl Future<Output = MethodResponse> + Send + 'a {
            std::future::ready(MethodResponse::notification())
        }
    }

    #[tokio::test]
    async fn a_fault_of_one_method_is_an_answer_and_leaves_no_call_in_flight() {
        let daemon = super::super::tests::fixture::Daemon::start().await;
        let context = daemon.serving.context.clone();
        let (connection, _open) = context.connections.open(PeerFacts::default(), 0, &context.registry);
        connection.peer.set(Arc::new(peer(&[Role::Admin]))).unwrap();
        let gate = Gate { inner: Faulty, context };
        let mut request = Request::borrowed("form/list", None, jsonrpsee::types::Id::Number(1));
        request.extensions_mut().insert(connection.clone());
        let response = gate.call(request).await;
        assert_eq!(response.as_error_code(), Some(-32603));
        assert!(!response.as_json().get().contains("a fault of one method"));
        assert!(connection.calls.enter(1).is_some());
    }
}
