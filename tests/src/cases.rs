//! Case files and how a daemon is judged by them, through the wire alone.

use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::client::CallError;
use crate::{Client, Daemon};

const ASK_QUESTION: &[&str] =
    &["id", "label", "prompt", "type", "requestedType", "presentedType", "required"];
const QUESTIONNAIRE_QUESTION: &[&str] =
    &["id", "label", "header", "prompt", "type", "required", "custom", "min", "max"];
const OPTION: &[&str] = &["value", "label", "description", "preview", "recommended", "selected", "freeform"];

/// The cases of one file in `tests/cases`.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn load(file: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let cases: Vec<Value> = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert!(!cases.is_empty(), "{} holds no case", path.display());
    cases
}

/// The three connections that the cases use.
#[derive(Debug)]
pub struct Judge {
    agent: Client,
    frontend: Client,
    bridge: Client,
    serial: u32,
    differences: Vec<String>,
}

impl Judge {
    /// Connects to a daemon.
    pub async fn new(daemon: &Daemon) -> Self {
        let agent = daemon.client("agent").await;
        let frontend = daemon.client("frontend").await;
        let bridge = daemon.client("bridge").await;
        Self { agent, frontend, bridge, serial: 0, differences: Vec::new() }
    }

    /// Runs one case and gives what differs from what it expects.
    ///
    /// # Panics
    /// When the case's operation is none of the wire's.
    pub async fn run(&mut self, case: &Value) -> Vec<String> {
        self.serial += 1;
        let done = match self.settle(case).await {
            Err(error) => Err(error),
            Ok(()) => match case["op"].as_str().expect("op") {
                "validate" => self.validate(case).await,
                "prepare" => self.prepare(case).await,
                "headless" => self.headless(case).await,
                "q-validate" => self.q_validate(case).await,
                "remote" | "q-submit" => self.remote(case).await,
                other => panic!("{other} is no operation of the wire"),
            },
        };
        if let Err(error) = done {
            self.differences.push(format!("a call was refused: {error:?}"));
        }
        std::mem::take(&mut self.differences)
    }

    /// Puts the settings to what the case asks for.
    async fn settle(&self, case: &Value) -> Result<(), CallError> {
        let mut patch = json!({"notifications": {"enabled": false}, "frontends": {"armingDelayMs": 0}});
        merge(&mut patch, &case["settings"]);
        if case["options"]["presentSingleAsMulti"] == true {
            merge(&mut patch, &json!({"behaviour": {"presentSingleAsMulti": true}}));
        }
        self.frontend.try_call("settings/reset", json!({})).await?;
        self.frontend.try_call("settings/patch", json!({"patch": patch})).await?;
        Ok(())
    }

    async fn validate(&mut self, case: &Value) -> Result<(), CallError> {
        let source = if case["options"]["allowFreeform"] == true { "answer" } else { "tool" };
        let params = json!({"contract": "ask", "params": case["params"], "source": source});
        let result = self.agent.try_call("form/validate", params).await?;
        let expect = &case["expect"];
        self.want("ok", &result["ok"], &expect["ok"]);
        if result["ok"] == true {
            self.want("questions", &questions(&result["form"], ASK_QUESTION), &expect["questions"]);
        } else {
            self.want("paths", &column(&result["issues"], "path"), &expect["paths"]);
        }
        Ok(())
    }

    /// Label derivation: where the prepared payload is usable, its labels are the form's.
    async fn prepare(&mut self, case: &Value) -> Result<(), CallError> {
        let params = json!({"contract": "ask", "params": case["params"], "source": "tool"});
        let result = self.agent.try_call("form/validate", params).await?;
        let prepared = &case["expect"]["params"]["questions"];
        let usable = prepared.as_array().is_some_and(|list| list.iter().all(is_usable));
        self.want("ok", &result["ok"], &json!(usable));
        if usable && result["ok"] == true {
            let trimmed = |v: Value| json!(v.as_str().unwrap_or_default().trim());
            let labels = |list: &Value, finish: &dyn Fn(Value) -> Value| -> Value {
                let of = |q: &Value| {
                    let labels = column(&q["options"], "label");
                    labels.as_array().into_iter().flatten().cloned().map(finish).collect::<Value>()
                };
                list.as_array().into_iter().flatten().map(of).collect()
            };
            let got = labels(&result["form"]["questions"], &|v| v);
            self.want("labels", &got, &labels(prepared, &trimmed));
        }
        Ok(())
    }

