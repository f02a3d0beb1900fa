//! What a client can send wrong: each fault has its own error, and nothing that is stored is harmed.

use askd_tests::client::{error_of, initialize_params};
use askd_tests::forms::{id_of, pick, questionnaire, single};
use askd_tests::{Client, Daemon, Sandbox, http, sandbox};
use serde_json::{Value, json};

/// A daemon with one open form, which every test looks at again in the end.
struct Scene {
    _sandbox: Sandbox,
    daemon: Daemon,
    agent: Client,
    form_id: String,
}

impl Scene {
    async fn new() -> Self {
        let sandbox = sandbox!();
        let daemon = Daemon::start(&sandbox);
        let agent = daemon.client("agent").await;
        let form_id = agent.create(single()).await;
        Self { _sandbox: sandbox, daemon, agent, form_id }
    }

    /// The form is open, answerable and the only one.
    async fn unharmed(self) {
        let agent = self.daemon.client("agent").await;
        let listed = agent.call("form/list", json!({"state": "all"})).await;
        let forms = listed["forms"].as_array().expect("forms").clone();
        assert_eq!(forms.len(), 1, "{listed}");
        assert_eq!((&forms[0]["formId"], &forms[0]["state"]), (&json!(self.form_id), &json!("open")));
        let frontend = self.daemon.client("frontend").await;
        assert_eq!(frontend.submit(&self.form_id, pick("pg")).await["outcome"]["kind"], "submitted");
    }
}

