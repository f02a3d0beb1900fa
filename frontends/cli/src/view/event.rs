//! Events in one line each, for a person who watches.

use askd_form::safe_text;
use askd_wire::event::{Event, EventBody};

use super::{list, who};
use crate::ids;

/// Characters of an id in a line: events come one by one, so nothing is known about the others.
const ID: usize = 13;

/// The event in words; none for what tells a person nothing.
pub(crate) fn line(event: &Event) -> Option<String> {
    let text = match &event.body {
        EventBody::Snapshot { forms, last, .. } => {
            let mut lines: Vec<String> =
                forms.iter().map(|form| row("open", &form.form_id, &list::describe(form))).collect();
            if *last && lines.is_empty() {
                lines.push("nothing is waiting".to_owned());
            }
            return (!lines.is_empty()).then(|| lines.join("\n"));
        }
        EventBody::Started { form, .. } => list::describe(&form.summary),
        EventBody::Completed { outcome, resolved_by, .. } => {
            format!("{}, by {}", who::outcome(outcome), who::resolved_by(resolved_by))
        }
        EventBody::SubmitResult { remote } => match &remote.message {
            Some(message) => format!("refused: {}", safe_text::line(message)),
            None => "accepted".to_owned(),
        },
        EventBody::Acknowledged {} => "the result reached its owner".to_owned(),
        EventBody::SettingsChanged { changed, .. } => changed.join(", "),
        EventBody::Viewing { viewer } => {
            format!("in {} ({})", safe_text::line(&viewer.client.name), safe_text::line(&viewer.kind))
        }
        EventBody::Left { .. } => "shown no longer".to_owned(),
        EventBody::Draft { revision, .. } => format!("revision {revision}"),
        EventBody::Owner { attached: true } => "the asking side is there".to_owned(),
        EventBody::Owner { attached: false } => "the asking side went".to_owned(),
        EventBody::Notify { title, .. } => safe_text::line(title).into_owned(),
        EventBody::ShuttingDown {} => "the daemon is stopping; open forms stay open".to_owned(),
        EventBody::Lagged {} => "some events were missed; what is open now follows".to_owned(),
        EventBody::Unknown => return None,
    };
    Some(row(event.body.kind(), event.form_id.as_deref().unwrap_or("-"), &text))
}

fn row(kind: &str, id: &str, text: &str) -> String {
    format!("{kind:<16}  {:<ID$}  {text}", ids::shorten(id, ID)).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_kind_form_and_what() {
        let event = |body| Event { seq: 1, at: 1, form_id: Some("0198aaaabbbbccccdddd".to_owned()), body };
        assert_eq!(
            line(&event(EventBody::Owner { attached: true })).unwrap(),
            "owner             0198aaaabbbbc  the asking side is there"
        );
        assert_eq!(line(&event(EventBody::Unknown)), None);
    }
}
