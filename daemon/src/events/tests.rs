//! The ring alone: its order, its bounds, what a reader finds.

use std::sync::Arc;

use askd_wire::event::SubscribeParams;
use serde_json::value::RawValue;

use super::{Entry, Filter, Next, Ring};

fn entry(seq: u64, kind: &'static str, form_id: Option<&str>, size: usize) -> Entry {
    let json = RawValue::from_string(format!("\"{}\"", "x".repeat(size))).unwrap();
    Entry { seq, kind, form_id: form_id.map(Arc::from), to: None, json: json.into() }
}

fn read_all(ring: &Ring, mut position: u64) -> Vec<(u64, &'static str)> {
    let mut found = Vec::new();
    while let Next::Event(entry, after) = ring.read(position) {
        found.push((entry.seq, entry.kind));
        position = after;
    }
    found
}

#[test]
fn hints_and_durable_events_keep_one_order() {
    let mut ring = Ring::with_limits(10, 10_000, 10_000);
    ring.push_hint(entry(10, "left", None, 1));
    ring.push_durable(entry(11, "started", None, 1));
    ring.push_hint(entry(11, "viewing", None, 1));
    ring.push_durable(entry(12, "completed", None, 1));
    assert_eq!(read_all(&ring, 0), [(10, "left"), (11, "started"), (11, "viewing"), (12, "completed")]);
    assert_eq!(read_all(&ring, 2), [(11, "viewing"), (12, "completed")]);
    assert!(matches!(ring.read(4), Next::Nothing));
}

#[test]
fn each_kind_is_bounded_in_bytes_by_itself() {
    let mut ring = Ring::with_limits(0, 3000, 3000);
    ring.push_durable(entry(1, "started", None, 100));
    for _ in 0..1000 {
        ring.push_hint(entry(1, "draft", None, 100));
    }
    let found = read_all(&ring, 0);
    assert_eq!(found[0], (1, "started"), "hints push out no durable event");
    assert!(found.len() > 5 && found.len() < 20, "{}", found.len());
    for seq in 2..50 {
        ring.push_durable(entry(seq, "started", None, 100));
    }
    assert!(matches!(ring.read(0), Next::Lost));
    assert!(ring.place_after(1).is_none());
    let place = ring.place_after(45).unwrap();
    assert_eq!(read_all(&ring, place).len(), 4);
    assert_eq!(ring.place_after(49), Some(1049), "nothing is left to read");
    assert!(ring.place_after(50).is_none(), "nobody has seen what is to come");
    ring.push_durable(entry(50, "started", None, 100_000));
    assert_eq!(read_all(&ring, ring.place_after(49).unwrap()), [(50, "started")], "one is always held");
}

#[test]
fn a_filter_lets_through_what_was_asked_for_and_what_always_comes() {
    let filter = |kinds: Option<&[&str]>, forms: Option<&[&str]>| {
        let list = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect();
        let params =
            SubscribeParams { kinds: kinds.map(list), forms: forms.map(list), ..SubscribeParams::default() };
        Filter::new("me", &params)
    };
    let started = |form: &str| entry(1, "started", Some(form), 1);
    assert!(filter(None, None).passes(&started("f")));
    assert!(!filter(Some(&["completed"]), None).passes(&started("f")));
    assert!(filter(None, Some(&["f"])).passes(&started("f")));
    assert!(!filter(None, Some(&["f"])).passes(&started("g")));
    assert!(filter(None, Some(&["f"])).passes(&entry(1, "settings-changed", None, 1)));
    for kind in ["snapshot", "lagged", "shutting-down"] {
        assert!(filter(Some(&[]), Some(&[])).passes(&entry(1, kind, None, 1)));
    }
    let to = |connection: &str| Entry { to: Some(connection.into()), ..entry(1, "notify", Some("f"), 1) };
    assert!(filter(None, None).passes(&to("me")) && !filter(None, None).passes(&to("you")));
}
