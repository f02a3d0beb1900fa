//! The result of a form sent back for clarification (ask contract, Output rules; contracts.md §2).

use serde_json::{Map, Value, json};

use super::{details, presentation_note};
use crate::contract::lines;
use crate::form::{Choice, Form, Question};
use crate::outcome::{AnswerData, Outcome, PresentedTypes, ToolResult};

const INSTRUCTION: &str = "First answer what the user wants clarified, directly and in your own words. Ask \
                           again only if a choice is still needed, and then only the affected questions; \
                           keep the preserved answers as settled.";

/// One note, on a question or on one of its options.
struct Item<'a> {
    question: &'a Question,
    data: &'a AnswerData,
    option: Option<&'a Choice>,
    note: &'a str,
}

pub(super) fn result(form: &Form, outcome: &Outcome, presented: &PresentedTypes) -> ToolResult {
    let items: Vec<Item<'_>> = form
        .questions
        .iter()
        .filter_map(|question| Some((question, details::answer_of(outcome, question)?)))
        .flat_map(|(question, data)| items(question, data))
        .collect();
    let mut lines =
        if items.is_empty() { without_notes(form, outcome) } else { items.iter().map(Item::line).collect() };
    lines.extend(presentation_note(form, outcome, presented));

    let committed = |question: &Question, keep: fn(&AnswerData) -> bool| {
        details::answer_of(outcome, question)
            .filter(|data| data.is_answered() && keep(data))
            .map(|data| (question.id.clone(), details::answer(question, data)))
    };
    let answers: Map<_, _> = form.questions.iter().filter_map(|q| committed(q, |_| true)).collect();
    let preserved: Map<_, _> =
        form.questions.iter().filter_map(|q| committed(q, |data| !data.has_notes())).collect();

    let mut details = details::base(form, presented, false, "elaborate", answers);
    details.insert("continuation".to_owned(), continuation(form, outcome, preserved));
    let items: Vec<Value> = items.iter().map(|item| item.details(presented)).collect();
    let elaboration =
        json!({ "instruction": INSTRUCTION, "nextAction": "clarify_then_reask", "items": items });
    details.insert("elaboration".to_owned(), elaboration);

    let mut result = lines::same(&lines);
    result.details = Some(Value::Object(details));
    result
}

fn continuation(form: &Form, outcome: &Outcome, preserved: Map<String, Value>) -> Value {
    let mut affected = Vec::new();
    let mut states = Map::new();
    for question in &form.questions {
        let status = match details::answer_of(outcome, question) {
            Some(data) if data.has_notes() => {
                affected.push(question.id.as_str());
                "needs_clarification"
            }
            Some(data) if data.is_answered() => "answered",
            _ => "unanswered",
        };
        states.insert(question.id.clone(), json!({ "status": status }));
    }
    json!({
        "strategy": "refine_only",
        "affectedQuestionIds": affected,
        "preservedAnswers": preserved,
        "questionStates": states,
    })
}

fn items<'a>(question: &'a Question, data: &'a AnswerData) -> Vec<Item<'a>> {
    let own = data.note.iter().map(|note| Item { question, data, option: None, note });
    let on_options = question.options.iter().filter_map(|option| {
        let note = data.option_notes.get(&option.value)?;
        Some(Item { question, data, option: Some(option), note })
    });
    own.chain(on_options).collect()
}

fn without_notes(form: &Form, outcome: &Outcome) -> Vec<String> {
    let lines: Vec<String> = form
        .questions
        .iter()
        .filter_map(|question| {
            let answer = quoted_answer(question, details::answer_of(outcome, question)?)?;
            Some(format!(
                "User asked to elaborate on question {} with current answer {answer}",
                quoted(&question.prompt)
            ))
        })
        .collect();
    if lines.is_empty() {
        vec!["User asked to elaborate before answering anything; no notes were left".to_owned()]
    } else {
        lines
    }
}

impl Item<'_> {
    fn line(&self) -> String {
        let mut line = format!("User asked to elaborate on question {}", quoted(&self.question.prompt));
        if let Some(option) = self.option {
            line.push_str(&format!(" option {}", quoted(&option.label)));
        }
        line.push_str(&format!(" with note {}", quoted(self.note)));
        if let Some(answer) = quoted_answer(self.question, self.data) {
            line.push_str(&format!(" (current answer: {answer})"));
        }
        line
    }

    fn details(&self, presented: &PresentedTypes) -> Value {
        let mut item = Map::new();
        let target = match self.option {
            Some(option) => json!({ "kind": "option", "optionValue": option.value }),
            None => json!({ "kind": "question" }),
        };
        item.insert("target".to_owned(), target);
        item.insert("question".to_owned(), details::with_options(self.question, presented));
        if let Some(option) = self.option {
            item.insert("option".to_owned(), details::choice(option));
            item.insert("selected".to_owned(), self.data.values.contains(&option.value).into());
        }
        item.insert("answered".to_owned(), self.data.is_answered().into());
        if self.data.is_answered() {
            item.insert("answer".to_owned(), details::answer(self.question, self.data));
        }
        item.insert("note".to_owned(), self.note.into());
        Value::Object(item)
    }
}

fn quoted_answer(question: &Question, data: &AnswerData) -> Option<String> {
    let labels: Vec<String> = details::labels(question, data).into_iter().map(quoted).collect();
    (!labels.is_empty()).then(|| labels.join(", "))
}

/// As a JSON string, so that quotes and line ends in a text cannot be taken for ours.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}
