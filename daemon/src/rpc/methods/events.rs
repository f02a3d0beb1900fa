//! `events/subscribe`: passing the registry's events on to one connection, at the pace it reads them.

use std::sync::Arc;

use askd_wire::Method as _;
use askd_wire::event::{NOTIFICATION, SubscribeParams, UNSUBSCRIBE};
use askd_wire::method::EventsSubscribe;
use jsonrpsee::RpcModule;
use jsonrpsee::server::{
    PendingSubscriptionSink, RegisterMethodError, SubscriptionMessage, SubscriptionSink,
};
use jsonrpsee::types::{ErrorObjectOwned, SubscriptionPayload, SubscriptionResponse};

use super::super::connection::{Connection, Entered};
use super::super::context::Context;
use super::super::{error, params};
use crate::events::Subscription;
use crate::peer::Peer;

/// While this much waits for a connection no further event is taken for it: what the registry holds
/// back it can merge, what is queued here it cannot. The rest of `limits.queuedBytes` is for answers.
const EVENTS_AHEAD: u64 = 1024 * 1024;

pub(super) fn register(module: &mut RpcModule<Context>) -> Result<(), RegisterMethodError> {
    module.register_subscription_raw(
        EventsSubscribe::NAME,
        NOTIFICATION,
        UNSUBSCRIBE,
        |given, pending, context, extensions| {
            let callers =
                extensions.get::<Arc<Peer>>().cloned().zip(extensions.get::<Arc<Connection>>().cloned());
            let params = params::read::<SubscribeParams>(&given);
            tokio::spawn(async move {
                let begun = match (callers, params) {
                    (Some((peer, connection)), Ok(params)) => {
                        begin(&context, &peer, connection, params).await
                    }
                    (None, _) => Err(error::internal()),
                    (_, Err(refusal)) => Err(refusal),
                };
                match begun {
                    Ok(begun) => pump(pending, begun, &context).await,
                    Err(refusal) => pending.reject(refusal).await,
                }
            });
        },
    )?;
    Ok(())
}

/// A stream that is about to begin.
struct Begun {
    events: Subscription,
    connection: Arc<Connection>,
    _entered: Entered,
}

async fn begin(
    context: &Context,
    peer: &Arc<Peer>,
    connection: Arc<Connection>,
    params: SubscribeParams,
) -> Result<Begun, ErrorObjectOwned> {
    let limit = context.settings.current().limits.subscriptions;
    let Some(entered) = connection.subscriptions.enter(limit) else {
        let message =
            "This connection has as many subscriptions as it may. End one with events/unsubscribe first.";
        return Err(error::object(&error::overloaded("subscriptions", limit.into(), message)));
    };
    let subscribed = context.registry.subscribe(peer, params).await;
    let events = subscribed.map_err(|refusal| error::object(&refusal))?;
    Ok(Begun { events, connection, _entered: entered })
}

async fn pump(pending: PendingSubscriptionSink, mut begun: Begun, context: &Context) {
    // Kept until the last event has left.
    let _pumping = context.pumps.upgrade();
    let Ok(sink) = pending.accept().await else { return };
    let traffic = begun.connection.traffic.clone();
    let envelope = envelope_bytes(&sink);
    loop {
        let event = tokio::select! {
            event = async {
                traffic.room(EVENTS_AHEAD).await;
                begun.events.next().await
            } => event,
            () = sink.closed() => return,
        };
        let Some(event) = event else { return };
        let Ok(message) = SubscriptionMessage::new(NOTIFICATION, sink.subscription_id(), &event) else {
            return;
        };
        traffic.produce(envelope + event.get().len());
        if sink.send(message).await.is_err() {
            return;
        }
    }
}

/// How much longer the message around an event is than the event.
fn envelope_bytes(sink: &SubscriptionSink) -> usize {
    let payload = SubscriptionPayload { subscription: sink.subscription_id(), result: 0_u8 };
    let message = SubscriptionResponse::new(NOTIFICATION.into(), payload);
    serde_json::to_vec(&message).map_or(0, |text| text.len() - 1)
}
