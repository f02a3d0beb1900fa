//! `ask choose`: one of some options, or several.

use std::collections::HashSet;

use askd_form::Contract;
use clap::Args;
use serde_json::{Value, json};

use super::one_liner::{self, Common, QUESTION};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::write;

/// Ask to choose one of some options, or several; print what was chosen
///
/// With --multi each chosen option is a line, in the order of choosing. Options that begin with a dash come
/// after `--`.
#[derive(Debug, Args)]
pub(crate) struct Choose {
    /// The question
    text: String,
    /// What there is to choose from
    #[arg(required = true, value_name = "OPTION")]
    options: Vec<String>,
    /// Let several be chosen, at least one
    #[arg(long)]
    multi: bool,
    #[command(flatten)]
    common: Common,
}

impl Choose {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let params = params(one_liner::question(&self.text)?, &checked(&self.options)?, self.multi);
        let answer = match one_liner::ask(context, Contract::Questionnaire, params, &self.common).await? {
            Ok(answer) => answer,
            Err(exit) => return Ok(exit),
        };
        match (answer.values.as_slice(), self.multi) {
            ([], _) => return Ok(Exit::Otherwise),
            (values, true) if context.out.json => context.out.value(&values)?,
            (values, true) => write(&format!("{}\n", values.join("\n")))?,
            (values, false) => one_liner::print(context, &values[0])?,
        }
        Ok(Exit::Done)
    }
}

/// The options without white space around them; each has to be there once, as the answer is told by its text.
fn checked(options: &[String]) -> Result<Vec<&str>, Failure> {
    let mut seen = HashSet::new();
    options
        .iter()
        .map(|option| match option.trim() {
            "" => Err(Failure::Usage("An option is empty. Give each option a text, in quotes if it has spaces.".to_owned())),
            option if !seen.insert(option) => Err(Failure::Usage(format!(
                "The option `{option}` is there twice, and the answer could not tell which one was meant. Give each option once."
            ))),
            option => Ok(option),
        })
        .collect()
}

fn params(text: &str, options: &[&str], multi: bool) -> Value {
    let options: Vec<Value> = options.iter().map(|text| json!({ "value": text, "label": text })).collect();
    json!({ "questions": [{
        "id": QUESTION,
        "label": "Choose",
        "question": text,
        "multiple": multi,
        "allowOther": false,
        "required": true,
        "options": options,
    }] })
}

#[cfg(test)]
mod tests {
    use askd_form::{ParseOptions, parse};

    use super::*;

    #[test]
    fn options_are_told_apart() {
        let given = |options: &[&str]| options.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>();
        assert_eq!(checked(&given(&["a", " b "])).unwrap(), ["a", "b"]);
        for wrong in [&["a", "a"][..], &["a", " a"], &["a", " "]] {
            assert_eq!(checked(&given(wrong)).unwrap_err().exit().code(), 2, "{wrong:?}");
        }
        let text = checked(&given(&["a", "a "])).unwrap_err().to_string();
        assert!(text.contains("`a`"), "{text}");
    }

    #[test]
    fn the_form_is_valid() {
        for multi in [false, true] {
            let params = params("Where?", &["staging", "--force", "a,b"], multi);
            let parsed = parse(Contract::Questionnaire, &params, &ParseOptions::default()).unwrap();
            assert!(parsed.warnings.is_empty() && parsed.form.questions[0].custom.is_none());
        }
    }
}
