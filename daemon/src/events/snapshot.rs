//! What is there when a stream starts: taken at once, written part by part as the reader takes it.

use std::fmt::Debug;
use std::sync::Arc;
use std::vec::IntoIter;

use askd_wire::Millis;
use askd_wire::event::{Event, EventBody};
use askd_wire::form::{FormSummary, Owner, Viewer};
use serde_json::value::RawValue;

use super::to_json;
use crate::json_size::json_size;
use crate::store::{Answer, Record, summary};

/// A part stays under 256 KiB (protocol §4), with room for what stands around the forms.
const PART_BYTES: usize = 250 * 1024;

/// Who is at a form, as far as it is not written down.
#[derive(Debug, Clone, Default)]
pub(crate) struct Presence {
    pub(crate) owner: Owner,
    pub(crate) viewers: Vec<Viewer>,
    pub(crate) drafted: bool,
}

/// One form of a snapshot. Open ones are kept as pointers, so that a reader that takes long holds little.
#[derive(Debug)]
pub(crate) enum Item {
    Open(Arc<Record>, Presence),
    Resolved(Box<FormSummary>),
}

impl Item {
    pub(crate) fn summary(self) -> FormSummary {
        match self {
            Self::Open(record, presence) => {
                let mut summary = summary(&record);
                summary.owner = presence.owner;
                summary.viewers = presence.viewers;
                summary.drafted = presence.drafted;
                summary
            }
            Self::Resolved(summary) => *summary,
        }
    }
}

/// Everything at one moment of the stream.
#[derive(Debug)]
pub(crate) struct Snapshot {
    /// Where live events go on.
    pub(crate) position: u64,
    pub(crate) seq: u64,
    pub(crate) at: Millis,
    pub(crate) settings_revision: u64,
    pub(crate) items: Vec<Item>,
}

/// Where snapshots come from.
pub(crate) trait Source: Debug + Send + Sync {
    /// The newest durable event and the time.
    fn moment(&self) -> (u64, Millis);
    /// The open forms, oldest first, or those named, whatever their state. None when the source is gone.
    fn snapshot(&self, forms: Option<Vec<String>>) -> Answer<Option<Snapshot>>;
}

/// A snapshot on its way to a reader.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) position: u64,
    seq: u64,
    at: Millis,
    settings_revision: u64,
    items: IntoIter<Item>,
    /// Did not fit into the part before.
    held: Option<Box<FormSummary>>,
    done: bool,
}

impl Parts {
    pub(crate) fn new(snapshot: Snapshot) -> Self {
        Self {
            position: snapshot.position,
            seq: snapshot.seq,
            at: snapshot.at,
            settings_revision: snapshot.settings_revision,
            items: snapshot.items.into_iter(),
            held: None,
            done: false,
        }
    }

    /// The next part; none after the last.
    pub(crate) fn next(&mut self) -> Option<Arc<RawValue>> {
        if self.done {
            return None;
        }
        let (mut forms, mut bytes) = (Vec::new(), 0);
        loop {
            let Some(form) =
                self.held.take().map(|form| *form).or_else(|| self.items.next().map(Item::summary))
            else {
                break;
            };
            bytes += json_size(&form) + 1;
            if bytes > PART_BYTES && !forms.is_empty() {
                self.held = Some(Box::new(form));
                break;
            }
            forms.push(form);
        }
        self.done = self.held.is_none() && self.items.as_slice().is_empty();
        let body = EventBody::Snapshot { last: self.done, forms, settings_revision: self.settings_revision };
        to_json(&Event { seq: self.seq, at: self.at, form_id: None, body })
    }
}
