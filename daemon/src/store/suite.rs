//! What every store must do, whatever it keeps forms in. Each case takes a fresh store.

use std::sync::{Arc, Mutex};

use askd_form::{
    Contract, Mode, Outcome, ParseOptions, PresentedTypes, Reason, Response, check, parse, tool_result,
};
use askd_wire::form::{Delivery, Origin, ResolvedBy, Source};
use serde_json::{Value, json};

use super::*;

/// Opens a fresh store. What it needs to live stays with it.
pub(super) type Make<'m> = &'m dyn Fn() -> Arc<dyn Store>;

/// Runs every case.
pub(super) fn run(make: Make<'_>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        numbers_have_no_gaps(&*make()).await;
        a_live_key_gives_the_form_back(&*make()).await;
        an_acknowledged_key_is_free(&*make()).await;
        a_resumed_form_is_started_anew(&*make()).await;
        the_first_end_wins(&*make()).await;
        one_of_many_at_once_wins(make()).await;
        a_request_is_idempotent(&*make()).await;
        a_remote_request_is_told_after_the_end(&*make()).await;
        a_result_is_acknowledged_once(&*make()).await;
        drafts_follow_their_revision(&*make()).await;
        a_second_background_form_is_refused(&*make()).await;
        limits_are_kept(&*make()).await;
        a_notification_is_given_once(&*make()).await;
        owners_are_remembered(&*make()).await;
        the_follower_hears_everything_in_order(&*make()).await;
        old_forms_go_but_pending_ones_stay(&*make()).await;
        a_forgotten_form_leaves_its_numbers_only(&*make()).await;
        settings_count_up(&*make()).await;
    });
}

pub(super) fn payload() -> Value {
    json!({"questions":[{"id":"a","prompt":"Which?","options":[{"value":"x","label":"X"},{"value":"y","label":"Y"}]}]})
}

/// A form as a test wants it.
pub(super) struct Ask {
    pub(super) key: Option<&'static str>,
    pub(super) params: Value,
    pub(super) contract: Contract,
    pub(super) mode: Mode,
    pub(super) session: Option<&'static str>,
    pub(super) source: Source,
    pub(super) limits: OpenLimits,
}

pub(super) fn ask() -> Ask {
    Ask {
        key: None,
        params: payload(),
        contract: Contract::Ask,
        mode: Mode::Urgent,
        session: None,
        source: Source::Tool,
        limits: OpenLimits { forms: 100, session: 100, bytes: 1 << 30 },
    }
}

impl Ask {
    pub(super) fn command(self) -> Command {
        let form = Arc::new(parse(Contract::Ask, &payload(), &ParseOptions::default()).unwrap().form);
        let id = uuid::Uuid::new_v4().simple().to_string();
        let record = Record {
            id: id.as_str().into(),
            start_seq: 0,
            seq: 0,
            contract: self.contract,
            mode: self.mode,
            created_at: 1000,
            expires_at: None,
            bytes: 100,
            meta: Meta {
                source: self.source,
                tool_call_id: None,
                origin: Origin {
                    agent: Some("test".to_owned()),
                    session: self.session.map(str::to_owned),
                    ..Origin::default()
                },
                requires: None,
                quiet: false,
                title: None,
                question_count: 1,
                first_prompt: "Which?".to_owned(),
                view_key: "secret".to_owned(),
            },
        };
        Command::Create(Box::new(Create {
            record,
            form_json: serde_json::to_string(&*form).unwrap().into(),
            form,
            context: None,
            key: self.key.map(str::to_owned),
            params: self.params,
            resume: self.source == Source::AskResume,
            limits: self.limits,
        }))
    }
}

pub(super) async fn create(store: &dyn Store, ask: Ask) -> Result<Arc<Record>, Refusal> {
    match store.apply(ask.command()).await?.swap_remove(0).fact {
        Fact::Started { record, .. } => Ok(record),
        other => panic!("expected a start, got {other:?}"),
    }
}

pub(super) fn answer(form_id: &str, value: &str, request: Option<(&str, bool)>) -> Command {
    let form = parse(Contract::Ask, &payload(), &ParseOptions::default()).unwrap().form;
    let response = json!({"kind":"answer","answers":{"a":{"values":[value]}}});
    let outcome = check(&form, &Response::parse(&response).unwrap(), &PresentedTypes::new()).unwrap();
    let result = tool_result(&form, &outcome, &PresentedTypes::new());
    end(form_id, outcome, result, request.map(|(id, remote)| Request { id: id.to_owned(), remote, response }))
}

