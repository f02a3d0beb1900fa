//! Lists of measured times and their percentiles.

use std::time::Duration;

/// Measured times.
#[derive(Debug, Default)]
pub(crate) struct Times(Vec<Duration>);

impl Times {
    pub(crate) fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time below which `percent` of all are.
    pub(crate) fn percentile(&mut self, percent: usize) -> Duration {
        assert!(!self.0.is_empty(), "nothing was measured");
        self.0.sort_unstable();
        self.0[(self.0.len() - 1) * percent / 100]
    }
}

/// Microseconds with one decimal.
pub(crate) fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e7).round() / 10.0
}

/// Milliseconds with two decimals.
pub(crate) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}
