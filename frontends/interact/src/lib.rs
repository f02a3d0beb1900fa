//! A person working on a form: the same rules for every frontend. No terminal and no wire in here.

pub mod interaction;
pub mod settings;
pub mod steps;
