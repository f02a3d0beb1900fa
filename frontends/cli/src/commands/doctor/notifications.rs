//! Whether the person would be told of a form: tried by telling them now.

use askd_client::Client;
use askd_wire::method::NotificationTest;
use askd_wire::notification::{Attempt, AttemptStatus, TestParams};

use super::Report;

impl Report {
    pub(super) async fn look_at_notifications(&mut self, client: &Client, enabled: bool) {
        if !enabled {
            let advice = "`ask settings set notifications.enabled true` turns them on.".to_owned();
            self.note("notifications", "turned off", Some(advice));
            return;
        }
        match client.call::<NotificationTest>(TestParams::default()).await {
            Ok(tried) => tried.attempts.iter().for_each(|attempt| self.tell(attempt)),
            Err(error) => self.problem("notifications", error.to_string(), None),
        }
    }

    /// A channel that fails is no fault of the daemon's: there may be no desktop, or no terminal attached.
    fn tell(&mut self, attempt: &Attempt) {
        let channel = attempt.channel.name();
        let why = attempt.error.as_deref().unwrap_or("no reason was given");
        match attempt.status {
            AttemptStatus::Attempted => self.ok("notifications", format!("{channel}: a test was sent")),
            AttemptStatus::Skipped => self.note("notifications", format!("{channel}: skipped, {why}"), None),
            AttemptStatus::Failed => self.note("notifications", format!("{channel}: failed, {why}"), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use askd_wire::notification::ChannelKind;

    use super::super::Verdict;
    use super::*;

    #[test]
    fn each_channel_is_told_with_its_reason() {
        let mut report = Report { ok: true, checks: Vec::new() };
        for (channel, status, error) in [
            (ChannelKind::Desktop, AttemptStatus::Failed, Some("no session bus")),
            (ChannelKind::Bell, AttemptStatus::Skipped, Some("no terminal shows a form")),
            (ChannelKind::Command, AttemptStatus::Attempted, None),
        ] {
            report.tell(&Attempt { channel, status, error: error.map(str::to_owned) });
        }
        let told: Vec<_> = report.checks.iter().map(|check| (check.status, check.detail.as_str())).collect();
        assert_eq!(
            told,
            [
                (Verdict::Note, "desktop: failed, no session bus"),
                (Verdict::Note, "bell: skipped, no terminal shows a form"),
                (Verdict::Ok, "command: a test was sent"),
            ]
        );
    }
}
