//! The wire side end to end, over real sockets: what a client meets before and around the methods.

pub(super) mod fixture;

use std::time::Duration;

use askd_wire::{METHODS, Role};
use jsonrpsee::core::client::{ClientT as _, SubscriptionClientT as _};
use jsonrpsee::core::params::{ArrayParams, ObjectParams};
use jsonrpsee::rpc_params;
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

use fixture::{Caller, DEADLINE, Daemon, RawSocket, introduction, question};

#[tokio::test]
async fn initialize_comes_first_and_once() {
    let daemon = Daemon::start().await;
    let caller = daemon.unknown().await;
    assert_eq!(caller.kind("form/list", json!({})).await, "notInitialized");
    assert_eq!(caller.kind("no/such", json!({})).await, "notInitialized");
    let result = caller.call("initialize", introduction("agent")).await.unwrap();
    assert_eq!(result["server"]["name"], "askd");
    assert_eq!(result["protocol"], 1);
    assert_eq!(result["instanceId"], "instance");
    assert_eq!(result["roles"], json!(["agent"]));
    assert!(
        result["connectionId"].is_string() && result["capabilities"].is_array() && result["seq"].is_u64()
    );
    let again = caller.call("initialize", introduction("admin")).await.unwrap_err();
    assert_eq!(again.code, -32600);
    assert_eq!(caller.call("no/such", json!({})).await.unwrap_err().code, -32601);
    assert_eq!(caller.kind("daemon/stop", json!({})).await, "notAllowed");
}

#[tokio::test]
async fn a_failed_initialize_leaves_the_connection_as_it_was() {
    let daemon = Daemon::start().await;
    let caller = daemon.unknown().await;
    let mut other = introduction("agent");
    other["protocol"] = json!(2);
    other["roles"] = json!({ "shape": "of the future" });
    let refusal = caller.call("initialize", other).await.unwrap_err();
    assert_eq!((refusal.kind(), &refusal.data["supported"]), ("incompatible", &json!([1])));
    for roles in [json!("root"), json!([]), json!(["agent", "root"]), json!(5)] {
        let mut wrong = introduction("agent");
        wrong["roles"] = roles;
        let refusal = caller.call("initialize", wrong).await.unwrap_err();
        assert_eq!((refusal.code, &refusal.data["path"]), (-32602, &json!("roles")), "{refusal:?}");
    }
    caller.call("initialize", introduction("agent")).await.unwrap();
}

#[tokio::test]
async fn a_call_sent_right_behind_initialize_finds_the_caller_known() {
    let daemon = Daemon::start().await;
    let mut socket = RawSocket::open(&daemon).await;
    socket.call(1, "initialize", introduction("admin")).await;
    socket.call(2, "settings/get", json!({})).await;
    assert!(socket.read().await["result"].is_object());
    assert!(socket.read().await["result"].is_object());
}

#[tokio::test]
async fn the_role_table_holds_method_by_method_and_role_by_role() {
    let daemon = Daemon::start().await;
    for role in Role::ALL {
        let caller = daemon.connect(role.name()).await;
        for info in METHODS.iter().filter(|info| !["initialize", "daemon/stop"].contains(&info.name)) {
            let mut params = ObjectParams::new();
            params.insert("formId", "none").unwrap();
            let refused = match caller.raw(info.name, params).await {
                Err(refusal) => refusal.kind() == "notAllowed" && refusal.data["method"] == info.name,
                Ok(_) => false,
            };
            let allowed = role == Role::Admin || info.roles.contains(&role);
            // remote/submit also looks whose form it is.
            let own_rule = info.name == "remote/submit" && role == Role::Agent;
            assert!(refused != allowed || own_rule, "{} as {}", info.name, role.name());
        }
    }
}

