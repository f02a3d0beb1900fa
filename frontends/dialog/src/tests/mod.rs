//! Both frontends against a daemon of one form.

mod fake;
mod host;
mod line;
