//! The files under `docs/` that are made from the types of `askd-wire`: JSON Schema, TypeScript
//! declarations and the tables of `docs/protocol.md` and `docs/configuration.md`.

mod configuration;

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use askd_wire::method::{visit_schemas, visit_typescript, visit_typescript_types};
use askd_wire::{ErrorKind, METHODS, PROTOCOL, Role};
use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use ts_rs::{Config, TS, TypeVisitor};

/// How to make the files again, for the message of a failed comparison and for their first lines.
pub const COMMAND: &str = "cargo run -p askd-tests --bin generate";

/// The repository's root.
#[must_use]
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("the tests stand in the workspace").to_owned()
}

/// Every generated file with its text, by path from the repository's root.
///
/// # Panics
/// When a page lacks the marks that its tables stand between.
#[must_use]
pub fn all() -> BTreeMap<&'static str, String> {
    let schema = schema();
    let protocol = fs::read_to_string(root().join("docs/protocol.md")).expect("docs/protocol.md");
    let protocol =
        [("methods", methods_table()), ("events", events_table(&schema)), ("errors", errors_table(&schema))]
            .into_iter()
            .fold(protocol, |text, (name, table)| with_table(&text, "docs/protocol.md", name, &table));
    let settings = fs::read_to_string(root().join("docs/configuration.md")).expect("docs/configuration.md");
    let settings =
        [("settings", configuration::settings_tables()), ("keymaps", configuration::keymaps_table())]
            .into_iter()
            .fold(settings, |text, (name, table)| with_table(&text, "docs/configuration.md", name, &table));
    let schema = serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n";
    BTreeMap::from([
        ("docs/schema/askd.schema.json", schema),
        ("docs/schema/askd.d.ts", typescript()),
        // Published without the rest of the repository, so it has a copy of its own.
        ("frontends/pi/src/askd.d.ts", typescript()),
        ("docs/protocol.md", protocol),
        ("docs/configuration.md", settings),
    ])
}

/// The JSON Schema of every method's params and result, of events, responses and error kinds.
fn schema() -> Value {
    let mut generator = SchemaGenerator::new(SchemaSettings::draft2020_12());
    let mut methods = Map::new();
    let mut add = |name: &'static str, params: schemars::Schema, result: schemars::Schema| {
        let info = METHODS.iter().find(|m| m.name == name).expect("every schema belongs to a method");
        let entry = json!({
            "description": info.doc.trim(), "roles": info.roles, "connection": info.connection,
            "params": params, "result": result,
        });
        methods.insert(name.to_owned(), entry);
    };
    visit_schemas(&mut add, &mut generator);
    generator.subschema_for::<askd_form::Response>();
    generator.subschema_for::<ErrorKind>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("askd protocol, version {PROTOCOL}"),
        "description": format!("Made from the types of askd-wire by `{COMMAND}`; do not edit."),
        "methods": methods,
        "$defs": generator.take_definitions(true),
    })
}

struct Declarations<'a> {
    config: &'a Config,
    seen: HashSet<TypeId>,
    text: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations<'_> {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        if !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        // Only a type with a file of its own in ts-rs's eyes has a declaration; the others are spelt in place.
        if T::output_path().is_some() {
            let docs = T::docs().unwrap_or_default();
            let declaration = format!("{docs}export {}\n", T::decl(self.config));
            self.text.insert(T::ident(self.config), declaration);
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// TypeScript declarations of the same types, and a map from method names to params and results.
fn typescript() -> String {
    let config = Config::new();
    let mut found = Declarations { config: &config, seen: HashSet::new(), text: BTreeMap::new() };
    visit_typescript_types(&mut found);
    found.visit::<askd_form::Response>();
    found.visit::<ErrorKind>();
    let mut methods = String::new();
    let mut add = |name: &'static str, params: String, result: String| {
        let doc = METHODS.iter().find(|m| m.name == name).map_or("", |m| m.doc.trim());
        methods += &format!("  /** {doc} */\n  \"{name}\": {{ params: {params}; result: {result} }};\n");
    };
    visit_typescript(&mut add, &config);
    let declarations: String = found.text.into_values().map(|text| laid_out(&text) + "\n").collect();
    format!(
        "// askd protocol, version {PROTOCOL}. Made from the types of askd-wire by `{COMMAND}`; do not edit.\n\n\
         /** Every method with what it takes and gives. */\nexport interface Methods {{\n{methods}}}\n\n{}",
        declarations.trim_end().to_owned() + "\n"
    )
}

/// The same declaration with comments of one line, indented by depth and without white space at line ends.
fn laid_out(declaration: &str) -> String {
    let mut text = String::new();
    let mut depth = 0_usize;
    let declaration = [
        ("/**\n * ", "/** "),
        ("\n */", " */"),
        (", };", ",\n};"),
        (", } | {", ",\n} | {"),
        (", });", ",\n});"),
    ]
    .into_iter()
    .fold(declaration.to_owned(), |text, (from, to)| text.replace(from, to));
    for line in declaration.lines().map(str::trim) {
        let comment = line.starts_with("/**") || line.starts_with('*');
        let (opened, closed) =
            if comment { (0, 0) } else { (line.matches('{').count(), line.matches('}').count()) };
        let indent = if line.starts_with('}') { depth.saturating_sub(1) } else { depth };
        text += &format!("{}{line}\n", "  ".repeat(indent));
        depth = (depth + opened).saturating_sub(closed);
    }
    text
}

fn methods_table() -> String {
    let mut table =
        "| method | agent | frontend | bridge | by HTTP POST | does |\n|---|---|---|---|---|---|\n"
            .to_owned();
    for method in METHODS {
        let may = |role: Role| if method.roles.contains(&role) { "✓" } else { "" };
        table += &format!(
            "| `{}` | {} | {} | {} | {} | {} |\n",
            method.name,
            may(Role::Agent),
            may(Role::Frontend),
            may(Role::Bridge),
            if method.connection { "" } else { "✓" },
            method.doc.trim()
        );
    }
    table
}

fn events_table(schema: &Value) -> String {
    let mut table = "| kind | what happened |\n|---|---|\n".to_owned();
    // The event's kinds are flattened into it, so its schema lists them as alternatives.
    let event = &schema["$defs"]["Event"];
    for variant in event["oneOf"].as_array().expect("the kinds of an event") {
        let kind = variant["properties"]["kind"]["const"].as_str().expect("a kind");
        table += &format!("| `{kind}` | {} |\n", described(variant));
    }
    table
}

fn errors_table(schema: &Value) -> String {
    let mut table = "| code | kind | meaning |\n|---|---|---|\n".to_owned();
    let variants = schema["$defs"]["ErrorKind"]["oneOf"].as_array().expect("the kinds of errors");
    for kind in ErrorKind::ALL {
        let variant = variants.iter().find(|v| v["const"] == kind.name()).expect("a schema of the kind");
        table += &format!("| {} | `{}` | {} |\n", kind.code(), kind.name(), described(variant));
    }
    table
}

fn described(schema: &Value) -> String {
    schema["description"].as_str().unwrap_or_default().trim().replace('\n', " ")
}

fn with_table(text: &str, page: &str, name: &str, table: &str) -> String {
    let start = format!("<!-- generated: {name} -->\n");
    let end = format!("<!-- end: {name} -->");
    let (before, rest) = text.split_once(&start).unwrap_or_else(|| panic!("{page} lacks {start}"));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{page} lacks {end}"));
    format!("{before}{start}\n{table}\n{end}{after}")
}