#[tokio::test]
async fn params_are_judged_before_the_registry_sees_them() {
    let daemon = Daemon::start().await;
    let caller = daemon.connect("admin").await;
    let array: ArrayParams = rpc_params!["form"];
    assert_eq!(caller.raw("form/get", array).await.unwrap_err().code, -32602);
    let path = |refusal: fixture::Refusal| (refusal.code, refusal.data["path"].clone());
    let wrong = caller.call("form/list", json!({ "state": "closed" })).await.unwrap_err();
    assert_eq!(path(wrong), (-32602, json!("state")));
    let wrong = caller.call("form/create", json!({ "contract": "other" })).await.unwrap_err();
    assert_eq!(path(wrong), (-32602, json!("contract")));
    let wrong = caller.call("form/wait", json!({ "formId": "f", "timeoutMs": "1" })).await.unwrap_err();
    assert_eq!(path(wrong), (-32602, json!("timeoutMs")));
    assert!(caller.call("form/list", json!({ "unknown": 1 })).await.is_ok());
    assert!(caller.0.request::<Value, _>("form/list", ArrayParams::new()).await.is_ok());
}

#[tokio::test]
async fn unknown_fields_of_the_call_are_warned_of() {
    let daemon = Daemon::start().await;
    let agent = daemon.connect("agent").await;
    let create = json!({ "params": question(), "colour": 1, "origin": { "mood": 1 } });
    let created = agent.call("form/create", create).await.unwrap();
    let paths = |result: &Value| -> Vec<String> {
        result["warnings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|w| w["path"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(paths(&created), ["colour", "origin.mood"]);
    let validate = json!({ "params": question(), "key": "k" });
    let valid = agent.call("form/validate", validate).await.unwrap();
    assert_eq!(paths(&valid), ["key"]);
}

#[tokio::test]
async fn a_fault_in_a_remote_submission_is_never_an_error_of_the_call() {
    let daemon = Daemon::start().await;
    let bridge = daemon.connect("bridge").await;
    for params in [json!({}), json!({ "version": 2 }), json!({ "version": 1, "requestId": "r", "flowId": 5 })]
    {
        let result = bridge.call("remote/submit", params).await.unwrap();
        assert_eq!((&result["ok"], &result["error"]), (&json!(false), &json!("invalid_request")));
    }
    let array: ArrayParams = rpc_params![1];
    assert_eq!(bridge.raw("remote/submit", array).await.unwrap()["error"], "invalid_request");
}

#[tokio::test]
async fn a_single_post_needs_no_initialize() {
    let daemon = Daemon::start().await;
    let call =
        |method: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} }).to_string();
    let (status, body) = daemon.post("", &call("form/list")).await;
    assert_eq!((status, &body["result"]["forms"]), (200, &json!([])));
    let (_, body) = daemon.post("", &call("daemon/status")).await;
    assert_eq!(body["error"]["data"]["kind"], "notAllowed");
    let (_, body) = daemon.post("Askd-Role: frontend\r\nAskd-Client: t/1\r\n", &call("daemon/status")).await;
    assert_eq!(body["result"]["protocol"], 1);
    for method in ["initialize", "form/view", "form/leave", "events/subscribe", "events/unsubscribe"] {
        let (_, body) = daemon.post("Askd-Role: admin\r\n", &call(method)).await;
        assert_eq!(body["error"]["data"]["kind"], "notAllowed", "{method}");
    }
    let (status, body) = daemon.post("Askd-Role: root\r\n", &call("form/list")).await;
    assert_eq!((status, &body["error"]["data"]["kind"]), (400, &json!("notAllowed")));
    let (_, body) = daemon.post("", "{ broken").await;
    assert_eq!(body["error"]["code"], -32700);
    let (_, body) = daemon.post("", &format!("[{}]", call("form/list"))).await;
    assert_eq!(body["error"]["code"], -32005);
}

