//! Pages of forms.

use askd_wire::form::{FormState, ListResult, ListedForm};
use askd_wire::{ErrorKind, Role};
use serde_json::json;

use super::*;

async fn list(f: &Fixture, params: Value) -> ListResult {
    f.registry.list(&f.person("p"), serde_json::from_value(params).unwrap()).await.unwrap()
}

fn ids(page: &ListResult) -> Vec<String> {
    page.forms.iter().map(|form| form.summary().form_id.clone()).collect()
}

async fn all(f: &Fixture, mut params: Value) -> (Vec<String>, usize) {
    let (mut found, mut pages) = (Vec::new(), 0);
    loop {
        let page = list(f, params.clone()).await;
        found.extend(ids(&page));
        pages += 1;
        match page.next_cursor {
            Some(cursor) => params["cursor"] = json!(cursor),
            None => return (found, pages),
        }
    }
}

#[tokio::test]
async fn open_forms_come_oldest_first_and_finished_ones_newest_first() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let mut forms = Vec::new();
    for _ in 0..6 {
        forms.push(f.ask(&agent).await.form_id);
    }
    let person = f.person("p");
    for at in [3, 1, 4] {
        f.answer(&person, &forms[at], "x").await.unwrap();
    }
    let pick = |at: &[usize]| at.iter().map(|at| forms[*at].clone()).collect::<Vec<_>>();
    for limit in [1, 2, 3, 100] {
        let pages = |forms: usize| forms.div_ceil(limit);
        let expect = [("open", pick(&[0, 2, 5]), pages(3)), ("resolved", pick(&[4, 1, 3]), pages(3))];
        for (state, order, count) in expect {
            assert_eq!(
                all(&f, json!({"state":state,"limit":limit})).await,
                (order, count),
                "{state} {limit}"
            );
        }
        let (found, _) = all(&f, json!({"state":"all","limit":limit})).await;
        assert_eq!(found, pick(&[0, 2, 5, 4, 1, 3]), "{limit}");
    }
    let f = f.restart(0).await;
    assert_eq!(all(&f, json!({"state":"all","limit":2})).await.0, pick(&[0, 2, 5, 4, 1, 3]));
}

#[tokio::test]
async fn filters_narrow_the_list() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let mut made = Vec::new();
    for (name, session, call) in [("pi", "s1", "t1"), ("pi", "s2", "t2"), ("other", "s1", "t3")] {
        let origin = json!({"origin":{"agent":name,"session":session},"toolCallId":call});
        made.push(f.ask_with(&agent, origin).await.unwrap().form_id);
    }
    for (filter, expected) in [
        (json!({"agent":"pi"}), vec![0, 1]),
        (json!({"session":"s1"}), vec![0, 2]),
        (json!({"agent":"pi","session":"s1"}), vec![0]),
        (json!({"toolCallId":"t3"}), vec![2]),
        (json!({"delivery":"none"}), vec![0, 1, 2]),
        (json!({"delivery":"pending"}), vec![]),
    ] {
        let expected: Vec<_> = expected.iter().map(|at: &usize| made[*at].clone()).collect();
        assert_eq!(ids(&list(&f, filter.clone()).await), expected, "{filter}");
    }
    let person = f.person("p");
    for form_id in &made[..2] {
        f.answer(&person, form_id, "x").await.unwrap();
    }
    f.registry.ack(&agent, named(&made[0])).await.unwrap();
    for (delivery, expected) in [("none", 2), ("pending", 1), ("acknowledged", 0)] {
        let page = list(&f, json!({"state":"all","delivery":delivery})).await;
        assert_eq!(ids(&page), [made[expected].clone()], "{delivery}");
    }
    let page = list(&f, json!({"state":"resolved","agent":"pi","session":"s2"})).await;
    assert_eq!(ids(&page), [made[1].clone()]);
}

#[tokio::test]
async fn full_lists_hold_the_forms_and_end_at_a_size() {
    let f = Fixture::new().await;
    let agent = f.peer("a", Role::Agent);
    let mut large = payload();
    large["questions"][0]["prompt"] = json!("p".repeat(60_000));
    let mut made = Vec::new();
    for _ in 0..12 {
        made.push(
            f.ask_with(&agent, json!({"params":large,"origin":{"context":"before"}})).await.unwrap().form_id,
        );
    }
    let person = f.person("p");
    for form_id in &made[..10] {
        f.answer(&person, form_id, "x").await.unwrap();
    }
    let page = list(&f, json!({"state":"resolved","full":true})).await;
    assert_eq!(page.forms.len(), 8, "half a MiB holds eight");
    match &page.forms[0] {
        ListedForm::Snapshot(snapshot) => {
            assert_eq!(snapshot.form.questions[0].prompt.len(), 60_000);
            assert_eq!(snapshot.summary.origin.context.as_deref(), Some("before"));
            assert_eq!(snapshot.summary.state, FormState::Resolved);
        }
        ListedForm::Summary(_) => panic!("a full list holds snapshots"),
    }
    let (found, pages) = all(&f, json!({"state":"all","full":true})).await;
    assert_eq!((found.len(), pages), (12, 2), "open and finished ones share a page");
    let page = list(&f, json!({"state":"all"})).await;
    assert!(page.forms.iter().all(|form| form.summary().first_prompt.chars().count() == 200));
}

#[tokio::test]
async fn a_foreign_cursor_is_refused() {
    let f = Fixture::new().await;
    let person = f.person("p");
    for (state, cursor) in [("open", "x"), ("open", ""), ("open", "r5"), ("resolved", "o5"), ("all", "é")] {
        let params = serde_json::from_value(json!({"state":state,"cursor":cursor})).unwrap();
        let (kind, data) = fault(f.registry.list(&person, params).await);
        assert_eq!((kind, &data["issues"][0]["path"]), (ErrorKind::InvalidInput, &json!("cursor")));
    }
}
