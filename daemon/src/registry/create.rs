//! `form/create`: a new form, or the one under the same live key.

use std::sync::Arc;

use askd_form::{Contract, Form, Issue, Mode, ToolResult, pending_result, tool_result};
use askd_wire::form::{CreateParams, CreateResult, FormState, Source};
use askd_wire::settings::Settings;
use askd_wire::{Millis, RpcError};

use super::check::{self, Checked};
use super::read::Found;
use super::{Registry, faults, ids};
use crate::json_size::json_size;
use crate::peer::Peer;
use crate::store::{Command, Create, Fact, Meta, OpenLimits, Record, Refusal};

/// A key may be freed between the store's refusal and our look at the form; then it is asked again.
const TRIES: usize = 3;

impl Registry {
    /// `form/create`.
    ///
    /// # Errors
    /// `invalidInput`, `conflict`, `overloaded`, `storeFailed`, `shuttingDown`.
    pub async fn create(&self, peer: &Arc<Peer>, params: CreateParams) -> Result<CreateResult, RpcError> {
        let inner = &self.inner;
        inner.running()?;
        let settings = inner.settings();
        let Checked { parsed, expires_in } = check::create(&params, &settings)?;
        let form = Arc::new(parsed.form);
        let mode = mode(&params, parsed.mode);
        let mut spare = params.key.is_some() || default_key(&params).is_some();
        let mut left = Some(params);
        for turn in 1..=TRIES {
            spare = spare && turn < TRIES;
            let params = if spare { left.clone() } else { left.take() };
            let Some(params) = params else { break };
            let command = command(params, &form, mode, expires_in, inner.clock.wall(), &settings)?;
            let new_id = command.record.id.clone();
            let result = match inner.store.apply(Command::Create(Box::new(command))).await {
                Ok(committed) => match committed.into_iter().next().map(|first| first.fact) {
                    Some(Fact::Started { record, .. }) => {
                        let created = record.id == new_id;
                        Some(result(&record, created, FormState::Open, &form, pending(&record, &form)))
                    }
                    _ => None,
                },
                Err(Refusal::KeyLive { form_id, same_payload: true }) => self.existing(&form_id).await?,
                Err(refusal) => return Err(faults::refused(refusal, "", "the form")),
            };
            if let Some(mut result) = result {
                inner.associate(peer, &result.form_id);
                result.warnings = parsed.warnings;
                return Ok(result);
            }
            if !spare {
                break;
            }
        }
        Err(faults::failed("the form", "its key changed hands while it was asked"))
    }

    /// What a repeated create gives for the form under its key; none when the key has just become free.
    async fn existing(&self, form_id: &str) -> Result<Option<CreateResult>, RpcError> {
        Ok(match self.inner.find(form_id).await? {
            Some(Found::Open(open)) => {
                let form = open.body.form.form()?;
                Some(result(&open.record, false, FormState::Open, &form, pending(&open.record, &form)))
            }
            Some(Found::Kept(kept)) if kept.delivery == askd_wire::form::Delivery::Pending => {
                let (Some(body), Some(ending)) = (&kept.body, &kept.ending) else { return Ok(None) };
                let form = body.form.form()?;
                let tool = tool_result(&form, &ending.outcome, &ending.presented);
                Some(result(&kept.record, false, FormState::Resolved, &form, Some(tool)))
            }
            _ => None,
        })
    }
}

fn pending(record: &Record, form: &Form) -> Option<ToolResult> {
    (record.mode == Mode::Background).then(|| pending_result(form))
}

fn result(
    record: &Record,
    created: bool,
    state: FormState,
    form: &Form,
    tool_result: Option<ToolResult>,
) -> CreateResult {
    CreateResult {
        form_id: record.id.to_string(),
        created,
        state,
        form: form.clone(),
        seq: record.seq,
        expires_at: record.expires_at,
        view_key: record.meta.view_key.clone(),
        tool_result,
        warnings: Vec::<Issue>::new(),
    }
}

/// Whether the agent waits: the call's word, else the payload's, else the contract's habit (protocol §3,
/// Mode).
fn mode(params: &CreateParams, payload: Option<Mode>) -> Mode {
    let habit = match params.contract {
        Contract::Ask => Mode::Urgent,
        Contract::Questionnaire => Mode::Background,
    };
    params.mode.or(payload).unwrap_or(habit)
}

/// The key of a tool call (protocol §3, Key), written so that no given key can be the same.
fn default_key(params: &CreateParams) -> Option<String> {
    let origin = params.origin.as_ref()?;
    let parts = [origin.agent.as_ref()?, origin.session.as_ref()?, params.tool_call_id.as_ref()?];
    Some(format!("call:{}", serde_json::json!(parts)))
}

fn command(
    params: CreateParams,
    form: &Arc<Form>,
    mode: Mode,
    expires_in: Option<Millis>,
    now: Millis,
    settings: &Settings,
) -> Result<Create, RpcError> {
    let default_key = default_key(&params);
    let key = params.key.map(|key| format!("key:{key}")).or(default_key);
    let mut origin = params.origin.unwrap_or_default();
    let context = origin.context.take().map(Arc::<str>::from);
    let form_json =
        serde_json::to_string(&**form).map_err(|error| faults::failed("the form", &error.to_string()))?;
    let meta = Meta {
        source: params.source,
        tool_call_id: params.tool_call_id,
        origin,
        requires: params.requires,
        quiet: params.quiet.unwrap_or(false),
        title: form.title.clone(),
        question_count: u32::try_from(form.questions.len()).unwrap_or(u32::MAX),
        first_prompt: first_prompt(form),
        view_key: ids::view_key(),
    };
    let kept_payload = if key.is_some() { json_size(&params.params) } else { 0 };
    let bytes =
        form_json.len() + kept_payload + context.as_ref().map_or(0, |text| text.len()) + json_size(&meta);
    let limits = &settings.limits;
    Ok(Create {
        record: Record {
            id: ids::form_id(),
            start_seq: 0,
            seq: 0,
            contract: params.contract,
            mode,
            created_at: now,
            expires_at: expires_in.map(|ms| now.saturating_add(ms)),
            bytes: bytes as u64,
            meta,
        },
        form: form.clone(),
        form_json: form_json.into(),
        context,
        key,
        params: params.params,
        resume: params.source == Source::AskResume,
        limits: OpenLimits {
            forms: limits.open_forms.into(),
            session: limits.open_forms_per_session.into(),
            bytes: limits.open_form_bytes,
        },
    })
}

/// The longest first prompt of a summary, in characters.
const PROMPT: usize = 200;

fn first_prompt(form: &Form) -> String {
    let Some(question) = form.questions.first() else { return String::new() };
    let line = askd_form::safe_text::line(&question.prompt);
    let line = line.trim();
    match line.char_indices().nth(PROMPT) {
        None => line.to_owned(),
        Some(_) => {
            let cut: String = line.chars().take(PROMPT - 1).collect();
            format!("{}…", cut.trim_end())
        }
    }
}
