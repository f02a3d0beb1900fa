//! `form/list`: pages of open forms, oldest first, then of finished ones, newest first.

use std::sync::Arc;

use askd_form::Issue;
use askd_wire::RpcError;
use askd_wire::form::{Delivery, ListParams, ListResult, ListedForm, StateFilter};

use super::read::{OpenView, kept_summary};
use super::{Inner, Registry};
use crate::events::Item;
use crate::json_size::json_size;
use crate::peer::Peer;
use crate::store::{Record, ResolvedQuery};

const LIMIT: u32 = 100;
const MOST: u32 = 1000;
/// A page ends here, but holds at least one form.
const PAGE_BYTES: usize = 512 * 1024;
/// Finished forms read from the store at once; with their bodies they may be large.
const READ: u32 = 50;

/// Where the next page begins: after an open form, or before a finished one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cursor {
    Open(u64),
    Resolved(Option<u64>),
}

impl Cursor {
    fn read(text: &str) -> Option<Self> {
        let (kind, number) = text.split_at_checked(1)?;
        match (kind, number) {
            ("r", "") => Some(Self::Resolved(None)),
            ("r", number) => number.parse().ok().map(|seq| Self::Resolved(Some(seq))),
            ("o", number) => number.parse().ok().map(Self::Open),
            _ => None,
        }
    }

    fn write(self) -> String {
        match self {
            Self::Open(seq) => format!("o{seq}"),
            Self::Resolved(Some(seq)) => format!("r{seq}"),
            Self::Resolved(None) => "r".to_owned(),
        }
    }
}

/// A page being filled.
struct Page {
    forms: Vec<ListedForm>,
    bytes: usize,
    limit: usize,
}

impl Page {
    fn full(&self) -> bool {
        self.forms.len() >= self.limit || self.bytes >= PAGE_BYTES
    }

    /// Gives false when the form has to wait for the next page.
    fn push(&mut self, form: ListedForm) -> bool {
        let size = json_size(&form) + 1;
        if !self.forms.is_empty() && self.bytes + size > PAGE_BYTES {
            self.bytes = PAGE_BYTES;
            return false;
        }
        self.bytes += size;
        self.forms.push(form);
        true
    }
}

impl Registry {
    /// `form/list`.
    ///
    /// # Errors
    /// `invalidInput` for a cursor that this call did not give, `storeFailed`.
    pub async fn list(&self, peer: &Arc<Peer>, params: ListParams) -> Result<ListResult, RpcError> {
        let (open, resolved) = match params.state {
            StateFilter::Open => (true, false),
            StateFilter::Resolved => (false, true),
            StateFilter::All => (true, true),
        };
        let cursor = match params.cursor.as_deref() {
            None if open => None,
            None => Some(Cursor::Resolved(None)),
            Some(text) => Some(checked(text, open, resolved)?),
        };
        let limit = params.limit.unwrap_or(LIMIT).clamp(1, MOST);
        let mut page = Page { forms: Vec::new(), bytes: 0, limit: limit as usize };
        let after = match cursor {
            None => Some(None),
            Some(Cursor::Open(seq)) => Some(Some(seq)),
            Some(Cursor::Resolved(_)) => None,
        };
        if let Some(after) = after
            && let Some(next) = self.inner.list_open(peer, &params, after, &mut page).await?
        {
            return Ok(ListResult { forms: page.forms, next_cursor: Some(next.write()) });
        }
        if !resolved {
            return Ok(ListResult { forms: page.forms, next_cursor: None });
        }
        let before = match cursor {
            Some(Cursor::Resolved(before)) => before,
            _ => None,
        };
        let next = self.inner.list_resolved(peer, &params, before, &mut page).await?;
        Ok(ListResult { forms: page.forms, next_cursor: next.map(Cursor::write) })
    }
}

fn checked(text: &str, open: bool, resolved: bool) -> Result<Cursor, RpcError> {
    let fits = |cursor: &Cursor| match cursor {
        Cursor::Open(_) => open,
        Cursor::Resolved(_) => resolved,
    };
    Cursor::read(text).filter(fits).ok_or_else(|| {
        let message =
            "The cursor does not belong to this list. Give `nextCursor` of the page before together \
                       with the same filters, or leave it out to begin anew."
                .to_owned();
        let issue = Issue { path: "cursor".to_owned(), message: message.clone() };
        RpcError::invalid_input(message, &[issue], None)
    })
}

fn wanted(params: &ListParams, record: &Record) -> bool {
    let same = |wanted: &Option<String>, has: &Option<String>| wanted.is_none() || wanted == has;
    let meta = &record.meta;
    same(&params.agent, &meta.origin.agent)
        && same(&params.session, &meta.origin.session)
        && same(&params.tool_call_id, &meta.tool_call_id)
}

impl Inner {
    /// Fills a page with open forms. Gives where to go on when there are more.
    async fn list_open(
        &self,
        peer: &Peer,
        params: &ListParams,
        after: Option<u64>,
        page: &mut Page,
    ) -> Result<Option<Cursor>, RpcError> {
        if params.delivery.is_some_and(|delivery| delivery != Delivery::None) {
            return Ok(None);
        }
        let full = params.full == Some(true);
        // One more than fits tells whether there is a next page.
        let views: Vec<OpenView> = {
            let now = self.clock.steady();
            let state = self.state();
            let matching = state.ordered(after).filter(|open| wanted(params, &open.record));
            let view = |open: &super::state::Open| OpenView {
                record: open.record.clone(),
                body: open.body.clone(),
                presence: open.presence(now),
                draft_revision: open.draft.map_or(0, |draft| draft.revision),
            };
            matching.take(page.limit + 1).map(view).collect()
        };
        let mut last = after;
        for view in views {
            let seq = view.record.start_seq;
            if page.full() {
                return Ok(Some(Cursor::Open(last.unwrap_or(0))));
            }
            let form = if full {
                ListedForm::Snapshot(Box::new(self.open_snapshot(peer, view).await?))
            } else {
                ListedForm::Summary(Box::new(Item::Open(view.record, view.presence).summary()))
            };
            if !page.push(form) {
                return Ok(Some(Cursor::Open(last.unwrap_or(0))));
            }
            last = Some(seq);
        }
        Ok(None)
    }

    /// Fills a page with finished forms. Gives where to go on when there are more.
    async fn list_resolved(
        &self,
        peer: &Peer,
        params: &ListParams,
        mut before: Option<u64>,
        page: &mut Page,
    ) -> Result<Option<Cursor>, RpcError> {
        let full = params.full == Some(true);
        loop {
            let query = ResolvedQuery {
                before,
                agent: params.agent.clone(),
                session: params.session.clone(),
                tool_call_id: params.tool_call_id.clone(),
                delivery: params.delivery,
                limit: READ,
                bodies: full,
            };
            let read = self.store.resolved(query).await?;
            if read.is_empty() {
                return Ok(None);
            }
            for (seq, kept) in read {
                if page.full() {
                    return Ok(Some(Cursor::Resolved(before)));
                }
                let form = if full {
                    ListedForm::Snapshot(Box::new(self.kept_snapshot(peer, &kept).await?))
                } else {
                    ListedForm::Summary(Box::new(kept_summary(&kept)))
                };
                if !page.push(form) {
                    return Ok(Some(Cursor::Resolved(before)));
                }
                before = Some(seq);
            }
        }
    }
}
