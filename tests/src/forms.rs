//! The small forms that tests ask, and calls made around them again and again.

use serde_json::{Value, json};

use crate::Client;

/// One single choice with two options.
#[must_use]
pub fn single() -> Value {
    json!({"questions": [{
        "id": "db", "label": "Database", "prompt": "Which database?",
        "options": [{"value": "pg", "label": "Postgres"}, {"value": "lite", "label": "SQLite"}],
    }]})
}

/// A single choice and a multiple choice.
#[must_use]
pub fn double() -> Value {
    json!({"title": "Plan", "questions": [
        single()["questions"][0],
        {"id": "os", "label": "Systems", "prompt": "Which systems?", "type": "multi",
         "options": [{"value": "linux", "label": "Linux"}, {"value": "mac", "label": "macOS"}]},
    ]})
}

/// One questionnaire with a single choice.
#[must_use]
pub fn questionnaire() -> Value {
    json!({"questions": [{"id": "a", "question": "Which?", "options": [{"label": "Core"}, {"label": "CLI"}]}]})
}

/// The response that picks one option of [`single`].
#[must_use]
pub fn pick(value: &str) -> Value {
    json!({"kind": "answer", "answers": {"db": {"values": [value]}}})
}

impl Client {
    /// Creates a form of the ask contract and gives its id.
    pub async fn create(&self, params: Value) -> String {
        id_of(&self.call("form/create", json!({"params": params})).await)
    }

    /// Submits a response.
    pub async fn submit(&self, form_id: &str, response: Value) -> Value {
        self.call("form/submit", json!({"formId": form_id, "response": response})).await
    }

    /// Gives one form.
    pub async fn get(&self, form_id: &str) -> Value {
        self.call("form/get", json!({"formId": form_id})).await
    }

    /// Waits for a form that someone resolves soon.
    pub async fn wait(&self, form_id: &str) -> Value {
        self.call("form/wait", json!({"formId": form_id, "timeoutMs": 15_000})).await
    }
}

/// The `formId` of a result.
#[must_use]
pub fn id_of(result: &Value) -> String {
    result["formId"].as_str().unwrap_or_else(|| panic!("no formId in {result}")).to_owned()
}
