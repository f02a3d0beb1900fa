//! A form answered line by line, on a terminal or through a pipe (ask contract, "Runtime modes"; design, "What
//! it must feel like"): nothing is redrawn, so that a screen reader says each line once.

use std::io;

use askd_client::{CallError, Client};
use askd_form::Response;
use askd_interact::steps::{LineMode, LineOptions, Said, flat};
use askd_wire::Empty;
use askd_wire::connection::FrontendInfo;
use askd_wire::form::{FormSnapshot, Resolution};
use askd_wire::method::SettingsGet;
use askd_wire::settings::Settings;

use crate::session::{self, Ended, News, Sent, Session};
use crate::words;

mod io_lines;

pub use crate::ending::Ending;
pub use io_lines::{Input, LineIo};

/// Lines of the agent's last words that are printed above the form.
const CONTEXT_LINES: usize = 20;

/// Why a form could not be answered. The form stays as it is, with what was entered so far as its draft.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The daemon could not be asked, or refused.
    #[error(transparent)]
    Call(#[from] CallError),
    /// Nothing can be printed.
    #[error("The form cannot be shown: writing failed: {0}. It stays open; answer it from another terminal.")]
    Output(#[from] io::Error),
}

/// How a connection for line mode introduces itself.
#[must_use]
pub fn frontend_info(terminal: bool) -> FrontendInfo {
    FrontendInfo { kind: "line".to_owned(), human: terminal }
}

/// Shows a form and takes its answers, until it has ended here or elsewhere. The connection has to have the
/// role frontend; see [`frontend_info`].
///
/// # Errors
/// [`LineError`].
pub async fn answer_form(client: &Client, form_id: &str, io: &mut LineIo) -> Result<Ending, LineError> {
    let (session, shown) = Session::open(client, form_id).await?;
    io.say(&heading(&shown, io))?;
    if let Some(ended) = session::ended(shown.summary.clone()) {
        return elsewhere(&shown, *ended, false, io);
    }
    // Settings decide no more than how much is asked; without them the defaults hold.
    let options = client.call::<SettingsGet>(Empty {}).await.map(|state| options(&state.settings));
    let entered = session::entered(&shown);
    if entered.is_dirty() {
        io.say(&["Answers from before were kept."])?;
    }
    let mode = LineMode::new(entered, options.unwrap_or_default());
    Answering { session, mode, shown, io }.run().await
}

fn options(settings: &Settings) -> LineOptions {
    LineOptions {
        auto_submit: settings.behaviour.auto_submit_when_answered_without_notes,
        confirm_dismiss: settings.behaviour.confirm_dismiss_when_dirty,
    }
}

fn heading(shown: &FormSnapshot, io: &LineIo) -> Vec<String> {
    let mut lines = Vec::new();
    let title = shown.form.title.as_deref().map(flat).filter(|title| !title.is_empty());
    lines.extend(title);
    lines.extend(words::origin(&shown.summary.origin));
    if let Some(at) = shown.summary.expires_at {
        lines.push(format!("Expires at {} if nobody answers.", words::clock(at, io.zone())));
    }
    if let Some(context) = &shown.summary.origin.context {
        let text = askd_form::safe_text::block(context);
        let all: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let from = all.len().saturating_sub(CONTEXT_LINES);
        if !all.is_empty() {
            lines.push("The agent said before:".to_owned());
            lines.extend((from > 0).then(|| format!("  ({from} lines before these)")));
            lines.extend(all[from..].iter().map(|line| format!("  {}", line.trim_end())));
        }
    }
    lines
}

/// Tells how the form ended without this person.
fn elsewhere(
    shown: &FormSnapshot,
    ended: Ended,
    entered: bool,
    io: &mut LineIo,
) -> Result<Ending, LineError> {
    let at = words::clock(ended.at, io.zone());
    io.say(&[words::ended(&shown.form, &ended.outcome, &ended.by, &at)])?;
    if entered {
        io.say(&["What you entered here was not sent."])?;
    }
    Ok(ended.into())
}

struct Answering<'io> {
    session: Session,
    mode: LineMode,
    shown: FormSnapshot,
    io: &'io mut LineIo,
}

