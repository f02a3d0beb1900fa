//! The form, or the settings, as frames for another program, over lines of JSON on stdin and stdout (protocol §9).

mod frame;
mod input;
mod output;

pub(crate) use frame::lines;

use askd_client::{Client, ConnectOptions};
use serde_json::{Value, json};

use crate::app::Surroundings;
use crate::drive::{Closed, Driver, Reasons};
use crate::ring::Signal;
use input::Message;
use output::Output;

/// What a hosted frontend shows.
#[derive(Debug, Clone)]
pub enum Shown {
    /// A form, by its whole id.
    Form(String),
    /// The settings.
    Settings,
}

/// Runs until the form ends, the host goes or says so; gives the exit status.
pub async fn host(options: ConnectOptions, shown: Shown, surroundings: Surroundings) -> u8 {
    let output = Output::start();
    let form_id = match &shown {
        Shown::Form(form_id) => Some(form_id.clone()),
        Shown::Settings => None,
    };
    let mut hello = json!({"protocol": 1, "version": env!("CARGO_PKG_VERSION")});
    if let (Some(form_id), Some(hello)) = (&form_id, hello.as_object_mut()) {
        hello.insert("formId".to_owned(), json!(form_id));
    }
    output.notify("hello", hello);
    let messages = input::start();
    let client = match Client::connect(options).await {
        Ok(client) => client,
        Err(error) => {
            return close(
                &output,
                &Closed {
                    reason: Reasons::Failed,
                    message: Some(error.to_string()),
                    resolution: None,
                    signal: None,
                },
            );
        }
    };
    let surroundings = Surroundings { hosted: true, ..surroundings };
    let driver = match form_id {
        Some(form_id) => Driver::new(client, form_id, surroundings, None),
        None => Driver::for_settings(client, surroundings),
    };
    Host { driver, output, messages, size: None, pings: Vec::new() }.run().await
}

struct Host {
    driver: Driver,
    output: Output,
    messages: tokio::sync::mpsc::UnboundedReceiver<Message>,
    size: Option<(u16, u16)>,
    /// Pings that wait until everything before them has had its effect.
    pings: Vec<Value>,
}

impl Host {
    async fn run(mut self) -> u8 {
        loop {
            let message = tokio::select! {
                biased;
                message = self.messages.recv() => Some(message),
                happened = self.driver.happens() => {
                    self.driver.take(happened);
                    None
                }
            };
            match message {
                Some(None | Some(Message::End)) => {
                    // The host is gone: nobody reads what is said now.
                    self.driver.last_words().await;
                    return 0;
                }
                Some(Some(message)) => self.on_message(message),
                None => {}
            }
            // Everything that is there already belongs into the next frame.
            while let Ok(message) = self.messages.try_recv() {
                if matches!(message, Message::End) {
                    self.driver.last_words().await;
                    return 0;
                }
                self.on_message(message);
            }
            while let Some(happened) = self.driver.ready() {
                self.driver.take(happened);
            }
            self.ring();
            if let Some(closed) = self.driver.closed.clone() {
                self.driver.last_words().await;
                self.answer_pings();
                return close(&self.output, &closed);
            }
            if !self.pings.is_empty() {
                self.driver.flush();
            }
            self.draw();
            if self.driver.is_settled() {
                self.answer_pings();
            }
        }
    }

    fn on_message(&mut self, message: Message) {
        match message {
            Message::Resize(columns, rows) => {
                self.size = Some((columns, rows));
                self.driver.dirty = true;
                // Keys that follow are meant for the form, not for what came before its first picture.
                self.draw();
            }
            Message::Key(press) => {
                if self.driver.key(&press) == Some(crate::drive::ForScreen::Redraw) {
                    self.driver.dirty = true;
                }
            }
            Message::Paste(text) => self.driver.paste(&text),
            Message::Theme(colours) => self.driver.host_colours(colours),
            Message::Focus(focused) => self.driver.focus(focused),
            Message::ViewKey(key) => self.driver.view_key(key),
            Message::Abort => self.driver.abort(),
            Message::Ping(id) => self.pings.push(id),
            Message::End => {}
        }
    }

    fn draw(&mut self) {
        let Some((columns, rows)) = self.size.filter(|_| self.driver.dirty) else { return };
        if let Some((buffer, cursor)) = self.driver.draw(columns, rows) {
            self.output.frame(frame::frame(&buffer, cursor));
        }
    }

    /// The terminal is the host's: it is given what to write, and wraps it for what stands before the terminal.
    fn ring(&mut self) {
        for ring in self.driver.rings.drain(..) {
            ring.with(|signal| {
                match signal {
                    Signal::Bell => self.output.notify("bell", json!({})),
                    Signal::Sequence(sequence) => {
                        self.output.notify("terminal", json!({"sequence": sequence}));
                    }
                }
                Ok::<(), std::convert::Infallible>(())
            });
        }
    }

    fn answer_pings(&mut self) {
        for id in self.pings.drain(..) {
            self.output.send(&json!({"jsonrpc": "2.0", "id": id, "result": {}}));
        }
    }
}

fn close(output: &Output, closed: &Closed) -> u8 {
    let mut params = json!({"reason": closed.reason.name()});
    if let (Some(message), Some(params)) = (&closed.message, params.as_object_mut()) {
        params.insert("message".to_owned(), json!(message));
    }
    output.notify("closed", params);
    output.finish();
    u8::from(closed.reason == Reasons::Failed)
}
