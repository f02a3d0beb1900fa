//! A response from JSON, with the path of what is wrong in it.

use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{AnswerFault, Response, ResponseFault, ResponseMode};
use crate::outcome::AnswerData;

pub(super) fn response(value: &Value) -> Result<Response, ResponseFault> {
    let kind = value.as_object().and_then(|response| response.get("kind")).and_then(Value::as_str);
    match (kind, value) {
        (Some("cancel"), _) => Ok(Response::Cancel),
        (Some("answer"), Value::Object(response)) => Ok(answer_response(response)?),
        _ => {
            let message = "a response must be an object whose `kind` is \"answer\" or \"cancel\"";
            Err(ResponseFault::Kind(message.to_owned()))
        }
    }
}

fn answer_response(response: &Map<String, Value>) -> Result<Response, AnswerFault> {
    let mode = match response.get("mode") {
        None => ResponseMode::Submit,
        Some(Value::String(mode)) if mode == "submit" => ResponseMode::Submit,
        Some(Value::String(mode)) if mode == "elaborate" => ResponseMode::Elaborate,
        Some(_) => {
            return Err(AnswerFault::new(
                "mode",
                "must be \"submit\" or \"elaborate\", or left out for submit",
            ));
        }
    };
    let Some(Value::Object(given)) = response.get("answers") else {
        return Err(AnswerFault::new("answers", "must be an object of answers by question id"));
    };
    let mut answers = IndexMap::with_capacity(given.len());
    for (id, value) in given {
        answers.insert(id.clone(), answer(&format!("answers.{id}"), value)?);
    }
    Ok(Response::Answer { mode, answers })
}

fn answer(path: &str, value: &Value) -> Result<AnswerData, AnswerFault> {
    let Value::Object(answer) = value else {
        return Err(AnswerFault::new(path, "an answer must be an object"));
    };
    Ok(AnswerData {
        values: values(path, answer)?,
        custom_text: text(path, answer, "customText")?,
        note: text(path, answer, "note")?,
        option_notes: option_notes(path, answer)?,
    })
}

fn values(path: &str, answer: &Map<String, Value>) -> Result<Vec<String>, AnswerFault> {
    let Some(given) = answer.get("values") else { return Ok(Vec::new()) };
    let Value::Array(given) = given else {
        return Err(AnswerFault::new(format!("{path}.values"), "must be a list of option values"));
    };
    let text = |(index, value): (usize, &Value)| {
        value.as_str().map(str::to_owned).ok_or_else(|| {
            AnswerFault::new(format!("{path}.values[{index}]"), "an option value must be a string")
        })
    };
    given.iter().enumerate().map(text).collect()
}

fn text(path: &str, answer: &Map<String, Value>, field: &str) -> Result<Option<String>, AnswerFault> {
    match answer.get(field) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(AnswerFault::new(format!("{path}.{field}"), "must be a string")),
    }
}

fn option_notes(path: &str, answer: &Map<String, Value>) -> Result<IndexMap<String, String>, AnswerFault> {
    let Some(given) = answer.get("optionNotes") else { return Ok(IndexMap::new()) };
    let Value::Object(given) = given else {
        let message = "must be an object of notes by option value";
        return Err(AnswerFault::new(format!("{path}.optionNotes"), message));
    };
    let note = |(value, note): (&String, &Value)| match note {
        Value::String(note) => Ok((value.clone(), note.clone())),
        _ => Err(AnswerFault::new(format!("{path}.optionNotes.{value}"), "a note must be a string")),
    };
    given.iter().map(note).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault(response: Value) -> String {
        match super::response(&response) {
            Err(ResponseFault::Answer(fault)) => fault.path,
            other => panic!("expected a fault inside an answer, got {other:?}"),
        }
    }

    #[test]
    fn a_fault_in_the_kind_is_told_from_one_in_an_answer() {
        for value in
            [json!(null), json!([]), json!("cancel"), json!({}), json!({"kind":1}), json!({"kind":"x"})]
        {
            assert!(matches!(response(&value), Err(ResponseFault::Kind(_))), "{value}");
        }
        assert_eq!(response(&json!({"kind":"cancel","answers":3})), Ok(Response::Cancel));
    }

    #[test]
    fn faults_name_the_place() {
        let one = |answer: Value| fault(json!({"kind":"answer","answers":{"db":answer}}));
        assert_eq!(fault(json!({"kind":"answer"})), "answers");
        assert_eq!(fault(json!({"kind":"answer","answers":[]})), "answers");
        assert_eq!(fault(json!({"kind":"answer","answers":{},"mode":"later"})), "mode");
        assert_eq!(one(json!("x")), "answers.db");
        assert_eq!(one(json!(null)), "answers.db");
        assert_eq!(one(json!({"values":"x"})), "answers.db.values");
        assert_eq!(one(json!({"values":["a",1]})), "answers.db.values[1]");
        assert_eq!(one(json!({"customText":4})), "answers.db.customText");
        assert_eq!(one(json!({"note":4})), "answers.db.note");
        assert_eq!(one(json!({"optionNotes":["n"]})), "answers.db.optionNotes");
        assert_eq!(one(json!({"optionNotes":{"x":3}})), "answers.db.optionNotes.x");
    }

    #[test]
    fn what_is_recomputed_is_not_read() {
        let given = json!({"kind":"answer","answers":{"a":{"values":["z"],"labels":3,"indices":"x"}}});
        let Ok(Response::Answer { mode, answers }) = response(&given) else { panic!("refused") };
        assert_eq!(mode, ResponseMode::Submit);
        assert_eq!(answers["a"].values, ["z"]);
    }
}
