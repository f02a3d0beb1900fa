//! The remote contract.

use askd_wire::remote::SubmitError;
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

fn submission(flow_id: &str, request_id: &str, value: &str) -> Value {
    json!({"version":1,"requestId":request_id,"flowId":flow_id,
        "response":{"kind":"answer","answers":{"a":{"values":[value],"labels":["ignored"]}}}})
}

#[tokio::test]
async fn an_accepted_submission_is_told_after_the_end() {
    let f = Fixture::new().await;
    let (agent, bridge) = (f.peer("a", Role::Agent), f.peer("b", Role::Bridge));
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1})).await;
    let result = f.registry.remote_submit(&bridge, submission(&form_id, "r", "y")).await.unwrap();
    assert_eq!((result.ok, result.request_id.as_str()), (true, "r"));
    assert_eq!(next_of(&mut events, "completed").await["seq"], 2);
    let told = next_of(&mut events, "submit-result").await;
    assert_eq!((&told["seq"], &told["remote"]), (&json!(3), &serde_json::to_value(&result).unwrap()));
    let f = f.restart(0).await;
    let again = f.registry.remote_submit(&bridge, submission(&form_id, "r", "x")).await.unwrap();
    assert_eq!(again, result, "before anything else is looked at");
    let late = f.registry.remote_submit(&bridge, submission(&form_id, "r2", "x")).await.unwrap();
    assert_eq!((late.ok, late.error), (false, Some(SubmitError::FlowNotFound)));
}

#[tokio::test]
async fn faults_are_results_and_are_looked_for_in_order() {
    let f = Fixture::new().await;
    let (agent, bridge) = (f.peer("a", Role::Agent), f.peer("b", Role::Bridge));
    let form_id = f.ask(&agent).await.form_id;
    let mut events = f.subscribe(json!({"since":1})).await;
    let with = |field: &str, value: Value| {
        let mut params = submission(&form_id, "r", "zzz");
        params[field] = value;
        params
    };
    use SubmitError::{FlowNotFound, InvalidAnswer, InvalidRequest};
    for (params, error, path) in [
        (json!(7), InvalidRequest, None),
        (with("version", json!(2)), InvalidRequest, None),
        (with("requestId", json!(" ")), InvalidRequest, None),
        (with("flowId", json!(null)), InvalidRequest, None),
        (with("response", json!({"kind":"later"})), InvalidRequest, None),
        (with("flowId", json!("nothing")), FlowNotFound, None),
        (with("response", json!({"kind":"answer"})), InvalidAnswer, Some("answers")),
        (submission(&form_id, "r", "zzz"), InvalidAnswer, Some("answers.a.values[0]")),
    ] {
        let result = f.registry.remote_submit(&bridge, params.clone()).await.unwrap();
        assert_eq!((result.error, result.path.as_deref()), (Some(error), path), "{params}");
        assert!(!result.message.as_deref().unwrap_or_default().is_empty());
        let told = next_of(&mut events, "submit-result").await;
        assert_eq!((&told["seq"], &told["remote"]["ok"]), (&json!(1), &json!(false)));
    }
    let cancel = with("response", json!({"kind":"cancel"}));
    assert!(f.registry.remote_submit(&bridge, cancel).await.unwrap().ok, "refused ids are not remembered");
    assert_eq!(next_of(&mut events, "completed").await["outcome"]["reason"], "dismissed");
}

#[tokio::test]
async fn an_id_that_is_too_long_is_called_so() {
    let f = Fixture::new().await;
    f.change(|settings| settings.limits.text_bytes = 8);
    let bridge = f.peer("b", Role::Bridge);
    let result = f.registry.remote_submit(&bridge, submission("form", "far too long", "x")).await.unwrap();
    assert_eq!(result.error, Some(SubmitError::InvalidRequest));
    let message = result.message.unwrap_or_default();
    assert!(message.contains("`requestId` is longer than 8 bytes"), "{message}");
}

#[tokio::test]
async fn an_agent_answers_only_what_it_asked_or_waited_for() {
    let f = Fixture::new().await;
    let (owner, other) = (f.peer("a", Role::Agent), f.peer("b", Role::Agent));
    let first = f.ask_with(&owner, json!({"key":"k"})).await.unwrap().form_id;
    let (kind, data) = fault(f.registry.remote_submit(&other, submission(&first, "r", "x")).await);
    assert_eq!((kind, &data["method"]), (ErrorKind::NotAllowed, &json!("remote/submit")));
    f.ask_with(&other, json!({"key":"k"})).await.unwrap();
    assert!(f.registry.remote_submit(&other, submission(&first, "r", "x")).await.unwrap().ok);
    let second = f.ask(&owner).await.form_id;
    waiting::now(&f, &other, &second).await;
    assert!(f.registry.remote_submit(&other, submission(&second, "r", "x")).await.unwrap().ok);
    let third = f.ask(&owner).await.form_id;
    assert!(f.registry.remote_submit(&owner, submission(&third, "r", "x")).await.unwrap().ok);
    let unknown = f.registry.remote_submit(&other, submission("nothing", "r", "x")).await.unwrap();
    assert_eq!(unknown.error, Some(SubmitError::FlowNotFound));
}

#[tokio::test]
async fn a_frontends_request_id_is_not_a_bridges() {
    let f = Fixture::new().await;
    let (agent, bridge) = (f.peer("a", Role::Agent), f.peer("b", Role::Bridge));
    let form_id = f.ask(&agent).await.form_id;
    let params = SubmitParams { request_id: Some("1".to_owned()), ..super::submission(&form_id, "x") };
    f.registry.submit(&f.person("p"), params).await.unwrap();
    let result = f.registry.remote_submit(&bridge, submission(&form_id, "1", "y")).await.unwrap();
    assert_eq!(result.error, Some(SubmitError::FlowNotFound));
}