#[tokio::test]
async fn malformed_json_is_a_parse_error_and_the_connection_stays() {
    let scene = Scene::new().await;
    for text in ["{", "not json", "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\":", "\"\\ud800\"", ""] {
        let client = scene.daemon.client("agent").await;
        client.send_raw(text);
        let answer = client.stray().await;
        assert_eq!(answer["id"], Value::Null, "{text:?}");
        let code = answer["error"]["code"].as_i64();
        assert!(matches!(code, Some(-32700 | -32600)), "{text:?}: {answer}");
        client.get(&scene.form_id).await;
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn what_is_no_request_is_refused() {
    let scene = Scene::new().await;
    for text in ["[]", "1", "null", "{}", r#"{"id":7}"#, r#"{"jsonrpc":"2.0","id":8,"method":9}"#] {
        let client = scene.daemon.client("agent").await;
        client.send_raw(text);
        let answer = client.stray().await;
        assert!(answer["error"]["code"].as_i64().is_some_and(|c| c < 0), "{text}: {answer}");
        client.get(&scene.form_id).await;
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn batches_are_refused() {
    let scene = Scene::new().await;
    let client = scene.daemon.client("agent").await;
    let one = json!({"jsonrpc": "2.0", "id": 50, "method": "form/get", "params": {"formId": scene.form_id}});
    client.send_raw(json!([one, one]).to_string());
    let answer = client.stray().await;
    assert!(answer["error"].is_object(), "{answer}");
    client.get(&scene.form_id).await;
    scene.unharmed().await;
}

#[tokio::test]
async fn unknown_methods_are_named_so() {
    let scene = Scene::new().await;
    for method in ["form/nothing", "ask", "", "form/create ", "rpc.discover", "__proto__"] {
        let error = scene.agent.refused(method, json!({})).await;
        assert_eq!(error.code, -32601, "{method}: {error:?}");
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn wrong_types_are_invalid_params() {
    let scene = Scene::new().await;
    let frontend = scene.daemon.client("frontend").await;
    let form_id = scene.form_id.as_str();
    let calls = [
        ("form/get", json!({})),
        ("form/get", json!({"formId": 7})),
        ("form/get", json!([form_id])),
        ("form/get", json!("text")),
        ("form/list", json!({"state": "closed"})),
        ("form/list", json!({"limit": -1})),
        ("form/list", json!({"limit": "ten"})),
        ("form/list", json!({"delivery": 3})),
        ("form/wait", json!({"formId": form_id, "timeoutMs": -1})),
        ("form/wait", json!({"formId": form_id, "timeoutMs": "soon"})),
        ("form/create", json!({"params": single(), "contract": "poll"})),
        ("form/create", json!({"params": single(), "source": "robot"})),
        ("form/create", json!({"params": single(), "mode": "later"})),
        ("form/create", json!({"params": single(), "origin": "me"})),
        ("form/create", json!({"params": single(), "requires": "robot"})),
        ("form/create", json!({"params": single(), "quiet": "yes"})),
        ("form/cancel", json!({"formId": form_id})),
        ("form/cancel", json!({"formId": form_id, "reason": "bored"})),
        ("events/subscribe", json!({"since": -1})),
        ("events/subscribe", json!({"kinds": "started"})),
    ];
    for (method, params) in calls {
        let error = scene.agent.refused(method, params.clone()).await;
        assert_eq!(error.code, -32602, "{method} {params}: {error:?}");
        assert!(!error.message.is_empty());
    }
    let calls = [
        ("form/submit", json!({"response": pick("pg")})),
        ("form/draft", json!({"formId": form_id, "revision": "first", "draft": {}})),
        ("form/view", json!({"formId": form_id, "focused": "yes"})),
        ("settings/patch", json!({"patch": {}, "revision": "new"})),
    ];
    for (method, params) in calls {
        let error = frontend.refused(method, params.clone()).await;
        assert_eq!(error.code, -32602, "{method} {params}: {error:?}");
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn initialize_comes_first_and_once() {
    let scene = Scene::new().await;
    let client = Client::open(scene.daemon.socket()).await;
    for method in ["form/create", "form/list", "events/subscribe", "daemon/stop"] {
        let error = client.refused(method, json!({"params": single()})).await;
        assert_eq!((error.kind(), error.code), ("notInitialized", -32051), "{method}");
    }
    client.call("initialize", initialize_params("agent")).await;
    let error = client.refused("initialize", initialize_params("admin")).await;
    assert_eq!(error.code, -32600, "a second initialize is an invalid request: {error:?}");
    let error = client.refused("daemon/stop", json!({})).await;
    assert_eq!(error.kind(), "notAllowed", "and it gives no roles");
    scene.unharmed().await;
}

#[tokio::test]
async fn another_protocol_version_is_incompatible() {
    let scene = Scene::new().await;
    for protocol in [0, 2, 99] {
        let client = Client::open(scene.daemon.socket()).await;
        let mut params = initialize_params("agent");
        params["protocol"] = json!(protocol);
        let error = client.refused("initialize", params).await;
        assert_eq!((error.kind(), error.code), ("incompatible", -32052));
        assert_eq!(error.data["supported"], json!([1]));
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn an_oversize_message_is_refused_and_the_connection_stays() {
    let scene = Scene::new().await;
    let mut params = single();
    params["questions"][0]["prompt"] = json!("x".repeat(3 << 20));
    let call = json!({"jsonrpc": "2.0", "id": 900, "method": "form/create", "params": {"params": params}});
    scene.agent.send_raw(call.to_string());
    let answer = scene.agent.stray().await;
    assert_eq!(answer["id"], Value::Null);
    let error = error_of(&answer["error"]);
    assert!((-32011..=-32000).contains(&error.code), "the transport's own error: {error:?}");
    scene.agent.get(&scene.form_id).await;
    let posted = http::post(scene.daemon.socket(), &[], &call.to_string());
    assert!(posted.status == 413 || posted.body.contains("error"), "{posted:?}");
    scene.unharmed().await;
}

#[tokio::test]
async fn a_text_above_its_limit_is_an_issue_with_its_path() {
    let scene = Scene::new().await;
    let mut params = single();
    params["questions"][0]["options"][1]["label"] = json!("x".repeat((64 << 10) + 1));
    let error = scene.agent.refused("form/create", json!({"params": params})).await;
    assert_eq!(error.kind(), "invalidInput");
    assert_eq!(error.data["issues"][0]["path"], "questions[0].options[1].label", "{error:?}");
    scene.unharmed().await;
}

#[tokio::test]
async fn unknown_forms_are_named() {
    let scene = Scene::new().await;
    let frontend = scene.daemon.client("frontend").await;
    for id in ["nothing", "", "../askd.db", "00000000-0000-7000-8000-000000000000", "' OR 1=1 --"] {
        for method in ["form/get", "form/wait", "form/ack"] {
            let error = scene.agent.refused(method, json!({"formId": id})).await;
            assert_eq!((error.kind(), error.code), ("unknownForm", -32055), "{method} {id}");
            assert_eq!(error.data["formId"], id);
        }
        let error = scene.agent.refused("form/cancel", json!({"formId": id, "reason": "aborted"})).await;
        assert_eq!(error.kind(), "unknownForm");
        for (method, params) in [
            ("form/view", json!({"formId": id})),
            ("form/submit", json!({"formId": id, "response": pick("pg")})),
            ("form/draft", json!({"formId": id, "revision": 0, "draft": {"answers": {}}})),
        ] {
            assert_eq!(frontend.refused(method, params).await.kind(), "unknownForm", "{method} {id}");
        }
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn invalid_payloads_say_where_and_store_nothing() {
    let scene = Scene::new().await;
    for params in [json!(null), json!(7), json!("text"), json!([]), json!({}), json!({"questions": []})] {
        let error = scene.agent.refused("form/create", json!({"params": params})).await;
        assert_eq!((error.kind(), error.code), ("invalidInput", -32054), "{params}");
        assert_eq!(error.data["issues"][0]["path"], "questions", "{params}");
        let text = error.data["toolResult"]["content"][0]["text"].as_str().expect("a text for the agent");
        assert!(text.starts_with("Invalid ask_user payload:"), "{text}");
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn values_that_are_no_options_are_refused_with_their_path() {
    let scene = Scene::new().await;
    let frontend = scene.daemon.client("frontend").await;
    let bad = [
        (json!({"kind": "answer", "answers": {"db": {"values": ["oracle"]}}}), "db"),
        (json!({"kind": "answer", "answers": {"db": {"values": ["Postgres"]}}}), "db"),
        (json!({"kind": "answer", "answers": {"db": {"values": ["pg", "lite"]}}}), "db"),
        (json!({"kind": "answer", "answers": {"db": {"values": [1]}}}), "db"),
        (json!({"kind": "answer", "answers": {"other": {"values": ["pg"]}}}), "other"),
        (json!({"kind": "answer", "mode": "later", "answers": {}}), "mode"),
        (json!({"kind": "answer", "answers": []}), "answers"),
    ];
    for (response, path) in bad {
        let error = frontend
            .refused("form/submit", json!({"formId": scene.form_id, "response": response.clone()}))
            .await;
        assert_eq!((error.kind(), error.code), ("invalidAnswer", -32057), "{response}");
        assert!(error.data["path"].as_str().is_some_and(|p| p.contains(path)), "{response}: {error:?}");
        assert!(!error.data["message"].as_str().unwrap_or_default().is_empty());
    }
    scene.unharmed().await;
}

#[tokio::test]
async fn a_second_answer_learns_of_the_first() {
    let scene = Scene::new().await;
    let frontend = scene.daemon.client("frontend").await;
    let form_id = scene.agent.create(single()).await;
    let first = frontend.submit(&form_id, pick("pg")).await;
    let late = json!({"formId": form_id, "response": pick("lite")});
    let error = frontend.refused("form/submit", late).await;
    assert_eq!((error.kind(), error.code), ("alreadyResolved", -32056));
    assert_eq!(error.data["outcome"], first["outcome"]);
    assert_eq!(error.data["resolvedBy"], first["resolvedBy"]);
    let cancel = json!({"formId": form_id, "reason": "aborted"});
    assert_eq!(scene.agent.refused("form/cancel", cancel).await.kind(), "alreadyResolved");
    assert_eq!(scene.agent.get(&form_id).await["outcome"], first["outcome"]);
}

#[tokio::test]
async fn a_key_with_another_payload_is_a_conflict() {
    let scene = Scene::new().await;
    let create = |params: Value| json!({"params": params, "key": "k1"});
    let first = scene.agent.call("form/create", create(single())).await;
    let again = scene.agent.call("form/create", create(single())).await;
    assert_eq!((&again["formId"], &again["created"]), (&first["formId"], &json!(false)));
    let mut other = single();
    other["questions"][0]["prompt"] = json!("Which one?");
    let error = scene.agent.refused("form/create", create(other)).await;
    assert_eq!((error.kind(), error.code), ("conflict", -32058));
    assert_eq!(error.data["formId"], first["formId"]);
    let contract = json!({"contract": "questionnaire", "params": questionnaire(), "key": "k1"});
    assert_eq!(scene.agent.refused("form/create", contract).await.kind(), "conflict");
}

#[tokio::test]
async fn a_request_id_with_another_response_is_a_conflict() {
    let scene = Scene::new().await;
    let frontend = scene.daemon.client("frontend").await;
    let submit = |response: Value| json!({"formId": scene.form_id, "response": response, "requestId": "r1"});
    // What was refused is not remembered under its id.
    assert_eq!(frontend.refused("form/submit", submit(pick("none"))).await.kind(), "invalidAnswer");
    let first = frontend.call("form/submit", submit(pick("pg"))).await;
    assert_eq!(frontend.call("form/submit", submit(pick("pg"))).await, first);
    assert_eq!(frontend.refused("form/submit", submit(pick("lite"))).await.kind(), "conflict");
}

#[tokio::test]
async fn what_belongs_to_a_connection_is_not_allowed_by_post() {
    let scene = Scene::new().await;
    let call =
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize_params("agent")});
    let answer = http::post(scene.daemon.socket(), &[], &call.to_string()).json();
    assert_eq!(answer["error"]["data"]["kind"], "notAllowed", "{answer}");
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "form/list"});
    let answer = http::post(scene.daemon.socket(), &[("Askd-Client", "test/1.0")], &list.to_string()).json();
    assert_eq!(answer["result"]["forms"][0]["formId"], scene.form_id, "params may be left out: {answer}");
    let answer = http::post(scene.daemon.socket(), &[("Askd-Role", "king")], &list.to_string());
    assert!(answer.status >= 400 || answer.json()["error"].is_object(), "an unknown role: {answer:?}");
    scene.unharmed().await;
}

#[tokio::test]
async fn unknown_fields_are_named_and_do_no_harm() {
    let scene = Scene::new().await;
    let mut params = single();
    params["colour"] = json!("red");
    params["questions"][0]["hint"] = json!(1);
    params["questions"][0]["options"][0]["icon"] = json!("x");
    let result = scene.agent.call("form/validate", json!({"params": params})).await;
    assert_eq!(result["ok"], true);
    let warnings = result["warnings"].to_string();
    for path in ["colour", "questions[0].hint", "questions[0].options[0].icon"] {
        assert!(warnings.contains(&format!("\"{path}\"")), "{path}: {warnings}");
    }
    let created = scene.agent.call("form/create", json!({"params": params, "sparkle": true})).await;
    assert!(!created["warnings"].as_array().expect("warnings").is_empty());
    let id = id_of(&created);
    scene.agent.call("form/cancel", json!({"formId": id, "reason": "aborted"})).await;
}