pub(super) fn cancel(form_id: &str, reason: Reason) -> Command {
    let form = parse(Contract::Ask, &payload(), &ParseOptions::default()).unwrap().form;
    let outcome = Outcome::cancelled(reason);
    let result = tool_result(&form, &outcome, &PresentedTypes::new());
    end(form_id, outcome, result, None)
}

fn end(form_id: &str, outcome: Outcome, result: askd_form::ToolResult, request: Option<Request>) -> Command {
    let keep_draft = outcome.reason.is_some_and(|reason| reason != Reason::Dismissed);
    let ending =
        Ending { outcome, resolved_by: ResolvedBy::default(), presented: PresentedTypes::new(), at: 2000 };
    Command::Resolve(Box::new(Resolve {
        form_id: form_id.into(),
        ending: Arc::new(ending),
        result: Arc::new(result),
        request,
        keep_draft,
        if_draft: None,
    }))
}

fn ack(form_id: &str) -> Command {
    Command::Acknowledge { form_id: form_id.into(), at: 3000 }
}

fn draft(form_id: &str, revision: u64, text: &str) -> Command {
    let json = json!({"answers":{"a":{"customText":text}}}).to_string().into();
    Command::SaveDraft { form_id: form_id.into(), revision, json, by: "c1".to_owned(), at: 1500 }
}

fn kept_value(ending: &Ending) -> String {
    ending.outcome.answers.as_ref().unwrap()["a"].values[0].clone()
}

async fn numbers_have_no_gaps(store: &dyn Store) {
    let first = create(store, ask()).await.unwrap();
    let refused =
        create(store, Ask { limits: OpenLimits { forms: 1, session: 9, bytes: 9999 }, ..ask() }).await;
    assert!(matches!(refused, Err(Refusal::LimitReached(Limit::OpenForms))), "{refused:?}");
    assert!(matches!(store.apply(ack(&first.id)).await, Err(Refusal::StillOpen)));
    let second = create(store, ask()).await.unwrap();
    assert_eq!((first.seq, second.seq), (1, 2));
    let seqs: Vec<_> = store.events(0, 1 << 20).await.unwrap().iter().map(|event| event.seq).collect();
    assert_eq!(seqs, [1, 2]);
    assert!(store.events(2, 1 << 20).await.unwrap().is_empty());
}

async fn a_live_key_gives_the_form_back(store: &dyn Store) {
    let first = create(store, Ask { key: Some("k"), ..ask() }).await.unwrap();
    let mut reordered = payload();
    let question = reordered["questions"][0].as_object_mut().unwrap();
    let prompt = question.shift_remove("prompt").unwrap();
    question.insert("prompt".to_owned(), prompt);
    for (params, same) in [(reordered, true), (json!({"questions":[]}), false)] {
        match create(store, Ask { key: Some("k"), params, ..ask() }).await {
            Err(Refusal::KeyLive { form_id, same_payload }) => {
                assert_eq!((&form_id, same_payload), (&first.id, same));
            }
            other => panic!("{other:?}"),
        }
    }
    store.apply(answer(&first.id, "x", None)).await.unwrap();
    let pending = create(store, Ask { key: Some("k"), ..ask() }).await;
    assert!(matches!(pending, Err(Refusal::KeyLive { same_payload: true, .. })), "{pending:?}");
    let other_contract =
        create(store, Ask { key: Some("k"), contract: Contract::Questionnaire, ..ask() }).await;
    assert!(matches!(other_contract, Err(Refusal::KeyLive { same_payload: false, .. })));
}

async fn an_acknowledged_key_is_free(store: &dyn Store) {
    let first = create(store, Ask { key: Some("k"), ..ask() }).await.unwrap();
    store.apply(answer(&first.id, "x", None)).await.unwrap();
    store.apply(ack(&first.id)).await.unwrap();
    let second = create(store, Ask { key: Some("k"), ..ask() }).await.unwrap();
    assert_ne!(first.id, second.id);
}

async fn a_resumed_form_is_started_anew(store: &dyn Store) {
    let first = create(store, Ask { key: Some("k"), ..ask() }).await.unwrap();
    let again = create(store, Ask { key: Some("k"), source: Source::AskResume, ..ask() }).await.unwrap();
    assert_eq!((&again.id, again.seq, again.start_seq), (&first.id, first.seq + 1, first.start_seq));
    assert_eq!(again.meta.source, Source::AskResume);
    let kept = store.form(&first.id).await.unwrap().unwrap();
    assert_eq!(kept.record.meta.source, Source::AskResume);
    let events = store.events(first.seq, 1 << 20).await.unwrap();
    assert_eq!(events.iter().map(|event| event.kind).collect::<Vec<_>>(), ["started"]);
    store.apply(answer(&first.id, "x", None)).await.unwrap();
    let resolved = create(store, Ask { key: Some("k"), source: Source::AskResume, ..ask() }).await;
    assert!(matches!(resolved, Err(Refusal::KeyLive { same_payload: true, .. })), "{resolved:?}");
}

