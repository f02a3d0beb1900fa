//! Which value is in force: defaults, then the file, then the environment, then flags; the last that names a key
//! decides.

use askd_wire::settings::{Keymaps, SettingSource, Settings, default_keymaps};
use figment::providers::Serialized;
use figment::value::Dict;
use figment::{Error, Figment, Metadata, Profile, Provider};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::keymaps::{self, KeymapFault};
use super::{channels, shape};

const KEYMAPS: &str = "keymaps";

/// Below these nobody could reach the daemon to raise them again.
const LOWEST: [(&str, u64); 3] =
    [("limits.messageBytes", 1024), ("limits.connections", 1), ("limits.calls", 1)];

/// Values from one place, in the present shape.
#[derive(Debug, Clone)]
pub(super) struct Layer {
    /// The place, for messages.
    pub(super) name: String,
    pub(super) source: SettingSource,
    pub(super) values: Map<String, Value>,
}

/// A value that does not fit its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueFault {
    /// Dotted.
    pub(super) key: String,
    pub(super) message: String,
}

/// What all layers together come to.
#[derive(Debug, Clone, Default)]
pub(super) struct Layered {
    pub(super) settings: Settings,
    pub(super) sources: IndexMap<String, SettingSource>,
    /// Why the default keymaps are in force, when they are for a fault.
    pub(super) keymap_fault: Option<KeymapFault>,
}

/// The layer as figment asks for it; it carries the name into figment's errors.
struct Named<'a>(&'a Layer, Map<String, Value>);

impl Provider for Named<'_> {
    fn metadata(&self) -> Metadata {
        Metadata::named(self.0.name.clone())
    }

    fn data(&self) -> Result<figment::value::Map<Profile, Dict>, Error> {
        Serialized::defaults(&self.1).data()
    }
}

/// Lays the layers over the defaults, in this order.
///
/// # Errors
/// The first value that does not fit its key. Faults of keymaps are none: the default ones are in force then.
pub(super) fn in_force(layers: &[Layer]) -> Result<Layered, ValueFault> {
    let mut figment = Figment::from(Serialized::defaults(Settings::default()));
    let mut given = Value::Null;
    for layer in layers {
        let mut values = layer.values.clone();
        merge(&mut given, values.shift_remove(KEYMAPS).unwrap_or(Value::Null));
        check_shape(&values)?;
        figment = figment.merge(Named(layer, values));
    }
    let mut settings: Settings = figment
        .extract()
        .map_err(|error| ValueFault { key: error.path.join("."), message: error.kind.to_string() })?;
    let (keymaps, keymap_fault) = match keymaps::read(&given) {
        Ok(keymaps) => (keymaps, None),
        Err(fault) => (default_keymaps(), Some(fault)),
    };
    settings.keymaps = keymaps;
    let sources = sources(layers, keymap_fault.is_some(), &settings.keymaps);
    Ok(Layered { settings, sources, keymap_fault })
}

/// A list would be read as a section by position, and so could name programs where only names are looked at.
fn check_shape(values: &Map<String, Value>) -> Result<(), ValueFault> {
    let fault = |key: String, message: String| Err(ValueFault { key, message });
    for (key, section) in shape::known() {
        match values.get(key) {
            None | Some(Value::Object(_) | Value::Null) => {}
            Some(_) if section.is_object() => {
                return fault(key.clone(), "expected an object with settings".to_owned());
            }
            Some(_) => {}
        }
    }
    if let Some(at) = channels::misshapen(values) {
        let message = "expected a channel's name, or an object for a command".to_owned();
        return fault(format!("{}.{at}", channels::KEY), message);
    }
    for (key, lowest) in LOWEST {
        if shape::lookup(values, key).and_then(Value::as_u64).is_some_and(|given| given < lowest) {
            return fault(key.to_owned(), format!("expected at least {lowest}"));
        }
    }
    Ok(())
}

/// Keymaps are laid over each other action by action; what is no object replaces what is there.
fn merge(below: &mut Value, above: Value) {
    match (below, above) {
        (_, Value::Null) => {}
        (Value::Object(below), Value::Object(above)) => {
            for (key, value) in above {
                merge(below.entry(key).or_insert(Value::Null), value);
            }
        }
        (below, above) => *below = above,
    }
}

fn sources(layers: &[Layer], default_keymaps: bool, keymaps: &Keymaps) -> IndexMap<String, SettingSource> {
    let source = |key: &str| {
        if default_keymaps && key.starts_with("keymaps.") {
            return SettingSource::Default;
        }
        let mut newest_first = layers.iter().rev();
        let named =
            newest_first.find(|layer| shape::lookup(&layer.values, key).is_some_and(|v| !v.is_null()));
        named.map_or(SettingSource::Default, |layer| layer.source)
    };
    let own = keymaps.iter().flat_map(|(context, actions)| {
        actions.keys().map(move |action| format!("{KEYMAPS}.{context}.{action}"))
    });
    let known = shape::keys();
    let more: Vec<String> = own.filter(|key| !known.contains(key)).collect();
    known.into_iter().chain(more).map(|key| (key.clone(), source(&key))).collect()
}
