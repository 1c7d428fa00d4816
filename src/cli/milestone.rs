//! `annals milestone …`: where sessions, chapters and acts of the work begin and end.

use serde::Serialize;

use super::registry::{self, rows};
use super::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::milestone::state::Milestone;
use crate::domain::{Command, milestone::Event};
use crate::engine::Engine;
use crate::kernel::json::Json;

/// Commands about milestones.
pub(super) const ROWS: &[registry::CommandRow] = rows! {
    /// A session, chapter or act begins
    "begin" => decides("milestones.milestone.begin", "kind name", decide),
    /// The one that goes on ends
    "end" => decides("milestones.milestone.end", "kind", decide),
    /// List milestones, the latest first
    "list" => Runs(&With(list)),
};

/// Arguments of `annals milestone list`.
#[derive(Debug, clap::Args)]
struct ListArguments {
    /// How many
    #[arg(long, default_value_t = 20)]
    limit: usize,
}

/// A milestone, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MilestoneRow {
    id: Box<str>,
    #[serde(flatten)]
    milestone: Milestone,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct MilestoneRows {
    milestones: Vec<MilestoneRow>,
}

fn decide(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    let answer = engine.decide(command, &Json::empty_object(), &shell.by_now())?;
    let line = answer.events.iter().find_map(|event| {
        let crate::domain::Event::Milestone(event) = event else { return None };
        Some(match event {
            Event::Begun(begun) => format!("{} {} begins", begun.kind, begun.name),
            Event::Ended(ended) => format!("{} {} ends", ended.kind, ended.name),
        })
    });
    shell.report(&answer, |out| out.line(line.unwrap_or_default()))
}

fn list(shell: &mut Shell, arguments: &ListArguments) -> Done {
    let engine = shell.engine()?;
    let milestones = shell.ask(&engine, |world| {
        let rows = world.rooms.milestone.milestones.first_by_rank(arguments.limit).into_iter();
        rows.map(|(id, milestone)| MilestoneRow { id: id.clone(), milestone: milestone.clone() }).collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&MilestoneRows { milestones })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = milestones.iter().map(|row| cells(&row.milestone)).collect();
    shell.out.table(&[Key("kind"), Text("name"), Key("begun"), Goes(2, "ended"), Goes(1, "by")], &rows)?;
    if rows.is_empty() {
        shell.out.say("there is no milestone yet; `annals milestone begin session NAME` begins one")?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(milestone: &Milestone) -> Vec<String> {
    vec![
        milestone.kind.to_string(),
        milestone.name.to_string(),
        milestone.begun_at.to_string(),
        milestone.ended_at.map_or_else(|| "goes on".to_owned(), |at| at.to_string()),
        milestone.by.to_string(),
    ]
}
