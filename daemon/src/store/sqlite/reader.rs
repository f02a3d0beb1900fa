//! The thread that reads what is not in memory. It starts with the first question: most daemons that idle
//! never have one.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::schema;
use crate::store::{Answer, StoreError};

type Question = Box<dyn FnOnce(&mut Lazy) + Send>;

/// Asks the reading thread. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct Reader {
    file: PathBuf,
    questions: Mutex<Option<Sender<Question>>>,
}

/// A connection that is opened when it is needed, and again after it could not be.
struct Lazy {
    file: PathBuf,
    conn: Option<Connection>,
}

impl Lazy {
    fn get(&mut self) -> Result<&Connection, StoreError> {
        if self.conn.is_none() {
            self.conn = Some(schema::open_reader(&self.file)?);
        }
        self.conn.as_ref().ok_or_else(|| StoreError("the database is not open".to_owned()))
    }
}

impl Reader {
    pub(super) fn new(file: &Path) -> Self {
        Self { file: file.to_owned(), questions: Mutex::new(None) }
    }

    pub(super) fn ask<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<Result<T, StoreError>> {
        let (reply, answer) = oneshot::channel();
        let question: Question = Box::new(move |lazy| {
            let _ = reply.send(lazy.get().and_then(read));
        });
        let sent = self.send(question);
        Box::pin(async move {
            sent?;
            answer.await.unwrap_or_else(|_| {
                Err(StoreError("the thread that reads the database has ended".to_owned()))
            })
        })
    }

    fn send(&self, question: Question) -> Result<(), StoreError> {
        let mut questions = self.questions.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = match &*questions {
            Some(sender) => sender.clone(),
            None => {
                let sender = self.start()?;
                questions.insert(sender).clone()
            }
        };
        sender
            .send(question)
            .map_err(|_| StoreError("the thread that reads the database has ended".to_owned()))
    }

    fn start(&self) -> Result<Sender<Question>, StoreError> {
        let (sender, queue): (_, Receiver<Question>) = mpsc::channel();
        let mut lazy = Lazy { file: self.file.clone(), conn: None };
        Builder::new()
            .name("askd-reader".to_owned())
            .spawn(move || queue.iter().for_each(|question| question(&mut lazy)))
            .map_err(|error| StoreError(format!("no thread to read the database: {error}")))?;
        Ok(sender)
    }
}