    async fn headless(&mut self, case: &Value) -> Result<(), CallError> {
        let params = json!({"contract": "ask", "params": case["params"]});
        let tool = self.agent.try_call("form/fallback", params).await?;
        self.check_ask_result(&tool, &case["expect"]);
        Ok(())
    }

    async fn q_validate(&mut self, case: &Value) -> Result<(), CallError> {
        let params = json!({"contract": "questionnaire", "params": case["params"]});
        let result = self.agent.try_call("form/validate", params).await?;
        let expect = &case["expect"];
        self.want("ok", &result["ok"], &expect["ok"]);
        if result["ok"] != true {
            self.want("paths", &column(&result["issues"], "path"), &expect["paths"]);
            return Ok(());
        }
        let form = &result["form"];
        if let Some(expected) = expect.get("questions") {
            let mut got = questions(form, QUESTIONNAIRE_QUESTION);
            for question in got.as_array_mut().into_iter().flatten() {
                question["enforced"] = form["rules"]["enforced"].clone();
            }
            self.want("questions", &got, expected);
        }
        for (what, field) in [("ids", "id"), ("labels", "label")] {
            if let Some(expected) = expect.get(what) {
                self.want(what, &column(&form["questions"], field), expected);
            }
        }
        if let Some(expected) = expect.get("count") {
            self.want("count", &json!(form["questions"].as_array().map_or(0, Vec::len)), expected);
        }
        if let Some(expected) = expect.get("mode") {
            let created = self.agent.try_call("form/create", self.create_params(case)).await?;
            let snapshot = self.agent.try_call("form/get", form_ref(&created)).await?;
            self.want("mode", &snapshot["mode"], expected);
            self.abort(&created["formId"]).await?;
        }
        Ok(())
    }

    async fn remote(&mut self, case: &Value) -> Result<(), CallError> {
        let created = self.agent.try_call("form/create", self.create_params(case)).await?;
        let form_id = &created["formId"];
        let request_id = format!("r{}", self.serial);
        let request =
            json!({"version": 1, "requestId": request_id, "flowId": form_id, "response": case["response"]});
        let result = self.bridge.try_call("remote/submit", request).await?;
        let expect = &case["expect"];
        self.want("ok", &result["ok"], &expect["ok"]);
        let ids = json!([result["version"], result["requestId"], result["flowId"]]);
        self.want("ids", &ids, &json!([1, request_id, form_id]));
        if result["ok"] != true {
            self.want("error", &result["error"], &expect["error"]);
        }
        let expected_state = if result["ok"] == true { "resolved" } else { "open" };
        let snapshot = self.agent.try_call("form/get", form_ref(&created)).await?;
        self.want("state", &snapshot["state"], &json!(expected_state));
        if snapshot["state"] != "resolved" {
            return self.abort(form_id).await;
        }
        let waited = self.agent.try_call("form/wait", json!({"formId": form_id, "timeoutMs": 1000})).await?;
        if expect["ok"] == true {
            self.check_result(&waited["toolResult"], expect);
        }
        Ok(())
    }

    async fn abort(&self, form_id: &Value) -> Result<(), CallError> {
        self.agent.try_call("form/cancel", json!({"formId": form_id, "reason": "aborted"})).await?;
        Ok(())
    }

    fn create_params(&self, case: &Value) -> Value {
        json!({
            "contract": case.get("contract").unwrap_or(&json!("ask")),
            "params": case["params"],
            "source": if case["allowFreeform"] == true { "answer" } else { "tool" },
            "toolCallId": format!("case-{}", self.serial),
            "origin": {"agent": "cases", "session": format!("s-{}", self.serial)},
        })
    }

    fn check_result(&mut self, tool: &Value, expect: &Value) {
        if let Some(expected) = expect.get("structuredContent") {
            self.want("structuredContent", &tool["structuredContent"], expected);
        } else if expect["cancelled"] == true {
            let data = if tool["structuredContent"].is_object() { "structuredContent" } else { "details" };
            self.want("cancelled", &tool[data]["cancelled"], &json!(true));
        } else {
            self.check_ask_result(tool, expect);
        }
    }

