//! A form worked in single steps, for frontends that show one thing at a time: portable dialogs ("choose one
//! of these", "type something") and line mode. Both work on the same [`Entered`] state.

mod dialogs;
mod entered;
mod line;
mod words;

#[cfg(test)]
mod tests;

pub use dialogs::{Dialogs, Dismissal, Reply, Step};
pub use entered::{Entered, Gap};
pub use line::{LineMode, LineOptions, Said};
pub use words::{answer_text, flat, outcome_text};
