//! What the channels need of the registry, so that they can be tried without one.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use askd_wire::RpcError;
use askd_wire::form::{FormRef, FormSnapshot, FormState, SubmitParams, ViewParams};
use serde_json::Value;

use super::peer;
use crate::peer::PeerFacts;
use crate::registry::Registry;

/// A boxed future, so that the forms can stand behind `dyn`.
pub(super) type Answer<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The forms, as far as notifications deal with them.
pub(super) trait Forms: Debug + Send + Sync + 'static {
    /// A form that is open.
    fn open_form(&self, form_id: &str) -> Answer<Option<FormSnapshot>>;
    /// A notification that answers shows the form from now on, or no longer.
    fn shows(&self, form_id: &str, shown: bool) -> Answer<()>;
    /// Answers a form by a click in this process's window.
    fn answer(&self, form_id: &str, response: Value, server: PeerFacts) -> Answer<Result<(), RpcError>>;
}

impl Forms for Registry {
    fn open_form(&self, form_id: &str) -> Answer<Option<FormSnapshot>> {
        let (registry, form_id) = (self.clone(), form_id.to_owned());
        Box::pin(async move {
            let form = registry.get(&peer::notifier(None), FormRef { form_id }).await.ok()?;
            (form.summary.state == FormState::Open).then_some(form)
        })
    }

    fn shows(&self, form_id: &str, shown: bool) -> Answer<()> {
        let (registry, form_id) = (self.clone(), form_id.to_owned());
        Box::pin(async move {
            let peer = peer::notifier(None);
            // A form that has ended meanwhile is shown by nobody.
            if shown {
                let params = ViewParams { form_id, focused: None, view_key: None };
                let _ = registry.view(&peer, params).await;
            } else {
                let _ = registry.leave(&peer, FormRef { form_id }).await;
            }
        })
    }

    fn answer(&self, form_id: &str, response: Value, server: PeerFacts) -> Answer<Result<(), RpcError>> {
        let (registry, form_id) = (self.clone(), form_id.to_owned());
        Box::pin(async move {
            let params = SubmitParams { form_id, response, presented_types: None, request_id: None };
            registry.submit(&peer::notifier(Some(server)), params).await.map(|_| ())
        })
    }
}
