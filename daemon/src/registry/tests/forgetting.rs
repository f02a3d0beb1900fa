//! Finished forms removed by hand.

use askd_wire::form::ForgetParams;
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

async fn forget(f: &Fixture, params: Value) -> Result<(u64, u64), RpcError> {
    let params: ForgetParams = serde_json::from_value(params).unwrap();
    let result = f.registry.forget(&f.peer("admin", Role::Admin), params).await?;
    Ok((result.forgotten, result.kept))
}

#[tokio::test]
async fn one_form_is_removed_when_it_has_ended() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let form_id = f.ask(&agent).await.form_id;
    let (kind, data) = fault(forget(&f, json!({ "formId": form_id })).await);
    assert_eq!((kind, &data["state"]), (ErrorKind::Conflict, &json!("open")));
    f.answer(&f.person("p"), &form_id, "x").await.unwrap();
    assert_eq!(forget(&f, json!({ "formId": form_id })).await.unwrap(), (1, 0));
    assert_eq!(fault(f.registry.get(&agent, named(&form_id)).await).0, ErrorKind::UnknownForm);
    assert_eq!(fault(forget(&f, json!({ "formId": form_id })).await).0, ErrorKind::UnknownForm);
    let f = f.restart(0).await;
    assert_eq!(fault(f.registry.get(&agent, named(&form_id)).await).0, ErrorKind::UnknownForm);
}

#[tokio::test]
async fn old_forms_are_removed_but_pending_ones_stay() {
    let f = Fixture::new().await;
    let (agent, person) = (f.peer("a", Role::Agent), f.person("p"));
    let mut forms = Vec::new();
    for _ in 0..4 {
        let form_id = f.ask(&agent).await.form_id;
        f.answer(&person, &form_id, "x").await.unwrap();
        forms.push(form_id);
        f.clock.advance(1000);
    }
    for at in [0, 2, 3] {
        f.registry.ack(&agent, named(&forms[at])).await.unwrap();
    }
    let open = f.ask(&agent).await.form_id;
    assert_eq!(forget(&f, json!({ "before": NOON + 3000 })).await.unwrap(), (2, 1));
    let mut there = Vec::new();
    for form_id in forms.iter().chain([&open]) {
        there.push(f.registry.get(&agent, named(form_id)).await.is_ok());
    }
    assert_eq!(there, [false, true, false, true, true]);
}

#[tokio::test]
async fn one_of_both_has_to_be_given() {
    let f = Fixture::new().await;
    for params in [json!({}), json!({ "formId": "f", "before": 1 })] {
        assert_eq!(fault(forget(&f, params).await).0, ErrorKind::InvalidInput);
    }
}
