//! Where in a payload something stands: the path of an issue and the name its message uses.

use std::collections::HashMap;

/// A place in the payload, with its path and with the name that messages use.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) path: String,
    pub(super) name: String,
}

impl Place {
    pub(super) fn form() -> Self {
        Self { path: String::new(), name: "The form".to_owned() }
    }

    pub(super) fn question(index: usize) -> Self {
        Self { path: format!("questions[{index}]"), name: format!("Question {}", index + 1) }
    }

    pub(super) fn option(&self, index: usize) -> Self {
        Self {
            path: format!("{}.options[{index}]", self.path),
            name: format!("{}, option {}", self.name, index + 1),
        }
    }

    pub(super) fn field(&self, field: &str) -> String {
        if self.path.is_empty() { field.to_owned() } else { format!("{}.{field}", self.path) }
    }
}

/// Values that must differ from each other, and where each was first met.
#[derive(Debug, Default)]
pub(super) struct Unique(HashMap<String, usize>);

impl Unique {
    /// The earlier index with the same value; without one the value is remembered.
    pub(super) fn first(&mut self, value: &str, index: usize) -> Option<usize> {
        let first = self.0.get(value).copied();
        if first.is_none() {
            self.0.insert(value.to_owned(), index);
        }
        first
    }
}
