//! Keeping a new form, or finding the one that stands under the same key (protocol §3, Key).

use std::sync::Arc;

use askd_form::{Contract, Mode};
use rusqlite::{OptionalExtension, params};
use serde_json::Value;

use super::apply::Tx;
use super::load::{self, OPEN};
use crate::store::record::{Body, FormText, Record};
use crate::store::{Committed, Create, Fact, Refusal, event, json};

impl Tx<'_> {
    pub(super) fn create(&mut self, create: Create) -> Result<Vec<Committed>, Refusal> {
        if let Some(key) = &create.key
            && let Some((live, open, params)) = self.under_key(key)?
        {
            let same_payload =
                live.contract == create.record.contract && json::equal(&params, &create.params);
            if same_payload && open && create.resume {
                return self.resume(live, &create);
            }
            return Err(Refusal::KeyLive { form_id: live.id, same_payload });
        }
        self.tally.admits(&create.record, &create.limits)?;
        let Create { mut record, form, form_json, context, key, params, .. } = create;
        record.start_seq = self.next_seq();
        record.seq = record.start_seq;
        let started = event::started(&record, &form, context.as_ref(), None, record.created_at);
        let event = self.log(&started, Some(&record.id))?;
        let mut insert = self.conn.prepare_cached(
            "INSERT INTO forms (start_seq, id, seq, state, delivery, contract, mode, agent, session, \
             tool_call_id, key, created_at, expires_at, bytes, owned, notified, meta) \
             VALUES (?1, ?2, ?1, ?3, 0, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 0, 0, ?13)",
        )?;
        insert.execute(params![
            record.start_seq,
            &*record.id,
            OPEN,
            contract_name(record.contract),
            mode_name(record.mode),
            record.meta.origin.agent,
            record.meta.origin.session,
            record.meta.tool_call_id,
            key,
            record.created_at,
            record.expires_at,
            record.bytes,
            serde_json::to_string(&record.meta)?,
        ])?;
        let mut insert = self.conn.prepare_cached(
            "INSERT INTO bodies (start_seq, form, context, params) VALUES (?1, ?2, ?3, ?4)",
        )?;
        // Without a key nobody will compare the payload.
        let params = key.map(|_| params.to_string());
        insert.execute(params![record.start_seq, &*form_json, context.as_deref(), params])?;
        self.tally.add(&record);
        let body = Body { form: FormText::parsed(&form, form_json), context };
        Ok(vec![started_fact(record, body, event)])
    }

    /// The form under a live key: its record, whether it is open, its payload.
    fn under_key(&self, key: &str) -> Result<Option<(Record, bool, Value)>, Refusal> {
        let mut select = self.conn.prepare_cached(
            "SELECT f.id, f.start_seq, f.seq, f.contract, f.mode, f.created_at, f.expires_at, f.bytes, f.meta, \
             f.state, b.params FROM forms f JOIN bodies b ON b.start_seq = f.start_seq \
             WHERE f.key = ?1 AND f.delivery < 2",
        )?;
        let found = select
            .query_row([key], |row| {
                let state: i64 = row.get(9)?;
                Ok((load::record(row)?, state == OPEN, row.get::<_, Option<String>>(10)?))
            })
            .optional()?;
        let Some((record, open, params)) = found else { return Ok(None) };
        let params = params.as_deref().map_or(Ok(Value::Null), serde_json::from_str)?;
        Ok(Some((record, open, params)))
    }

    /// Starts an open form anew for the agent that has come back.
    fn resume(&mut self, mut record: Record, create: &Create) -> Result<Vec<Committed>, Refusal> {
        let kept = load::form(self.conn, &record.id)?.ok_or(Refusal::UnknownForm)?;
        let body = kept.body.ok_or(Refusal::UnknownForm)?;
        record.seq = self.next_seq();
        record.meta.source = create.record.meta.source;
        let form = body.form.form()?;
        let at = create.record.created_at;
        let started = event::started(&record, &form, body.context.as_ref(), kept.draft, at);
        let event = self.log(&started, Some(&record.id))?;
        let mut update =
            self.conn.prepare_cached("UPDATE forms SET seq = ?2, meta = ?3 WHERE start_seq = ?1")?;
        update.execute(params![record.start_seq, record.seq, serde_json::to_string(&record.meta)?])?;
        Ok(vec![started_fact(record, body, event)])
    }
}

fn started_fact(record: Record, body: Body, event: crate::store::Logged) -> Committed {
    let record = Arc::new(record);
    Committed { form_id: record.id.clone(), fact: Fact::Started { record, body }, event: Some(event) }
}

fn contract_name(contract: Contract) -> &'static str {
    match contract {
        Contract::Ask => "ask",
        Contract::Questionnaire => "questionnaire",
    }
}

fn mode_name(mode: Mode) -> &'static str {
    match mode {
        Mode::Urgent => "urgent",
        Mode::Background => "background",
    }
}
