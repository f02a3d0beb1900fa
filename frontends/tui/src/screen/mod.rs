//! The form on a whole terminal: alternate screen, keys in, rows out; nothing happens while nothing changes.

mod keys;
mod paint;
mod terminal;

use std::io;

use askd_client::Client;
use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use rustix::process::Signal;
use tokio::signal::unix::{self, SignalKind, signal};

use crate::app::Surroundings;
use crate::drive::{Closed, Driver, ForScreen, Reasons};
use paint::Painter;

pub use terminal::{Terminal, is_possible};

/// Shows a form until it ends, the person leaves it, or the program is told to stop. Gives the terminal back in every
/// case, and then says on it in one line what the person did not do here.
///
/// # Errors
/// The terminal cannot be opened or written.
pub async fn screen(client: Client, form_id: String, surroundings: Surroundings) -> io::Result<Closed> {
    on_screen(Driver::new(client, form_id, surroundings, None)).await
}

/// Shows the settings until the person closes them.
///
/// # Errors
/// The terminal cannot be opened or written.
pub async fn settings(client: Client, surroundings: Surroundings) -> io::Result<Closed> {
    on_screen(Driver::for_settings(client, surroundings)).await
}

async fn on_screen(driver: Driver) -> io::Result<Closed> {
    let terminal = Terminal::open()?;
    let mut screen = Screen { driver, terminal, painter: Painter::default(), signals: Signals::listen()? };
    let closed = screen.run().await;
    // The draft goes out while the screen still stands, so that nothing blinks.
    screen.driver.last_words().await;
    screen.terminal.leave();
    let closed = closed?;
    if let Some(line) = closed.message.as_ref().filter(|_| is_news(closed.reason)) {
        screen.terminal.say(line);
    }
    Ok(closed)
}

/// Whether the person has to be told how the form ended: what they did themselves they know.
fn is_news(reason: Reasons) -> bool {
    !matches!(reason, Reasons::Submitted | Reasons::Elaborated | Reasons::Cancelled | Reasons::Done)
}

struct Screen {
    driver: Driver,
    terminal: Terminal,
    painter: Painter,
    signals: Signals,
}

impl Screen {
    async fn run(&mut self) -> io::Result<Closed> {
        let mut events = EventStream::new();
        loop {
            let event = tokio::select! {
                biased;
                event = events.next() => match event {
                    Some(Ok(event)) => Some(event),
                    // The terminal is gone, or nobody is at it any more.
                    Some(Err(_)) | None => return Ok(left(Signal::HUP.as_raw())),
                },
                happened = self.driver.happens() => {
                    self.driver.take(happened);
                    None
                }
                told = self.signals.next() => match told {
                    Told::Stop(signal) => return Ok(left(signal)),
                    Told::Continue => {
                        self.terminal.enter()?;
                        self.anew();
                        None
                    }
                },
            };
            let mut wish = event.and_then(|event| self.on_event(event));
            while let Some(happened) = self.driver.ready() {
                self.driver.take(happened);
            }
            self.ring();
            if let Some(closed) = self.driver.closed.clone() {
                return Ok(closed);
            }
            match wish.take() {
                Some(ForScreen::Suspend) => {
                    drop(events);
                    self.suspend()?;
                    events = EventStream::new();
                }
                Some(ForScreen::Redraw) => self.anew(),
                None => {}
            }
            self.draw()?;
        }
    }

    fn on_event(&mut self, event: Event) -> Option<ForScreen> {
        match event {
            Event::Key(key) => keys::press(&key).and_then(|press| self.driver.key(&press)),
            Event::Paste(text) => {
                self.driver.paste(&text);
                None
            }
            Event::Resize(_, _) => Some(ForScreen::Redraw),
            Event::FocusGained => {
                self.driver.focus(true);
                None
            }
            Event::FocusLost => {
                self.driver.focus(false);
                None
            }
            Event::Mouse(_) => None,
        }
    }

    fn ring(&mut self) {
        let in_tmux = self.driver.in_tmux();
        for ring in self.driver.rings.drain(..) {
            ring.with(|signal| self.terminal.write(&signal.bytes(in_tmux)));
        }
    }

    fn anew(&mut self) {
        self.painter.forget();
        self.driver.dirty = true;
    }

    fn draw(&mut self) -> io::Result<()> {
        if !self.driver.dirty {
            return Ok(());
        }
        let (columns, rows) = self.terminal.size();
        if let Some((buffer, cursor)) = self.driver.draw(columns, rows) {
            let bytes = self.painter.paint(&buffer, cursor);
            self.terminal.write(&bytes)?;
        }
        Ok(())
    }

    /// Gives the terminal back to the shell's job control until it says to go on.
    fn suspend(&mut self) -> io::Result<()> {
        self.driver.flush();
        self.terminal.leave();
        rustix::process::kill_process(rustix::process::getpid(), Signal::TSTP)?;
        self.terminal.enter()?;
        self.anew();
        Ok(())
    }
}

fn left(signal: i32) -> Closed {
    Closed { reason: Reasons::Minimised, message: None, resolution: None, signal: Some(signal) }
}

enum Told {
    Stop(i32),
    Continue,
}

struct Signals {
    terminate: unix::Signal,
    hangup: unix::Signal,
    interrupt: unix::Signal,
    go_on: unix::Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            go_on: signal(SignalKind::from_raw(Signal::CONT.as_raw()))?,
        })
    }

    async fn next(&mut self) -> Told {
        tokio::select! {
            _ = self.terminate.recv() => Told::Stop(Signal::TERM.as_raw()),
            _ = self.hangup.recv() => Told::Stop(Signal::HUP.as_raw()),
            _ = self.interrupt.recv() => Told::Stop(Signal::INT.as_raw()),
            _ = self.go_on.recv() => Told::Continue,
        }
    }
}
