//! `ask answer`: a person answers, in a dialog or with the answers on the command line.

use std::io::Read;
use std::path::{Path, PathBuf};

use askd_client::Client;
use askd_form::{Form, OutcomeKind, Question};
use askd_tui::Reasons;
use askd_wire::form::{FormRef, ListParams, Resolution, SubmitParams};
use askd_wire::method::{FormGet, FormList, FormSubmit};
use askd_wire::role::Role;
use clap::Args;
use serde_json::{Map, Value, json};

use crate::commands::new;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::{self, Stage};
use crate::view::who;
use crate::{ids, marker};

/// Answer a form, the oldest one without an id
///
/// Without answers on the command line it asks for them here. With one question, `Q=` may be left out.
#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// Its id, or the first four or more characters of it
    form: Option<String>,
    /// Choose options by value, several separated by commas
    #[arg(long, value_name = "Q=V,V")]
    values: Vec<String>,
    /// Answer with a text of your own
    #[arg(long, value_name = "Q=TEXT")]
    text: Vec<String>,
    /// Add a note to a question
    #[arg(long, value_name = "Q=TEXT")]
    note: Vec<String>,
    /// A whole response as JSON, from a file or with `-` from stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["values", "text", "note", "line"])]
    response: Option<PathBuf>,
    /// Line by line, also where a full screen could be drawn
    #[arg(long, conflicts_with_all = ["values", "text", "note"])]
    line: bool,
    /// Answer although an agent runs this command; it is recorded
    #[arg(long)]
    as_agent: bool,
}

impl Answer {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        marker::refuse(context.agent.as_deref(), self.as_agent, "answer")?;
        let response = match &self.response {
            Some(file) => Some(read_response(file)?),
            None => None,
        };
        if response.is_none() && !self.has_answers() {
            if !self.line && open::draws(context) {
                return on_screen(context, self.form.as_deref()).await;
            }
            return interactively(context, self.form.as_deref()).await;
        }
        let options = context.starting(&[Role::Frontend]).frontend("cli", false);
        let client = Client::connect(options).await?;
        let form_id = named(&client, self.form.as_deref()).await?;
        let response = match response {
            Some(response) => response,
            None => {
                let snapshot = client.call::<FormGet>(FormRef { form_id: form_id.clone() }).await?;
                self.response_to(&snapshot.form)?
            }
        };
        let params = SubmitParams {
            form_id: form_id.clone(),
            response,
            presented_types: None,
            request_id: Some(client.request_id()),
        };
        let resolution = client.call::<FormSubmit>(params).await?;
        told(context, &form_id, &resolution)
    }

    fn has_answers(&self) -> bool {
        !(self.values.is_empty() && self.text.is_empty() && self.note.is_empty())
    }

    /// The response the options mean for this form.
    fn response_to(&self, form: &Form) -> Result<Value, Failure> {
        let mut answers: Map<String, Value> = Map::new();
        let mut put = |question: &Question, field: &str, value: Value| -> Result<(), Failure> {
            let answer = answers.entry(question.id.clone()).or_insert_with(|| json!({}));
            let Some(fields) = answer.as_object_mut() else { return Ok(()) };
            if fields.insert(field.to_owned(), value).is_some() {
                return Err(Failure::Usage(format!(
                    "Question `{}` is answered twice in the same way. Give each option once a question.",
                    question.id
                )));
            }
            Ok(())
        };
        for given in &self.values {
            let (question, text) = addressed(form, given)?;
            put(question, "values", json!(values(question, not_blank(question, text)?)))?;
        }
        for given in &self.text {
            let (question, text) = addressed(form, given)?;
            put(question, "customText", json!(not_blank(question, text)?))?;
        }
        for given in &self.note {
            let (question, text) = addressed(form, given)?;
            put(question, "note", json!(text))?;
        }
        Ok(json!({ "kind": "answer", "answers": answers }))
    }
}

/// The question an option's `Q=` names, and the rest. Ids may hold `=`, so the longest that fits is meant.
fn addressed<'f, 'g>(form: &'f Form, given: &'g str) -> Result<(&'f Question, &'g str), Failure> {
    let named = form
        .questions
        .iter()
        .filter_map(|q| Some((q, given.strip_prefix(q.id.as_str())?.strip_prefix('=')?)))
        .min_by_key(|(_, rest)| rest.len());
    match (named, form.questions.as_slice()) {
        (Some(named), _) => Ok(named),
        (None, [only]) => Ok((only, given)),
        (None, questions) => {
            let ids: Vec<&str> = questions.iter().map(|q| q.id.as_str()).collect();
            Err(Failure::Usage(format!(
                "`{given}` names no question of the form. Put an id and `=` before it; the ids are: {}.",
                ids.join(", ")
            )))
        }
    }
}

/// An empty value is a script's unset variable more often than a wish to leave the question open.
fn not_blank<'a>(question: &Question, text: &'a str) -> Result<&'a str, Failure> {
    if text.trim().is_empty() {
        return Err(Failure::Usage(format!(
            "The answer to question `{}` is empty. Name a value or text, or leave the question out.",
            question.id
        )));
    }
    Ok(text)
}

/// The values a text names: itself where an option has this value, else its parts between commas.
fn values<'a>(question: &Question, text: &'a str) -> Vec<&'a str> {
    if question.option(text).is_some() { vec![text] } else { text.split(',').map(str::trim).collect() }
}

