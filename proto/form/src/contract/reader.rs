//! Reading payload fields: every fault becomes an issue with its path, and nothing stops at the first one.

use serde_json::{Map, Value};

use super::place::{Place, Unique};
use super::{Limits, trim};
use crate::outcome::Issue;

/// More issues or warnings than these are counted, not listed: a hostile payload of a few bytes a fault
/// must not become an answer of many times its size.
const MOST_ISSUES: usize = 1000;
const MOST_WARNINGS: usize = 100;

/// Collects what is wrong while fields are read.
#[derive(Debug)]
pub(super) struct Reader {
    limits: Limits,
    issues: Vec<Issue>,
    warnings: Vec<Issue>,
    more_issues: usize,
    more_warnings: usize,
}

impl Reader {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, issues: Vec::new(), warnings: Vec::new(), more_issues: 0, more_warnings: 0 }
    }

    /// Notes a fault of a field.
    pub(super) fn issue(&mut self, place: &Place, field: &str, message: &str) {
        self.push_issue(place.field(field), format!("{}: {message}", place.name));
    }

    /// Notes a fault of the place itself.
    pub(super) fn issue_here(&mut self, place: &Place, message: &str) {
        self.push_issue(place.path.clone(), format!("{}: {message}", place.name));
    }

    fn push_issue(&mut self, path: String, message: String) {
        if self.issues.len() < MOST_ISSUES {
            self.issues.push(Issue { path, message });
        } else {
            self.more_issues += 1;
        }
    }

    fn push_warning(&mut self, path: String, message: &str) {
        if self.warnings.len() < MOST_WARNINGS {
            self.warnings.push(Issue { path, message: message.to_owned() });
        } else {
            self.more_warnings += 1;
        }
    }

    /// Warns about a field that was not used.
    pub(super) fn ignored(&mut self, place: &Place, field: &str, message: &str) {
        self.push_warning(place.field(&shortened(field)), message);
    }

    /// Warns about every field of `object` that is not among `known`.
    pub(super) fn unknown(&mut self, place: &Place, object: &Map<String, Value>, known: &[&str]) {
        for field in object.keys().filter(|field| !known.contains(&field.as_str())) {
            self.ignored(place, field, "Unknown field, ignored. Check its name against the parameters.");
        }
    }

    /// A text that may be left out; missing, null and blank are the same. Not trimmed but for the question
    /// whether it is blank.
    fn raw<'v>(&mut self, place: &Place, object: &'v Map<String, Value>, field: &str) -> Option<&'v str> {
        match object.get(field) {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) if text.trim().is_empty() => None,
            Some(Value::String(text)) => Some(text),
            Some(_) => {
                self.issue(place, field, &format!("`{field}` must be a string. Give text or leave it out."));
                None
            }
        }
    }

    fn sized(&mut self, place: &Place, field: &str, text: &str) -> String {
        if text.len() > self.limits.text_bytes {
            let message = format!(
                "`{field}` has {} bytes, the limit is {}. Shorten it.",
                text.len(),
                self.limits.text_bytes
            );
            self.issue(place, field, &message);
        }
        text.to_owned()
    }

    /// A trimmed text that may be left out.
    pub(super) fn text(&mut self, place: &Place, object: &Map<String, Value>, field: &str) -> Option<String> {
        let text = self.raw(place, object, field)?;
        Some(self.sized(place, field, text.trim()))
    }

    /// A preview that may be left out, trimmed by its own rule.
    pub(super) fn preview(
        &mut self,
        place: &Place,
        object: &Map<String, Value>,
        field: &str,
    ) -> Option<String> {
        let text = self.raw(place, object, field)?;
        Some(self.sized(place, field, trim::preview(text)))
    }

    /// A trimmed text that must be there. `mend` says what to give.
    pub(super) fn required(
        &mut self,
        place: &Place,
        object: &Map<String, Value>,
        field: &str,
        mend: &str,
    ) -> Option<String> {
        let before = self.count();
        let text = self.text(place, object, field);
        if text.is_none() && self.count() == before {
            self.issue(place, field, &format!("`{field}` is missing or blank. {mend}"));
        }
        text
    }

    /// Refuses a value that an earlier entry has too. `entry` is what the entries are called.
    pub(super) fn unique(
        &mut self,
        place: &Place,
        field: &str,
        entry: &str,
        seen: &mut Unique,
        (index, value): (usize, &str),
    ) {
        if let Some(first) = seen.first(value, index) {
            let message = format!(
                "`{field}` is the same as that of {entry} {}. Give every {entry} one of its own.",
                first + 1
            );
            self.issue(place, field, &message);
        }
    }

    /// How many issues there are so far.
    pub(super) fn count(&self) -> usize {
        self.issues.len() + self.more_issues
    }

    /// A flag that may be left out.
    pub(super) fn flag(&mut self, place: &Place, object: &Map<String, Value>, field: &str) -> Option<bool> {
        match object.get(field) {
            None | Some(Value::Null) => None,
            Some(Value::Bool(flag)) => Some(*flag),
            Some(_) => {
                self.issue(place, field, &format!("`{field}` must be true or false, or left out."));
                None
            }
        }
    }

    /// The entries of `questions`, cut at `most`; empty with an issue where there are none.
    pub(super) fn questions<'v>(
        &mut self,
        params: Option<&'v Map<String, Value>>,
        most: usize,
    ) -> &'v [Value] {
        let place = Place::form();
        let Some(params) = params else {
            self.issue(&place, "questions", "the parameters must be an object with `questions`.");
            return &[];
        };
        match params.get("questions") {
            Some(Value::Array(questions)) if !questions.is_empty() => {
                if questions.len() > most {
                    let message = format!(
                        "{} questions, at most {most} are allowed. Ask fewer at once.",
                        questions.len()
                    );
                    self.issue(&place, "questions", &message);
                }
                &questions[..questions.len().min(most)]
            }
            Some(Value::Array(_)) | None | Some(Value::Null) => {
                self.issue(&place, "questions", "there is no question. Give at least one.");
                &[]
            }
            Some(_) => {
                self.issue(&place, "questions", "`questions` must be a list of questions.");
                &[]
            }
        }
    }

    /// `options` cut at the limit, with an issue where there are more.
    pub(super) fn limited<'v>(&mut self, place: &Place, options: &'v [Value]) -> &'v [Value] {
        let most = self.limits.options;
        if options.len() > most {
            let message = format!("{} options, at most {most} are allowed. Offer fewer.", options.len());
            self.issue(place, "options", &message);
        }
        &options[..options.len().min(most)]
    }

    /// An entry that must be an object.
    pub(super) fn object<'v>(&mut self, place: &Place, value: &'v Value) -> Option<&'v Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.issue_here(place, "an object is expected here.");
        }
        object
    }

    /// Secrets are never asked in plain text (contracts.md §1): refused until they are supported.
    pub(super) fn no_secrets(&mut self, place: &Place, question: &Map<String, Value>) {
        const REFUSED: &str = "secrets cannot be asked for yet and are never shown as plain text. \
                               Ask the user to store the secret where you can use it without reading it.";
        match question.get("kind") {
            Some(Value::String(kind)) if kind.trim().eq_ignore_ascii_case("secret") => {
                self.issue(place, "kind", REFUSED);
            }
            Some(_) => self.unknown_one(place, "kind"),
            None => {}
        }
        match question.get("secret") {
            None | Some(Value::Null | Value::Bool(false)) => {}
            Some(_) => self.issue(place, "secret", REFUSED),
        }
    }

    fn unknown_one(&mut self, place: &Place, field: &str) {
        self.ignored(place, field, "Unknown field, ignored. Check its name against the parameters.");
    }

    /// Everything noted: the warnings, or the issues if there is one.
    pub(super) fn finish(mut self) -> Result<Vec<Issue>, Vec<Issue>> {
        if self.issues.is_empty() {
            if self.more_warnings > 0 {
                let message = format!("{} more unknown fields are not listed.", self.more_warnings);
                self.warnings.push(Issue { path: "questions".to_owned(), message });
            }
            return Ok(self.warnings);
        }
        if self.more_issues > 0 {
            let message = format!("{} more issues are not listed.", self.more_issues);
            self.issues.push(Issue { path: "questions".to_owned(), message });
        }
        Err(self.issues)
    }
}

fn shortened(field: &str) -> String {
    const MOST: usize = 64;
    match field.char_indices().nth(MOST) {
        Some((at, _)) => format!("{}…", &field[..at]),
        None => field.to_owned(),
    }
}
