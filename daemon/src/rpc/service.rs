//! HTTP in front of the calls: who makes a single one, and whether there is room for the connection.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use askd_wire::connection::Program;
use askd_wire::{Role, RpcError};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use jsonrpsee::core::BoxError;
use jsonrpsee::server::ws::is_upgrade_request;
use jsonrpsee::server::{HttpBody, HttpRequest, HttpResponse};
use jsonrpsee::types::ErrorObjectOwned;
use serde_json::json;
use tower::Service;

use super::connection::Connection;
use super::context::Context;
use super::error;
use super::gate::SingleCaller;
use crate::peer::Peer;

/// Role of a single call.
const ROLE: &str = "askd-role";
/// Program of a single call, `name/version`.
const CLIENT: &str = "askd-client";

/// One connection's service. A type of its own because closures cannot name their error as
/// [`Infallible`] across the spawn (trap of jsonrpsee 0.26).
#[derive(Debug, Clone)]
pub(super) struct ConnectionService<S> {
    pub(super) inner: S,
    pub(super) context: Arc<Context>,
    pub(super) connection: Arc<Connection>,
}

impl<S, B> Service<HttpRequest<B>> for ConnectionService<S>
where
    S: Service<HttpRequest<B>, Response = HttpResponse, Error = BoxError>,
    S::Future: Send + 'static,
    B: Send + 'static,
{
    type Response = HttpResponse;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut TaskContext<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: HttpRequest<B>) -> Self::Future {
        if let Some(refusal) = self.no_room() {
            return Box::pin(std::future::ready(Ok(refusal)));
        }
        request.extensions_mut().insert(self.connection.clone());
        let upgrade = is_upgrade_request(&request);
        let single_call = if upgrade {
            self.connection.traffic.upgraded();
            None
        } else {
            match self.single_caller(request.headers()) {
                Ok(peer) => request.extensions_mut().insert(SingleCaller(Arc::new(peer))),
                Err(refusal) => {
                    let response = refuse(StatusCode::BAD_REQUEST, &refusal);
                    return Box::pin(std::future::ready(Ok(response)));
                }
            };
            Some(self.connection.traffic.single_call())
        };
        let answer = self.inner.call(request);
        Box::pin(async move {
            let _single_call = single_call;
            let response = answer.await;
            Ok(response.unwrap_or_else(|_| refuse(StatusCode::INTERNAL_SERVER_ERROR, &error::internal())))
        })
    }
}

impl<S> ConnectionService<S> {
    /// Refuses what comes on more connections than allowed, in words a client can read.
    fn no_room(&self) -> Option<HttpResponse> {
        let limit = self.context.settings.current().limits.connections;
        if self.context.connections.count() <= limit as usize {
            return None;
        }
        let message =
            "Too many connections are open. Close some, or raise limits.connections in the settings.";
        let refusal = error::overloaded("connections", limit.into(), message);
        Some(refuse(StatusCode::TOO_MANY_REQUESTS, &error::object(&refusal)))
    }

    fn single_caller(&self, headers: &HeaderMap) -> Result<Peer, ErrorObjectOwned> {
        Ok(Peer {
            connection_id: self.connection.next_single_id(),
            roles: vec![role(headers).map_err(|refusal| error::object(&refusal))?],
            client: client(headers),
            frontend: None,
            facts: self.connection.facts.clone(),
            token: None,
            may_approve: false,
            since: self.connection.since,
        })
    }
}

fn role(headers: &HeaderMap) -> Result<Role, RpcError> {
    let Some(given) = headers.get(ROLE) else { return Ok(Role::Agent) };
    let role = given.to_str().ok().and_then(|name| Role::from_name(name.trim()));
    role.ok_or_else(|| {
        let known = Role::ALL.map(Role::name).join(", ");
        let message =
            format!("The header Askd-Role names no role. Use one of {known}, or leave it out for agent.");
        RpcError::not_allowed(&[], "", message).with("reason", "unknownRole")
    })
}

fn client(headers: &HeaderMap) -> Program {
    let given = headers.get(CLIENT).and_then(|value| value.to_str().ok()).map(str::trim).unwrap_or_default();
    let (name, version) = given.split_once('/').unwrap_or((given, ""));
    let or = |text: &str, default: &str| if text.is_empty() { default.to_owned() } else { text.to_owned() };
    Program { name: or(name, "http"), version: or(version, "0") }
}

/// An answer that is no JSON-RPC one's, with the body of one so that it can be read the same way.
fn refuse(status: StatusCode, refusal: &ErrorObjectOwned) -> HttpResponse {
    let body = json!({ "jsonrpc": "2.0", "id": null, "error": refusal }).to_string();
    let mut response = HttpResponse::new(HttpBody::from(body));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().unwrap(), HeaderValue::from_static(value))])
    }

    #[test]
    fn the_role_of_a_single_call_is_agent_unless_it_says_otherwise() {
        assert_eq!(role(&HeaderMap::new()).unwrap(), Role::Agent);
        assert_eq!(role(&headers("Askd-Role", "bridge")).unwrap(), Role::Bridge);
        for word in ["", "root", "Agent", "agent,frontend"] {
            assert!(role(&headers("Askd-Role", word)).is_err(), "{word}");
        }
    }

    #[test]
    fn the_client_of_a_single_call_is_name_and_version() {
        let given = |value| {
            let program = client(&headers("Askd-Client", value));
            (program.name, program.version)
        };
        let pair = |name: &str, version: &str| (name.to_owned(), version.to_owned());
        assert_eq!(given("deploy/1.2"), pair("deploy", "1.2"));
        assert_eq!(given("deploy"), pair("deploy", "0"));
        assert_eq!(given("/"), pair("http", "0"));
    }
}
