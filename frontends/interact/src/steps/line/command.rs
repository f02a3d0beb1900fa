//! What a line typed at a question means. A line that could mean two things is refused and told how to say
//! either; nothing is guessed.

use askd_form::{Choice, Question, QuestionType};

use super::numbers::{numbers, unique};
use crate::steps::entered::Entered;
use crate::steps::words::{flat, label};

/// What to do with the rows that were named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Set {
    /// These and no others.
    Exactly,
    /// These too.
    Add,
    /// Not these.
    Remove,
}

/// A line, understood. Rows are numbered from 1 as printed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Command {
    Empty,
    Help,
    List,
    Back,
    Skip,
    Review,
    Quit,
    Type,
    Note,
    OptionNote(usize),
    Rows {
        set: Set,
        rows: Vec<usize>,
        text: Option<String>,
    },
    /// Typed text, the whole answer.
    Text(String),
    /// Opens the row for typed text.
    Own,
    /// Opens a text of several lines.
    Block,
}

/// Words that look like a command spelled out, with the letter that is the command.
const WORDS: [(&str, char); 11] = [
    ("back", 'b'),
    ("previous", 'b'),
    ("skip", 's'),
    ("review", 'r'),
    ("quit", 'q'),
    ("exit", 'q'),
    ("cancel", 'q'),
    ("help", '?'),
    ("note", 'n'),
    ("list", 'l'),
    ("type", 't'),
];

pub(super) fn letter(text: &str) -> Option<Command> {
    Some(match text.to_ascii_lowercase().as_str() {
        "?" => Command::Help,
        "l" => Command::List,
        "b" => Command::Back,
        "s" => Command::Skip,
        "r" => Command::Review,
        "q" => Command::Quit,
        "t" => Command::Type,
        "n" => Command::Note,
        _ => return None,
    })
}

/// Reads a line at a question.
///
/// # Errors
/// What is wrong with the line and what to type instead.
pub(super) fn parse(line: &str, entered: &Entered, at: usize) -> Result<Command, String> {
    let question = entered.question(at);
    let text = line.trim();
    if text.is_empty() {
        return Ok(Command::Empty);
    }
    if let Some(rest) = text.strip_prefix('=') {
        return if rest.trim().is_empty() {
            Ok(Command::Own)
        } else {
            Ok(Command::Text(after_equals(line).to_owned()))
        };
    }
    if text == "." {
        return Ok(Command::Block);
    }
    if let Some(command) = text.strip_prefix(':').and_then(letter) {
        return Ok(command);
    }
    if let Some((word, letter)) = WORDS.iter().find(|(word, _)| text.eq_ignore_ascii_case(word))
        && named(question, text).is_empty()
    {
        return Err(format!("Did you mean the command {letter}? To answer with the word itself: = {word}"));
    }
    if question.is_typed() {
        return Ok(letter(text).unwrap_or_else(|| Command::Text(line.to_owned())));
    }
    choice(line, text, question, entered.kind(at))
}

fn choice(line: &str, text: &str, question: &Question, kind: QuestionType) -> Result<Command, String> {
    let named = named(question, text);
    match (letter(text), named.as_slice()) {
        (Some(command), []) => return Ok(command),
        (Some(_), [first, ..]) => {
            return Err(format!(
                "{text} is a command and an option too. For the option type #{first}, for the command :{text}"
            ));
        }
        (None, _) => {}
    }
    if let Some(number) =
        text.strip_prefix(['n', 'N']).and_then(|rest| rest.trim().trim_start_matches('#').parse().ok())
    {
        return match named.first() {
            None => option_note(number, question),
            Some(row) => {
                Err(format!("{text} reads like option {row} too: type #{row} for it, or n #{number}."))
            }
        };
    }
    if let Some(numbers) = numbers(line, text, question) {
        return numbers;
    }
    let one = |text: &str| {
        let labelled = self::named(question, text);
        if labelled.is_empty() { valued(question, text) } else { labelled }
    };
    match one(text).as_slice() {
        [] => {}
        [row] => return Ok(exactly(vec![*row])),
        rows => return Err(several(text, rows)),
    }
    if kind == QuestionType::Multi && text.contains(',') {
        let parts = text.split(',').map(|part| one(part.trim()));
        let rows: Option<Vec<usize>> =
            parts.map(|rows| <[usize; 1]>::try_from(rows).ok().map(|[row]| row)).collect();
        if let Some(rows) = rows {
            return Ok(exactly(unique(rows)));
        }
    }
    if text.chars().count() == 1 && text.chars().all(|c| c.is_ascii_alphabetic() || c.is_ascii_punctuation())
    {
        return Err(format!("{} is no command here.{}", flat(text), own_hint(question, text)));
    }
    if question.custom.is_none() {
        return Err("That is no option. Type a number of the list; l prints it again.".to_owned());
    }
    Ok(Command::Text(line.to_owned()))
}

fn option_note(number: usize, question: &Question) -> Result<Command, String> {
    if (1..=question.options.len()).contains(&number) {
        return Ok(Command::OptionNote(number));
    }
    Err(format!(
        "There is no option {number} to write a note on; options are 1 to {}.",
        question.options.len()
    ))
}

fn exactly(rows: Vec<usize>) -> Command {
    Command::Rows { set: Set::Exactly, rows, text: None }
}

pub(super) fn several(text: &str, rows: &[usize]) -> String {
    let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
    format!("Several options read \"{}\": type one of the numbers {}.", flat(text), rows.join(", "))
}

pub(super) fn own_hint(question: &Question, text: &str) -> String {
    match question.custom {
        Some(_) => format!(" To answer with that text: = {}", flat(text)),
        None => " Type a number of the list, or ? for help.".to_owned(),
    }
}

/// The text after `=` and one space.
pub(super) fn after_equals(line: &str) -> &str {
    let text = line.split_once('=').map_or(line, |(_, text)| text);
    text.strip_prefix(' ').unwrap_or(text)
}

/// How many rows are printed: the options and the row for typed text.
pub(super) fn row_count(question: &Question) -> usize {
    question.options.len() + usize::from(question.custom.is_some())
}

/// Rows whose label is the text, in any letter case.
pub(super) fn named(question: &Question, text: &str) -> Vec<usize> {
    let mut rows = reading(question, text, label);
    let own = question.custom.as_ref().filter(|row| alike(&row.label, text));
    if own.is_some() && rows.is_empty() && !question.is_typed() {
        rows.push(row_count(question));
    }
    rows
}

/// Rows whose value is the text. Values are not shown, so they give way to everything that is.
fn valued(question: &Question, text: &str) -> Vec<usize> {
    reading(question, text, |option| option.value.clone())
}

fn reading(question: &Question, text: &str, part: impl Fn(&Choice) -> String) -> Vec<usize> {
    let options = question.options.iter().filter(|_| !question.is_typed());
    let rows = (1..).zip(options).filter(|(_, option)| alike(&part(option), text));
    rows.map(|(row, _)| row).collect()
}

/// Whether two texts are the same but for letter case and white space.
fn alike(a: &str, b: &str) -> bool {
    let (a, b) = (flat(a).to_lowercase(), flat(b).to_lowercase());
    a == b && !a.is_empty()
}
