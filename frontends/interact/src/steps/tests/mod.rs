//! Tests of both flavours, with forms written as the contracts' parameters.

use askd_form::{Contract, Form, ParseOptions, parse};
use serde_json::Value;

mod dialogs;
mod line;
mod random;

pub(super) fn form(contract: Contract, params: &Value) -> Form {
    let options = ParseOptions { freeform: true, ..ParseOptions::default() };
    parse(contract, params, &options).unwrap_or_else(|issues| panic!("{issues:?}")).form
}
