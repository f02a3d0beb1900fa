//! Every frontend of this crate against a daemon of one form.

mod fake;
mod host;
mod line;
mod windows;
