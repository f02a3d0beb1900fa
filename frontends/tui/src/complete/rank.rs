//! Which names fit best what was typed.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The best names, at most `most`; shorter names come first among equals. Without a query the names nearest to the
/// root.
pub(super) fn best(names: &[String], query: &str, most: usize) -> Vec<String> {
    if query.is_empty() {
        let mut near: Vec<&String> = names.iter().collect();
        near.sort_by_key(|name| name.trim_end_matches('/').matches('/').count());
        return near.into_iter().take(most).cloned().collect();
    }
    let pattern = Pattern::parse(query, CaseMatching::Smart, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT.match_paths());
    let mut buffer = Vec::new();
    let mut scored: Vec<(u32, &String)> = names
        .iter()
        .filter_map(|name| Some((pattern.score(Utf32Str::new(name, &mut buffer), &mut matcher)?, name)))
        .collect();
    let order =
        |a: &(u32, &String), b: &(u32, &String)| b.0.cmp(&a.0).then_with(|| a.1.len().cmp(&b.1.len()));
    if scored.len() > most {
        scored.select_nth_unstable_by(most, order);
        scored.truncate(most);
    }
    scored.sort_by(order);
    scored.into_iter().map(|(_, name)| name.clone()).collect()
}
