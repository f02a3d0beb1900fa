//! Which answers a form accepts, and how they are kept (protocol §3, Submit).

use indexmap::IndexMap;

use super::AnswerFault;
use crate::form::{Form, Question, QuestionType};
use crate::outcome::{AnswerData, PresentedTypes};

/// The answers in question order without what is blank, or the first fault: first what is wrong with an
/// entry, in the order given, then what is missing, in question order.
pub(super) fn normalized(
    form: &Form,
    answers: &IndexMap<String, AnswerData>,
    presented: &PresentedTypes,
    text_bytes: usize,
) -> Result<IndexMap<String, AnswerData>, AnswerFault> {
    let mut accepted = IndexMap::new();
    for (id, data) in answers {
        let path = format!("answers.{id}");
        let Some(question) = form.question(id) else {
            return Err(AnswerFault::new(path, "no question of the form has this id"));
        };
        let kind = presented.get(id).copied().unwrap_or(question.kind);
        let entry = Entry { path, question, kind, notes: form.rules.notes, text_bytes };
        accepted.insert(id.as_str(), entry.normalized(data)?);
    }
    let mut kept = IndexMap::new();
    for question in &form.questions {
        let data = accepted.swap_remove(question.id.as_str()).unwrap_or_default();
        if form.rules.enforced {
            complete(question, &data)?;
        }
        if !data.is_empty() {
            kept.insert(question.id.clone(), data);
        }
    }
    Ok(kept)
}

/// Whether an answer meets `required`, `min` and `max`. An optional question may be left empty whatever its
/// `min`; a required one needs at least one selection whatever its `min`.
fn complete(question: &Question, data: &AnswerData) -> Result<(), AnswerFault> {
    let path = format!("answers.{}", question.id);
    let count = data.values.len() + usize::from(data.custom_text.is_some());
    let limit = |limit: Option<u32>| limit.and_then(|limit| usize::try_from(limit).ok());
    if count == 0 {
        return if question.required { Err(AnswerFault::new(path, "an answer is required")) } else { Ok(()) };
    }
    if let Some(min) = limit(question.min).filter(|min| count < *min) {
        let message = format!("needs at least {min} selections, {count} given");
        return Err(AnswerFault::new(format!("{path}.values"), message));
    }
    if let Some(max) = limit(question.max).filter(|max| count > *max) {
        let at = if data.values.len() > max { format!("values[{max}]") } else { "customText".to_owned() };
        let message = format!("at most {max} selections, typed text counted, {count} given");
        return Err(AnswerFault::new(format!("{path}.{at}"), message));
    }
    Ok(())
}

/// One answer and what it is judged by.
struct Entry<'f> {
    path: String,
    question: &'f Question,
    kind: QuestionType,
    notes: bool,
    text_bytes: usize,
}

impl Entry<'_> {
    fn fault(&self, field: &str, message: &str) -> AnswerFault {
        AnswerFault::new(format!("{}.{field}", self.path), message)
    }

    fn normalized(&self, data: &AnswerData) -> Result<AnswerData, AnswerFault> {
        self.check_values(&data.values)?;
        let custom_text = self.text("customText", data.custom_text.as_deref())?;
        if custom_text.is_some() {
            if self.question.custom.is_none() && !self.question.is_typed() {
                return Err(self.fault("customText", "this question takes no typed text"));
            }
            if self.kind.holds_one() && !data.values.is_empty() {
                let message = "this question takes either an option or typed text";
                return Err(self.fault("customText", message));
            }
        }
        let note = self.note("note", data.note.as_deref())?;
        let option_notes = self.option_notes(&data.option_notes)?;
        Ok(AnswerData { values: data.values.clone(), custom_text, note, option_notes })
    }

    fn check_values(&self, values: &[String]) -> Result<(), AnswerFault> {
        for (index, value) in values.iter().enumerate() {
            let field = format!("values[{index}]");
            if !self.offers(value) {
                return Err(self.fault(&field, "no option of the question has this value"));
            }
            if values[..index].contains(value) {
                return Err(self.fault(&field, "the value is given twice"));
            }
            if index > 0 && self.kind.holds_one() {
                return Err(self.fault(&field, "this question takes one option only"));
            }
        }
        Ok(())
    }

    /// The value of a freeform marker stands for no option: nobody could have picked it.
    fn offers(&self, value: &str) -> bool {
        self.question.option(value).is_some_and(|option| option.freeform != Some(true))
    }

    /// A text as typed; a blank one is none.
    fn text(&self, field: &str, text: Option<&str>) -> Result<Option<String>, AnswerFault> {
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else { return Ok(None) };
        if text.len() > self.text_bytes {
            let message = format!("{} bytes, the limit is {}", text.len(), self.text_bytes);
            return Err(self.fault(field, &message));
        }
        Ok(Some(text.to_owned()))
    }

    fn note(&self, field: &str, text: Option<&str>) -> Result<Option<String>, AnswerFault> {
        let note = self.text(field, text)?;
        if note.is_some() && !self.notes {
            return Err(self.fault(field, "this form takes no notes"));
        }
        Ok(note)
    }

    /// Notes in option order. A blank one is none, whatever option it names.
    fn option_notes(
        &self,
        given: &IndexMap<String, String>,
    ) -> Result<IndexMap<String, String>, AnswerFault> {
        let mut accepted: IndexMap<&str, String> = IndexMap::new();
        for (value, note) in given {
            let field = format!("optionNotes.{value}");
            let Some(note) = self.note(&field, Some(note))? else { continue };
            if !self.offers(value) {
                return Err(self.fault(&field, "no option of the question has this value"));
            }
            accepted.insert(value, note);
        }
        let in_order = |option: &crate::form::Choice| {
            accepted.swap_remove(option.value.as_str()).map(|note| (option.value.clone(), note))
        };
        Ok(self.question.options.iter().filter_map(in_order).collect())
    }
}
