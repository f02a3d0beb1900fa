//! Forms in a terminal: full screen, or as frames for a host (protocol §9). A key becomes an action, the action goes
//! through `askd_interact::interaction`, and what came of it is drawn.

mod app;
mod attach;
mod complete;
mod draw;
mod drive;
mod host;
mod ring;
mod screen;
mod theme;

pub use app::{App, Asked, Popup, Surroundings, ended_line};
pub use drive::{Closed, Reasons};
pub use host::{Shown, host};
pub use screen::{Terminal, is_possible, screen, settings};
pub use theme::Theme;
