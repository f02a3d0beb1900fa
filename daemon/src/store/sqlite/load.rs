//! Rows to records: the open forms at the start, one form, a page of finished ones, events.

use std::sync::Arc;

use askd_form::{Contract, Mode};
use askd_wire::form::Delivery;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::store::record::{Body, DraftMark, Ending, FormText, Kept, KeptDraft, OpenForm, Record, Request};
use crate::store::{Logged, ResolvedPage, ResolvedQuery, StoreError, event};

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self(format!("a kept value cannot be read: {error}"))
    }
}

const RECORD: &str =
    "f.id, f.start_seq, f.seq, f.contract, f.mode, f.created_at, f.expires_at, f.bytes, f.meta";
const END: &str = "f.delivery, f.outcome, f.resolved_by, f.presented, f.resolved_at, \
                   f.request_id, f.request_remote, f.response, d.revision, d.at";

pub(super) const OPEN: i64 = 0;
pub(super) const RESOLVED: i64 = 1;

/// Every open form, oldest first.
pub(super) fn open_forms(conn: &Connection) -> Result<Vec<OpenForm>, StoreError> {
    let sql = format!(
        "SELECT {RECORD}, f.owned, d.revision, d.at, b.form, b.context FROM forms f \
         JOIN bodies b ON b.start_seq = f.start_seq LEFT JOIN drafts d ON d.form_id = f.id \
         WHERE f.state = {OPEN} ORDER BY f.start_seq"
    );
    let mut statement = conn.prepare(&sql)?;
    let rows = statement.query_map([], |row| {
        Ok(OpenForm {
            record: Arc::new(record(row)?),
            owned: row.get(9)?,
            draft: draft_mark(row, 10)?,
            body: body(row, 12)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// One form with everything.
pub(super) fn form(conn: &Connection, id: &str) -> Result<Option<Kept>, StoreError> {
    let sql = format!(
        "SELECT {RECORD}, {END}, b.form, b.context FROM forms f \
         JOIN bodies b ON b.start_seq = f.start_seq LEFT JOIN drafts d ON d.form_id = f.id WHERE f.id = ?1"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let found = statement.query_row([id], |row| kept(row, Some(body(row, 19)?))).optional()?;
    Ok(found)
}

/// A form's draft.
pub(super) fn draft(conn: &Connection, id: &str) -> Result<Option<KeptDraft>, StoreError> {
    let mut statement =
        conn.prepare_cached("SELECT revision, json, connection, at FROM drafts WHERE form_id = ?1")?;
    let found = statement.query_row([id], |row| {
        Ok(KeptDraft { revision: row.get(0)?, json: text(row, 1)?, by: row.get(2)?, at: row.get(3)? })
    });
    Ok(found.optional()?)
}

/// A page of finished forms, newest first.
pub(super) fn resolved(conn: &Connection, query: &ResolvedQuery) -> Result<ResolvedPage, StoreError> {
    let (columns, bodies) = if query.bodies {
        (", b.form, b.context", "JOIN bodies b ON b.start_seq = f.start_seq")
    } else {
        ("", "")
    };
    let sql = format!(
        "SELECT {RECORD}, {END}, f.resolved_seq {columns} FROM forms f {bodies} \
         LEFT JOIN drafts d ON d.form_id = f.id \
         WHERE f.resolved_seq IS NOT NULL AND f.resolved_seq < :before \
           AND (:agent IS NULL OR f.agent = :agent) AND (:session IS NULL OR f.session = :session) \
           AND (:call IS NULL OR f.tool_call_id = :call) AND (:delivery IS NULL OR f.delivery = :delivery) \
         ORDER BY f.resolved_seq DESC LIMIT :limit"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let values = named_params! {
        ":before": query.before.and_then(|seq| i64::try_from(seq).ok()).unwrap_or(i64::MAX),
        ":agent": query.agent,
        ":session": query.session,
        ":call": query.tool_call_id,
        ":delivery": query.delivery.map(delivery_number),
        ":limit": query.limit,
    };
    let rows = statement.query_map(values, |row| {
        let body = if query.bodies { Some(body(row, 20)?) } else { None };
        Ok((row.get(19)?, kept(row, body)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Events after `after`: the first, and then as many as fit into `bytes`. Empty when the next is not held.
pub(super) fn events(conn: &Connection, after: u64, bytes: usize) -> Result<Vec<Logged>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT seq, kind, form_id, json FROM events WHERE seq > ?1 ORDER BY seq LIMIT 1000",
    )?;
    let mut rows = statement.query([after])?;
    let (mut found, mut size) = (Vec::new(), 0);
    while let Some(row) = rows.next()? {
        let json: String = row.get(3)?;
        size += json.len();
        if !found.is_empty() && size > bytes {
            break;
        }
        let kind: String = row.get(1)?;
        let logged = Logged {
            seq: row.get(0)?,
            kind: event::kind(&kind)?,
            form_id: row.get::<_, Option<String>>(2)?.map(Arc::from),
            json: RawValue::from_string(json)?.into(),
        };
        if found.is_empty() && logged.seq != after + 1 {
            break;
        }
        found.push(logged);
    }
    Ok(found)
}

/// The newest durable event.
pub(super) fn last_seq(conn: &Connection) -> Result<u64, StoreError> {
    let mut statement = conn.prepare_cached("SELECT coalesce(max(seq), 0) FROM events")?;
    Ok(statement.query_row([], |row| row.get(0))?)
}

/// Revision of the settings.
pub(super) fn settings_revision(conn: &Connection) -> Result<u64, StoreError> {
    let mut statement = conn.prepare_cached("SELECT value FROM meta WHERE name = 'settingsRevision'")?;
    Ok(statement.query_row([], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// How many forms have ended.
pub(super) fn resolved_count(conn: &Connection) -> Result<u64, StoreError> {
    let mut statement = conn.prepare_cached("SELECT count(*) FROM forms WHERE resolved_seq IS NOT NULL")?;
    Ok(statement.query_row(params![], |row| row.get(0))?)
}

/// A form's record, from the first nine columns.
pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<Record> {
    let contract = match row.get_ref(3)?.as_str()? {
        "questionnaire" => Contract::Questionnaire,
        _ => Contract::Ask,
    };
    let mode = match row.get_ref(4)?.as_str()? {
        "background" => Mode::Background,
        _ => Mode::Urgent,
    };
    Ok(Record {
        id: text(row, 0)?,
        start_seq: row.get(1)?,
        seq: row.get(2)?,
        contract,
        mode,
        created_at: row.get(5)?,
        expires_at: row.get(6)?,
        bytes: row.get(7)?,
        meta: json(row, 8)?,
    })
}

/// How a form ended, from four columns; none while it is open.
pub(super) fn ending(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Arc<Ending>>> {
    if row.get_ref(at)?.as_str_or_null()?.is_none() {
        return Ok(None);
    }
    Ok(Some(Arc::new(Ending {
        outcome: json(row, at)?,
        resolved_by: json(row, at + 1)?,
        presented: json(row, at + 2)?,
        at: row.get(at + 3)?,
    })))
}

/// The accepted submission, from three columns.
pub(super) fn request(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Request>> {
    match row.get::<_, Option<String>>(at)? {
        None => Ok(None),
        Some(id) => Ok(Some(Request { id, remote: row.get(at + 1)?, response: json(row, at + 2)? })),
    }
}

fn kept(row: &Row<'_>, body: Option<Body>) -> rusqlite::Result<Kept> {
    Ok(Kept {
        record: Arc::new(record(row)?),
        body,
        delivery: delivery(row.get(9)?),
        ending: ending(row, 10)?,
        request: request(row, 14)?,
        draft: draft_mark(row, 17)?,
    })
}

fn body(row: &Row<'_>, at: usize) -> rusqlite::Result<Body> {
    let context = row.get_ref(at + 1)?.as_str_or_null()?.map(Arc::from);
    Ok(Body { form: FormText::kept(text(row, at)?), context })
}

fn draft_mark(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<DraftMark>> {
    let revision: Option<u64> = row.get(at)?;
    match revision {
        None => Ok(None),
        Some(revision) => Ok(Some(DraftMark { revision, at: row.get(at + 1)? })),
    }
}

fn text(row: &Row<'_>, at: usize) -> rusqlite::Result<Arc<str>> {
    Ok(Arc::from(row.get_ref(at)?.as_str()?))
}

fn json<T: DeserializeOwned>(row: &Row<'_>, at: usize) -> rusqlite::Result<T> {
    let unreadable =
        |error: serde_json::Error| rusqlite::Error::FromSqlConversionFailure(at, Type::Text, Box::new(error));
    serde_json::from_str(row.get_ref(at)?.as_str()?).map_err(unreadable)
}

/// Deliveries as they are stored: below 2 a key is live.
pub(super) fn delivery_number(delivery: Delivery) -> i64 {
    match delivery {
        Delivery::None => 0,
        Delivery::Pending => 1,
        Delivery::Acknowledged => 2,
    }
}

fn delivery(number: i64) -> Delivery {
    match number {
        0 => Delivery::None,
        1 => Delivery::Pending,
        _ => Delivery::Acknowledged,
    }
}
