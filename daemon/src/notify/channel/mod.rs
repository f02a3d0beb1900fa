//! The ways a person is told. Each takes a text and says what came of it; none knows of the others.

pub(super) mod command;
pub(super) mod desktop;
pub(super) mod terminal;
