//! Removing one finished form. Its events keep their numbers and lose what was said: the log has no gaps, and
//! its newest event may be one of the form's.

use std::sync::Arc;

use askd_wire::event::{Event, EventBody};
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::store::{Refusal, event};

/// Removes the form's rows and empties its events.
pub(super) fn form(conn: &Connection, form_id: &Arc<str>) -> Result<(), Refusal> {
    empty_events(conn, form_id)?;
    let start: u64 = conn
        .prepare_cached("SELECT start_seq FROM forms WHERE id = ?1")?
        .query_row([&**form_id], |row| row.get(0))?;
    conn.prepare_cached("DELETE FROM bodies WHERE start_seq = ?1")?.execute([start])?;
    conn.prepare_cached("DELETE FROM drafts WHERE form_id = ?1")?.execute([&**form_id])?;
    conn.prepare_cached("DELETE FROM forms WHERE start_seq = ?1")?.execute([start])?;
    Ok(())
}

fn empty_events(conn: &Connection, form_id: &Arc<str>) -> Result<(), Refusal> {
    let mut select = conn.prepare_cached("SELECT json FROM events WHERE form_id = ?1")?;
    let events: Vec<String> = select.query_map([&**form_id], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut update = conn.prepare_cached("UPDATE events SET kind = ?2, json = ?3 WHERE seq = ?1")?;
    for json in events {
        if let Some(emptied) = emptied(serde_json::from_str(&json)?, form_id) {
            let logged = event::logged(&emptied, Some(form_id))?;
            update.execute(params![logged.seq, logged.kind, logged.json.get()])?;
        }
    }
    Ok(())
}

/// The event without what was asked and answered; none when it says neither. A form that was taken for open
/// still ends for whoever reads on from before.
fn emptied(event: Event, form_id: &Arc<str>) -> Option<Event> {
    let Event { seq, at, body, .. } = event;
    match body {
        EventBody::Started { .. } => Some(event::acknowledged(form_id, seq, at)),
        EventBody::Completed { mut outcome, resolved_by, mut remote } => {
            outcome.answers = None;
            remote.result = Value::Null;
            let body = EventBody::Completed { outcome, resolved_by, remote };
            Some(Event { seq, at, form_id: Some(form_id.to_string()), body })
        }
        _ => None,
    }
}
