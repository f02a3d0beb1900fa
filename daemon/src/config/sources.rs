//! Where each setting's value comes from.

use askd_wire::settings::SettingSource;
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::shape;

/// The source of every setting, given the file's values.
pub(super) fn of(file: Option<&Map<String, Value>>) -> IndexMap<String, SettingSource> {
    let source = |key: &str| match file.and_then(|values| shape::lookup(values, key)) {
        Some(_) => SettingSource::File,
        None => SettingSource::Default,
    };
    shape::keys().into_iter().map(|key| (key.clone(), source(&key))).collect()
}