#[tokio::test]
async fn malformed_messages_are_answered_and_the_connection_stays() {
    let daemon =
        Daemon::with_settings(&json!({ "schemaVersion": 5, "limits": { "messageBytes": 4096 } })).await;
    let mut socket = RawSocket::open(&daemon).await;
    let expected = [
        ("{ broken".to_owned(), -32700),
        ("nonsense".to_owned(), -32700),
        ("{\"id\":1}".to_owned(), -32600),
        ("[]".to_owned(), -32005),
        (format!("{{\"x\":\"{}\"}}", "y".repeat(5000)), -32007),
    ];
    for (text, code) in expected {
        socket.send(&text).await;
        assert_eq!(socket.read().await["error"]["code"], code, "{text:.20}");
    }
    socket.call(7, "initialize", introduction("agent")).await;
    assert_eq!(socket.read().await["id"], 7);
}

#[tokio::test]
async fn settings_are_saved_and_then_told_to_everyone() {
    let daemon = Daemon::start().await;
    let frontend = daemon.connect("frontend").await;
    let watcher = daemon.connect("agent").await;
    let mut events = watcher
        .0
        .subscribe::<Value, _>("events/subscribe", ObjectParams::new(), "events/unsubscribe")
        .await
        .unwrap();
    assert_eq!(events.next().await.unwrap().unwrap()["kind"], "snapshot");
    let before = frontend.call("settings/get", json!({})).await.unwrap();
    let patch =
        json!({ "patch": { "behaviour": { "showFooterHints": false } }, "revision": before["revision"] });
    let after = frontend.call("settings/patch", patch.clone()).await.unwrap();
    assert_eq!(after["settings"]["behaviour"]["showFooterHints"], false);
    assert_eq!(after["sources"]["behaviour.showFooterHints"], "file");
    assert!(after["revision"].as_u64() > before["revision"].as_u64());
    assert_eq!(daemon.settings_file()["behaviour"]["showFooterHints"], false);
    let told = events.next().await.unwrap().unwrap();
    assert_eq!(told["kind"], "settings-changed");
    assert_eq!(told["changed"], json!(["behaviour.showFooterHints"]));
    assert_eq!(told["revision"], after["revision"]);
    let stale = frontend.call("settings/patch", patch).await.unwrap_err();
    assert_eq!((stale.kind(), &stale.data["revision"]), ("conflict", &after["revision"]));
    let wrong = json!({ "patch": { "frontends": { "theme": "pink" } } });
    let wrong = frontend.call("settings/patch", wrong).await.unwrap_err();
    assert_eq!((wrong.code, &wrong.data["path"]), (-32602, &json!("frontends.theme")));
    let door = json!({ "patch": { "listen": { "address": "127.0.0.1:1" } } });
    let door = frontend.call("settings/patch", door).await.unwrap_err();
    assert_eq!((door.kind(), &door.data["key"]), ("notAllowed", &json!("listen.address")));
    assert_eq!(watcher.kind("settings/patch", json!({ "patch": {} })).await, "notAllowed");
    frontend.call("settings/reset", json!({})).await.unwrap();
    assert_eq!(events.next().await.unwrap().unwrap()["kind"], "settings-changed");
}

#[tokio::test]
async fn a_connection_has_so_many_subscriptions_and_no_more() {
    let daemon =
        Daemon::with_settings(&json!({ "schemaVersion": 5, "limits": { "subscriptions": 2 } })).await;
    let mut socket = RawSocket::open(&daemon).await;
    socket.call(0, "initialize", introduction("agent")).await;
    socket.read().await;
    let answer = async |socket: &mut RawSocket, id: u64| loop {
        let message = socket.read().await;
        if message["id"] == id {
            return message;
        }
    };
    let mut ids = Vec::new();
    for id in 1..=2 {
        socket.call(id, "events/subscribe", json!({})).await;
        ids.push(answer(&mut socket, id).await["result"].clone());
    }
    socket.call(3, "events/subscribe", json!({})).await;
    let refusal = answer(&mut socket, 3).await;
    assert_eq!(refusal["error"]["data"]["kind"], "overloaded");
    assert_eq!(refusal["error"]["data"]["limit"], "subscriptions");
    socket.call(4, "events/unsubscribe", json!([ids[0]])).await;
    assert_eq!(answer(&mut socket, 4).await["result"], true);
    // The place is free once the stream's task has noticed.
    let deadline = Instant::now() + DEADLINE;
    for id in 5.. {
        socket.call(id, "events/subscribe", json!({})).await;
        if answer(&mut socket, id).await["result"].is_number() {
            break;
        }
        assert!(Instant::now() < deadline);
    }
}

