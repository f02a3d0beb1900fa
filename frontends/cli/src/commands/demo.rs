//! `ask demo`: a sample form, from the question to what the agent gets.

use askd_wire::form::{CreateParams, Origin};
use askd_wire::method::FormCreate;
use clap::Args;
use serde_json::{Value, json};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::open::{self, Stage};
use crate::owner::{self, Asking};

/// Make a sample form, open it, and print what the agent would get
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Line by line, also where a full screen could be drawn
    #[arg(long)]
    line: bool,
}

impl Demo {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = context.agent().await?;
        let origin = Origin {
            agent: Some("demo".to_owned()),
            title: Some("A sample question".to_owned()),
            ..Origin::default()
        };
        let params = CreateParams {
            params: sample(),
            origin: Some(origin),
            // It is opened here and now.
            quiet: Some(true),
            ..CreateParams::default()
        };
        let created = client.call::<FormCreate>(params).await?;
        context.out.remark(
            "This is what a question from an agent looks like. What it would get comes at the end.\n",
        );
        let stage = Some(Stage::beside_json(context));
        let screen = !self.line && open::draws(context);
        let asking = Asking { stage, screen, keep: false, only_here: true, expect: Vec::new() };
        owner::see_through(context, &client, &created, asking).await
    }
}

/// One question of each type of the ask contract.
pub(crate) fn sample() -> Value {
    json!({
        "title": "Release plan",
        "questions": [
            {
                "id": "target",
                "label": "Target",
                "prompt": "Where should the first release go?",
                "type": "single",
                "options": [
                    {
                        "value": "staging",
                        "label": "Staging first",
                        "description": "a day on staging, then production if nothing turns up",
                        "recommended": true
                    },
                    {
                        "value": "canary",
                        "label": "Canary",
                        "description": "production at once, for one user in twenty"
                    },
                    {
                        "value": "production",
                        "label": "Production",
                        "description": "everybody at once; fastest, and hardest to take back"
                    }
                ]
            },
            {
                "id": "checks",
                "label": "Checks",
                "prompt": "What has to pass before it goes out?",
                "type": "multi",
                "options": [
                    { "value": "unit", "label": "Unit tests", "recommended": true },
                    { "value": "e2e", "label": "End-to-end tests", "description": "about twenty minutes" },
                    { "value": "load", "label": "Load test", "description": "about an hour" },
                    { "value": "review", "label": "A second person's review" }
                ]
            },
            {
                "id": "notes",
                "label": "Notes",
                "prompt": "How should the release notes read?",
                "type": "preview",
                "options": [
                    {
                        "value": "short",
                        "label": "Short list",
                        "preview": "v2.0\n- faster start\n- forms survive a restart\n- fixes"
                    },
                    {
                        "value": "grouped",
                        "label": "Grouped",
                        "preview": "v2.0\n\nAdded\n  Forms survive a restart.\n\nChanged\n  Start takes half the time.\n\nFixed\n  Seven reported faults."
                    }
                ]
            }
        ]
    })
}

#[cfg(test)]
mod tests {
    use askd_form::{Contract, ParseOptions, parse};

    use super::*;

    #[test]
    fn the_sample_is_a_valid_form_of_all_three_types() {
        let parsed = parse(Contract::Ask, &sample(), &ParseOptions::default()).unwrap();
        let types: Vec<&str> = parsed.form.questions.iter().map(|q| q.kind.name()).collect();
        assert_eq!(types, ["single", "multi", "preview"]);
        assert!(parsed.warnings.is_empty());
        let first = &parsed.form.questions[0];
        assert!(first.options.iter().all(|o| o.description.is_some()));
        assert_eq!(first.options.iter().filter(|o| o.recommended == Some(true)).count(), 1);
    }
}
