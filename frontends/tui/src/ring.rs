//! Ringing the terminal for the daemon: what is written for which channel, and that nothing a form says can end up
//! as another sequence (protocol §6).

use askd_form::safe_text;
use tokio::sync::oneshot;

const BELL: &str = "\x07";

/// What makes a terminal tell its person something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Signal {
    /// Its bell.
    Bell,
    /// A notification, as the terminal itself understands it.
    Sequence(String),
}

impl Signal {
    /// The signal of a channel; none for a channel that is no terminal's.
    fn new(channel: &str, title: &str, message: &str) -> Option<Self> {
        let (title, message) = (field(title), field(message));
        match channel {
            "bell" => Some(Self::Bell),
            "osc9" => Some(Self::Sequence(format!("\x1b]9;{title}: {message}{BELL}"))),
            "osc777" => Some(Self::Sequence(format!("\x1b]777;notify;{title};{message}{BELL}"))),
            _ => None,
        }
    }

    /// The bytes for a terminal of our own. tmux hands a notification on only when it is wrapped, with every escape
    /// doubled; the bell it has to see itself, to mark the window.
    pub(crate) fn bytes(&self, in_tmux: bool) -> String {
        match self {
            Self::Bell => BELL.to_owned(),
            Self::Sequence(sequence) if in_tmux => {
                format!("\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
            }
            Self::Sequence(sequence) => sequence.clone(),
        }
    }
}

/// One field of a sequence: a line without anything that ends it. Terminals split at semicolons wherever they stand,
/// and some take `9;4;…` for progress.
fn field(text: &str) -> String {
    let line = safe_text::line(text);
    line.chars().filter(|c| !c.is_control()).map(|c| if c == ';' { ',' } else { c }).collect()
}

/// The daemon's wish that this frontend ring, to be answered once.
#[derive(Debug)]
pub(crate) struct Ring {
    channel: String,
    title: String,
    message: String,
    rung: oneshot::Sender<Result<(), String>>,
}

impl Ring {
    /// A wish, and what comes of it: an error when it is dropped unanswered.
    pub(crate) fn new(
        channel: String,
        title: String,
        message: String,
    ) -> (Self, oneshot::Receiver<Result<(), String>>) {
        let (rung, answer) = oneshot::channel();
        (Self { channel, title, message, rung }, answer)
    }

    /// Rings by whatever means the screen has.
    pub(crate) fn with<E: std::fmt::Display>(self, write: impl FnOnce(&Signal) -> Result<(), E>) {
        let result = match Signal::new(&self.channel, &self.title, &self.message) {
            Some(signal) => {
                write(&signal).map_err(|error| format!("the terminal could not be written: {error}"))
            }
            None => Err("this frontend does not know the channel; use bell, osc9 or osc777".to_owned()),
        };
        // Who asked may have given up.
        let _ = self.rung.send(result);
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn bytes(channel: &str, title: &str, message: &str, in_tmux: bool) -> String {
        Signal::new(channel, title, message).unwrap().bytes(in_tmux)
    }

    #[test]
    fn each_channel_has_its_bytes() {
        assert_eq!(bytes("bell", "askd", "Pick", false), "\x07");
        assert_eq!(bytes("osc9", "askd", "Pick", false), "\x1b]9;askd: Pick\x07");
        assert_eq!(bytes("osc777", "askd", "Pick", false), "\x1b]777;notify;askd;Pick\x07");
        for unknown in ["desktop", "command", "osc99", ""] {
            assert_eq!(Signal::new(unknown, "askd", "Pick"), None);
        }
    }

    #[test]
    fn tmux_hands_on_what_is_wrapped_and_hears_the_bell_itself() {
        assert_eq!(bytes("bell", "askd", "Pick", true), "\x07");
        assert_eq!(bytes("osc9", "askd", "Pick", true), "\x1bPtmux;\x1b\x1b]9;askd: Pick\x07\x1b\\");
        assert_eq!(
            bytes("osc777", "askd", "Pick", true),
            "\x1bPtmux;\x1b\x1b]777;notify;askd;Pick\x07\x1b\\"
        );
    }

    #[test]
    fn no_text_ends_the_sequence_or_makes_another() {
        let hostile =
            ["a\x07\x1b]52;c;eA==\x07", "\x1b\\\x1b[2J", "\u{9c}\u{9b}31m", "one\ntwo\r\x00", "4;1;50"];
        for text in hostile {
            for channel in ["osc9", "osc777"] {
                let sequence = bytes(channel, text, text, false);
                let (start, fields) = match channel {
                    "osc9" => ("\x1b]9;", 1),
                    _ => ("\x1b]777;notify;", 2),
                };
                let inner = sequence.strip_prefix(start).and_then(|rest| rest.strip_suffix('\x07')).unwrap();
                assert!(!inner.chars().any(char::is_control), "{sequence:?}");
                assert_eq!(inner.split(';').count(), fields, "{sequence:?}");
            }
        }
        assert_eq!(bytes("osc9", "askd", "Größe 空; ja", false), "\x1b]9;askd: Größe 空, ja\x07");
    }

    #[test]
    fn what_came_of_it_is_told_once() {
        let ring = |channel: &str| Ring::new(channel.to_owned(), "askd".to_owned(), "Pick".to_owned());
        let (wish, mut answer) = ring("bell");
        wish.with(|signal| {
            assert_eq!(*signal, Signal::Bell);
            Ok::<(), Infallible>(())
        });
        assert_eq!(answer.try_recv(), Ok(Ok(())));
        let (wish, mut answer) = ring("osc9");
        wish.with(|_| Err("broken pipe"));
        assert!(answer.try_recv().unwrap().unwrap_err().contains("broken pipe"));
        let (wish, mut answer) = ring("pigeon");
        wish.with(|_| -> Result<(), Infallible> { panic!("nothing is written") });
        assert!(answer.try_recv().unwrap().is_err());
        let (wish, answer) = ring("bell");
        drop(wish);
        assert!(answer.blocking_recv().is_err());
    }
}