#[tokio::test]
async fn calls_in_flight_are_limited_and_waits_are_not_among_them() {
    let daemon = Daemon::with_settings(&json!({ "schemaVersion": 5, "limits": { "calls": 1 } })).await;
    let agent = daemon.connect("agent").await;
    let created = agent.call("form/create", json!({ "params": question() })).await.unwrap();
    let mut socket = RawSocket::open(&daemon).await;
    socket.call(0, "initialize", introduction("admin")).await;
    socket.read().await;
    for id in 1..=3 {
        socket.call(id, "form/wait", json!({ "formId": created["formId"] })).await;
    }
    // Written in one go, both creates are there before the first has reached the disk.
    let create = |id| json!({ "jsonrpc": "2.0", "id": id, "method": "form/create", "params": { "params": question() } });
    let mut both = Vec::new();
    for id in [4, 5] {
        let text = create(id).to_string();
        both.extend([0x81, 0x80 | 126]);
        both.extend(u16::try_from(text.len()).unwrap().to_be_bytes());
        both.extend([0; 4]);
        both.extend(text.as_bytes());
    }
    tokio::io::AsyncWriteExt::write_all(&mut socket.0, &both).await.unwrap();
    let answers = [socket.read().await, socket.read().await];
    let refused: Vec<_> = answers.iter().filter(|a| a["error"]["data"]["limit"] == "calls").collect();
    assert_eq!(refused.len(), 1, "{answers:?}");
    assert_eq!(refused[0]["error"]["data"]["kind"], "overloaded");
}

#[tokio::test]
async fn calls_of_a_connection_that_does_not_read_its_answers_are_refused() {
    let daemon =
        Daemon::with_settings(&json!({ "schemaVersion": 5, "limits": { "queuedBytes": 65536 } })).await;
    let agent = daemon.connect("agent").await;
    let mut form = question();
    form["questions"][0]["prompt"] = json!("x".repeat(60_000));
    let created = agent.call("form/create", json!({ "params": form })).await.unwrap();
    let mut socket = RawSocket::open(&daemon).await;
    socket.call(0, "initialize", introduction("frontend")).await;
    socket.read().await;
    // Together far more than the system's own buffers hold.
    let calls = 100;
    for id in 1..=calls {
        socket.call(id, "form/get", json!({ "formId": created["formId"] })).await;
    }
    let (mut answered, mut refused) = (0, 0);
    for _ in 1..=calls {
        let message = timeout(DEADLINE, socket.read()).await.unwrap();
        if message["result"]["formId"] == created["formId"] {
            answered += 1;
        } else {
            assert_eq!(message["error"]["data"]["kind"], "overloaded", "{message}");
            assert_eq!(message["error"]["data"]["limit"], "queuedBytes");
            refused += 1;
        }
    }
    assert!(answered > 0 && refused > 0, "{answered} answered, {refused} refused");
    socket.call(0, "form/get", json!({ "formId": created["formId"] })).await;
    assert!(socket.read().await["result"].is_object());
}

#[tokio::test]
async fn too_many_connections_are_refused_in_words() {
    let daemon = Daemon::with_settings(&json!({ "schemaVersion": 5, "limits": { "connections": 2 } })).await;
    let first = daemon.connect("frontend").await;
    let _second = daemon.connect("agent").await;
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "form/list" }).to_string();
    let (status, body) = daemon.post("", &call).await;
    assert_eq!((status, &body["error"]["data"]["kind"]), (429, &json!("overloaded")));
    assert_eq!(body["error"]["data"]["limit"], "connections");
    drop(first);
    timeout(DEADLINE, async { while daemon.post("", &call).await.0 != 200 {} }).await.unwrap();
}

