//! A form shown step by step: by lines on a terminal or through a pipe ([`mod@line`]), as dialogs that another
//! program shows ([`host`]), or in windows of the desktop's dialog program ([`windows`]).

mod dialogs;
mod ending;
pub mod host;
pub mod line;
mod session;
pub mod windows;
mod words;

#[cfg(test)]
mod tests;
