//! `ask history`: what was asked and what came of it.

use askd_client::Client;
use askd_wire::Millis;
use askd_wire::form::{ForgetParams, ListParams, StateFilter};
use askd_wire::method::{FormForget, FormList};
use askd_wire::role::Role;
use clap::{Args, Subcommand};

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::ids;
use crate::view::list;

/// List finished forms, newest first
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct History {
    #[command(subcommand)]
    action: Option<Action>,
    /// At most so many
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1000))]
    limit: u32,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Remove finished forms for good
    ///
    /// With --before, forms whose results have not reached their agents stay; name them by id to remove
    /// them too.
    Forget(Forget),
}

#[derive(Debug, Args)]
struct Forget {
    /// Its id, or the first four or more characters of it
    #[arg(required_unless_present = "before", conflicts_with = "before")]
    form: Option<String>,
    /// All that were finished before this day (UTC), like 2026-01-31
    #[arg(long, value_name = "DATE", value_parser = day)]
    before: Option<Millis>,
}

/// The first millisecond of a day in UTC.
fn day(text: &str) -> Result<Millis, String> {
    let wrong = || "give a day like 2026-01-31".to_owned();
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return Err(wrong()) };
    let number = |part: &str, digits: usize| -> Option<i64> {
        (part.len() == digits && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok())?
    };
    let (year, month, day) = match (number(year, 4), number(month, 2), number(day, 2)) {
        (Some(year), Some(month @ 1..=12), Some(day)) => (year, month, day),
        _ => return Err(wrong()),
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=length).contains(&day) {
        return Err(wrong());
    }
    // Years begin in March here, so that the leap day is the last of its year.
    let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    const EPOCH: i64 = 719_468;
    Ok((days - EPOCH) * 86_400_000)
}

impl History {
    pub(crate) async fn run(self, context: &Context) -> Result<Exit, Failure> {
        if let Some(Action::Forget(forget)) = self.action {
            return forget.run(context).await;
        }
        let client = context.frontend().await?;
        let params =
            ListParams { state: StateFilter::Resolved, limit: Some(self.limit), ..ListParams::default() };
        let mut forms = Vec::new();
        let mut params = params;
        let wanted = self.limit as usize;
        while forms.len() < wanted {
            let page = client.call::<FormList>(params.clone()).await?;
            forms.extend(page.forms.iter().map(|form| form.summary().clone()));
            match page.next_cursor {
                Some(cursor) => params.cursor = Some(cursor),
                None => break,
            }
        }
        forms.truncate(wanted);
        for form in &forms {
            context.out.value(form)?;
        }
        if forms.is_empty() {
            context.out.say("No form was finished yet.")?;
        } else {
            context.out.say(&list::resolved(&forms, context.now()))?;
        }
        Ok(Exit::Done)
    }
}

impl Forget {
    async fn run(self, context: &Context) -> Result<Exit, Failure> {
        let client = Client::connect(context.starting(&[Role::Admin])).await?;
        let form_id = match &self.form {
            Some(given) => Some(ids::resolve(&client, given).await?),
            None => None,
        };
        let result = client.call::<FormForget>(ForgetParams { form_id, before: self.before }).await?;
        context.out.value(&result)?;
        let forms = |count: u64| if count == 1 { "1 form".to_owned() } else { format!("{count} forms") };
        context.out.say(&format!("Removed {}.", forms(result.forgotten)))?;
        if result.kept > 0 {
            context.out.say(&format!(
                "Kept {}, as the results have not reached their agents; remove them by id if nobody comes for them.",
                forms(result.kept)
            ))?;
        }
        Ok(Exit::Done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_midnight() {
        assert_eq!(day("1970-01-01"), Ok(0));
        assert_eq!(day("2000-02-29"), Ok(951_782_400_000));
        assert_eq!(day("2026-11-30"), Ok(1_795_996_800_000));
        for wrong in [
            "2026-02-29",
            "1900-02-29",
            "2026-13-01",
            "2026-00-10",
            "2026-1-1",
            "30.11.2026",
            "2026-11-31",
            "",
        ] {
            assert!(day(wrong).is_err(), "{wrong}");
        }
    }
}
