//! Randomness that a failed run can repeat: a seed that is printed, or taken from `ASKD_TEST_SEED`.

use std::time::{SystemTime, UNIX_EPOCH};

/// A small seeded generator (splitmix64).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Takes the seed from `ASKD_TEST_SEED`, else from the clock, and prints it.
    #[must_use]
    pub fn new() -> Self {
        let seed = match std::env::var("ASKD_TEST_SEED") {
            Ok(text) => text.parse().expect("ASKD_TEST_SEED is a whole number"),
            Err(_) => {
                u64::from(SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").subsec_nanos())
            }
        };
        println!("seed {seed} (set ASKD_TEST_SEED={seed} to repeat this run)");
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.number() % end
    }

    /// Puts a list in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            let j = usize::try_from(self.below(i as u64 + 1)).expect("an index");
            items.swap(i, j);
        }
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}
