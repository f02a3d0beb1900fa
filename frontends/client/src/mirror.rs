//! The open forms as the events tell them, pure: one event in, what it changed out.

use askd_form::Outcome;
use askd_wire::event::{Event, EventBody};
use askd_wire::form::{Delivery, FormState, FormSummary, Owner, ResolvedBy};
use askd_wire::settings::Settings;
use indexmap::IndexMap;

use crate::client::Connection;

/// The open forms, oldest first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mirror {
    forms: IndexMap<String, FormSummary>,
    /// A snapshot whose last part has not come yet; the old view stands until then.
    coming: Option<IndexMap<String, FormSummary>>,
    whole: bool,
    seq: u64,
    settings_revision: u64,
}

/// What changed.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Everything was read anew. A form that is gone was resolved meanwhile: `form/get` tells how.
    Reset,
    /// A form was asked, or taken up again.
    Started {
        /// Which.
        form_id: String,
    },
    /// A form ended and is no longer in the mirror.
    Completed {
        /// Which.
        form_id: String,
        /// How.
        outcome: Outcome,
        /// By whom.
        resolved_by: Box<ResolvedBy>,
    },
    /// A form's viewers or owner changed.
    Updated {
        /// Which.
        form_id: String,
    },
    /// A draft was kept somewhere; its text comes with `form/get` or `form/view`.
    Drafted {
        /// Which form.
        form_id: String,
        /// The draft's revision.
        revision: u64,
        /// Who kept it.
        connection_id: String,
    },
    /// A result reached its owner.
    Acknowledged {
        /// Which form's.
        form_id: String,
    },
    /// Settings changed.
    Settings {
        /// Their revision.
        revision: u64,
        /// All of them.
        settings: Box<Settings>,
    },
    /// This frontend is to ring its terminal and to report with `notification/done`.
    Notify {
        /// The form, if it is about one.
        form_id: Option<String>,
        /// `bell`, `osc9` or `osc777`.
        channel: String,
        /// Title.
        title: String,
        /// One line.
        message: String,
        /// For the report.
        token: String,
    },
    /// The daemon is going; the forms stay open.
    ShuttingDown,
    /// The connection was lost or came back. After coming back a [`Reset`](Self::Reset) follows.
    Connection(Connection),
}

impl Mirror {
    /// The open forms by id, oldest first.
    #[must_use]
    pub fn forms(&self) -> &IndexMap<String, FormSummary> {
        &self.forms
    }

    /// Whether a whole snapshot was read; before that the forms are not all there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The newest durable event folded in.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The revision of the settings.
    #[must_use]
    pub fn settings_revision(&self) -> u64 {
        self.settings_revision
    }

    /// A new stream begins: half a snapshot of the old one is void.
    pub fn restart(&mut self) {
        self.coming = None;
    }

    /// Folds one event in. None when nothing anybody sees has changed.
    pub fn fold(&mut self, event: Event) -> Option<Change> {
        let Event { seq, form_id, body, .. } = event;
        match body {
            EventBody::Snapshot { last, forms, settings_revision } => {
                let coming = self.coming.get_or_insert_default();
                coming.extend(forms.into_iter().map(|form| (form.form_id.clone(), form)));
                if !last {
                    return None;
                }
                self.forms = self.coming.take().unwrap_or_default();
                self.forms.retain(|_, form| form.state == FormState::Open);
                (self.whole, self.seq, self.settings_revision) = (true, seq, settings_revision);
                Some(Change::Reset)
            }
            EventBody::Lagged {} => {
                self.coming = None;
                None
            }
            EventBody::Started { form, .. } => {
                self.seq = seq;
                let form_id = form.summary.form_id.clone();
                self.forms.insert(form_id.clone(), form.summary);
                Some(Change::Started { form_id })
            }
            EventBody::Completed { outcome, resolved_by, .. } => {
                self.seq = seq;
                let form_id = form_id?;
                self.forms.shift_remove(&form_id);
                Some(Change::Completed { form_id, outcome, resolved_by })
            }
            EventBody::Acknowledged {} => {
                self.seq = seq;
                let form_id = form_id?;
                if let Some(form) = self.forms.get_mut(&form_id) {
                    form.delivery = Delivery::Acknowledged;
                }
                Some(Change::Acknowledged { form_id })
            }
            EventBody::SettingsChanged { revision, settings, .. } => {
                self.seq = seq;
                self.settings_revision = revision;
                Some(Change::Settings { revision, settings })
            }
            EventBody::SubmitResult { remote } => {
                if remote.ok {
                    self.seq = seq;
                }
                None
            }
            EventBody::Viewing { viewer } => self.update(form_id, |form| {
                match form.viewers.iter_mut().find(|v| v.connection_id == viewer.connection_id) {
                    Some(known) => *known = viewer,
                    None => form.viewers.push(viewer),
                }
            }),
            EventBody::Left { connection_id } => {
                self.update(form_id, |form| form.viewers.retain(|v| v.connection_id != connection_id))
            }
            // That a form is orphaned comes true with time, and is read with a list.
            EventBody::Owner { attached } => {
                self.update(form_id, |form| form.owner = Owner { attached, orphaned: false })
            }
            EventBody::Draft { revision, connection_id } => {
                let form_id = form_id?;
                self.forms.get_mut(&form_id)?.drafted = true;
                Some(Change::Drafted { form_id, revision, connection_id })
            }
            EventBody::Notify { channel, title, message, token } => {
                Some(Change::Notify { form_id, channel, title, message, token })
            }
            EventBody::ShuttingDown {} => Some(Change::ShuttingDown),
            EventBody::Unknown => None,
        }
    }

    fn update(&mut self, form_id: Option<String>, change: impl FnOnce(&mut FormSummary)) -> Option<Change> {
        let form_id = form_id?;
        change(self.forms.get_mut(&form_id)?);
        Some(Change::Updated { form_id })
    }
}

#[cfg(test)]
mod tests;
