//! `ask new`: a form from JSON, asked to the end.

use std::io::{IsTerminal, Read};
use std::path::PathBuf;

use askd_client::Client;
use askd_form::{Contract, Form, Mode};
use askd_wire::form::{CreateParams, CreateResult, Origin, ValidateParams, ValidateResult};
use askd_wire::method::{FormCreate, FormValidate};
use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::{Stage, With};
use crate::owner::{self, Asking};

/// The agent whose name forms from the command line carry.
pub(crate) const AGENT: &str = "ask";

/// Ask with a form from JSON, wait, and print the tool result
///
/// The JSON is what an agent would pass to its tool: {"questions":[…]}. The form opens here when there is a
/// terminal; it can be answered anywhere else all the same. Stopped by a signal the program takes its
/// question back, unless --keep is given.
#[derive(Debug, Args)]
pub(crate) struct New {
    /// A file with the JSON; `-` or nothing reads it from stdin
    file: Option<PathBuf>,
    /// The contract the JSON is written in
    #[arg(long, value_enum, default_value_t)]
    contract: ContractName,
    /// The conversation it belongs to
    #[arg(long, value_name = "S")]
    session: Option<String>,
    /// The tool call it answers; with --session, asking the same again gives the same form
    #[arg(long, value_name = "T")]
    tool_call_id: Option<String>,
    /// Exit with 10 unless question Q is answered with V; several values are separated by commas
    #[arg(long, value_name = "Q=V", value_parser = expectation)]
    expect: Vec<(String, String)>,
    /// Print the form's id and do not wait
    #[arg(long, conflicts_with_all = ["expect", "with"])]
    no_wait: bool,
    /// Leave the form open when this program is stopped
    #[arg(long)]
    keep: bool,
    /// What opens the form here
    #[arg(long, value_enum)]
    with: Option<With>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum ContractName {
    #[default]
    Ask,
    Questionnaire,
}

impl From<ContractName> for Contract {
    fn from(name: ContractName) -> Self {
        match name {
            ContractName::Ask => Self::Ask,
            ContractName::Questionnaire => Self::Questionnaire,
        }
    }
}

fn expectation(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((question, value)) if !question.is_empty() => Ok((question.to_owned(), value.to_owned())),
        _ => Err("give a question's id and a value, like db=postgres".to_owned()),
    }
}

impl New {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let (params, from_stdin) = self.payload()?;
        let client = context.agent().await?;
        let contract = self.contract.into();
        check_expectations(&client, contract, &params, &self.expect).await?;
        let mode = mode(&params, self.no_wait);
        let origin = Origin {
            agent: Some(AGENT.to_owned()),
            session: self.session,
            cwd: std::env::current_dir().ok().map(|dir| dir.display().to_string()),
            ..Origin::default()
        };
        let created = client
            .call::<FormCreate>(CreateParams {
                contract,
                params,
                tool_call_id: self.tool_call_id,
                origin: Some(origin),
                mode,
                ..CreateParams::default()
            })
            .await?;
        tell_warnings(context, &created);
        if self.no_wait {
            context.out.value(&created)?;
            context.out.say(&created.form_id)?;
            return Ok(Exit::Done);
        }
        let stage = Stage::beside_result(context, from_stdin);
        let with = self.with.unwrap_or_else(|| With::by_default(context, stage));
        let stage = (with != With::None).then_some(stage);
        let screen = with == With::Tui;
        let asking = Asking { stage, screen, keep: self.keep, only_here: false, expect: self.expect };
        owner::see_through(context, &client, &created, asking).await
    }

    /// The payload, and whether stdin was read for it.
    fn payload(&self) -> Result<(Value, bool), Failure> {
        let file = self.file.as_deref().filter(|file| file.as_os_str() != "-");
        let mut bytes = Vec::new();
        let (name, read) = match file {
            Some(file) => {
                let read = std::fs::File::open(file).and_then(|mut f| f.read_to_end(&mut bytes));
                (file.display().to_string(), read)
            }
            None if std::io::stdin().is_terminal() && self.file.is_none() => {
                return Err(Failure::Usage(
                    "There is no form to ask: give a FILE, or pipe JSON like {\"questions\":[…]} into `ask new`."
                        .to_owned(),
                ));
            }
            None => ("standard input".to_owned(), std::io::stdin().lock().read_to_end(&mut bytes)),
        };
        read.map_err(|e| {
            Failure::Other(format!("{name} cannot be read: {e}. Check the path and its permissions."))
        })?;
        Ok((parse(&name, &bytes)?, file.is_none()))
    }
}

