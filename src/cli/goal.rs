//! `annals goal …`: what the moderator or the user would like to see (control-room 11.9).

use serde::Serialize;

use super::named::{Candidate, GOAL};
use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell, Usage};
use super::table::Column::{Key, Text};
use crate::domain::credit::goal::End;
use crate::domain::{Command, Event, credit};
use crate::engine::Engine;
use crate::kernel::json::Json;
use crate::view::credit::GoalInfo;

/// Commands about goals.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Set a goal; prints its id
    "set" => decides("credits.goal.set", "metric --target=1 --agent --deadline@deadline description", decide),
    /// List the goals that are open
    "list" => Runs(&With(list)),
    /// Take a goal back
    "drop" => decides("credits.goal.drop", "goal@goal", decide),
};

/// Arguments of `annals goal list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArguments {
    /// Those that ended, too: the last 50
    #[arg(long)]
    all: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Goals {
    goals: Vec<GoalInfo>,
}

fn list(shell: &mut Shell, arguments: &ListArguments) -> Done {
    const MOST: usize = 50;
    let engine = shell.engine()?;
    let goals = shell.ask(&engine, |world| {
        let mut goals = GoalInfo::open(&world.rooms);
        if arguments.all {
            goals.extend(GoalInfo::ended(&world.rooms, MOST));
        }
        goals
    })?;
    if shell.wants_json() {
        shell.out.answer(&Goals { goals })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = goals.iter().map(|goal| vec![goal.id.to_string(), goal.line()]).collect();
    shell.out.table(&[Key("goal"), Text("what")], &rows)?;
    if goals.is_empty() {
        shell.out.say("no goal is open; `annals goal set METRIC --target N` sets one")?;
    }
    Ok(CommandOutcome::Done)
}

/// When a goal is to be reached, as it is typed.
pub(super) fn deadline(shell: &Shell, text: &str) -> anyhow::Result<String> {
    if let Ok(end) = text.parse::<End>() {
        return Ok(end.to_string());
    }
    let wrong = || Usage(format!("--deadline {text}: give session-end, chapter-end, act-end or a time"));
    Ok(shell.span(text).ok_or_else(wrong)?.last.to_string())
}

/// An open goal by its id or either end of it.
pub(super) fn find(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    let open = shell.ask(engine, |world| {
        let goals = world.rooms.credit.totals.goals.iter();
        goals.map(|(id, goal)| Candidate::new(id.clone(), &*goal.description)).collect::<Vec<_>>()
    })?;
    Ok(GOAL.pick(text, &open)?.unwrap_or_else(|| text.into()))
}

/// Decides, and prints the id of a goal that was set.
fn decide(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    shell.decide(engine, command, &Json::empty_object(), |out, answer| {
        answer.events.iter().try_for_each(|event| {
            if let Event::Credit(credit::Event::GoalSet(set)) = event {
                out.line(&set.goal)
            } else if let Event::Credit(credit::Event::GoalDropped(dropped)) = event {
                out.line(format_args!("the goal {} is taken back", dropped.goal))
            } else {
                Ok(())
            }
        })
    })
}
