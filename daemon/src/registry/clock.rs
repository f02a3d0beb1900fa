//! Time as a value: the wall clock for what is written down, a steady clock for what runs out.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use askd_wire::Millis;
use rustix::time::{ClockId, clock_gettime};

/// Where the registry takes its time from.
pub trait Clock: Debug + Send + Sync + 'static {
    /// Milliseconds since the Unix epoch; may jump when the clock is set.
    fn wall(&self) -> Millis;
    /// Milliseconds since some fixed moment; never jumps, and goes on while the machine sleeps.
    fn steady(&self) -> Millis;
    /// Ends when [`Clock::steady`] has reached `at`.
    fn sleep_until(&self, at: Millis) -> Pin<Box<dyn Future<Output = ()> + Send>>;
}

/// The system's clocks.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// A timer of the runtime stands still while the machine sleeps; a long sleep is cut into pieces of this
/// length so that what ran out meanwhile is noticed soon after waking.
const LONGEST_NAP: Duration = Duration::from_secs(30);

impl Clock for SystemClock {
    fn wall(&self) -> Millis {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
    }

    fn steady(&self) -> Millis {
        steady()
    }

    fn sleep_until(&self, at: Millis) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            loop {
                let left = at.saturating_sub(steady());
                let Ok(left @ 1..) = u64::try_from(left) else { return };
                tokio::time::sleep(Duration::from_millis(left).min(LONGEST_NAP)).await;
            }
        })
    }
}

fn steady() -> Millis {
    let now = clock_gettime(ClockId::Boottime);
    now.tv_sec.saturating_mul(1000).saturating_add(now.tv_nsec / 1_000_000)
}
