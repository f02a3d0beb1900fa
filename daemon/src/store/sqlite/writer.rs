//! The one thread that writes. It gathers what waits into one transaction (group commit), each command
//! under a savepoint of its own, and answers only after the commit.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::apply::Tx;
use super::tally::Tally;
use super::{Options, foreign, load};
use crate::store::{Command, Committed, Follower, Opening, Refusal, StoreError};

type Outcome = Result<Vec<Committed>, Refusal>;
pub(super) type Reply = oneshot::Sender<Outcome>;

/// What the thread is asked.
pub(super) enum Job {
    Apply(Command, Reply),
    Follow(Follower, oneshot::Sender<Result<Opening, StoreError>>),
}

/// The most commands of one transaction.
const BATCH: usize = 256;
/// How long remembering an owner may wait for another command's commit.
const IDLE: Duration = Duration::from_secs(1);

pub(super) struct Writer {
    conn: Connection,
    options: Options,
    follower: Option<Follower>,
    /// The newest event the follower has been told, or that was there before it.
    seq: u64,
    tally: Tally,
    owned: HashSet<Arc<str>>,
}

impl Writer {
    pub(super) fn new(conn: Connection, options: Options) -> Result<Self, StoreError> {
        let seq = load::last_seq(&conn)?;
        let tally = Tally::count(&conn)?;
        Ok(Self { conn, options, follower: None, seq, tally, owned: HashSet::new() })
    }

