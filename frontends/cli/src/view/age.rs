//! Times for people: how long ago, how long still. No dates, as the program knows no time zone.

use askd_wire::Millis;

/// How long ago something was, like `3 min`.
pub(crate) fn since(then: Millis, now: Millis) -> String {
    span(now.saturating_sub(then))
}

/// A span of time in its largest whole unit.
pub(crate) fn span(millis: Millis) -> String {
    let seconds = millis.max(0) / 1000;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} days", seconds / 86_400),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_use_their_largest_unit() {
        let spans = [-5, 0, 59_999, 60_000, 3_599_999, 3_600_000, 172_799_999, 172_800_000].map(span);
        assert_eq!(spans, ["0 s", "0 s", "59 s", "1 min", "59 min", "1 h", "47 h", "2 days"]);
    }
}
