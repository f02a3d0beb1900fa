//! The contract's case file of settings files, each read as it stands.

use serde_json::Value;

use super::{Fixture, fs};
use crate::config::shape::to_object;

#[test]
fn every_file_is_understood_as_the_contract_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/ask-config.json");
    let cases: Vec<Value> = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert!(cases.len() > 15);
    for case in cases {
        let name = format!("{} {}", case["id"], case["rule"]);
        let fixture = Fixture::with(&case["file"]);
        let described = fixture.open().describe();
        let got = Value::Object(to_object(&described.settings));
        assert_eq!(!described.notices.is_empty(), case["expect"]["notice"].as_bool().unwrap(), "{name}");
        for (section, expected) in case["expect"]["config"].as_object().unwrap() {
            for (key, value) in
                expected.as_object().unwrap().iter().filter(|(_, value)| *value != "<default>")
            {
                assert_eq!(&got[section][key], value, "{name}: {section}.{key}");
            }
        }
        assert_eq!(fixture.json(), case["file"], "{name}");
    }
}
