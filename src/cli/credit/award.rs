//! `annals credit award`: what the user, the moderator and agents may give each other (control-room 11.5, 11.6).

use super::signed;
use crate::cli::issue::find;
use crate::cli::shell::{Done, Shell};
use crate::cli::show::entry_id;
use crate::domain::credit::command::{About, Award};
use crate::domain::credit::{self, Reason};
use crate::domain::{Event, credit::Command};
use crate::engine::Answer;
use crate::kernel::credits::Credits;
use crate::kernel::json::Json;

/// Arguments of `annals credit award`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Who gets them
    agent: String,
    /// user-marked-helpful, proposal-accepted-by-user, peer-marked-helpful, moderator-commendation, moderator-penalty, …
    #[arg(long)]
    reason: Reason,
    /// How many, 1 to 3, where the moderator may say
    #[arg(long, allow_negative_numbers = true)]
    amount: Option<i64>,
    /// The issue that it is about
    #[arg(long)]
    issue: Option<String>,
    /// The comment that it is about: its entry
    #[arg(long, value_name = "ENTRY")]
    comment: Option<String>,
    /// The file that it is about
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// In words
    note: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let about = About {
        issue: arguments.issue.as_ref().map(|issue| find(shell, &engine, issue)).transpose()?,
        comment: arguments.comment.as_deref().map(|comment| entry_id(shell, &engine, comment)).transpose()?,
        file: arguments.file.as_deref().map(Into::into),
    };
    let award = Award {
        agent: shell.find_agent(&engine, &arguments.agent)?,
        reason: arguments.reason,
        amount: arguments.amount,
        about,
        note: arguments.note.as_deref().map(Into::into),
    };
    let done =
        shell.decide(&engine, Command::from(award), &Json::empty_object(), |out, answer| out.line(line(answer)))?;
    Ok(done)
}

fn line(answer: &Answer) -> String {
    let awarded = answer.events.iter().find_map(|event| {
        let Event::Credit(credit::Event::Awarded(awarded)) = event else { return None };
        let weight = awarded.weight.map(|weight| {
            let weight = Credits::thousandths(weight.into());
            format!(": the word of {} weighs {weight}, as its tier has it", awarded.by)
        });
        Some(format!("{} for {}{}", signed(awarded.amount), awarded.agent, weight.unwrap_or_default()))
    });
    awarded.unwrap_or_default()
}
