//! A daemon that is killed again and again while it works: nothing acknowledged is missing, nothing is
//! resolved twice, events have no gap, and what was accepted can be asked for again.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use askd_tests::forms::{id_of, pick, single};
use askd_tests::random::Random;
use askd_tests::{CallError, Client, Daemon, Sandbox, sandbox, within};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::LocalSet;

/// Creates, drafts and submits that have to be acknowledged.
const CALLS: usize = 5000;
/// Forms that are worked on at once; each has at most one call in flight.
const SLOTS: usize = 16;
/// Calls that have to be in flight at each kill.
const IN_FLIGHT: usize = 8;

/// What the slots share.
struct Run {
    /// The daemon of the moment; none while it is dead.
    clients: watch::Receiver<Option<Rc<Clients>>>,
    acknowledged: Cell<usize>,
    in_flight: Cell<usize>,
    /// Outcome and request by form, of every acknowledged submit.
    resolved: RefCell<BTreeMap<String, (String, Value, Value)>>,
    values: RefCell<Random>,
}

struct Clients {
    agent: Client,
    frontend: Client,
}

impl Clients {
    async fn connect(daemon: &Daemon) -> Rc<Self> {
        Rc::new(Self { agent: daemon.client("agent").await, frontend: daemon.client("frontend").await })
    }
}

impl Run {
    fn is_done(&self) -> bool {
        self.acknowledged.get() >= CALLS
    }

    /// Makes a call until it is answered, over as many lives of the daemon as that takes. Tells whether an
    /// earlier try may have been accepted already.
    async fn call(&self, method: &str, params: &Value) -> (Result<Value, CallError>, bool) {
        let mut tried = false;
        let mut clients = self.clients.clone();
        loop {
            let living = clients.wait_for(Option::is_some).await.expect("the run goes on").clone();
            let living = living.expect("it lives");
            let client = if method == "form/create" { &living.agent } else { &living.frontend };
            self.in_flight.set(self.in_flight.get() + 1);
            let answer = within(method, client.begin(method, params.clone())).await;
            self.in_flight.set(self.in_flight.get() - 1);
            match answer {
                Ok(answer) => {
                    self.acknowledged.set(self.acknowledged.get() + usize::from(answer.is_ok()));
                    return (answer, tried);
                }
                // The connection ended: wait until this daemon is known to be dead, then for the next one.
                Err(_) => {
                    tried = true;
                    let gone =
                        |now: &Option<Rc<Clients>>| now.as_ref().is_none_or(|c| !Rc::ptr_eq(c, &living));
                    clients.wait_for(gone).await.expect("the run goes on");
                }
            }
        }
    }

    /// One form's whole way.
    async fn form(&self, name: String) {
        let create = json!({"params": single(), "key": name});
        let (created, _) = self.call("form/create", &create).await;
        let form_id = id_of(&created.expect("a form"));

        let draft = json!({"answers": {"db": {"note": name}}});
        let draft_call = json!({"formId": form_id, "revision": 0, "draft": draft});
        match self.call("form/draft", &draft_call).await {
            (Ok(kept), _) => assert_eq!(kept["revision"], 1),
            // It was kept by the daemon that died before it could say so.
            (Err(error), true) if error.kind() == "conflict" => {
                assert_eq!(error.data["draft"]["answers"]["db"]["note"], name.as_str());
            }
            (Err(error), tried) => panic!("a draft was refused (tried before: {tried}): {error:?}"),
        }

        let value = if self.values.borrow_mut().below(2) == 0 { "pg" } else { "lite" };
        let submit = json!({"formId": form_id, "response": pick(value), "requestId": name});
        let (submitted, _) = self.call("form/submit", &submit).await;
        let submitted = submitted.expect("an outcome, also when it was accepted before");
        assert_eq!(submitted["outcome"]["answers"]["db"]["values"], json!([value]));
        let kept = (name, submit, submitted);
        assert!(self.resolved.borrow_mut().insert(form_id, kept).is_none(), "a form was given out twice");
    }
}

