//! What a notification says: one line about what waits, one about who asks, both harmless and short
//! (ask contract, "Notifications"; protocol §6, `notifications.privacy`).

use std::path::Path;

use askd_form::safe_text;
use askd_wire::form::{FormSnapshot, Origin};
use unicode_segmentation::UnicodeSegmentation;

/// Title of every notification.
pub(super) const TITLE: &str = "pi ask";

/// Most characters a line may have.
const LONGEST: usize = 120;

/// What a notification says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text {
    /// Its title.
    pub(super) title: &'static str,
    /// What waits, one line.
    pub(super) message: String,
    /// Who asks, one line; none when nobody said.
    pub(super) asker: Option<String>,
}

impl Text {
    /// Forms whose names stand in one text.
    pub(super) const NAMED: usize = 3;

    /// About one form or several that wait, the newest first. `total` counts those whose names are not
    /// given, too. With `privacy` it says that questions wait and for whom, but not which.
    pub(super) fn waiting(forms: &[FormSnapshot], total: usize, privacy: bool) -> Self {
        let head =
            if total > 1 { format!("{total} questions waiting") } else { "Question waiting".to_owned() };
        let names: Vec<_> = forms.iter().map(name).filter(|name| !name.is_empty()).collect();
        let message =
            if privacy || names.is_empty() { head } else { format!("{head}: {}", names.join(", ")) };
        let mut askers: Vec<String> = Vec::new();
        for asker in forms.iter().filter_map(|form| asker(&form.summary.origin)) {
            if !askers.contains(&asker) {
                askers.push(asker);
            }
        }
        let asker = (!askers.is_empty()).then(|| shortened(&askers.join(", ")));
        Self { title: TITLE, message: shortened(&message), asker }
    }

    /// About nothing, for somebody who tries a channel.
    pub(super) fn test() -> Self {
        Self::plain("This is a test: notifications work.")
    }

    /// A sentence of the daemon's own.
    pub(super) fn plain(message: &str) -> Self {
        Self { title: TITLE, message: one_line(message), asker: None }
    }
}

/// A text as one harmless line of at most 120 characters, cut between what a reader sees as characters.
pub(super) fn one_line(text: &str) -> String {
    shortened(safe_text::line(text).trim())
}

fn shortened(line: &str) -> String {
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    let mut short = String::new();
    let mut left = LONGEST - 1;
    for cluster in line.graphemes(true) {
        let Some(rest) = left.checked_sub(cluster.chars().count()) else { break };
        left = rest;
        short.push_str(cluster);
    }
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// The first question's label if one was given, else its prompt (contracts, ask contract).
fn name(form: &FormSnapshot) -> String {
    let Some(question) = form.form.questions.first() else { return String::new() };
    // A question without a label got this one while it was normalized.
    let given = question.label != "Q1";
    let label = if given { one_line(&question.label) } else { String::new() };
    if label.is_empty() { one_line(&question.prompt) } else { label }
}

/// The project and the agent, as far as the asking side told them.
fn asker(origin: &Origin) -> Option<String> {
    let project = origin.cwd.as_deref().and_then(|cwd| Path::new(cwd).file_name()?.to_str());
    let project = project.or(origin.title.as_deref());
    let parts = [project, origin.agent.as_deref()];
    let parts: Vec<_> = parts.into_iter().flatten().map(one_line).filter(|part| !part.is_empty()).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::form;
    use super::*;

    fn one(params: serde_json::Value, origin: Origin, privacy: bool) -> Text {
        Text::waiting(&[form("f", params, origin)], 1, privacy)
    }

    fn question(label: Option<&str>, prompt: &str) -> serde_json::Value {
        let mut question = serde_json::json!({
            "id": "q", "prompt": prompt, "options": [{"value": "a", "label": "A"}],
        });
        if let Some(label) = label {
            question["label"] = label.into();
        }
        serde_json::json!({"questions": [question]})
    }

    #[test]
    fn a_label_comes_before_the_prompt() {
        let text = one(question(Some("Database"), "Which database?"), Origin::default(), false);
        assert_eq!((text.title, text.message.as_str()), ("pi ask", "Question waiting: Database"));
        let text = one(question(None, "Which database?"), Origin::default(), false);
        assert_eq!(text.message, "Question waiting: Which database?");
    }

    #[test]
    fn privacy_says_who_asks_but_not_what() {
        let origin = Origin {
            agent: Some("pi".to_owned()),
            cwd: Some("/home/me/shop/".to_owned()),
            ..Origin::default()
        };
        let text = one(question(Some("Salaries"), "Publish?"), origin, true);
        assert_eq!((text.message.as_str(), text.asker.as_deref()), ("Question waiting", Some("shop · pi")));
    }

    #[test]
    fn a_line_holds_nothing_that_acts_and_no_more_than_120_characters() {
        let nasty = "a\u{1b}]0;owned\u{7}b\r\nc\u{202e}d\u{0}\te";
        let text = one(question(Some(nasty), "?"), Origin::default(), false);
        assert_eq!(text.message, "Question waiting: ab cd e");
        let text = one(question(Some(&"x".repeat(500)), "?"), Origin::default(), false);
        assert_eq!(text.message.chars().count(), 120);
        assert!(text.message.ends_with("x…"));
        let exact = "y".repeat(120 - "Question waiting: ".len());
        let text = one(question(Some(&exact), "?"), Origin::default(), false);
        assert!(text.message.ends_with('y'), "{}", text.message);
    }

    #[test]
    fn a_cut_falls_between_clusters() {
        let family = "👨\u{200d}👩\u{200d}👧";
        let short = one_line(&family.repeat(60));
        assert!(short.chars().count() <= 120);
        let kept = short.strip_suffix('…').expect("it was cut");
        assert_eq!(kept.replace(family, ""), "");
    }

    #[test]
    fn several_forms_share_a_notification() {
        let origin = |cwd: &str| Origin { cwd: Some(cwd.to_owned()), ..Origin::default() };
        let forms = [
            form("a", question(Some("Colour"), "?"), origin("/p/shop")),
            form("b", question(Some("Size"), "?"), origin("/p/shop")),
        ];
        let text = Text::waiting(&forms, 5, false);
        assert_eq!(text.message, "5 questions waiting: Colour, Size");
        assert_eq!(text.asker.as_deref(), Some("shop"));
        assert_eq!(Text::waiting(&forms, 5, true).message, "5 questions waiting");
    }

    #[test]
    fn without_a_project_the_conversations_title_stands_for_it() {
        let origin = Origin { title: Some("Refactor\nit".to_owned()), ..Origin::default() };
        let text = one(question(None, "?"), origin, false);
        assert_eq!(text.asker.as_deref(), Some("Refactor it"));
    }
}