async fn oldest(client: &Client) -> Result<String, Failure> {
    let page = client.call::<FormList>(ListParams { limit: Some(1), ..ListParams::default() }).await?;
    match page.forms.first() {
        Some(form) => Ok(form.summary().form_id.clone()),
        None => Err(Failure::Other(
            "Nothing is waiting for an answer. `ask history` shows what was answered.".to_owned(),
        )),
    }
}

fn read_response(file: &Path) -> Result<Value, Failure> {
    let mut bytes = Vec::new();
    let (name, read) = if file.as_os_str() == "-" {
        ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes))
    } else {
        let read = std::fs::File::open(file).and_then(|mut f| f.read_to_end(&mut bytes));
        (file.display().to_string(), read)
    };
    read.map_err(|e| {
        Failure::Other(format!("{name} cannot be read: {e}. Check the path and its permissions."))
    })?;
    new::parse(&name, &bytes)
}

/// Asks here. The daemon is asked on the connection that shows the form.
async fn interactively(context: &Context, given: Option<&str>) -> Result<Exit, Failure> {
    let mut io = open::lines(Stage::beside_json(context))?;
    let client = open::connect(context, &io).await?;
    let form_id = named(&client, given).await?;
    let ending = open::answer(&client, &form_id, &mut io).await?;
    context.out.value(ending.resolution())?;
    Ok(Exit::of(&ending.resolution().outcome))
}

/// Asks on the whole terminal.
async fn on_screen(context: &Context, given: Option<&str>) -> Result<Exit, Failure> {
    let options = context.starting(&[Role::Frontend]).frontend("tui", true);
    let client = Client::connect(options).await?;
    let form_id = named(&client, given).await?;
    let closed = open::screen(context, client, &form_id).await?;
    if let Some(signal) = closed.signal {
        open::end_by(signal);
    }
    match (closed.resolution, closed.reason) {
        (Some(resolution), _) => {
            context.out.value(&resolution)?;
            Ok(Exit::of(&resolution.outcome))
        }
        (None, Reasons::Failed) => Ok(Exit::Failed),
        // It was left, and is still open.
        (None, _) => Ok(Exit::Expired),
    }
}

async fn named(client: &Client, given: Option<&str>) -> Result<String, Failure> {
    match given {
        Some(given) => ids::resolve_open(client, given).await,
        None => oldest(client).await,
    }
}

fn told(context: &Context, form_id: &str, resolution: &Resolution) -> Result<Exit, Failure> {
    context.out.value(resolution)?;
    if resolution.outcome.kind == OutcomeKind::Submitted {
        context.out.say(&format!("Answered {form_id}."))?;
    } else {
        context.out.say(&format!("The form {form_id} is {}.", who::outcome(&resolution.outcome)))?;
    }
    Ok(Exit::of(&resolution.outcome))
}

#[cfg(test)]
mod tests {
    use askd_form::{Contract, ParseOptions, parse};

    use super::*;

    fn form(ids: &[&str]) -> Form {
        let options = json!([{ "value": "a", "label": "A" }, { "value": "b", "label": "B" }, { "value": "c,d", "label": "C" }]);
        let questions: Vec<Value> = ids
            .iter()
            .map(|id| json!({ "id": id, "prompt": "?", "type": "multi", "options": options.clone() }))
            .collect();
        parse(Contract::Ask, &json!({ "questions": questions }), &ParseOptions::default()).unwrap().form
    }

    fn answer(values: &[&str], text: &[&str], note: &[&str]) -> Answer {
        let owned = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
        Answer {
            form: None,
            values: owned(values),
            text: owned(text),
            note: owned(note),
            response: None,
            line: false,
            as_agent: false,
        }
    }

    #[test]
    fn options_become_one_response() {
        let response =
            answer(&["db=a, b"], &["ui=my own=text"], &["db=hurry"]).response_to(&form(&["db", "ui"]));
        let expected = json!({ "kind": "answer", "answers": {
            "db": { "values": ["a", "b"], "note": "hurry" }, "ui": { "customText": "my own=text" } } });
        assert_eq!(response.unwrap(), expected);
    }

    #[test]
    fn the_only_question_needs_no_name() {
        let response = answer(&["c,d"], &[], &[]).response_to(&form(&["db"])).unwrap();
        assert_eq!(response["answers"], json!({ "db": { "values": ["c,d"] } }));
    }

    #[test]
    fn an_unset_variable_of_a_script_answers_nothing() {
        for (values, text) in [("", "x"), ("db=", "x"), ("db=a", " ")] {
            let failure = answer(&[values], &[text], &[]).response_to(&form(&["db"])).unwrap_err();
            assert_eq!(failure.exit().code(), 2, "{failure}");
        }
    }

    #[test]
    fn ids_with_equals_signs_are_told_apart() {
        let form = form(&["a", "a=b"]);
        assert_eq!(addressed(&form, "a=b=x").unwrap().0.id, "a=b");
        assert_eq!(addressed(&form, "a=c").unwrap().1, "c");
        let failure = addressed(&form, "z=1").unwrap_err();
        assert!(failure.to_string().contains("a, a=b"), "{failure}");
        assert_eq!(failure.exit().code(), 2);
    }

    #[test]
    fn answering_twice_is_a_mistake() {
        let failure = answer(&["db=a", "db=b"], &[], &[]).response_to(&form(&["db"])).unwrap_err();
        assert_eq!(failure.exit().code(), 2);
    }
}
