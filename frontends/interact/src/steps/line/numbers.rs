//! Rows by number: `3`, `1,3`, `1 3`, `2-4`, `#2`, `+3`, `-3`.

use askd_form::Question;

use super::command::{Command, Set, after_equals, named, own_hint, row_count, several};
use crate::steps::words::flat;

/// Row numbers in any of the forms `3`, `1,3`, `1 3`, `2-4`, `#2`, `+3`, `-3`, each with `= text` after it.
/// Nothing when the line is not made of numbers.
pub(super) fn numbers(line: &str, text: &str, question: &Question) -> Option<Result<Command, String>> {
    let (head, typed) = match text.split_once('=') {
        Some((head, _)) => (head.trim(), Some(after_equals(line))),
        None => (text, None),
    };
    let (set, list) = match head.strip_prefix(['+', '-']) {
        Some(rest) if head.starts_with('+') => (Set::Add, rest),
        Some(rest) => (Set::Remove, rest),
        None => (Set::Exactly, head),
    };
    let is_list = list.chars().any(|c| c.is_ascii_digit())
        && list.chars().all(|c| c.is_ascii_digit() || " \t,;&.#-+".contains(c));
    if !is_list {
        return None;
    }
    let rows = rows(list, question);
    Some(match rows {
        Ok(rows) => {
            let text = typed.filter(|text| !text.trim().is_empty()).map(str::to_owned);
            Ok(Command::Rows { set, rows: unique(rows), text })
        }
        Err(why) if question.custom.is_some() => Err(format!("{why}{}", own_hint(question, text))),
        Err(why) => Err(why),
    })
}

fn rows(list: &str, question: &Question) -> Result<Vec<usize>, String> {
    let mut rows = Vec::new();
    for token in list.split([' ', '\t', ',', ';', '&']).filter(|token| !token.is_empty()) {
        match token.split_once('-') {
            Some((from, to)) => {
                let (from, to) = (row(from, question)?, row(to, question)?);
                if from > to {
                    return Err(format!("{} runs backwards; write {to}-{from}.", flat(token)));
                }
                rows.extend(from..=to);
            }
            None => rows.push(one(token, question)?),
        }
    }
    Ok(rows)
}

/// A row by its number. A number that is also the label of another row needs the `#` in front.
fn one(token: &str, question: &Question) -> Result<usize, String> {
    if token.starts_with('#') {
        return row(token, question);
    }
    let labelled = named(question, token);
    match (row(token, question), labelled.as_slice()) {
        (Ok(row), []) => Ok(row),
        (Ok(row), rows) if rows.contains(&row) => Ok(row),
        (Ok(row), [other, ..]) => Err(format!(
            "{token} is the number of row {row} and the label of row {other}: type #{row} or #{other}."
        )),
        (Err(_), [row]) => Ok(*row),
        (Err(_), [_, ..]) => Err(several(token, &labelled)),
        (Err(why), []) => Err(why),
    }
}

fn row(token: &str, question: &Question) -> Result<usize, String> {
    let last = row_count(question);
    match token.strip_prefix('#').unwrap_or(token).parse::<usize>() {
        Ok(row) if (1..=last).contains(&row) => Ok(row),
        _ if last == 1 => Err(format!("There is no row {}; the only number is 1.", flat(token))),
        _ => Err(format!("There is no row {}; numbers are 1 to {last}.", flat(token))),
    }
}

pub(super) fn unique(rows: Vec<usize>) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::with_capacity(rows.len());
    for row in rows {
        if !kept.contains(&row) {
            kept.push(row);
        }
    }
    kept
}
