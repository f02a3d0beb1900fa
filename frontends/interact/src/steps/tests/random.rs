use askd_form::{Contract, Form, Response, check};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::form;
use crate::steps::{Dialogs, Entered, LineMode, LineOptions, Reply, Step};

fn a_form() -> impl Strategy<Value = Form> {
    let label = prop_oneof![
        Just("Same".to_owned()),
        Just("Done".to_owned()),
        Just("Skip".to_owned()),
        Just("b".to_owned()),
        Just("2".to_owned()),
        Just("Type your own".to_owned()),
        Just("Type something…".to_owned()),
        ".{1,8}",
    ];
    let question =
        (prop::collection::vec((label, any::<bool>()), 1..5), 0..3_u8, any::<[bool; 4]>(), 0..3_u32);
    (prop::collection::vec(question, 1..4), any::<bool>()).prop_map(|(questions, ask)| {
        let written: Vec<Value> = questions
            .into_iter()
            .enumerate()
            .map(|(n, (options, kind, [other, required, limits, chosen], min))| {
                let options: Vec<Value> = options
                    .into_iter()
                    .enumerate()
                    .map(|(m, (label, _))| {
                        let label = if label.trim().is_empty() { "blank".to_owned() } else { label };
                        if ask {
                            json!({"value": format!("v{m}"), "label": label, "preview": "p"})
                        } else {
                            json!({"value": format!("v{m}"), "label": label, "selected": chosen && m == 0})
                        }
                    })
                    .collect();
                if ask {
                    let kind = ["single", "multi", "preview"][usize::from(kind)];
                    return json!({"id": format!("q{n}"), "prompt": "?", "type": kind, "options": options});
                }
                let mut question = json!({"id": format!("q{n}"), "question": "?", "required": required});
                if kind < 2 {
                    question["options"] = json!(options);
                    question["allowOther"] = json!(other);
                }
                if kind == 1 {
                    question["multiple"] = json!(true);
                    if limits {
                        let most = u32::try_from(options.len()).unwrap();
                        question["min"] = json!(min.min(most));
                        question["max"] = json!(most.max(1));
                    }
                }
                question
            })
            .collect();
        let contract = if ask { Contract::Ask } else { Contract::Questionnaire };
        form(contract, &json!({"questions": written}))
    })
}

fn accepted(form: &Form, entered: &Entered, response: &Response) {
    if let Err(fault) = check(form, response, entered.presented()) {
        panic!("{fault} in {response:?}");
    }
}

proptest! {
    #[test]
    fn dialogs_never_panic_and_end_in_something_that_is_accepted(
        form in a_form(),
        replies in prop::collection::vec((any::<u8>(), "[a-z ]{0,4}"), 60),
        cards in any::<bool>(),
    ) {
        let dialogs = Dialogs::new(Entered::new(form.clone()));
        let mut dialogs = if cards { dialogs.with_cards() } else { dialogs };
        for (at, text) in replies {
            match dialogs.next() {
                Step::Done(response) => {
                    accepted(&form, dialogs.entered(), &response);
                    return Ok(());
                }
                Step::Input { title, placeholder } => {
                    prop_assert!(!title.chars().chain(placeholder.chars()).any(char::is_control));
                    dialogs.answer(if at < 20 { Reply::Cancelled } else { Reply::Value(text) });
                }
                Step::Tick { title, rows } => {
                    let unique: std::collections::HashSet<_> = rows.iter().map(|(row, _)| row).collect();
                    prop_assert_eq!(unique.len(), rows.len());
                    prop_assert!(!title.chars().any(char::is_control));
                    let mut bits = usize::from(at);
                    let ticked = rows.into_iter().filter(|_| {
                        bits = bits.rotate_right(1);
                        bits & 1 == 1
                    });
                    dialogs.answer(Reply::Ticked(ticked.map(|(row, _)| row).collect()));
                }
                Step::Select { title, rows } => {
                    prop_assert!(!title.chars().chain(rows.concat().chars()).any(char::is_control));
                    let unique: std::collections::HashSet<_> = rows.iter().collect();
                    prop_assert_eq!(unique.len(), rows.len());
                    let at = usize::from(at) % (rows.len() + 1);
                    dialogs.answer(rows.get(at).cloned().map_or(Reply::Cancelled, Reply::Value));
                }
            }
        }
    }

    #[test]
    fn advisory_dialogs_end_within_two_a_question(form in a_form(), replies in prop::collection::vec(any::<u8>(), 16)) {
        prop_assume!(!form.rules.enforced);
        let mut dialogs = Dialogs::new(Entered::new(form.clone()));
        let mut shown = 0;
        for at in replies {
            match dialogs.next() {
                Step::Done(_) | Step::Tick { .. } => break,
                Step::Input { .. } => dialogs.answer(Reply::Value(at.to_string())),
                Step::Select { rows, .. } => {
                    dialogs.answer(Reply::Value(rows[usize::from(at) % rows.len()].clone()));
                }
            }
            shown += 1;
        }
        prop_assert!(shown <= 2 * form.questions.len());
        prop_assert!(matches!(dialogs.next(), Step::Done(_)));
    }

    #[test]
    fn lines_never_panic_and_send_only_what_is_accepted(
        form in a_form(),
        lines in prop::collection::vec(
            prop_oneof!["[0-9]{1,2}", "[0-9,;+# -]{1,6}", "[bsrqtnl?.=:-]", "n[0-9]", "= ?[a-z0-9]{0,3}", "[1-5] = x",
                Just(String::new()), Just("Same".to_owned()), ".{0,12}", "[a-z]{1,4}\\\\"],
            0..80,
        ),
    ) {
        let mut mode = LineMode::new(Entered::new(form.clone()), LineOptions::default());
        let mut printed = mode.open();
        for line in lines {
            let said = mode.line(&line);
            prop_assert!(!said.lines.is_empty() || said.end.is_some() || mode.is_typing(), "silent on {:?}", line);
            printed.extend(said.lines);
            if let Some(response) = said.end {
                accepted(&form, mode.entered(), &response);
                break;
            }
        }
        for line in printed {
            prop_assert!(!line.chars().any(|c| c.is_control() && c != '\t'), "{:?}", line);
        }
    }
}