async fn the_first_end_wins(store: &dyn Store) {
    let form = create(store, ask()).await.unwrap();
    store.apply(answer(&form.id, "x", None)).await.unwrap();
    for late in [answer(&form.id, "y", None), cancel(&form.id, Reason::Dismissed)] {
        match store.apply(late).await {
            Err(Refusal::AlreadyResolved { ending }) => assert_eq!(kept_value(&ending), "x"),
            other => panic!("{other:?}"),
        }
    }
    let kept = store.form(&form.id).await.unwrap().unwrap();
    assert_eq!((kept_value(&kept.ending.unwrap()).as_str(), kept.delivery), ("x", Delivery::Pending));
    assert!(matches!(store.apply(answer("nothing", "x", None)).await, Err(Refusal::UnknownForm)));
    assert!(store.form("nothing").await.unwrap().is_none());
}

async fn one_of_many_at_once_wins(store: Arc<dyn Store>) {
    let form = create(&*store, ask()).await.unwrap();
    let calls: Vec<_> = (0..40)
        .map(|at| tokio::spawn(store.apply(answer(&form.id, if at % 2 == 0 { "x" } else { "y" }, None))))
        .collect();
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for call in calls {
        match call.await.unwrap() {
            Ok(committed) => match &committed[0].fact {
                Fact::Completed { ending, .. } => won.push(kept_value(ending)),
                other => panic!("{other:?}"),
            },
            Err(Refusal::AlreadyResolved { ending }) => lost.push(kept_value(&ending)),
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!((won.len(), lost.len()), (1, 39));
    assert!(lost.iter().all(|value| *value == won[0]));
}

async fn a_request_is_idempotent(store: &dyn Store) {
    let form = create(store, ask()).await.unwrap();
    store.apply(answer(&form.id, "x", Some(("r1", false)))).await.unwrap();
    let again = store.apply(answer(&form.id, "x", Some(("r1", false)))).await;
    assert!(matches!(again, Err(Refusal::RequestReplayed { .. })), "{again:?}");
    let other = store.apply(answer(&form.id, "y", Some(("r1", false)))).await;
    assert!(matches!(other, Err(Refusal::RequestConflict)), "{other:?}");
    for request in [("r2", false), ("r1", true)] {
        let late = store.apply(answer(&form.id, "x", Some(request))).await;
        assert!(matches!(late, Err(Refusal::AlreadyResolved { .. })), "{late:?}");
    }
}

async fn a_remote_request_is_told_after_the_end(store: &dyn Store) {
    let form = create(store, ask()).await.unwrap();
    store.apply(answer(&form.id, "x", Some(("r1", true)))).await.unwrap();
    let kinds: Vec<_> = store.events(1, 1 << 20).await.unwrap().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, ["completed", "submit-result"]);
    let again = store.apply(answer(&form.id, "y", Some(("r1", true)))).await;
    assert!(matches!(again, Err(Refusal::RequestReplayed { .. })), "{again:?}");
    assert_eq!(store.form(&form.id).await.unwrap().unwrap().record.seq, 3);
}

async fn a_result_is_acknowledged_once(store: &dyn Store) {
    let form = create(store, ask()).await.unwrap();
    store.apply(cancel(&form.id, Reason::Aborted)).await.unwrap();
    store.apply(ack(&form.id)).await.unwrap();
    assert!(matches!(store.apply(ack(&form.id)).await, Err(Refusal::DoneBefore)));
    assert!(matches!(store.apply(ack("nothing")).await, Err(Refusal::UnknownForm)));
    let kept = store.form(&form.id).await.unwrap().unwrap();
    assert_eq!((kept.delivery, kept.record.seq), (Delivery::Acknowledged, 3));
}

async fn drafts_follow_their_revision(store: &dyn Store) {
    let form = create(store, ask()).await.unwrap();
    store.apply(draft(&form.id, 0, "one")).await.unwrap();
    match store.apply(draft(&form.id, 0, "other")).await {
        Err(Refusal::StaleDraft { revision, json, by }) => {
            assert_eq!((revision, by.as_deref()), (1, Some("c1")));
            assert!(json.unwrap().contains("one"));
        }
        other => panic!("{other:?}"),
    }
    store.apply(draft(&form.id, 1, "two")).await.unwrap();
    let kept = store.draft(&form.id).await.unwrap().unwrap();
    assert_eq!((kept.revision, kept.json.contains("two")), (2, true));
    assert!(store.events(1, 1 << 20).await.unwrap().is_empty(), "a draft takes no number");
    store.apply(answer(&form.id, "x", None)).await.unwrap();
    assert!(store.draft(&form.id).await.unwrap().is_none());
    assert!(matches!(store.apply(draft(&form.id, 2, "late")).await, Err(Refusal::AlreadyResolved { .. })));

    let expired = create(store, ask()).await.unwrap();
    store.apply(draft(&expired.id, 0, "unsent")).await.unwrap();
    store.apply(cancel(&expired.id, Reason::Expired)).await.unwrap();
    assert!(store.draft(&expired.id).await.unwrap().is_some());

    let typed = create(store, ask()).await.unwrap();
    store.apply(draft(&typed.id, 0, "more")).await.unwrap();
    let Command::Resolve(mut overtaken) = cancel(&typed.id, Reason::Expired) else { panic!() };
    overtaken.if_draft = Some(0);
    let refused = store.apply(Command::Resolve(overtaken)).await;
    assert!(matches!(refused, Err(Refusal::StaleDraft { revision: 1, .. })), "{refused:?}");
}

async fn a_second_background_form_is_refused(store: &dyn Store) {
    let background =
        || Ask { contract: Contract::Questionnaire, mode: Mode::Background, session: Some("s"), ..ask() };
    let first = create(store, background()).await.unwrap();
    match create(store, background()).await {
        Err(Refusal::BackgroundOpen { form_id }) => assert_eq!(form_id, first.id),
        other => panic!("{other:?}"),
    }
    create(store, Ask { session: Some("other"), ..background() }).await.unwrap();
    create(store, Ask { mode: Mode::Urgent, ..background() }).await.unwrap();
    create(store, Ask { session: None, ..background() }).await.unwrap();
    create(store, Ask { session: None, ..background() }).await.unwrap();
    store.apply(cancel(&first.id, Reason::Dismissed)).await.unwrap();
    create(store, background()).await.unwrap();
}

async fn limits_are_kept(store: &dyn Store) {
    let limits = OpenLimits { forms: 3, session: 1, bytes: 250 };
    let first = create(store, Ask { session: Some("s"), limits, ..ask() }).await.unwrap();
    let session = create(store, Ask { session: Some("s"), limits, ..ask() }).await;
    assert!(matches!(session, Err(Refusal::LimitReached(Limit::OpenFormsPerSession))));
    create(store, Ask { limits, ..ask() }).await.unwrap();
    let bytes = create(store, Ask { limits, ..ask() }).await;
    assert!(matches!(bytes, Err(Refusal::LimitReached(Limit::OpenFormBytes))));
    store.apply(cancel(&first.id, Reason::Dismissed)).await.unwrap();
    create(store, Ask { session: Some("s"), limits, ..ask() }).await.unwrap();
}

async fn a_notification_is_given_once(store: &dyn Store) {
    let form = create(store, ask()).await.unwrap();
    let mark = || Command::MarkNotified { form_id: form.id.clone() };
    store.apply(mark()).await.unwrap();
    assert!(matches!(store.apply(mark()).await, Err(Refusal::DoneBefore)));
    let unknown = store.apply(Command::MarkNotified { form_id: "nothing".into() }).await;
    assert!(matches!(unknown, Err(Refusal::UnknownForm)));
}

async fn owners_are_remembered(store: &dyn Store) {
    let (owned, other) = (create(store, ask()).await.unwrap(), create(store, ask()).await.unwrap());
    store.apply(Command::MarkOwned { form_id: owned.id.clone() }).await.unwrap();
    store.apply(Command::Flush).await.unwrap();
    let opening = store.follow(Arc::new(|_| {})).await.unwrap();
    let flags: Vec<_> = opening.forms.iter().map(|form| (form.record.id.clone(), form.owned)).collect();
    assert_eq!(flags, [(owned.id.clone(), true), (other.id.clone(), false)]);
    assert_eq!(opening.seq, 2);
}

async fn the_follower_hears_everything_in_order(store: &dyn Store) {
    let before = create(store, ask()).await.unwrap();
    let heard: Arc<Mutex<Vec<(u64, &'static str)>>> = Arc::default();
    let told = heard.clone();
    let opening = store
        .follow(Arc::new(move |committed| {
            let events = committed.iter().filter_map(|commit| commit.event.as_ref());
            told.lock().unwrap().extend(events.map(|event| (event.seq, event.kind)));
        }))
        .await
        .unwrap();
    assert_eq!((opening.seq, opening.forms.len()), (1, 1));
    let after = create(store, ask()).await.unwrap();
    store.apply(answer(&before.id, "x", None)).await.unwrap();
    store.apply(answer(&after.id, "y", Some(("r", true)))).await.unwrap();
    store.apply(ack(&after.id)).await.unwrap();
    store.apply(Command::Flush).await.unwrap();
    assert_eq!(
        *heard.lock().unwrap(),
        [(2, "started"), (3, "completed"), (4, "completed"), (5, "submit-result"), (6, "acknowledged")]
    );
}

async fn old_forms_go_but_pending_ones_stay(store: &dyn Store) {
    let mut forms = Vec::new();
    for at in 0..6 {
        let form = create(store, ask()).await.unwrap();
        store.apply(answer(&form.id, "x", None)).await.unwrap();
        if at != 0 {
            store.apply(ack(&form.id)).await.unwrap();
        }
        forms.push(form.id.clone());
    }
    let retain = |now, forms, events| {
        Command::Retain(Retain { now, forms, form_age: DAY, events, event_age: DAY, draft_age: DAY })
    };
    store.apply(retain(3000, 2, 1000)).await.unwrap();
    assert!(matches!(store.apply(retain(3000, 2, 1000)).await, Err(Refusal::DoneBefore)));
    let mut kept = Vec::new();
    for form_id in &forms {
        kept.push(store.form(form_id).await.unwrap().is_some());
    }
    assert_eq!(kept, [true, false, false, false, true, true]);
    assert_eq!(store.resolved_count().await.unwrap(), 3);
    store.apply(retain(3000 + 2 * DAY, 2, 5)).await.unwrap();
    assert_eq!(store.resolved_count().await.unwrap(), 1, "only what is pending outlives its age");
    let last = store.events(12, 1 << 20).await.unwrap();
    assert_eq!(last.iter().map(|event| event.seq).collect::<Vec<_>>(), [13, 14, 15, 16, 17]);
    assert!(store.events(0, 1 << 20).await.unwrap().is_empty());
    assert_eq!(create(store, ask()).await.unwrap().seq, 18);
}

async fn a_forgotten_form_leaves_its_numbers_only(store: &dyn Store) {
    let forget = |form_id: &Arc<str>| Command::Forget { form_id: form_id.clone(), at: 9 };
    let open = create(store, ask()).await.unwrap();
    assert!(matches!(store.apply(forget(&open.id)).await, Err(Refusal::StillOpen)));
    assert!(matches!(store.apply(forget(&"none".into())).await, Err(Refusal::UnknownForm)));
    let ended = create(store, ask()).await.unwrap();
    store.apply(answer(&ended.id, "x", None)).await.unwrap();
    // A pending result is settled first, which takes a number.
    let committed = store.apply(forget(&ended.id)).await.unwrap();
    assert!(matches!(committed[0].fact, Fact::Acknowledged));
    assert!(store.form(&ended.id).await.unwrap().is_none());
    assert_eq!(store.resolved_count().await.unwrap(), 0);
    let events = store.events(0, 1 << 20).await.unwrap();
    let kinds: Vec<_> = events.iter().map(|event| (event.seq, event.kind)).collect();
    assert_eq!(kinds, [(1, "started"), (2, "acknowledged"), (3, "completed"), (4, "acknowledged")]);
    for event in events.iter().filter(|event| event.form_id.as_deref() == Some(&*ended.id)) {
        let said = event.json.get();
        assert!(!said.contains("Which?") && !said.contains("answers"), "{said}");
    }
    assert!(matches!(store.apply(forget(&ended.id)).await, Err(Refusal::UnknownForm)));
    assert_eq!(create(store, ask()).await.unwrap().seq, 5);
}

async fn settings_count_up(store: &dyn Store) {
    for revision in 1..3 {
        let command = Command::SettingsChanged {
            changed: vec!["tool.enabled".to_owned()],
            settings: Box::default(),
            at: 5,
        };
        match &store.apply(command).await.unwrap()[0].fact {
            Fact::SettingsChanged { revision: told } => assert_eq!(*told, revision),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(store.follow(Arc::new(|_| {})).await.unwrap().settings_revision, 2);
}