    /// Works until every handle is gone.
    pub(super) fn run(mut self, jobs: &Receiver<Job>) {
        let mut batch = Vec::new();
        loop {
            let first = if self.owned.is_empty() {
                jobs.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                jobs.recv_timeout(IDLE)
            };
            match first {
                Ok(job) => self.take(job, jobs, &mut batch),
                Err(RecvTimeoutError::Timeout) => self.commit(&mut batch, true),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.commit(&mut batch, true);
    }

    /// Takes a job and all that wait behind it.
    fn take(&mut self, first: Job, jobs: &Receiver<Job>, batch: &mut Vec<(Command, Reply)>) {
        let mut next = Some(first);
        while let Some(job) = next {
            match job {
                // Nobody waits for it to be on disk.
                Job::Apply(Command::MarkOwned { form_id }, reply) => {
                    self.owned.insert(form_id);
                    let _ = reply.send(Ok(Vec::new()));
                }
                Job::Apply(Command::Flush, reply) => {
                    self.commit(batch, true);
                    let _ = reply.send(self.look().map(|()| Vec::new()).map_err(Refusal::from));
                }
                Job::Apply(command, reply) => batch.push((command, reply)),
                Job::Follow(follower, reply) => {
                    self.commit(batch, true);
                    let _ = reply.send(self.follow(follower));
                }
            }
            if batch.len() >= BATCH {
                break;
            }
            next = jobs.try_recv().ok();
        }
        self.commit(batch, false);
    }

    fn follow(&mut self, follower: Follower) -> Result<Opening, StoreError> {
        // One read transaction, so that the number and the forms belong together.
        let tx = self.conn.unchecked_transaction()?;
        let opening = Opening {
            seq: load::last_seq(&tx)?,
            settings_revision: load::settings_revision(&tx)?,
            forms: load::open_forms(&tx)?,
        };
        drop(tx);
        self.seq = opening.seq;
        self.tally = Tally::count(&self.conn)?;
        self.follower = Some(follower);
        Ok(opening)
    }

    /// Runs a batch and answers it. `owners`: also when only owners are to be remembered.
    fn commit(&mut self, batch: &mut Vec<(Command, Reply)>, owners: bool) {
        let owners = owners && !self.owned.is_empty();
        if batch.is_empty() && !owners {
            return;
        }
        let (commands, replies): (Vec<_>, Vec<_>) = batch.drain(..).unzip();
        let mut replies: Vec<Option<Reply>> = replies.into_iter().map(Some).collect();
        match self.transact(commands, &mut replies) {
            Ok(results) => {
                for (result, reply) in results.into_iter().zip(replies) {
                    if let Some(reply) = reply {
                        let _ = reply.send(result);
                    }
                }
            }
            Err(error) => {
                self.recover();
                tracing::error!(%error, commands = replies.len(), "a transaction failed, nothing of it was kept");
                for reply in replies.into_iter().flatten() {
                    let _ = reply.send(Err(Refusal::Failed(error.0.clone())));
                }
            }
        }
    }

    fn transact(
        &mut self,
        commands: Vec<Command>,
        replies: &mut [Option<Reply>],
    ) -> Result<Vec<Outcome>, StoreError> {
        self.conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        self.catch_up()?;
        let mut seq = self.seq;
        let alone = commands.len() == 1;
        let mut results = Vec::with_capacity(commands.len());
        let mut wrote = false;
        for (command, reply) in commands.into_iter().zip(replies) {
            let result = self.one(command, &mut seq, alone)?;
            wrote |= result.is_ok();
            if self.options.ack_before_commit {
                // The test double that promises what is not on disk yet.
                self.tell(&result);
                if let Some(reply) = reply.take() {
                    let _ = reply.send(result.clone());
                }
            }
            results.push(result);
        }
        if !wrote && self.owned.is_empty() {
            self.conn.prepare_cached("ROLLBACK")?.execute([])?;
            return Ok(results);
        }
        for form_id in &self.owned {
            self.conn.prepare_cached("UPDATE forms SET owned = 1 WHERE id = ?1")?.execute([&**form_id])?;
        }
        self.conn.prepare_cached("COMMIT")?.execute([])?;
        self.owned.clear();
        self.seq = seq;
        if !self.options.ack_before_commit {
            results.iter().for_each(|result| self.tell(result));
        }
        Ok(results)
    }

    /// Runs one command so that a refusal leaves nothing behind. Fails when the whole transaction is lost.
    fn one(&mut self, command: Command, seq: &mut u64, alone: bool) -> Result<Outcome, StoreError> {
        let before = *seq;
        if !alone {
            self.conn.prepare_cached("SAVEPOINT one")?.execute([])?;
        }
        let mut tx = Tx { conn: &self.conn, seq, tally: &mut self.tally, owned: &mut self.owned };
        let result = tx.run(command);
        if let Err(refusal) = &result {
            *seq = before;
            if self.conn.is_autocommit() {
                // SQLite has undone everything by itself, as it may when the disk is full.
                return Err(StoreError(refusal.to_string()));
            }
            if alone {
                // Nothing else was written: the rest of the transaction has nothing to lose.
                self.conn.prepare_cached("ROLLBACK")?.execute([])?;
                self.conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
            } else {
                self.conn.prepare_cached("ROLLBACK TO one")?.execute([])?;
            }
        }
        if !alone {
            self.conn.prepare_cached("RELEASE one")?.execute([])?;
        }
        Ok(result)
    }

    /// Hears of what another handle has committed, without a command of its own.
    fn look(&mut self) -> Result<(), StoreError> {
        if load::last_seq(&self.conn)? == self.seq {
            return Ok(());
        }
        self.conn.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        let caught = self.catch_up();
        self.conn.prepare_cached("ROLLBACK")?.execute([])?;
        caught
    }

    /// Hears of what another handle has committed, before anything of this one follows it.
    fn catch_up(&mut self) -> Result<(), StoreError> {
        if load::last_seq(&self.conn)? == self.seq {
            return Ok(());
        }
        self.tally = Tally::count(&self.conn)?;
        loop {
            let committed = foreign::committed_after(&self.conn, self.seq)?;
            let Some(last) = committed.last().and_then(|last| last.event.as_ref()) else { break };
            self.seq = last.seq;
            if let Some(follower) = &self.follower {
                follower(&committed);
            }
        }
        self.seq = load::last_seq(&self.conn)?;
        Ok(())
    }

    fn tell(&self, result: &Outcome) {
        if let (Some(follower), Ok(committed)) = (&self.follower, result)
            && !committed.is_empty()
        {
            follower(committed);
        }
    }

    /// Leaves a failed transaction, so that the next one finds a usable connection.
    fn recover(&mut self) {
        if !self.conn.is_autocommit()
            && let Err(error) = self.conn.execute_batch("ROLLBACK")
        {
            tracing::error!(%error, "a failed transaction could not be undone");
        }
        match Tally::count(&self.conn) {
            Ok(tally) => self.tally = tally,
            Err(error) => tracing::error!(%error, "the open forms could not be counted"),
        }
    }
}
