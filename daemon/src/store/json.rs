//! Equality of JSON values: order of fields and spelling of numbers do not count.

use serde_json::{Number, Value};

/// Whether two payloads are the same as JSON values (protocol §3, Key).
#[must_use]
pub fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => equal_numbers(a, b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(a, b)))
        }
        _ => a == b,
    }
}

fn equal_numbers(a: &Number, b: &Number) -> bool {
    if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64()) {
        return a == b;
    }
    if let (Some(a), Some(b)) = (a.as_u64(), b.as_u64()) {
        return a == b;
    }
    a.as_f64() == b.as_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn order_and_spelling_do_not_count() {
        assert!(equal(&json!({"a":1,"b":[1.0,{"c":null}]}), &json!({"b":[1,{"c":null}],"a":1.0})));
        assert!(!equal(&json!([1, 2]), &json!([2, 1])));
        assert!(!equal(&json!({"a":1}), &json!({"a":1,"b":null})));
        assert!(!equal(&json!("1"), &json!(1)));
        assert!(!equal(&json!(9_007_199_254_740_993_i64), &json!(9_007_199_254_740_992_i64)));
    }
}