impl Answering<'_> {
    async fn run(mut self) -> Result<Ending, LineError> {
        self.io.forget_typed();
        self.io.say(&self.mode.open())?;
        self.io.prompt()?;
        loop {
            let ending = tokio::select! {
                biased;
                news = self.session.news() => self.on_news(news?)?,
                input = self.io.next() => self.on_input(input).await?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
    }

    fn on_news(&mut self, news: News) -> Result<Option<Ending>, LineError> {
        match news {
            News::Ended(ended) => {
                self.io.break_prompt()?;
                let entered = self.mode.entered().is_dirty();
                return elsewhere(&self.shown, *ended, entered, self.io).map(Some);
            }
            News::Drafted(draft) => {
                let mut entered = self.mode.entered().clone();
                session::restore(&mut entered, &draft);
                if entered == *self.mode.entered() {
                    return Ok(None);
                }
                self.io.break_prompt()?;
                self.io.say(&["The answers were changed in another window:"])?;
                let said = self.mode.replace(entered);
                self.io.say(&said.lines)?;
            }
            News::Settings(settings) => {
                self.mode.set_options(options(&settings));
                return Ok(None);
            }
            News::Lost => {
                self.io.break_prompt()?;
                self.io.say(&["The connection to the daemon was lost. Your answers are kept here; go on answering, it is tried again."])?;
            }
            News::Back => {
                self.io.break_prompt()?;
                self.io.say(&["Connected again."])?;
            }
        }
        self.io.prompt()?;
        Ok(None)
    }

    async fn on_input(&mut self, input: Input) -> Result<Option<Ending>, LineError> {
        let said = match input {
            Input::Line(line) => self.mode.line(&line),
            Input::Interrupt | Input::End => {
                self.io.break_prompt()?;
                return self.cancel().await.map(Some);
            }
        };
        self.io.say(&said.lines)?;
        if said.changed {
            let view = self.mode.entered().view(self.mode.position());
            self.session.keep(session::draft(self.mode.entered(), view));
        }
        if let Some(response) = &said.end
            && let Some(ending) = self.send(response).await?
        {
            return Ok(Some(ending));
        }
        self.io.prompt()?;
        Ok(None)
    }

    /// Sends what was confirmed. When it is not taken, goes on with everything kept.
    async fn send(&mut self, response: &Response) -> Result<Option<Ending>, LineError> {
        match self.session.send(response, self.mode.entered().presented()).await {
            Sent::Accepted(resolution) => self.accepted(resolution).map(Some),
            Sent::Late(ended) => elsewhere(&self.shown, *ended, true, self.io).map(Some),
            Sent::Refused(error) => {
                let Said { lines, .. } = self.mode.refused(&error.to_string());
                self.io.say(&lines)?;
                Ok(None)
            }
        }
    }

    /// Cancels for good: there is nobody any more who could be asked.
    async fn cancel(&mut self) -> Result<Ending, LineError> {
        match self.session.send(&Response::Cancel, self.mode.entered().presented()).await {
            Sent::Accepted(resolution) => self.accepted(resolution),
            Sent::Late(ended) => elsewhere(&self.shown, *ended, self.mode.entered().is_dirty(), self.io),
            Sent::Refused(error) => Err(error.into()),
        }
    }

    fn accepted(&mut self, resolution: Box<Resolution>) -> Result<Ending, LineError> {
        let ending = Ending::accepted(resolution);
        let words = match ending {
            Ending::Elaborated(_) => "Sent back for elaboration.",
            Ending::Cancelled(_) => "Cancelled. Nothing was answered.",
            _ => "Submitted.",
        };
        self.io.say(&[words])?;
        Ok(ending)
    }
}
