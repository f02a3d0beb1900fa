//! Events told to everyone attached, in one order.

use std::sync::Arc;

use serde_json::value::RawValue;

/// One reader's stream of events.
#[derive(Debug)]
pub struct Subscription {}

impl Subscription {
    /// The next event as JSON, ready to be sent; none after the daemon's end.
    pub async fn next(&mut self) -> Option<Arc<RawValue>> {
        None
    }
}
