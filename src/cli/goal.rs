//! `annals goal …`: what the moderator or the user would like to see (control-room 11.9).

use serde::Serialize;

use super::named::{Candidate, GOAL};
use super::shell::{Done, Outcome, Shell, Usage};
use super::table::Column::{Key, Text};
use crate::domain::credit::command::{DropGoal, SetGoal};
use crate::domain::credit::goal::{Deadline, End, Metric};
use crate::domain::{Event, credit};
use crate::kernel::json::Json;
use crate::view::credit::GoalInfo;

/// Commands about goals.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Set a goal; prints its id
    Set(SetArguments),
    /// List the goals that are open
    List(ListArguments),
    /// Take a goal back
    Drop {
        /// Its id, or the end of it
        goal: String,
    },
}

/// Arguments of `annals goal set`.
#[derive(Debug, clap::Args)]
pub struct SetArguments {
    /// total-credits, verified-citations, issues-resolved, issues-applied-in-work, zero-penalties or
    /// devils-advocate-consultations
    metric: Metric,
    /// How many
    #[arg(long, default_value_t = 1)]
    target: u32,
    /// The goal of one agent [default: of the team]
    #[arg(long)]
    agent: Option<String>,
    /// session-end, chapter-end, act-end or a time
    #[arg(long)]
    deadline: Option<String>,
    /// In words
    #[arg(default_value = "")]
    description: String,
}

/// Arguments of `annals goal list`.
#[derive(Debug, clap::Args)]
pub struct ListArguments {
    /// Those that ended, too: the last 50
    #[arg(long)]
    all: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
struct Goals {
    goals: Vec<GoalInfo>,
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Set(arguments) => set(shell, &arguments),
        Command::List(arguments) => list(shell, &arguments),
        Command::Drop { goal } => drop_goal(shell, &goal),
    }
}

fn deadline(shell: &Shell, text: &str) -> anyhow::Result<Deadline> {
    if let Ok(end) = text.parse::<End>() {
        return Ok(Deadline::End(end));
    }
    let wrong = || Usage(format!("--deadline {text}: give session-end, chapter-end, act-end or a time"));
    Ok(Deadline::Time(shell.span(text).ok_or_else(wrong)?.last))
}

fn set(shell: &mut Shell, arguments: &SetArguments) -> Done {
    let engine = shell.engine()?;
    let goal = SetGoal {
        agent: arguments.agent.as_deref().map(|agent| shell.find_agent(&engine, agent)).transpose()?,
        metric: arguments.metric,
        target: arguments.target,
        deadline: arguments.deadline.as_deref().map(|text| deadline(shell, text)).transpose()?,
        description: arguments.description.as_str().into(),
    };
    shell.decide(&engine, credit::Command::from(goal), &Json::empty_object(), |out, answer| {
        let new = answer.events.iter().find_map(|event| {
            let Event::Credit(credit::Event::GoalSet(set)) = event else { return None };
            Some(set.goal.clone())
        });
        out.line(new.expect("BUG: a goal that was set has an id"))
    })
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
        shell.out.answer("annals.goal.list/v1", &Goals { goals })?;
        return Ok(Outcome::Done);
    }
    let rows: Vec<_> = goals.iter().map(|goal| vec![goal.id.to_string(), goal.line()]).collect();
    shell.out.table(&[Key("goal"), Text("what")], &rows)?;
    if goals.is_empty() {
        shell.out.say("no goal is open; `annals goal set METRIC --target N` sets one")?;
    }
    Ok(Outcome::Done)
}

fn drop_goal(shell: &mut Shell, text: &str) -> Done {
    let engine = shell.engine()?;
    let open = shell.ask(&engine, |world| {
        let goals = world.rooms.credit.totals.goals.iter();
        goals.map(|(id, goal)| Candidate::new(id.clone(), &*goal.description)).collect::<Vec<_>>()
    })?;
    let goal = GOAL.pick(text, &open)?.unwrap_or_else(|| text.into());
    let done = format!("the goal {goal} is taken back");
    shell.decide(&engine, credit::Command::from(DropGoal { goal }), &Json::empty_object(), |out, _| out.line(done))
}