#[tokio::test]
async fn status_tells_who_is_attached_until_they_go() {
    let daemon = Daemon::start().await;
    let frontend = daemon.connect("frontend").await;
    let unknown = daemon.unknown().await;
    let status = async || frontend.call("daemon/status", json!({})).await.unwrap();
    let connections = status().await["connections"].clone();
    assert_eq!(connections[0]["roles"], json!(["frontend"]));
    assert_eq!(connections[0]["client"]["name"], "test");
    assert_eq!(connections[0]["pid"], std::process::id());
    assert_eq!(connections[1]["roles"], json!([]));
    drop(unknown);
    timeout(DEADLINE, async { while status().await["connections"].as_array().unwrap().len() > 1 {} })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_subscriber_that_never_reads_delays_nobody() {
    let daemon = Daemon::start().await;
    let mut silent = RawSocket::open(&daemon).await;
    silent.call(0, "initialize", introduction("frontend")).await;
    silent.call(1, "events/subscribe", json!({})).await;
    let agent = daemon.connect("admin").await;
    let padding = "x".repeat(16 * 1024);
    let mut slowest = Duration::ZERO;
    for _ in 0..300 {
        let mut form = question();
        form["questions"][0]["prompt"] = json!(padding);
        let start = Instant::now();
        let created = agent.call("form/create", json!({ "params": form })).await.unwrap();
        agent.call("form/cancel", json!({ "formId": created["formId"], "reason": "aborted" })).await.unwrap();
        slowest = slowest.max(start.elapsed());
    }
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    // It was not forgotten either: what it reads now begins where its stream began.
    let first = timeout(DEADLINE, async {
        loop {
            let message = silent.read().await;
            if message["method"] == "events/event" {
                return message["params"]["result"].clone();
            }
        }
    });
    assert_eq!(first.await.unwrap()["kind"], "snapshot");
}

#[tokio::test]
async fn stopping_releases_waiters_and_tells_subscribers() {
    let daemon = Daemon::start().await;
    let agent = daemon.connect("agent").await;
    let created = agent.call("form/create", json!({ "params": question() })).await.unwrap();
    let wait = json!({ "formId": created["formId"], "timeoutMs": 240_000 });
    let waiters: Vec<_> = {
        let mut callers: Vec<Caller> = Vec::new();
        for _ in 0..20 {
            callers.push(daemon.connect("agent").await);
        }
        callers
            .into_iter()
            .map(|caller| {
                let wait = wait.clone();
                tokio::spawn(async move { caller.kind("form/wait", wait).await })
            })
            .collect()
    };
    let mut events = agent
        .0
        .subscribe::<Value, _>("events/subscribe", ObjectParams::new(), "events/unsubscribe")
        .await
        .unwrap();
    assert_eq!(events.next().await.unwrap().unwrap()["kind"], "snapshot");
    let admin = daemon.connect("admin").await;
    // All waits are there once the form has an owner for each; the order of one connection's calls
    // does not tell, so ask until the daemon has read them.
    timeout(DEADLINE, async {
        loop {
            let form = admin.call("form/get", json!({ "formId": created["formId"] })).await.unwrap();
            if form["owner"]["attached"] == true {
                break;
            }
        }
    })
    .await
    .unwrap();
    assert_eq!(admin.call("daemon/stop", json!({})).await.unwrap(), json!({}));
    daemon.serving.stop_asked().await;
    let start = Instant::now();
    daemon.serving.stop().await;
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    for waiter in waiters {
        assert_eq!(waiter.await.unwrap(), "shuttingDown");
    }
    let told = timeout(DEADLINE, async {
        loop {
            match events.next().await {
                Some(Ok(event)) if event["kind"] == "shutting-down" => return true,
                Some(Ok(_)) => {}
                _ => return false,
            }
        }
    });
    assert!(told.await.unwrap());
}
