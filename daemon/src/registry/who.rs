//! Who answered, as the daemon sees it, and what each may say (protocol §3, "Who answered" and reasons).

use askd_form::Reason;
use askd_wire::form::{Requires, ResolvedBy};
use askd_wire::{Millis, Role, RpcError};

use super::state::Open;
use crate::peer::Peer;

/// Who resolves a form by this call.
pub(super) fn resolved_by(peer: &Peer, open: Option<&Open>, now: Millis, arming: Millis) -> ResolvedBy {
    let viewing = open.and_then(|open| {
        open.viewers.iter().find(|viewing| viewing.viewer.connection_id == peer.connection_id)
    });
    let viewed = viewing.map(|viewing| (now - viewing.since).max(0));
    // A frontend that says that nobody sits at it is not contradicted.
    let somebody = peer.frontend.as_ref().is_some_and(|frontend| frontend.human);
    let nobody = peer.frontend.as_ref().is_some_and(|frontend| !frontend.human);
    let seen = viewed.is_some_and(|viewed| viewed >= arming);
    let keyed = viewing.is_some_and(|viewing| viewing.keyed);
    ResolvedBy {
        roles: peer.roles.clone(),
        client: Some(peer.client.clone()),
        kind: peer.frontend.as_ref().map(|frontend| frontend.kind.clone()),
        token: peer.token.clone(),
        pid: peer.facts.pid,
        exe: peer.facts.exe.clone(),
        agent: peer.facts.agent.clone(),
        viewed_ms: viewed.and_then(|viewed| u64::try_from(viewed).ok()),
        person: (somebody && seen && peer.facts.agent.is_none()) || (keyed && !nobody),
    }
}

/// Refuses an answer to a form that a person has to answer, but from one or through a token that may.
pub(super) fn check_person(
    peer: &Peer,
    requires: Option<Requires>,
    by: &ResolvedBy,
    method: &str,
) -> Result<(), RpcError> {
    match requires {
        Some(Requires::Person) if !by.person && !peer.may_approve => {
            let message = "This form must be answered by a person: from a terminal frontend that has shown it, \
                           not from a program. Open it with `ask answer`.";
            Err(RpcError::not_allowed(&peer.roles, method, message).with("reason", "personRequired"))
        }
        _ => Ok(()),
    }
}

/// Whether this caller may cancel for this reason. A host's abort comes through the frontend that shows the
/// form for it, with or without the form's view key (protocol §9).
pub(super) fn check_reason(peer: &Peer, open: Option<&Open>, reason: Reason) -> Result<(), RpcError> {
    let mut allowed = Vec::new();
    let hosted = open.is_some_and(|open| {
        open.viewers.iter().any(|viewing| viewing.viewer.connection_id == peer.connection_id)
    });
    if peer.has(Role::Frontend) || peer.has(Role::Admin) {
        allowed.push(Reason::Dismissed);
    }
    if peer.has(Role::Agent) || peer.has(Role::Admin) {
        allowed.extend([Reason::Aborted, Reason::Superseded, Reason::SessionClosed]);
    } else if hosted {
        allowed.push(Reason::Aborted);
    }
    if allowed.contains(&reason) {
        return Ok(());
    }
    let names: Vec<_> = allowed.iter().map(|reason| name(*reason)).collect();
    let roles: Vec<_> = peer.roles.iter().map(|role| role.name()).collect();
    let message = format!(
        "A form cannot be cancelled as `{}` by {}. Allowed: {}.",
        name(reason),
        roles.join(", "),
        names.join(", ")
    );
    let error = RpcError::not_allowed(&peer.roles, "form/cancel", message);
    Err(error.with("reason", "cancelReason").with("allowed", names))
}

fn name(reason: Reason) -> &'static str {
    match reason {
        Reason::Dismissed => "dismissed",
        Reason::Aborted => "aborted",
        Reason::Superseded => "superseded",
        Reason::SessionClosed => "session_closed",
        Reason::Expired => "expired",
    }
}

/// Whether drafts may be shown: an agent never reads what was not sent (protocol §3, Drafts).
pub(super) fn sees_drafts(peer: &Peer) -> bool {
    peer.has(Role::Frontend) || peer.has(Role::Admin)
}
