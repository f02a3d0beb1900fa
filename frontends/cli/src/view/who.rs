//! Outcomes and who brought them about, in words.

use askd_form::{Outcome, OutcomeKind, Reason, safe_text};
use askd_wire::form::{FormSummary, Origin, ResolvedBy};

/// What became of a form, as a participle: `submitted`, `cancelled (expired)`.
pub(crate) fn outcome(outcome: &Outcome) -> String {
    match (outcome.kind, outcome.reason) {
        (OutcomeKind::Submitted, _) => "submitted".to_owned(),
        (OutcomeKind::Elaborated, _) => "sent back for elaboration".to_owned(),
        (OutcomeKind::Cancelled, None) => "cancelled".to_owned(),
        (OutcomeKind::Cancelled, Some(reason)) => format!("cancelled ({})", self::reason(reason)),
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Dismissed => "dismissed",
        Reason::Aborted => "withdrawn by the agent",
        Reason::Superseded => "replaced by another form",
        Reason::SessionClosed => "its conversation was closed",
        Reason::Expired => "nobody answered in time",
    }
}

/// Who resolved a form, as far as the daemon could see.
pub(crate) fn resolved_by(by: &ResolvedBy) -> String {
    let Some(client) = &by.client else { return "the daemon".to_owned() };
    let mut text = if by.person { "a person with ".to_owned() } else { String::new() };
    text.push_str(&safe_text::line(&client.name));
    if let Some(kind) = &by.kind {
        text.push_str(&format!(" ({})", safe_text::line(kind)));
    }
    if let Some(agent) = &by.agent {
        text.push_str(&format!(", run by an agent ({})", safe_text::line(agent)));
    }
    if let Some(pid) = by.pid {
        text.push_str(&format!(", process {pid}"));
    }
    if let Some(token) = &by.token {
        text.push_str(&format!(", token {}", safe_text::line(token)));
    }
    text
}

/// Who asks, in a few words: agent and conversation.
pub(crate) fn origin(origin: &Origin) -> String {
    let conversation = origin.title.as_ref().or(origin.session.as_ref());
    let parts = [origin.agent.as_ref(), conversation].into_iter().flatten();
    let text = parts.map(|part| safe_text::line(part).into_owned()).collect::<Vec<_>>().join(" · ");
    if text.is_empty() { "-".to_owned() } else { text }
}

/// The state of an open form, in a few words.
pub(crate) fn open_state(form: &FormSummary) -> String {
    let mut words = Vec::new();
    if !form.viewers.is_empty() {
        words.push("being shown");
    } else if form.drafted {
        words.push("begun");
    }
    if form.owner.orphaned {
        words.push("its agent is gone");
    }
    if form.requires.is_some() {
        words.push("person only");
    }
    if words.is_empty() { "waiting".to_owned() } else { words.join(", ") }
}

#[cfg(test)]
mod tests {
    use askd_wire::connection::Program;

    use super::*;

    #[test]
    fn an_agent_that_answers_is_visible() {
        let mut by = ResolvedBy {
            client: Some(Program { name: "ask".to_owned(), version: "1".to_owned() }),
            kind: Some("line".to_owned()),
            pid: Some(7),
            person: true,
            ..ResolvedBy::default()
        };
        assert_eq!(resolved_by(&by), "a person with ask (line), process 7");
        by.person = false;
        by.agent = Some("CLAUDECODE".to_owned());
        assert_eq!(resolved_by(&by), "ask (line), run by an agent (CLAUDECODE), process 7");
        assert_eq!(resolved_by(&ResolvedBy::default()), "the daemon");
    }
}
