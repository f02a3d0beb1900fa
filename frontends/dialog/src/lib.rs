//! A form shown step by step: by lines on a terminal or through a pipe ([`line`]), or as dialogs that another
//! program shows ([`host`]).

pub mod host;
pub mod line;
mod session;
mod words;

#[cfg(test)]
mod tests;
