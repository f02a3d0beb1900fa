//! The newest events, bounded in bytes. Hints have a bound of their own: typing must not push out what is
//! durable.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::value::RawValue;

/// Bytes of durable events held.
const DURABLE_BYTES: usize = 4 * 1024 * 1024;
/// Bytes of hints held.
const HINT_BYTES: usize = 512 * 1024;
/// What an entry takes beside its text.
const OVERHEAD: usize = 128;

/// One event, shared by all readers.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) seq: u64,
    pub(crate) kind: &'static str,
    pub(crate) form_id: Option<Arc<str>>,
    /// The one connection it is for.
    pub(crate) to: Option<Arc<str>>,
    pub(crate) json: Arc<RawValue>,
}

/// What a reader at some place finds.
#[derive(Debug)]
pub(crate) enum Next {
    /// An event, and the place after it.
    Event(Entry, u64),
    /// Nothing yet.
    Nothing,
    /// A durable event it has not seen is no longer held.
    Lost,
}

#[derive(Debug)]
struct Queue {
    entries: VecDeque<(u64, Entry)>,
    bytes: usize,
    limit: usize,
}

impl Queue {
    fn new(limit: usize) -> Self {
        Self { entries: VecDeque::new(), bytes: 0, limit }
    }

    /// Gives the places of what fell out.
    fn push(&mut self, position: u64, entry: Entry) -> Option<u64> {
        self.bytes += size(&entry);
        self.entries.push_back((position, entry));
        let mut last = None;
        // One entry is held however large it is: it must reach those who keep up.
        while self.bytes > self.limit && self.entries.len() > 1 {
            if let Some((position, entry)) = self.entries.pop_front() {
                self.bytes -= size(&entry);
                last = Some(position);
            }
        }
        if last.is_some() && self.entries.capacity() > 4 * self.entries.len().max(64) {
            self.entries.shrink_to(2 * self.entries.len());
        }
        last
    }

    fn at_or_after(&self, position: u64) -> Option<&(u64, Entry)> {
        let at = self.entries.partition_point(|(place, _)| *place < position);
        self.entries.get(at)
    }
}

fn size(entry: &Entry) -> usize {
    entry.json.get().len() + OVERHEAD
}

/// Both kinds of events under one numbering of places.
#[derive(Debug)]
pub(crate) struct Ring {
    next: u64,
    /// The newest durable event, held or not.
    seq: u64,
    durable: Queue,
    hints: Queue,
    /// Readers before this place have lost something durable.
    lost_before: u64,
}

impl Ring {
    /// `seq` is the newest durable event before the ring.
    pub(crate) fn new(seq: u64) -> Self {
        Self::with_limits(seq, DURABLE_BYTES, HINT_BYTES)
    }

    pub(crate) fn with_limits(seq: u64, durable: usize, hints: usize) -> Self {
        Self { next: 0, seq, durable: Queue::new(durable), hints: Queue::new(hints), lost_before: 0 }
    }

    /// Gives the place after the entry.
    pub(crate) fn push_durable(&mut self, entry: Entry) -> u64 {
        self.seq = entry.seq;
        if let Some(last) = self.durable.push(self.next, entry) {
            self.lost_before = last + 1;
        }
        self.next += 1;
        self.next
    }

    /// Gives the place after the entry.
    pub(crate) fn push_hint(&mut self, entry: Entry) -> u64 {
        self.hints.push(self.next, entry);
        self.next += 1;
        self.next
    }

    /// What a reader at this place gets next.
    pub(crate) fn read(&self, position: u64) -> Next {
        if position < self.lost_before {
            return Next::Lost;
        }
        let found = match (self.durable.at_or_after(position), self.hints.at_or_after(position)) {
            (Some(durable), Some(hint)) => Some(if durable.0 < hint.0 { durable } else { hint }),
            (durable, hint) => durable.or(hint),
        };
        match found {
            Some((place, entry)) => Next::Event(entry.clone(), place + 1),
            None => Next::Nothing,
        }
    }

    /// The place from which a reader that has seen the durable event `after` can go on, if all it has not
    /// seen is held.
    pub(crate) fn place_after(&self, after: u64) -> Option<u64> {
        if after == self.seq {
            return Some(self.next);
        }
        let at = self.durable.entries.partition_point(|(_, entry)| entry.seq <= after);
        self.durable.entries.get(at).filter(|(_, entry)| entry.seq == after + 1).map(|(place, _)| *place)
    }
}
