//! Removing what need not be kept, a small piece a transaction, so that nobody waits behind it.

use rusqlite::{Connection, params};

use crate::store::{Retain, StoreError};

/// Rows one piece may remove of each kind.
const FORMS: u32 = 100;
const EVENTS: u32 = 1000;

/// Removes a piece. Gives false when there was nothing to remove.
pub(super) fn piece(conn: &Connection, limits: &Retain) -> Result<bool, StoreError> {
    let removed = forms(conn, limits)? + events(conn, limits)? + drafts(conn, limits)?;
    Ok(removed > 0)
}

/// Finished forms beyond the newest ones or beyond their age; only acknowledged ones (protocol §3,
/// Delivery).
fn forms(conn: &Connection, limits: &Retain) -> Result<usize, StoreError> {
    let mut oldest = conn.prepare_cached(
        "SELECT resolved_seq FROM forms WHERE resolved_seq IS NOT NULL ORDER BY resolved_seq DESC \
         LIMIT 1 OFFSET ?1",
    )?;
    let beyond: u64 = oldest.query_map([limits.forms], |row| row.get(0))?.next().transpose()?.unwrap_or(0);
    let mut select = conn.prepare_cached(
        "SELECT start_seq, id FROM forms WHERE resolved_seq IS NOT NULL AND delivery = 2 \
         AND (resolved_seq <= ?1 OR resolved_at < ?2) ORDER BY resolved_seq LIMIT ?3",
    )?;
    let found: Vec<(i64, String)> = select
        .query_map(params![beyond, limits.now - limits.form_age, FORMS], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?
        .collect::<Result<_, _>>()?;
    for (start_seq, id) in &found {
        conn.prepare_cached("DELETE FROM bodies WHERE start_seq = ?1")?.execute([start_seq])?;
        conn.prepare_cached("DELETE FROM drafts WHERE form_id = ?1")?.execute([id])?;
        conn.prepare_cached("DELETE FROM forms WHERE start_seq = ?1")?.execute([start_seq])?;
    }
    Ok(found.len())
}

/// Events that are neither among the newest nor young.
fn events(conn: &Connection, limits: &Retain) -> Result<usize, StoreError> {
    let mut delete = conn.prepare_cached(
        "DELETE FROM events WHERE seq IN (SELECT seq FROM events \
         WHERE seq <= (SELECT max(seq) FROM events) - ?1 AND at < ?2 ORDER BY seq LIMIT ?3)",
    )?;
    Ok(delete.execute(params![limits.events, limits.now - limits.event_age, EVENTS])?)
}

/// Drafts of forms that ended without having been sent.
fn drafts(conn: &Connection, limits: &Retain) -> Result<usize, StoreError> {
    let mut delete = conn.prepare_cached(
        "DELETE FROM drafts WHERE form_id IN (SELECT f.id FROM drafts d JOIN forms f ON f.id = d.form_id \
         WHERE f.resolved_at < ?1 LIMIT ?2)",
    )?;
    Ok(delete.execute(params![limits.now - limits.draft_age, FORMS])?)
}
