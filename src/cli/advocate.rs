//! `annals advocate list|assign|release`: who is to dissent where (control-room 2.3, 13).

use serde::Serialize;

use super::registry::{CommandRow, rows};
use super::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::advocate::event::Made;
use crate::domain::advocate::state::Assignment;
use crate::domain::advocate::{Command as Decision, Event as Dissent};
use crate::domain::{Command, Event, Rooms};
use crate::engine::{Answer, Engine};
use crate::kernel::counted::counted;
use crate::kernel::id::IssueId;
use crate::kernel::json::Json;
use crate::view::issue::title::title;

/// Commands about dissent.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// List tasks to dissent, those that go on first
    "list" => Runs(&With(list)),
    /// Assign an agent to challenge the agreement on an issue
    "assign" => decides("advocate.assignment.assign", "issue --agent", decide),
    /// Take such a task back
    "release" => decides("advocate.assignment.release", "issue", decide),
};

/// Arguments of `annals advocate list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArguments {
    /// How many issues
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// Those that are over, too
    #[arg(long)]
    all: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Assignments {
    assignments: Vec<TaskLine>,
}

/// A task in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TaskLine {
    /// What people call the issue that is challenged.
    number: String,
    issue: IssueId,
    title: Box<str>,
    #[serde(flatten)]
    assignment: Assignment,
}

fn assignments(rooms: &Rooms, arguments: &ListArguments) -> Vec<TaskLine> {
    let mut found = Vec::new();
    for (issue, challenges) in rooms.advocate.challenges.first_by_rank(arguments.lines) {
        let row = rooms.issue.issue(issue);
        let number = row.map_or_else(|| issue.to_string(), |row| format!("#{}", row.label));
        let title = row.map(|row| title(rooms, row)).unwrap_or_default();
        let shown = challenges.assignments.iter().rev();
        let shown = shown.filter(|assignment| arguments.all || assignment.ending.is_none());
        found.extend(shown.map(|assignment| TaskLine {
            number: number.clone(),
            issue: issue.clone(),
            title: title.clone(),
            assignment: assignment.clone(),
        }));
    }
    found
}

fn list(shell: &mut Shell, arguments: &ListArguments) -> Done {
    let engine = shell.engine()?;
    let assignments = shell.ask(&engine, |world| assignments(&world.rooms, arguments))?;
    if shell.wants_json() {
        shell.out.answer(&Assignments { assignments })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = assignments.iter().map(|info| {
        let task = &info.assignment;
        let state = task.ending.map_or("goes on", |ending| ending.as_str());
        let words = [&*info.number, task.agent.as_str(), task.reason.as_str(), task.by.as_str(), state];
        let said = format!("{} of {}", task.used, task.comments);
        words.into_iter().map(str::to_owned).chain([said, info.title.to_string()]).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell.out.table(
        &[
            Key("issue"),
            Key("agent"),
            Goes(3, "reason"),
            Goes(2, "by"),
            Key("state"),
            Goes(1, "comments"),
            Text("title"),
        ],
        &rows,
    )?;
    Ok(CommandOutcome::Done)
}

/// Decides, and says who is to challenge the agreement.
pub(super) fn decide(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    let is_release = matches!(command, Command::Advocate(Decision::Release(_)));
    shell.decide(engine, command, &Json::empty_object(), |out, answer| match made(answer) {
        Some(made) => {
            let comments = counted(made.comments.into(), "comment");
            out.line(format_args!("{} is to challenge it, for {comments}", made.agent))
        }
        None if is_release => out.line("the task is taken back"),
        None => out.line("nobody can: every agent that can dissent has a part in it; the moderator was told"),
    })
}

fn made(answer: &Answer) -> Option<&Made> {
    answer
        .events
        .iter()
        .find_map(|event| if let Event::Advocate(Dissent::Made(made)) = event { Some(made) } else { None })
}
