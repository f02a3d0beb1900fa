//! `events/subscribe`: where a reader's stream begins.

use std::collections::VecDeque;
use std::sync::Arc;

use askd_wire::event::SubscribeParams;
use askd_wire::{Millis, RpcError};

use super::read::{Found, kept_summary};
use super::{Inner, Registry};
use crate::events::{Filter, Item, Parts, Phase, Snapshot, Source, Subscription};
use crate::peer::Peer;
use crate::store::Answer;

impl Registry {
    /// `events/subscribe`. The stream begins with this call, not with its first reading.
    ///
    /// # Errors
    /// `storeFailed`, `shuttingDown`.
    pub async fn subscribe(
        &self,
        peer: &Arc<Peer>,
        params: SubscribeParams,
    ) -> Result<Subscription, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        // Before anything is looked at, so that hints are published from here on.
        let head = inner.hub.reader();
        let phase = match inner.resume_after(&params).await? {
            Some(phase) => phase,
            None => match inner.snapshot(params.forms.clone()).await {
                Some(snapshot) => Phase::Snapshot(Parts::new(snapshot)),
                None => return Err(super::faults::shutting_down()),
            },
        };
        // Only who would get a `notify` can be asked to ring.
        if params.kinds.as_ref().is_none_or(|kinds| kinds.iter().any(|kind| kind == "notify"))
            && let Some(attached) = inner.state().connections.get_mut(&peer.connection_id)
        {
            attached.reader = Some(peer.clone());
        }
        Ok(Subscription {
            hub: inner.hub.clone(),
            head,
            store: inner.store.clone(),
            source: inner.clone(),
            filter: Filter::new(&peer.connection_id, &params),
            forms: params.forms,
            phase,
        })
    }
}

impl Inner {
    /// Where a stream goes on after `since`; none when that cannot be told any more.
    async fn resume_after(&self, params: &SubscribeParams) -> Result<Option<Phase>, RpcError> {
        let Some(since) = params.since else { return Ok(None) };
        let ours = params.store.as_ref().is_none_or(|store| store == self.store.id());
        if !ours || since > self.state().seq {
            return Ok(None);
        }
        let place = self.hub.ring().place_after(since);
        if let Some(place) = place {
            return Ok(Some(Phase::Live(place)));
        }
        let read: VecDeque<_> = self.store.events(since, crate::events::REPLAY_BYTES).await?.into();
        Ok((!read.is_empty()).then_some(Phase::Replay { after: since, read }))
    }
}

impl Source for Inner {
    fn moment(&self) -> (u64, Millis) {
        (self.state().seq, self.clock.wall())
    }

    fn snapshot(&self, forms: Option<Vec<String>>) -> Answer<Option<Snapshot>> {
        let me = self.me.clone();
        Box::pin(async move {
            let inner = me.upgrade()?;
            let (mut snapshot, elsewhere) = inner.taken(forms.as_deref());
            for form_id in elsewhere {
                // One that is not open has ended: what is read later is what was true at that moment.
                match inner.find(&form_id).await {
                    Ok(Some(Found::Kept(kept))) => {
                        snapshot.items.push(Item::Resolved(Box::new(kept_summary(&kept))));
                    }
                    Ok(Some(Found::Open(open))) => {
                        snapshot.items.push(Item::Open(open.record, open.presence));
                    }
                    Ok(None) => {}
                    Err(error) => tracing::error!(%error, form = form_id, "a form could not be read"),
                }
            }
            Some(snapshot)
        })
    }
}

impl Inner {
    /// The open forms at this moment, and which of the named ones are not among them.
    fn taken(&self, forms: Option<&[String]>) -> (Snapshot, Vec<String>) {
        let now = self.clock.steady();
        let state = self.state();
        let mut elsewhere = Vec::new();
        let item = |open: &super::state::Open| Item::Open(open.record.clone(), open.presence(now));
        let items = match forms {
            None => state.ordered(None).map(item).collect(),
            Some(forms) => {
                let mut found: Vec<_> =
                    forms.iter().filter_map(|form_id| state.open.get(form_id.as_str())).collect();
                found.sort_by_key(|open| open.record.start_seq);
                found.dedup_by_key(|open| open.record.start_seq);
                elsewhere = forms
                    .iter()
                    .filter(|form_id| !state.open.contains_key(form_id.as_str()))
                    .cloned()
                    .collect();
                elsewhere.sort();
                elsewhere.dedup();
                found.into_iter().map(item).collect()
            }
        };
        let snapshot = Snapshot {
            position: self.hub.position(),
            seq: state.seq,
            at: self.clock.wall(),
            settings_revision: state.settings_revision,
            items,
        };
        (snapshot, elsewhere)
    }
}
