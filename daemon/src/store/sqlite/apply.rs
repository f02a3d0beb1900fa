//! One command inside a transaction: what it checks, what it writes, which events it makes.

use std::collections::HashSet;
use std::sync::Arc;

use askd_wire::Millis;
use askd_wire::settings::Settings;
use rusqlite::{Connection, OptionalExtension, params};

use super::load::{self, OPEN, RESOLVED};
use super::tally::Tally;
use super::{forget, retain};
use crate::store::record::{Ending, Record};
use crate::store::{Command, Committed, Fact, Logged, Refusal, Resolve, StoreError, event};

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.0)
    }
}

impl From<rusqlite::Error> for Refusal {
    fn from(error: rusqlite::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<serde_json::Error> for Refusal {
    fn from(error: serde_json::Error) -> Self {
        Self::Failed(format!("a value cannot be written: {error}"))
    }
}

/// What a command works on. Whoever runs it takes `seq` back when the command is undone.
pub(super) struct Tx<'t> {
    pub(super) conn: &'t Connection,
    pub(super) seq: &'t mut u64,
    pub(super) tally: &'t mut Tally,
    pub(super) owned: &'t mut HashSet<Arc<str>>,
}

impl Tx<'_> {
    /// Runs a command. A refusal may leave half of it written, for the caller to undo; the tally is only
    /// touched when nothing can fail any more.
    pub(super) fn run(&mut self, command: Command) -> Result<Vec<Committed>, Refusal> {
        match command {
            Command::Create(create) => self.create(*create),
            Command::Resolve(resolve) => self.resolve(*resolve),
            Command::Acknowledge { form_id, at } => self.acknowledge(form_id, at),
            Command::SaveDraft { form_id, revision, json, by, at } => {
                self.save_draft(form_id, revision, &json, by, at)
            }
            Command::SettingsChanged { changed, settings, at } => {
                self.settings_changed(changed, settings, at)
            }
            Command::MarkNotified { form_id } => self.mark_notified(&form_id),
            Command::Forget { form_id, at } => self.forget(form_id, at),
            Command::Retain(limits) => {
                retain::piece(self.conn, &limits)?.then(Vec::new).ok_or(Refusal::DoneBefore)
            }
            // Both are taken out before a transaction is begun.
            Command::MarkOwned { .. } | Command::Flush => Ok(Vec::new()),
        }
    }

    /// Takes the next event number; nothing is skipped because an undone command gives it back.
    pub(super) fn next_seq(&mut self) -> u64 {
        *self.seq += 1;
        *self.seq
    }

