//! `ask confirm`: yes or no, for `ask confirm "Deploy?" && deploy`.

use askd_form::{AnswerData, Contract};
use clap::Args;
use serde_json::{Value, json};

use super::one_liner::{self, Common, QUESTION};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

const YES: &str = "yes";
const NO: &str = "no";

/// Ask yes or no; exit status 0 means yes and nothing else does
///
/// Prints yes or no. Exit status 10 means no, or another answer than the two; 3 cancelled, 4 sent back with a
/// question, 5 nobody answered in time, 7 the daemon cannot be reached.
#[derive(Debug, Args)]
pub(crate) struct Confirm {
    /// The question
    text: String,
    #[command(flatten)]
    common: Common,
}

impl Confirm {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let params = params(one_liner::question(&self.text)?);
        let answer = match one_liner::ask(context, Contract::Ask, params, &self.common).await? {
            Ok(answer) => answer,
            Err(exit) => return Ok(exit),
        };
        if let Some(note) = &answer.note {
            context.out.remark(note);
        }
        match verdict(&answer) {
            Some(yes) => {
                one_liner::print(context, if yes { YES } else { NO })?;
                Ok(if yes { Exit::Done } else { Exit::Otherwise })
            }
            None => {
                let text = answer.custom_text.as_deref().unwrap_or("neither yes nor no was chosen");
                context.out.remark(&format!("ask: not confirmed: {text}"));
                context.out.value(&Value::Null)?;
                Ok(Exit::Otherwise)
            }
        }
    }
}

/// Yes means the answer yes and nothing beside it; nothing else is taken for consent.
fn verdict(answer: &AnswerData) -> Option<bool> {
    match (answer.values.as_slice(), &answer.custom_text) {
        ([value], None) if value == YES => Some(true),
        ([value], None) if value == NO => Some(false),
        _ => None,
    }
}

fn params(text: &str) -> Value {
    json!({ "questions": [{
        "id": QUESTION,
        "label": "Confirm",
        "prompt": text,
        "required": true,
        "options": [{ "value": YES, "label": "Yes" }, { "value": NO, "label": "No" }],
    }] })
}

#[cfg(test)]
mod tests {
    use askd_form::{ParseOptions, parse};

    use super::*;

    fn answer(values: &[&str], text: Option<&str>) -> AnswerData {
        let values = values.iter().map(|v| (*v).to_owned()).collect();
        AnswerData { values, custom_text: text.map(str::to_owned), ..AnswerData::default() }
    }

    #[test]
    fn only_yes_alone_is_yes() {
        assert_eq!(verdict(&answer(&["yes"], None)), Some(true));
        assert_eq!(verdict(&answer(&["no"], None)), Some(false));
        assert_eq!(verdict(&answer(&["yes", "no"], None)), None, "presented as a multiple choice");
        assert_eq!(verdict(&answer(&["yes"], Some("but wait"))), None);
        assert_eq!(verdict(&answer(&[], Some("yes"))), None);
        assert_eq!(verdict(&answer(&[], None)), None);
    }

    #[test]
    fn the_form_is_valid() {
        assert!(
            parse(Contract::Ask, &params("Deploy?"), &ParseOptions::default()).unwrap().warnings.is_empty()
        );
    }
}
