//! `ask text`: a text in the person's own words.

use askd_form::Contract;
use clap::Args;
use serde_json::{Value, json};

use super::one_liner::{self, Common, QUESTION};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Ask for a text and print it
#[derive(Debug, Args)]
pub(crate) struct Text {
    /// The question
    text: String,
    #[command(flatten)]
    common: Common,
}

impl Text {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let params = params(one_liner::question(&self.text)?);
        let answer = match one_liner::ask(context, Contract::Questionnaire, params, &self.common).await? {
            Ok(answer) => answer,
            Err(exit) => return Ok(exit),
        };
        let Some(text) = answer.custom_text else { return Ok(Exit::Otherwise) };
        one_liner::print(context, &text)?;
        Ok(Exit::Done)
    }
}

fn params(text: &str) -> Value {
    json!({ "questions": [{ "id": QUESTION, "label": "Answer", "question": text, "required": true }] })
}

#[cfg(test)]
mod tests {
    use askd_form::{ParseOptions, QuestionType, parse};

    use super::*;

    #[test]
    fn the_form_is_a_typed_question() {
        let parsed = parse(Contract::Questionnaire, &params("Name?"), &ParseOptions::default()).unwrap();
        assert!(parsed.warnings.is_empty());
        assert_eq!(parsed.form.questions[0].kind, QuestionType::Text);
    }
}