/// Reads JSON, telling where it goes wrong.
pub(crate) fn parse(name: &str, bytes: &[u8]) -> Result<Value, Failure> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::Invalid(format!("{name} is empty. Give JSON, like {{\"questions\":[…]}}.")));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        Failure::Invalid(format!(
            "{name} is no valid JSON at line {}, column {}: {error}. Mend it there and try again.",
            error.line(),
            error.column()
        ))
    })
}

/// Whoever waits here is an agent that waits, unless the payload says otherwise.
fn mode(params: &Value, no_wait: bool) -> Option<Mode> {
    let says = params.get("mode").is_some() || params.get("noWait").is_some();
    (!no_wait && !says).then_some(Mode::Urgent)
}

/// An expectation that no answer can meet is a mistake, found before anybody is asked.
async fn check_expectations(
    client: &Client,
    contract: Contract,
    params: &Value,
    expect: &[(String, String)],
) -> Result<(), Failure> {
    if expect.is_empty() {
        return Ok(());
    }
    let asked = ValidateParams { contract, params: params.clone(), ..ValidateParams::default() };
    match client.call::<FormValidate>(asked).await? {
        ValidateResult::Valid { form, .. } => expect.iter().try_for_each(|(id, _)| has_question(&form, id)),
        // Creating it tells what is wrong.
        ValidateResult::Invalid { .. } => Ok(()),
    }
}

fn has_question(form: &Form, id: &str) -> Result<(), Failure> {
    if form.question(id).is_some() {
        return Ok(());
    }
    let ids: Vec<&str> = form.questions.iter().map(|q| q.id.as_str()).collect();
    Err(Failure::Usage(format!(
        "--expect names a question `{id}`, and the form has none of that id. It has: {}.",
        ids.join(", ")
    )))
}

fn tell_warnings(context: &Context, created: &CreateResult) {
    for warning in &created.warnings {
        context.out.remark(&format!("ask: warning: {}: {}", warning.path, warning.message));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn bad_json_is_invalid_input_with_its_place() {
        let failure = parse("f.json", b"{\n  \"questions\": [,]\n}").unwrap_err();
        assert_eq!(failure.exit().code(), 6);
        let text = failure.to_string();
        assert!(text.contains("f.json") && text.contains("line 2, column 17"), "{text}");
        assert_eq!(parse("f", b" \n").unwrap_err().exit().code(), 6);
        assert_eq!(parse("f", b"\"\xff\"").unwrap_err().exit().code(), 6);
        assert_eq!(parse("f", b"\xef\xbb\xbf{}").unwrap(), json!({}));
    }

    #[test]
    fn an_expectation_needs_a_question() {
        assert_eq!(expectation("a=b=c"), Ok(("a".to_owned(), "b=c".to_owned())));
        assert!(expectation("=b").is_err() && expectation("ab").is_err());
    }

    #[test]
    fn waiting_is_urgent_unless_the_payload_says_otherwise() {
        assert_eq!(mode(&json!({}), false), Some(Mode::Urgent));
        assert_eq!(mode(&json!({}), true), None);
        assert_eq!(mode(&json!({ "mode": "background" }), false), None);
        assert_eq!(mode(&json!({ "noWait": true }), false), None);
    }
}
