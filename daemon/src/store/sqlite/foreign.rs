//! What another handle on the same database has committed, read back from the event log.

use std::sync::Arc;

use rusqlite::Connection;
use serde::Deserialize;

use super::load;
use crate::store::record::Kept;
use crate::store::{Committed, Fact, Logged, StoreError};

/// How much of the log is read at once.
const CHUNK: usize = 1024 * 1024;

/// The next commits after `seq`, in order; empty at the end of the log or where it has a hole.
pub(super) fn committed_after(conn: &Connection, seq: u64) -> Result<Vec<Committed>, StoreError> {
    let mut committed = Vec::new();
    for event in load::events(conn, seq, CHUNK)? {
        if let Some(fact) = fact(conn, &event)? {
            let form_id = event.form_id.clone().unwrap_or_else(|| Arc::from(""));
            committed.push(Committed { form_id, fact, event: Some(event) });
        }
    }
    Ok(committed)
}

#[derive(Deserialize)]
struct Revision {
    revision: u64,
}

/// What an event means for a follower. None for a form that has been removed since: nobody waits for it.
fn fact(conn: &Connection, event: &Logged) -> Result<Option<Fact>, StoreError> {
    let kept = match &event.form_id {
        Some(id) => load::form(conn, id)?,
        None => None,
    };
    Ok(match (event.kind, kept) {
        ("started", Some(Kept { record, body: Some(body), .. })) => {
            // The row may say more than this event does; the later events will tell that too.
            let mut record = (*record).clone();
            record.seq = event.seq;
            Some(Fact::Started { record: Arc::new(record), body })
        }
        ("completed", Some(Kept { ending: Some(ending), .. })) => {
            Some(Fact::Completed { ending, result: None })
        }
        ("submit-result", _) => Some(Fact::SubmitAccepted),
        ("acknowledged", _) => Some(Fact::Acknowledged),
        ("settings-changed", _) => {
            let Revision { revision } = serde_json::from_str(event.json.get())?;
            Some(Fact::SettingsChanged { revision })
        }
        // Kept in order all the same: readers are told every number.
        _ => Some(Fact::SubmitAccepted),
    })
}