    pub(super) fn log(
        &self,
        event: &askd_wire::event::Event,
        form_id: Option<&Arc<str>>,
    ) -> Result<Logged, Refusal> {
        let logged = event::logged(event, form_id)?;
        let mut insert = self.conn.prepare_cached(
            "INSERT INTO events (seq, at, kind, form_id, json) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        insert.execute(params![
            event.seq,
            event.at,
            logged.kind,
            form_id.map(|id| &**id),
            logged.json.get()
        ])?;
        Ok(logged)
    }

    fn resolve(&mut self, resolve: Resolve) -> Result<Vec<Committed>, Refusal> {
        let Resolve { form_id, ending, result, request, keep_draft, if_draft } = resolve;
        let record = self.open_record(&form_id, |stored, kept| match (&request, stored) {
            (Some(request), Some(accepted))
                if request.id == accepted.id && request.remote == accepted.remote =>
            {
                if crate::store::json::equal(&request.response, &accepted.response) || request.remote {
                    Refusal::RequestReplayed { ending: kept }
                } else {
                    Refusal::RequestConflict
                }
            }
            _ => Refusal::AlreadyResolved { ending: kept },
        })?;
        if let Some(expected) = if_draft {
            let draft = load::draft(self.conn, &form_id)?;
            let revision = draft.as_ref().map_or(0, |draft| draft.revision);
            if revision != expected {
                return Err(Refusal::StaleDraft { revision, json: None, by: None });
            }
        }
        let seq = self.next_seq();
        let completed = event::completed(&record, &ending, &result, seq);
        let mut committed = vec![Committed {
            form_id: form_id.clone(),
            fact: Fact::Completed { ending: ending.clone(), result: Some(result) },
            event: Some(self.log(&completed, Some(&form_id))?),
        }];
        let mut last = seq;
        if let Some(request) = request.as_ref().filter(|request| request.remote) {
            last = self.next_seq();
            let accepted = event::submit_accepted(&form_id, &request.id, last, ending.at);
            committed.push(Committed {
                form_id: form_id.clone(),
                fact: Fact::SubmitAccepted,
                event: Some(self.log(&accepted, Some(&form_id))?),
            });
        }
        let mut update = self.conn.prepare_cached(
            "UPDATE forms SET state = ?2, delivery = 1, seq = ?3, resolved_seq = ?4, resolved_at = ?5, \
             outcome = ?6, resolved_by = ?7, presented = ?8, request_id = ?9, request_remote = ?10, \
             response = ?11 WHERE start_seq = ?1",
        )?;
        update.execute(params![
            record.start_seq,
            RESOLVED,
            last,
            seq,
            ending.at,
            serde_json::to_string(&ending.outcome)?,
            serde_json::to_string(&ending.resolved_by)?,
            serde_json::to_string(&ending.presented)?,
            request.as_ref().map(|request| &request.id),
            request.as_ref().map(|request| request.remote),
            request.as_ref().map(|request| request.response.to_string()),
        ])?;
        if !keep_draft {
            self.conn.prepare_cached("DELETE FROM drafts WHERE form_id = ?1")?.execute([&*form_id])?;
        }
        self.owned.remove(&form_id);
        self.tally.remove(&record);
        Ok(committed)
    }

    /// The record of a form that must be open; `resolved` makes the refusal of one that is not.
    fn open_record(
        &self,
        form_id: &str,
        resolved: impl FnOnce(Option<&crate::store::record::Request>, Arc<Ending>) -> Refusal,
    ) -> Result<Record, Refusal> {
        let mut select = self.conn.prepare_cached(
            "SELECT id, start_seq, seq, contract, mode, created_at, expires_at, bytes, meta, \
             outcome, resolved_by, presented, resolved_at, request_id, request_remote, response \
             FROM forms WHERE id = ?1",
        )?;
        let found = select
            .query_row([form_id], |row| {
                Ok((load::record(row)?, load::ending(row, 9)?, load::request(row, 13)?))
            })
            .optional()?;
        match found {
            None => Err(Refusal::UnknownForm),
            Some((_, Some(ending), request)) => Err(resolved(request.as_ref(), ending)),
            Some((record, None, _)) => Ok(record),
        }
    }

    fn acknowledge(&mut self, form_id: Arc<str>, at: Millis) -> Result<Vec<Committed>, Refusal> {
        let mut select = self.conn.prepare_cached("SELECT state, delivery FROM forms WHERE id = ?1")?;
        let found: Option<(i64, i64)> =
            select.query_row([&*form_id], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        match found {
            None => return Err(Refusal::UnknownForm),
            Some((OPEN, _)) => return Err(Refusal::StillOpen),
            Some((_, 2)) => return Err(Refusal::DoneBefore),
            Some(_) => {}
        }
        let seq = self.next_seq();
        let event = self.log(&event::acknowledged(&form_id, seq, at), Some(&form_id))?;
        let mut update = self.conn.prepare_cached("UPDATE forms SET delivery = 2, seq = ?2 WHERE id = ?1")?;
        update.execute(params![&*form_id, seq])?;
        Ok(vec![Committed { form_id, fact: Fact::Acknowledged, event: Some(event) }])
    }

    fn forget(&mut self, form_id: Arc<str>, at: Millis) -> Result<Vec<Committed>, Refusal> {
        // Whoever follows the log must not wait for a delivery that cannot come any more.
        let committed = match self.acknowledge(form_id.clone(), at) {
            Err(Refusal::DoneBefore) => Vec::new(),
            acknowledged => acknowledged?,
        };
        forget::form(self.conn, &form_id)?;
        Ok(committed)
    }

    fn save_draft(
        &mut self,
        form_id: Arc<str>,
        revision: u64,
        json: &str,
        by: String,
        at: Millis,
    ) -> Result<Vec<Committed>, Refusal> {
        self.open_record(&form_id, |_, ending| Refusal::AlreadyResolved { ending })?;
        let present = load::draft(self.conn, &form_id)?;
        let current = present.as_ref().map_or(0, |draft| draft.revision);
        if current != revision {
            let (json, by) = present.map(|draft| (draft.json, draft.by)).unzip();
            return Err(Refusal::StaleDraft { revision: current, json, by });
        }
        let revision = revision + 1;
        let mut write = self.conn.prepare_cached(
            "INSERT OR REPLACE INTO drafts (form_id, revision, connection, at, json) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?;
        write.execute(params![&*form_id, revision, by, at, json])?;
        Ok(vec![Committed { form_id, fact: Fact::DraftKept { revision, by, at }, event: None }])
    }

    fn settings_changed(
        &mut self,
        changed: Vec<String>,
        settings: Box<Settings>,
        at: Millis,
    ) -> Result<Vec<Committed>, Refusal> {
        let revision = load::settings_revision(self.conn)? + 1;
        let mut write = self
            .conn
            .prepare_cached("INSERT OR REPLACE INTO meta (name, value) VALUES ('settingsRevision', ?1)")?;
        write.execute([revision])?;
        let seq = self.next_seq();
        let event = self.log(&event::settings_changed(revision, changed, settings, seq, at), None)?;
        Ok(vec![Committed {
            form_id: Arc::from(""),
            fact: Fact::SettingsChanged { revision },
            event: Some(event),
        }])
    }

    fn mark_notified(&self, form_id: &str) -> Result<Vec<Committed>, Refusal> {
        let mut update = self
            .conn
            .prepare_cached("UPDATE forms SET notified = 1 WHERE id = ?1 AND notified = 0 AND state = ?2")?;
        if update.execute(params![form_id, OPEN])? == 1 {
            return Ok(Vec::new());
        }
        self.open_record(form_id, |_, ending| Refusal::AlreadyResolved { ending })?;
        Err(Refusal::DoneBefore)
    }
}
