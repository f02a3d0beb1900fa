//! Payloads before they are asked: parsed by their contract, and what the protocol adds to its rules.

use askd_form::{
    Contract, Issue, Limits, ParseOptions, Parsed, ToolResult, fallback_result, invalid_result, parse,
};
use askd_wire::form::{CreateParams, FallbackParams, Origin, Source, ValidateParams, ValidateResult};
use askd_wire::settings::Settings;
use askd_wire::{Millis, RpcError};
use serde_json::{Number, Value};

use super::Registry;

const SHORTEST: Millis = 5_000;
const LONGEST: Millis = 90 * 24 * 60 * 60 * 1000;

/// Parents a sub-agent may name.
const PARENTS: usize = 64;

/// How a payload from this source is parsed under these settings.
pub(super) fn options(settings: &Settings, source: Source) -> ParseOptions {
    let size = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
    ParseOptions {
        freeform: source.allows_freeform(),
        present_single_as_multi: settings.behaviour.present_single_as_multi,
        limits: Limits {
            questions: settings.limits.questions as usize,
            options: settings.limits.options as usize,
            text_bytes: size(settings.limits.text_bytes),
        },
    }
}

/// A create that passed.
pub(super) struct Checked {
    pub(super) parsed: Parsed,
    /// Milliseconds until it expires.
    pub(super) expires_in: Option<Millis>,
}

/// Checks everything of a `form/create`.
pub(super) fn create(params: &CreateParams, settings: &Settings) -> Result<Checked, RpcError> {
    let parsed = parse(params.contract, &params.params, &options(settings, params.source));
    let (parsed, mut issues) = match parsed {
        Ok(parsed) => (Some(parsed), Vec::new()),
        Err(issues) => (None, issues),
    };
    let expires_in = match params.expires_in_ms.as_ref().map(expires_in).transpose() {
        Ok(expires_in) => expires_in,
        Err(issue) => {
            issues.push(issue);
            None
        }
    };
    let mut text = |path: &str, text: Option<&String>| {
        let most = settings.limits.text_bytes;
        if text.is_some_and(|text| text.len() as u64 > most) {
            issues.push(issue(path, format!("The text is longer than {most} bytes. Shorten it.")));
        }
    };
    text("key", params.key.as_ref());
    text("toolCallId", params.tool_call_id.as_ref());
    if let Some(Origin { agent, session, cwd, title, parents, context }) = &params.origin {
        text("origin.agent", agent.as_ref());
        text("origin.session", session.as_ref());
        text("origin.cwd", cwd.as_ref());
        text("origin.title", title.as_ref());
        text("origin.context", context.as_ref());
        for (at, parent) in parents.iter().flatten().enumerate() {
            text(&format!("origin.parents[{at}]"), Some(parent));
        }
        if parents.as_ref().is_some_and(|parents| parents.len() > PARENTS) {
            issues.push(issue("origin.parents", format!("More than {PARENTS} parents. Name fewer.")));
        }
        // All of it stands in every summary, and a part of a snapshot has room for a few only.
        let most = settings.limits.text_bytes;
        let texts = [agent, session, cwd, title].into_iter().flatten().chain(parents.iter().flatten());
        if issues.is_empty() && texts.map(|text| text.len() as u64).sum::<u64>() > most {
            let message =
                format!("Its texts, context apart, are longer than {most} bytes together. Shorten them.");
            issues.push(issue("origin", message));
        }
    }
    match parsed {
        Some(parsed) if issues.is_empty() => Ok(Checked { parsed, expires_in }),
        _ => Err(invalid(params.contract, &params.params, &issues)),
    }
}

fn issue(path: &str, message: String) -> Issue {
    Issue { path: path.to_owned(), message }
}

/// The time a form may take, within the protocol's bounds (protocol §3, Expiry).
fn expires_in(value: &Number) -> Result<Millis, Issue> {
    let whole = value.as_i64().or_else(|| {
        let value = value.as_f64().filter(|value| value.is_finite() && value.fract() == 0.0)?;
        Some(value.clamp(-1.0, LONGEST as f64) as Millis)
    });
    match whole {
        Some(ms) if ms > 0 => Ok(ms.clamp(SHORTEST, LONGEST)),
        _ => Err(issue(
            "expiresInMs",
            "The expiry must be a whole number of milliseconds above 0. Leave it out for a form that never expires."
                .to_owned(),
        )),
    }
}

fn invalid(contract: Contract, params: &Value, issues: &[Issue]) -> RpcError {
    let count = issues.len();
    let first =
        issues.first().map_or(String::new(), |issue| format!(" First: {}: {}", issue.path, issue.message));
    let message = format!(
        "The form was not asked: {count} fault{} in its parameters.{first} All are in `issues`; mend them and \
         ask again.",
        if count == 1 { "" } else { "s" }
    );
    RpcError::invalid_input(message, issues, Some(&invalid_result(contract, params, issues)))
}

impl Registry {
    /// `form/fallback`: the text for hosts that cannot ask.
    ///
    /// # Errors
    /// `invalidInput`.
    pub async fn fallback(
        &self,
        _peer: &std::sync::Arc<crate::peer::Peer>,
        params: FallbackParams,
    ) -> Result<ToolResult, RpcError> {
        let settings = self.inner.settings();
        match parse(params.contract, &params.params, &options(&settings, Source::Tool)) {
            Ok(parsed) => Ok(fallback_result(&parsed.form)),
            Err(issues) => Err(invalid(params.contract, &params.params, &issues)),
        }
    }

    /// `form/validate`: what `form/create` would say, asking nobody.
    ///
    /// # Errors
    /// None; the verdict is in the result.
    pub async fn validate(
        &self,
        _peer: &std::sync::Arc<crate::peer::Peer>,
        params: ValidateParams,
    ) -> Result<ValidateResult, RpcError> {
        let settings = self.inner.settings();
        Ok(match parse(params.contract, &params.params, &options(&settings, params.source)) {
            Ok(parsed) => {
                ValidateResult::Valid { ok: true, form: Box::new(parsed.form), warnings: parsed.warnings }
            }
            Err(issues) => ValidateResult::Invalid { ok: false, issues },
        })
    }
}
