//! `form/draft`: what was entered but not sent, compare-and-set on its revision.

use std::sync::Arc;

use askd_wire::RpcError;
use askd_wire::form::{DraftParams, DraftResult};

use super::{Registry, faults};
use crate::peer::Peer;
use crate::store::{Command, Fact};

impl Registry {
    /// `form/draft`.
    ///
    /// # Errors
    /// `unknownForm`, `alreadyResolved`, `conflict {revision, draft, by}`, `overloaded`, `storeFailed`,
    /// `shuttingDown`.
    pub async fn draft(&self, peer: &Arc<Peer>, params: DraftParams) -> Result<DraftResult, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let json = serde_json::to_string(&params.draft)
            .map_err(|error| faults::failed("the draft", &error.to_string()))?;
        let most = inner.settings().limits.draft_bytes;
        if json.len() as u64 > most {
            let message = format!(
                "The draft has {} bytes, the limit is {most}. Shorten its texts, or raise limits.draftBytes. The \
                 draft before it is kept.",
                json.len()
            );
            return Err(faults::overloaded("draftBytes", message));
        }
        let command = Command::SaveDraft {
            form_id: params.form_id.as_str().into(),
            revision: params.revision,
            json: json.into(),
            by: peer.connection_id.clone(),
            at: inner.clock.wall(),
        };
        match inner.store.apply(command).await {
            Ok(committed) => match committed.first().map(|commit| &commit.fact) {
                Some(Fact::DraftKept { revision, .. }) => Ok(DraftResult { revision: *revision }),
                _ => Ok(DraftResult { revision: params.revision + 1 }),
            },
            Err(refusal) => Err(faults::refused(refusal, &params.form_id, "the draft")),
        }
    }
}
