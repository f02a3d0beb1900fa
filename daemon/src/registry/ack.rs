//! `form/ack`: the owner has recorded the result. One caller is the first.

use std::sync::Arc;

use askd_wire::RpcError;
use askd_wire::form::{AckResult, Delivery, FormRef};

use super::{Registry, faults};
use crate::peer::Peer;
use crate::store::{Command, Refusal};

impl Registry {
    /// `form/ack`.
    ///
    /// # Errors
    /// `unknownForm`, `conflict` while the form is open, `storeFailed`, `shuttingDown`.
    pub async fn ack(&self, _peer: &Arc<Peer>, params: FormRef) -> Result<AckResult, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let form_id: Arc<str> = params.form_id.as_str().into();
        let command = Command::Acknowledge { form_id, at: inner.clock.wall() };
        let first = match inner.store.apply(command).await {
            Ok(_) => true,
            Err(Refusal::DoneBefore) => false,
            Err(refusal) => {
                return Err(faults::refused(refusal, &params.form_id, "the acknowledgement"));
            }
        };
        if first {
            inner.upkeep.notify_one();
        }
        Ok(AckResult { delivery: Delivery::Acknowledged, first })
    }
}
