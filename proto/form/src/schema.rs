//! One place that says how a wire type also becomes a JSON Schema and a TypeScript declaration.

/// Adds the schema and TypeScript derives, behind their features, to a type.
#[doc(hidden)]
#[macro_export]
macro_rules! derive_schema {
    ($item:item) => {
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
        $item
    };
}
