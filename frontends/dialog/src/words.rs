//! What is said about a form's end and about who asks, the same in line mode and to a host.

use askd_form::{Form, Outcome, OutcomeKind, Reason};
use askd_interact::steps::{flat, outcome_text};
use askd_wire::Millis;
use askd_wire::form::{Origin, ResolvedBy};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Hours and minutes of a time, as the person's clock shows them.
pub(crate) fn clock(at: Millis, zone: &TimeZone) -> String {
    let since = SignedDuration::from_millis(at);
    match Timestamp::from_duration(since) {
        Ok(time) => time.to_zoned_datetime(zone.clone()).strftime("%H:%M").to_string(),
        Err(_) => "an unknown time".to_owned(),
    }
}

/// Who it was: the program, and the kind of frontend or the role.
fn who(by: &ResolvedBy) -> String {
    let Some(client) = &by.client else { return "the daemon".to_owned() };
    let kind = by.kind.as_deref().map(flat).filter(|kind| !kind.is_empty());
    let kind = kind.or_else(|| by.roles.first().map(|role| role.name().to_owned()));
    match kind {
        Some(kind) => format!("{} ({kind})", flat(&client.name)),
        None => flat(&client.name),
    }
}

/// One line about a form that somebody else ended.
pub(crate) fn ended(form: &Form, outcome: &Outcome, by: &ResolvedBy, at: &str) -> String {
    let answers = outcome_text(form, outcome);
    match (outcome.kind, outcome.reason) {
        (OutcomeKind::Submitted, _) => {
            format!("Answered by {}, {at}: {}", who(by), answers.unwrap_or_else(|| "no answer".to_owned()))
        }
        (OutcomeKind::Elaborated, _) => {
            let answers = answers.map(|text| format!(": {text}")).unwrap_or_default();
            format!("Sent back for elaboration by {}, {at}{answers}", who(by))
        }
        (OutcomeKind::Cancelled, Some(Reason::Expired)) => {
            format!("Expired, {at}: nobody answered in time, and nothing is decided.")
        }
        (OutcomeKind::Cancelled, None | Some(Reason::Dismissed)) => {
            format!("Cancelled by {}, {at}.", who(by))
        }
        (OutcomeKind::Cancelled, Some(_)) => {
            format!("Withdrawn by {}, {at}: no answer is waited for any more.", who(by))
        }
    }
}

/// Who asks: the chain of agents, the directory, the conversation. Nothing when nothing is known.
pub(crate) fn origin(origin: &Origin) -> Option<String> {
    let part = |text: &Option<String>| text.as_deref().map(flat).filter(|text| !text.is_empty());
    let mut chain: Vec<String> = origin.parents.iter().flatten().map(|name| flat(name)).collect();
    chain.extend(part(&origin.agent));
    let agents = (!chain.is_empty()).then(|| chain.join(" > "));
    let cwd = part(&origin.cwd).map(|cwd| format!("in {cwd}"));
    let title = part(&origin.title).map(|title| format!("session \"{title}\""));
    let parts: Vec<String> = [agents, cwd, title].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("Asked by {}", parts.join(", ")).replacen("by in ", "in ", 1))
}
