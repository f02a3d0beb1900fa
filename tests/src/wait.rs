//! Waiting for a condition or a future, always with a deadline that fails the test.

use std::future::Future;
use std::time::{Duration, Instant};

/// How long anything that should happen at once may take on a machine that is busy with other tests.
pub const SOON: Duration = Duration::from_secs(20);

/// Asks `condition` again and again until it gives something.
///
/// # Panics
/// When [`SOON`] has passed.
pub fn until<T>(what: &str, mut condition: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + SOON;
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(Instant::now() < deadline, "waited {SOON:?} in vain for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Awaits a future.
///
/// # Panics
/// When [`SOON`] has passed.
pub async fn within<T>(what: &str, future: impl Future<Output = T>) -> T {
    within_time(what, SOON, future).await
}

/// Awaits a future for a time of the caller's.
///
/// # Panics
/// When `time` has passed.
pub async fn within_time<T>(what: &str, time: Duration, future: impl Future<Output = T>) -> T {
    match tokio::time::timeout(time, future).await {
        Ok(value) => value,
        Err(_) => panic!("waited {time:?} in vain for {what}"),
    }
}
