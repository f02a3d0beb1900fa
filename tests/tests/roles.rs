//! Who may call what: the documented table, and the daemon's behaviour, method by method, role by role.

use askd_tests::forms::single;
use askd_tests::{Client, Daemon, http, sandbox};
use askd_wire::{METHODS, Role};
use serde_json::{Value, json};

/// docs/protocol.md, "Roles": the calls of each role; admin may call everything.
const DOCUMENTED: [(Role, &[&str]); 3] = [
    (
        Role::Agent,
        &[
            "form/create",
            "form/wait",
            "form/ack",
            "form/get",
            "form/list",
            "form/cancel",
            "form/validate",
            "form/fallback",
            "remote/submit",
            "events/subscribe",
            "settings/get",
        ],
    ),
    (
        Role::Frontend,
        &[
            "form/get",
            "form/list",
            "form/view",
            "form/leave",
            "form/draft",
            "form/submit",
            "form/cancel",
            "form/validate",
            "events/subscribe",
            "settings/get",
            "settings/patch",
            "settings/reset",
            "notification/test",
            "notification/done",
            "daemon/status",
        ],
    ),
    (Role::Bridge, &["form/get", "form/list", "remote/submit", "events/subscribe", "settings/get"]),
];

fn documented(role: Role, method: &str) -> bool {
    role == Role::Admin
        || method == "initialize"
        || DOCUMENTED.iter().any(|(r, methods)| *r == role && methods.contains(&method))
}

#[test]
fn the_method_table_is_the_documented_one() {
    for method in METHODS {
        for role in Role::ALL {
            let listed = method.roles.contains(&role);
            assert_eq!(listed, documented(role, method.name), "{} for {}", method.name, role.name());
        }
    }
}

#[tokio::test]
async fn every_role_may_call_its_methods_and_no_others() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    for role in Role::ALL {
        for method in METHODS.iter().filter(|m| !["initialize", "daemon/stop"].contains(&m.name)) {
            let form_id = agent.create(single()).await;
            // A connection each: what one call leaves behind must not decide about the next.
            let client = daemon.client(role.name()).await;
            let called = client.try_call(method.name, params_of(method.name, role, &form_id)).await;
            let refused = called.as_ref().err().is_some_and(|e| e.kind() == "notAllowed");
            let expected = !method.roles.contains(&role)
                // An agent submits only for forms of its own connection.
                || (role == Role::Agent && method.name == "remote/submit");
            assert_eq!(refused, expected, "{} as {}: {called:?}", method.name, role.name());
            if !method.roles.contains(&role) {
                let error = called.expect_err("a refusal");
                assert_eq!(error.data["method"], method.name);
                assert_eq!(error.data["roles"], json!([role.name()]));
            }
            let _ = agent.try_call("form/cancel", json!({"formId": form_id, "reason": "aborted"})).await;
        }
    }
}

#[tokio::test]
async fn only_an_admin_stops_the_daemon() {
    let sandbox = sandbox!();
    let mut daemon = Daemon::start(&sandbox);
    for role in ["agent", "frontend", "bridge"] {
        let error = daemon.client(role).await.refused("daemon/stop", json!({})).await;
        assert_eq!(error.kind(), "notAllowed");
    }
    daemon.client("admin").await.call("daemon/stop", json!({})).await;
    assert!(daemon.wait_for_exit().success());
}

#[tokio::test]
async fn an_agent_submits_for_its_own_forms_only() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let owner = daemon.client("agent").await;
    let other = daemon.client("agent").await;
    let form_id = owner.create(single()).await;
    let request = submit_request(&form_id);
    assert_eq!(other.refused("remote/submit", request.clone()).await.kind(), "notAllowed");
    // A wait makes a connection an owner of the form.
    other.call("form/wait", json!({"formId": form_id, "timeoutMs": 0})).await;
    assert_eq!(other.call("remote/submit", request).await["ok"], true);
}

#[tokio::test]
async fn several_roles_are_joined_and_one_may_be_a_plain_word() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let mut params = askd_tests::client::initialize_params("agent");
    params["roles"] = json!(["agent", "frontend"]);
    params["frontend"] = json!({"kind": "test", "human": false});
    let both = Client::connect_with(daemon.socket(), params.clone()).await;
    let form_id = both.create(single()).await;
    both.submit(&form_id, askd_tests::forms::pick("pg")).await;
    params["roles"] = json!("agent");
    let one = Client::connect_with(daemon.socket(), params.clone()).await;
    assert_eq!(one.info["roles"], json!(["agent"]));
    params["roles"] = json!(["owner"]);
    let unknown = Client::open(daemon.socket()).await;
    assert_eq!(unknown.refused("initialize", params).await.code, -32602, "an unknown role is refused");
}

#[tokio::test]
async fn a_single_post_has_its_role_from_a_header() {
    let sandbox = sandbox!();
    let daemon = Daemon::start(&sandbox);
    let agent = daemon.client("agent").await;
    for method in METHODS.iter().filter(|m| m.name != "daemon/stop") {
        for role in Role::ALL {
            let form_id = agent.create(single()).await;
            let call = json!({
                "jsonrpc": "2.0", "id": 1, "method": method.name, "params": params_of(method.name, role, &form_id),
            });
            let response =
                http::post(daemon.socket(), &[("Askd-Role", role.name())], &call.to_string()).json();
            let refused = response["error"]["data"]["kind"] == "notAllowed";
            let expected = method.connection
                || !method.roles.contains(&role)
                || (role == Role::Agent && method.name == "remote/submit");
            assert_eq!(refused, expected, "{} as {} by POST: {response}", method.name, role.name());
            let _ = agent.try_call("form/cancel", json!({"formId": form_id, "reason": "aborted"})).await;
        }
    }
    let create = json!({"jsonrpc": "2.0", "id": 1, "method": "form/create", "params": {"params": single()}});
    let response = http::post(daemon.socket(), &[], &create.to_string()).json();
    assert!(response["result"]["formId"].is_string(), "without the header the role is agent: {response}");
}

fn submit_request(form_id: &str) -> Value {
    json!({"version": 1, "requestId": "r1", "flowId": form_id, "response": askd_tests::forms::pick("pg")})
}

/// Params under which each method is at least read as far as the role gate and the form.
fn params_of(method: &str, role: Role, form_id: &str) -> Value {
    match method {
        "initialize" => askd_tests::client::initialize_params("agent"),
        "form/create" | "form/fallback" | "form/validate" => json!({"params": single()}),
        "form/wait" => json!({"formId": form_id, "timeoutMs": 0}),
        "form/draft" => json!({"formId": form_id, "revision": 0, "draft": {"answers": {}}}),
        "form/submit" => json!({"formId": form_id, "response": askd_tests::forms::pick("pg")}),
        // Each role has its own reasons.
        "form/cancel" if role == Role::Agent => json!({"formId": form_id, "reason": "aborted"}),
        "form/cancel" => json!({"formId": form_id, "reason": "dismissed"}),
        "remote/submit" => submit_request(form_id),
        "settings/patch" => json!({"patch": {"notifications": {"enabled": false}}}),
        "notification/done" => json!({"token": "none", "status": "attempted"}),
        "form/ack" | "form/get" | "form/view" | "form/leave" => json!({"formId": form_id}),
        _ => json!({}),
    }
}
