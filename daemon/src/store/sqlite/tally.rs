//! What the limits and the one-background rule need to know of all open forms, so that no create counts
//! rows. Only touched inside a transaction, and counted anew when another handle has written.

use std::collections::HashMap;

use askd_form::{Contract, Mode};
use rusqlite::Connection;

use super::load;
use crate::store::record::Record;
use crate::store::{Limit, OpenLimits, Refusal, StoreError};

/// An agent's conversation. Forms without a session belong to none.
type Session = (Option<String>, String);

/// Sums over the open forms.
#[derive(Debug, Default)]
pub(super) struct Tally {
    forms: u64,
    bytes: u64,
    sessions: HashMap<Session, u64>,
    background: HashMap<(String, String), String>,
}

impl Tally {
    /// Counts the open forms of the database.
    pub(super) fn count(conn: &Connection) -> Result<Self, StoreError> {
        let mut tally = Self::default();
        let mut statement = conn
            .prepare_cached("SELECT id, contract, mode, agent, session, bytes FROM forms WHERE state = ?1")?;
        let mut rows = statement.query([load::OPEN])?;
        while let Some(row) = rows.next()? {
            let background = row.get_ref(1)?.as_str() == Ok("questionnaire")
                && row.get_ref(2)?.as_str() == Ok("background");
            tally.enter(row.get(0)?, row.get(3)?, row.get(4)?, background, row.get(5)?);
        }
        Ok(tally)
    }

    /// Whether one more form may be opened.
    pub(super) fn admits(&self, record: &Record, limits: &OpenLimits) -> Result<(), Refusal> {
        let origin = &record.meta.origin;
        if let (true, Some(agent), Some(session)) = (is_background(record), &origin.agent, &origin.session)
            && let Some(form_id) = self.background.get(&(agent.clone(), session.clone()))
        {
            return Err(Refusal::BackgroundOpen { form_id: form_id.as_str().into() });
        }
        let of_session = session(&origin.agent, &origin.session)
            .and_then(|session| self.sessions.get(&session).copied())
            .unwrap_or(0);
        if origin.session.is_some() && of_session >= limits.session {
            return Err(Refusal::LimitReached(Limit::OpenFormsPerSession));
        }
        if self.forms >= limits.forms {
            return Err(Refusal::LimitReached(Limit::OpenForms));
        }
        if self.bytes.saturating_add(record.bytes) > limits.bytes {
            return Err(Refusal::LimitReached(Limit::OpenFormBytes));
        }
        Ok(())
    }

    /// A form was opened.
    pub(super) fn add(&mut self, record: &Record) {
        let origin = &record.meta.origin;
        self.enter(
            record.id.to_string(),
            origin.agent.clone(),
            origin.session.clone(),
            is_background(record),
            record.bytes,
        );
    }

    fn enter(
        &mut self,
        id: String,
        agent: Option<String>,
        session_name: Option<String>,
        background: bool,
        bytes: u64,
    ) {
        self.forms += 1;
        self.bytes += bytes;
        if let Some(session) = session(&agent, &session_name) {
            *self.sessions.entry(session).or_default() += 1;
        }
        if let (true, Some(agent), Some(session)) = (background, agent, session_name) {
            self.background.insert((agent, session), id);
        }
    }

    /// A form has ended.
    pub(super) fn remove(&mut self, record: &Record) {
        self.forms = self.forms.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(record.bytes);
        let origin = &record.meta.origin;
        if let Some(session) = session(&origin.agent, &origin.session)
            && let Some(count) = self.sessions.get_mut(&session)
        {
            *count -= 1;
            if *count == 0 {
                self.sessions.remove(&session);
            }
        }
        if let (true, Some(agent), Some(session)) = (is_background(record), &origin.agent, &origin.session) {
            self.background.remove(&(agent.clone(), session.clone()));
        }
    }
}

fn session(agent: &Option<String>, session: &Option<String>) -> Option<Session> {
    session.as_ref().map(|session| (agent.clone(), session.clone()))
}

fn is_background(record: &Record) -> bool {
    record.contract == Contract::Questionnaire && record.mode == Mode::Background
}
