//! What is wrong with a settings file, as a word for programs and a reason for the person.

use std::fmt;

/// What is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    Unreadable,
    Invalid,
    Newer,
}

impl FaultKind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "settingsUnreadable",
            Self::Invalid => "settingsInvalid",
            Self::Newer => "settingsNewer",
        }
    }
}

/// A fault of the whole file: why it is not used, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: FaultKind,
    why: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, why: impl Into<String>) -> Self {
        Self { kind, why: why.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}