    fn check_ask_result(&mut self, tool: &Value, expect: &Value) {
        if let Some(expected) = expect.get("details") {
            let details = self.with_masked_instruction(&tool["details"]);
            self.want("details", &details, expected);
        }
        let text = tool["content"][0]["text"].as_str().unwrap_or_default();
        let mut lines: Vec<&str> = text.split('\n').collect();
        let mut transcript = tool["transcript"].as_array().cloned().unwrap_or_default();
        if expect["presentationNote"] == true {
            let note = lines.pop().unwrap_or_default().to_lowercase();
            transcript.pop();
            if !["multi", "single", "preview"].iter().any(|kind| note.contains(kind)) {
                self.differences.push(format!("the last line of content names no type: {note:?}"));
            }
        }
        if let Some(expected) = expect.get("content") {
            self.want("content", &json!(lines), expected);
        }
        if let Some(expected) = expect.get("transcript") {
            self.want("transcript", &json!(transcript), expected);
        }
        if let Some(expected) = expect.get("contentFirstLine") {
            self.want("first line", &json!(text.lines().next()), expected);
        }
        for mention in expect["contentMentions"].as_array().into_iter().flatten() {
            if !text.contains(mention.as_str().expect("a text")) {
                self.differences.push(format!("content does not mention {mention}: {text:?}"));
            }
        }
    }

    /// The instruction's wording is the program's own, so only its presence is judged.
    fn with_masked_instruction(&mut self, details: &Value) -> Value {
        let mut details = details.clone();
        if details["elaboration"].is_object() {
            let instruction = &mut details["elaboration"]["instruction"];
            if instruction.as_str().is_none_or(|text| text.trim().is_empty()) {
                self.differences.push("elaboration.instruction is empty".to_owned());
            }
            *instruction = json!("<any non-empty text>");
        }
        details
    }

    fn want(&mut self, what: &str, got: &Value, expected: &Value) {
        // Compared as JSON values; member order carries no meaning there.
        if got != expected {
            self.differences.push(format!("{what}\n    got      {got}\n    expected {expected}"));
        }
    }
}

fn form_ref(created: &Value) -> Value {
    json!({"formId": created["formId"]})
}

fn is_usable(question: &Value) -> bool {
    let filled = |v: &Value| v.as_str().is_some_and(|text| !text.trim().is_empty());
    let options = question["options"].as_array();
    options.is_some_and(|list| list.iter().all(|o| filled(&o["label"]) && filled(&o["value"])))
}

fn column(list: &Value, field: &str) -> Value {
    list.as_array().into_iter().flatten().map(|item| item[field].clone()).collect()
}

fn picked(item: &Value, fields: &[&str]) -> Value {
    let present = fields.iter().filter_map(|f| Some(((*f).to_owned(), item.get(*f)?.clone())));
    Value::Object(present.collect::<Map<_, _>>())
}

fn questions(form: &Value, fields: &[&str]) -> Value {
    let question = |q: &Value| {
        let mut one = picked(q, fields);
        one["options"] = q["options"].as_array().into_iter().flatten().map(|o| picked(o, OPTION)).collect();
        one
    };
    form["questions"].as_array().into_iter().flatten().map(question).collect()
}

fn merge(into: &mut Value, patch: &Value) {
    for (key, value) in patch.as_object().into_iter().flatten() {
        if value.is_object() {
            if !into[key].is_object() {
                into[key] = json!({});
            }
            merge(&mut into[key], value);
        } else {
            into[key] = value.clone();
        }
    }
}

/// Fails with every difference of every case that has one.
///
/// # Panics
/// When there is any.
pub fn report(results: &[(String, Vec<String>)]) {
    let failed: Vec<String> = results
        .iter()
        .filter(|(_, differences)| !differences.is_empty())
        .map(|(name, differences)| format!("✗ {name}\n  {}", differences.join("\n  ")))
        .collect();
    println!("{} of {} cases agree", results.len() - failed.len(), results.len());
    assert!(failed.is_empty(), "{} of {} cases differ\n{}", failed.len(), results.len(), failed.join("\n"));
}

/// A line that names a case.
#[must_use]
pub fn name_of(case: &Value) -> String {
    let text = |v: &Value| v.as_str().map_or_else(|| format!("{v:?}"), str::to_owned);
    format!("{} {}", text(&case["id"]), text(&case["rule"]))
}
