//! Ids and secrets: random, short enough to be typed, compared without telling how far they agree.

use std::sync::Arc;

const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

fn random(length: usize) -> String {
    let bytes = [uuid::Uuid::new_v4(), uuid::Uuid::new_v4()].map(uuid::Uuid::into_bytes);
    // The two bytes of a UUID that are not wholly random are left out.
    let random = bytes.iter().flatten().enumerate().filter(|(at, _)| !matches!(at % 16, 6 | 8));
    random.take(length).map(|(_, byte)| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// A form's id: 80 random bits. Forms are told apart by the first few characters already.
pub(super) fn form_id() -> Arc<str> {
    random(16).into()
}

/// A form's view key: 130 random bits.
pub(super) fn view_key() -> String {
    random(26)
}

/// Whether two secrets are equal, in a time that does not depend on where they differ.
pub(super) fn same_secret(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_long_enough_and_differ() {
        let ids: std::collections::HashSet<_> = (0..1000).map(|_| form_id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 16));
        assert_eq!(view_key().len(), 26);
    }

    #[test]
    fn secrets_are_compared_whole() {
        assert!(same_secret("abc", "abc"));
        assert!(!same_secret("abc", "abd") && !same_secret("abc", "ab") && !same_secret("", "a"));
    }
}
