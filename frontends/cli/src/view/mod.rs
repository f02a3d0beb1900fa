//! How things are written for people: aligned, one line where one line is meant, agent text made harmless.

pub(crate) mod age;
pub(crate) mod event;
pub(crate) mod form;
pub(crate) mod list;
pub(crate) mod table;
pub(crate) mod who;