/// Reads every event of every life, and checks their numbers and that a form ends once.
async fn follow(
    mut clients: watch::Receiver<Option<Rc<Clients>>>,
    completed: Rc<RefCell<BTreeMap<String, u32>>>,
) {
    let (mut seq, mut store): (Option<u64>, Value) = (None, Value::Null);
    loop {
        let Ok(living) = clients.wait_for(Option::is_some).await.map(|now| now.clone()) else { return };
        let living = living.expect("it lives");
        let since = seq.map_or(json!({}), |seq| json!({"since": seq, "store": store}));
        let subscribed = living.agent.begin("events/subscribe", since);
        let Ok(Ok(id)) = within("the subscription", subscribed).await else {
            let gone = |now: &Option<Rc<Clients>>| now.as_ref().is_none_or(|c| !Rc::ptr_eq(c, &living));
            if clients.wait_for(gone).await.is_err() {
                return;
            }
            continue;
        };
        if seq.is_none() {
            store = living.agent.info["store"].clone();
        }
        let mut events = living.agent.events(&id);
        while let Some(event) = events.next_or_end().await {
            let number = event["seq"].as_u64().expect("seq");
            match event["kind"].as_str().expect("kind") {
                "snapshot" if seq.is_none() => seq = Some(number),
                "started" | "completed" | "acknowledged" => {
                    assert_eq!(Some(number), seq.map(|s| s + 1), "a gap before {event}");
                    seq = Some(number);
                    if event["kind"] == "completed" {
                        *completed.borrow_mut().entry(id_of(&event)).or_default() += 1;
                    }
                }
                "snapshot" | "lagged" => panic!("events were lost: {}", event["kind"]),
                _ => {}
            }
        }
    }
}

#[tokio::test]
async fn nothing_acknowledged_is_lost_whenever_the_daemon_dies() {
    let sandbox = sandbox!();
    LocalSet::new().run_until(drive(&sandbox)).await;
}

async fn drive(sandbox: &Sandbox) {
    let mut random = Random::new();
    let mut daemon = Daemon::start(sandbox);
    let (lives, clients) = watch::channel(Some(Clients::connect(&daemon).await));
    let run = Rc::new(Run {
        clients: clients.clone(),
        acknowledged: Cell::new(0),
        in_flight: Cell::new(0),
        resolved: RefCell::default(),
        values: RefCell::new(random.clone()),
    });
    let completed = Rc::new(RefCell::new(BTreeMap::new()));
    let follower = tokio::task::spawn_local(follow(clients, Rc::clone(&completed)));
    let slots: Vec<_> = (0..SLOTS)
        .map(|slot| {
            let run = Rc::clone(&run);
            tokio::task::spawn_local(async move {
                for number in 0.. {
                    if run.is_done() {
                        return;
                    }
                    run.form(format!("form {slot}.{number}")).await;
                }
            })
        })
        .collect();

    let mut in_flight_at_kill = Vec::new();
    while !run.is_done() {
        let until = run.acknowledged.get() + usize::try_from(20 + random.below(200)).expect("a count");
        let due = async {
            while !run.is_done() && (run.acknowledged.get() < until || run.in_flight.get() < IN_FLIGHT) {
                tokio::task::yield_now().await;
                tokio::time::sleep(std::time::Duration::from_micros(50)).await;
            }
        };
        within("the moment to kill", due).await;
        if run.is_done() {
            break;
        }
        in_flight_at_kill.push(run.in_flight.get());
        daemon.kill();
        lives.send_replace(None);
        daemon = Daemon::start(sandbox);
        lives.send_replace(Some(Clients::connect(&daemon).await));
    }
    for slot in slots {
        within("a slot's end", slot).await.expect("a slot fails the test by itself");
    }
    println!(
        "{} kills, {} calls acknowledged, in flight at the kills: {in_flight_at_kill:?}",
        in_flight_at_kill.len(),
        run.acknowledged.get()
    );
    assert!(in_flight_at_kill.len() >= 10, "too few kills to prove anything");

    let resolved = run.resolved.take();
    verify(&daemon, &resolved).await;
    let all = resolved.len();
    let seen = async {
        while completed.borrow().len() < all {
            assert!(!follower.is_finished(), "the follower ended before it had seen everything");
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    };
    within("the last event", seen).await;
    assert!(completed.borrow().values().all(|times| *times == 1), "a form was resolved twice");
    assert!(completed.borrow().keys().eq(resolved.keys()), "events tell of the same forms");
    drop(lives);
    follower.abort();
}

/// Every acknowledged outcome stands, and may be asked for again under its key and request id.
async fn verify(daemon: &Daemon, resolved: &BTreeMap<String, (String, Value, Value)>) {
    let clients = Clients::connect(daemon).await;
    let open = clients.agent.call("form/list", json!({})).await;
    assert_eq!(open["forms"], json!([]), "every form was brought to its end");
    for (form_id, (name, submit, submitted)) in resolved {
        let snapshot = clients.agent.get(form_id).await;
        assert_eq!(snapshot["outcome"], submitted["outcome"], "{name}");
        assert_eq!(snapshot["resolvedBy"], submitted["resolvedBy"], "{name}");
        assert_eq!(clients.frontend.call("form/submit", submit.clone()).await, *submitted, "{name}");
        let again = clients.agent.call("form/create", json!({"params": single(), "key": name})).await;
        assert_eq!((&again["formId"], &again["created"]), (&json!(form_id), &json!(false)), "{name}");
    }
}
