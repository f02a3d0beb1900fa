//! A form in windows of a desktop's dialog program, one after the other, for a person without a terminal.
//!
//! The program only shows: what it says is matched against what it was given, and whatever else it does is a
//! failure that leaves the form open.

use std::future::Future;
use std::io;

use askd_client::{CallError, Client};
use askd_form::{PresentedTypes, Response};
use askd_interact::steps::{Dialogs, Dismissal, Reply, Step};
use askd_wire::form::FormSnapshot;
use jiff::tz::TimeZone;

use crate::ending::Ending;
use crate::session::{self, Ended, News, Sent, Session};
use crate::{dialogs, words};

mod card;
mod process;
mod program;
mod zenity;

use card::{Card, Kind};
pub use program::Program;
use zenity::Said;

/// Why a form could not be answered. It stays open, with what was entered so far as its draft.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// The daemon could not be asked, or refused.
    #[error(transparent)]
    Call(#[from] CallError),
    /// There is no program that shows windows.
    #[error(
        "No program was found that can show the form in a window: {0} is not on the PATH. Install it, for example with \
         `apt install {0}` or `dnf install {0}`, or answer the form in a terminal with `ask answer`."
    )]
    Missing(&'static str),
    /// The program cannot be started.
    #[error(
        "The window cannot be shown: {0} cannot be started: {1}. Check it, or answer the form in a terminal with `ask answer`."
    )]
    Start(String, io::Error),
    /// The program did not do what it is for.
    #[error(
        "The window was not answered: {program} ended with {status}{why}. The form stays open; see that a desktop session is there, or answer it in a terminal with `ask answer`."
    )]
    Broken {
        /// Its name.
        program: String,
        /// How it ended.
        status: String,
        /// What it said about it, with a colon before it, or nothing.
        why: String,
    },
}

/// The end of a form that was shown in windows.
#[derive(Debug, Clone, PartialEq)]
pub struct Closing {
    /// How it ended.
    pub ending: Ending,
    /// Who was first and with what, in one line, when it ended elsewhere.
    pub message: Option<String>,
}

/// Shows a form until it has ended here or elsewhere, or until `stop` does: then the window is closed, the form
/// left open with what was entered, and nothing returned. The connection has to have the role frontend.
///
/// # Errors
/// [`WindowError`].
pub async fn answer_form(
    client: &Client,
    form_id: &str,
    program: &Program,
    stop: impl Future<Output = ()>,
) -> Result<Option<Closing>, WindowError> {
    let (session, shown) = Session::open(client, form_id).await?;
    if let Some(ended) = session::ended(shown.summary.clone()) {
        return Ok(Some(elsewhere(&shown, *ended)));
    }
    let mut windows = Windows { session, shown, program };
    let ended = tokio::select! {
        ended = windows.run() => Some(ended),
        () = stop => None,
    };
    // The window has been closed with its future; what was entered before is still to be kept.
    windows.session.leave().await;
    ended.transpose()
}

fn elsewhere(shown: &FormSnapshot, ended: Ended) -> Closing {
    let at = words::clock(ended.at, &TimeZone::system());
    let message = words::ended(&shown.form, &ended.outcome, &ended.by, &at);
    Closing { ending: ended.into(), message: Some(message) }
}

struct Windows<'p> {
    session: Session,
    shown: FormSnapshot,
    program: &'p Program,
}

impl Windows<'_> {
    async fn run(&mut self) -> Result<Closing, WindowError> {
        let mut dialogs = dialogs::begin(&self.shown).with_cards();
        loop {
            if let Step::Done(response) = dialogs.next() {
                match self.send(&response, dialogs.entered().presented()).await? {
                    Stop::Closed(closing) => return Ok(closing),
                    Stop::Again(why) => dialogs.refused(&why),
                }
                continue;
            }
            match self.ask(&dialogs).await? {
                Asked::Reply(reply) => dialogs.answer(reply),
                Asked::Ended(closing) => return Ok(closing),
            }
            self.session.keep(dialogs::draft(&dialogs));
        }
    }

    /// Shows one step until it is answered.
    async fn ask(&mut self, dialogs: &Dialogs) -> Result<Asked, WindowError> {
        let Some(mut card) = Card::of(&self.shown, &dialogs.next()) else {
            return Ok(Asked::Reply(Reply::Cancelled));
        };
        let dismissal = dialogs.dismissal();
        loop {
            let said = match self.show(&card, dismissal).await? {
                Ok(said) => said,
                Err(closing) => return Ok(Asked::Ended(closing)),
            };
            match said {
                Said::Dismissed => return Ok(Asked::Reply(Reply::Cancelled)),
                Said::More => {
                    if let Err(closing) = self.show_all(&card).await? {
                        return Ok(Asked::Ended(closing));
                    }
                }
                // A highlighted row is not a ticked one, and to leave the question there is a button.
                Said::Text(text)
                    if text.is_empty() && card.kind == Kind::Tick && dismissal == Dismissal::Skip =>
                {
                    card.remark("Nothing is ticked: tick a row, or press Skip.");
                }
                Said::Text(text) => match card.reply(&text) {
                    Some(reply) => return Ok(Asked::Reply(reply)),
                    None => card.remark("Pick a row, then OK."),
                },
            }
        }
    }

    async fn show(
        &mut self,
        card: &Card,
        dismissal: Dismissal,
    ) -> Result<Result<Said, Closing>, WindowError> {
        let window = zenity::card(self.program, card, dismissal)?;
        self.beside_news(window).await
    }

    /// Everything a card left out, to be read in a window that scrolls.
    async fn show_all(&mut self, card: &Card) -> Result<Result<Said, Closing>, WindowError> {
        let window = zenity::text(self.program, card)?;
        self.beside_news(window).await
    }

    /// Waits for a window, or for the form's end, which closes it.
    async fn beside_news(
        &mut self,
        mut window: zenity::Window,
    ) -> Result<Result<Said, Closing>, WindowError> {
        loop {
            let news = tokio::select! {
                biased;
                news = self.session.news() => news?,
                said = window.said() => return said.map(Ok),
            };
            if let News::Ended(ended) = news {
                window.close().await;
                return Ok(Err(elsewhere(&self.shown, *ended)));
            }
        }
    }

    /// Sends the response, again while the daemon is away: the person has answered, and nothing else is left
    /// to do.
    async fn send(&mut self, response: &Response, presented: &PresentedTypes) -> Result<Stop, WindowError> {
        loop {
            match self.session.send(response, presented).await {
                Sent::Accepted(resolution) => {
                    return Ok(Stop::Closed(Closing { ending: Ending::accepted(resolution), message: None }));
                }
                Sent::Late(ended) => return Ok(Stop::Closed(elsewhere(&self.shown, *ended))),
                Sent::Refused(error) if error.is_connection() => self.session.connected().await,
                Sent::Refused(error) if session::can_be_mended(&error) => {
                    return Ok(Stop::Again(error.to_string()));
                }
                Sent::Refused(error) => return Err(error.into()),
            }
        }
    }
}

enum Asked {
    Reply(Reply),
    Ended(Closing),
}

/// What became of a response.
enum Stop {
    Closed(Closing),
    /// The form is asked again with this reason.
    Again(String),
}
