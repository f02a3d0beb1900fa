//! What a person is told in the form: why something did not happen, and what to do.

use std::fmt;

/// One line for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// A required question is open.
    Required {
        /// The question's label.
        label: String,
        /// Whether it takes text only.
        typed: bool,
    },
    /// Too few selections.
    UnderMin {
        /// The question's label.
        label: String,
        /// How many it needs.
        min: usize,
        /// How many there are.
        count: usize,
    },
    /// Too many selections.
    OverMax {
        /// How many it takes.
        max: usize,
    },
    /// A text is as long as it may be.
    TextLimit {
        /// Bytes.
        bytes: usize,
    },
    /// The daemon refused the response.
    Refused(String),
    /// Something else, said by the frontend.
    Said(String),
}

impl Notice {
    /// The same in at most sixteen cells or so, for very small screens.
    #[must_use]
    pub fn short(&self) -> String {
        match self {
            Self::Required { .. } => "answer required".to_owned(),
            Self::UnderMin { min, .. } => format!("at least {min}"),
            Self::OverMax { max } => format!("at most {max}"),
            Self::TextLimit { .. } => "text is full".to_owned(),
            Self::Refused(why) | Self::Said(why) => why.clone(),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required { label, typed: true } => write!(f, "{label}: an answer is required; type one."),
            Self::Required { label, typed: false } => write!(f, "{label}: an answer is required; pick one."),
            Self::UnderMin { label, min, count } => {
                write!(f, "{label}: pick at least {min}; {count} picked.")
            }
            Self::OverMax { max } => write!(f, "At most {max} can be picked; clear one first."),
            Self::TextLimit { bytes } => {
                write!(f, "The text is full: it takes {} KiB at most.", bytes / 1024)
            }
            Self::Refused(why) | Self::Said(why) => f.write_str(why),
        }
    }
}
