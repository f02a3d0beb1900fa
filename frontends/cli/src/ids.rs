//! Ids cut short: any unique prefix of four or more characters names a form (protocol §10).

use askd_client::Client;
use askd_wire::ErrorKind;
use askd_wire::form::{FormRef, FormSummary, ListParams, StateFilter};
use askd_wire::method::{FormGet, FormList};

use crate::failure::Failure;
use crate::view::list::describe;

/// Fewer characters name nothing.
const SHORTEST: usize = 4;
/// Ids are shown with at least so many characters.
const SHOWN: usize = 8;
/// Most forms a page may have (protocol §3).
const PAGE: u32 = 1000;
/// An ambiguous prefix lists so many candidates.
const CANDIDATES: usize = 10;

/// The id of the form that `given` names. Open forms go before resolved ones: a prefix that is unique among
/// the forms that can be answered is meant for one of them.
pub(crate) async fn resolve(client: &Client, given: &str) -> Result<String, Failure> {
    resolve_in(client, given, &[StateFilter::Open, StateFilter::Resolved]).await
}

/// The same among open forms only, for what cannot be done to a resolved one. A whole id is taken as it is,
/// so that the daemon can say what became of its form.
pub(crate) async fn resolve_open(client: &Client, given: &str) -> Result<String, Failure> {
    resolve_in(client, given, &[StateFilter::Open]).await
}

async fn resolve_in(client: &Client, given: &str, states: &[StateFilter]) -> Result<String, Failure> {
    match client.call::<FormGet>(FormRef { form_id: given.to_owned() }).await {
        Ok(_) => return Ok(given.to_owned()),
        Err(error) if error.kind() == Some(ErrorKind::UnknownForm) => {}
        Err(error) => return Err(error.into()),
    }
    if given.chars().count() < SHORTEST {
        return Err(Failure::Usage(format!(
            "`{given}` is too short for a form's id. Give at least {SHORTEST} characters; `ask list` and `ask history` show the ids."
        )));
    }
    for state in states {
        let params = ListParams { state: *state, ..ListParams::default() };
        if let Some(id) = pick(given, &all(client, params).await?)? {
            return Ok(id);
        }
    }
    let (among, see) = match states {
        [StateFilter::Open] => ("open form", "`ask list` shows the open ones, `ask history` the others"),
        _ => ("form", "`ask list` and `ask history` show the ids; it may have been removed"),
    };
    Err(Failure::Other(format!("No {among} has an id that begins with `{given}`. {see}.")))
}

/// The one form whose id begins with `given`.
fn pick(given: &str, forms: &[FormSummary]) -> Result<Option<String>, Failure> {
    let matching: Vec<&FormSummary> = forms.iter().filter(|form| form.form_id.starts_with(given)).collect();
    match matching.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(one.form_id.clone())),
        many => {
            let mut text = format!("`{given}` could be any of {} forms. Give more of the id:", many.len());
            for form in many.iter().take(CANDIDATES) {
                text.push_str(&format!("\n  {}  {}", form.form_id, describe(form)));
            }
            if many.len() > CANDIDATES {
                text.push_str(&format!("\n  and {} more", many.len() - CANDIDATES));
            }
            Err(Failure::Usage(text))
        }
    }
}

/// All forms a list call gives, page after page.
pub(crate) async fn all(client: &Client, params: ListParams) -> Result<Vec<FormSummary>, Failure> {
    let mut forms = Vec::new();
    let mut params = ListParams { limit: Some(PAGE), ..params };
    loop {
        let page = client.call::<FormList>(params.clone()).await?;
        forms.extend(page.forms.iter().map(|form| form.summary().clone()));
        match page.next_cursor {
            Some(cursor) => params.cursor = Some(cursor),
            None => return Ok(forms),
        }
    }
}

/// How many characters of these ids to show: enough for each to be the only one of its prefix.
pub(crate) fn shown_length<'a>(ids: impl IntoIterator<Item = &'a str>) -> usize {
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_unstable();
    let common = |a: &str, b: &str| a.chars().zip(b.chars()).take_while(|(x, y)| x == y).count();
    ids.windows(2).map(|pair| common(pair[0], pair[1]) + 1).fold(SHOWN, usize::max)
}

/// The first characters of an id.
pub(crate) fn shorten(id: &str, length: usize) -> &str {
    id.char_indices().nth(length).map_or(id, |(at, _)| &id[..at])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn forms(ids: &[&str]) -> Vec<FormSummary> {
        let form = |id: &&str| {
            serde_json::from_value(json!({
                "formId": id, "contract": "ask", "state": "open", "seq": 1, "questionCount": 1,
                "firstPrompt": format!("Prompt of {id}"), "source": "tool", "origin": {}, "mode": "urgent",
                "createdAt": 1, "owner": {"attached": false}, "viewers": [], "drafted": false, "delivery": "none"
            }))
            .unwrap()
        };
        ids.iter().map(form).collect()
    }

    #[test]
    fn a_prefix_names_one_form_or_lists_its_candidates() {
        let forms = forms(&["0198aaaa1", "0198aaaa2", "0198bbbb"]);
        assert_eq!(pick("0198b", &forms).unwrap().as_deref(), Some("0198bbbb"));
        assert_eq!(pick("ffff", &forms).unwrap(), None);
        let failure = pick("0198a", &forms).unwrap_err();
        let text = failure.to_string();
        assert!(text.contains("0198aaaa1") && text.contains("Prompt of 0198aaaa2"), "{text}");
        assert!(!text.contains("0198bbbb"), "{text}");
        assert_eq!(failure.exit().code(), 2);
    }

    #[test]
    fn ids_are_shown_long_enough_to_tell_them_apart() {
        assert_eq!(shown_length([]), 8);
        assert_eq!(shown_length(["0198aaaaaaaa", "1198aaaaaaaa"]), 8);
        assert_eq!(shown_length(["0198aaaaaa1x", "1", "0198aaaaaa2x"]), 11);
        assert_eq!(shorten("0198aaaaaa1x", 11), "0198aaaaaa1");
        assert_eq!(shorten("0198", 8), "0198");
    }
}
