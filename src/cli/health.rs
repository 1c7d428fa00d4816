//! `annals health`: how the swarm fares, and what would help (control-room 2.1, 9.2).

use super::line::{Line, Style};
use super::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::moderation::Command as Decision;
use crate::domain::moderation::command::Record;
use crate::domain::moderation::report::{AgentHealth, AgentRecord, SwarmReport};
use crate::domain::reliability::{AgentTrust, WatchLevel};
use crate::kernel::id::AgentId;
use crate::kernel::json::Json;
use crate::policy::report;
use crate::view::health::in_words;

/// Arguments of `annals health`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Record the report, as the moderator
    #[arg(long)]
    record: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    if arguments.record {
        let command = Decision::Record(Record {});
        let done =
            shell.decide(&engine, command, &Json::empty_object(), |out, _| out.line("the report is recorded"))?;
        return Ok(done);
    }
    let report = shell.ask(&engine, |world| report(&world.rooms, engine.settings()))?;
    let mut report = in_words(report);
    report.obsessive_tags = report.obsessive_tags.iter().map(|tag| clean(&engine, tag).into()).collect();
    if shell.wants_json() {
        shell.out.answer(&report)?;
    } else {
        print(shell, &report)?;
    }
    Ok(if report.blocking.is_some() { CommandOutcome::Refused } else { CommandOutcome::Done })
}

fn print(shell: &mut Shell, report: &SwarmReport) -> std::io::Result<()> {
    let (word, style) = match &report.blocking {
        Some(_) => ("blocked", Style::Red),
        None => ("may run", Style::Green),
    };
    shell.out.styled(&Line::plain("swarm    ").and(style, word))?;
    let issues = report.issues;
    shell.out.line(format_args!(
        "issues   {} open, {} frozen, {} stuck, {} wait for canon, {} ended",
        issues.open, issues.frozen, issues.stuck, issues.pending_canon, issues.ended
    ))?;
    let stopped: Vec<_> = report.stopped.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
    shell.out.line(format_args!("stopped  {}", listed(&stopped)))?;
    let agents: Vec<_> = report.agents.iter().map(|(id, agent)| of_agent(id, agent)).collect();
    shell.out.line(format_args!("agents   {}", listed(&agents)))?;
    let tags = |tags: &[Box<str>]| listed(&tags.iter().map(ToString::to_string).collect::<Vec<_>>());
    let (circled, frozen) = (tags(&report.obsessive_tags), tags(&report.frozen_tags));
    shell.out.line(format_args!("tags     circled without results: {circled}; frozen: {frozen}"))?;
    let notices: Vec<_> = report.notices.iter().map(|(to, count)| format!("{count} for {to}")).collect();
    shell.out.line(format_args!("notices  {}", listed(&notices)))?;
    for (rule, actors) in report.barred.iter().flat_map(|barred| barred.iter()) {
        let actors: Vec<_> = actors.iter().map(ToString::to_string).collect();
        shell.out.line(format_args!("barred   {rule}: {}", actors.join(", ")))?;
    }
    report.recommendations.iter().try_for_each(|advice| shell.out.line(format_args!("- {advice}")))
}

fn listed(words: &[String]) -> String {
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn of_agent(id: &AgentId, agent: &AgentHealth) -> String {
    let assisted = agent.slices.map(|slices| format!(", in {slices} portions"));
    let stopped = Some(agent.stops).filter(|stops| *stops > 0).map(|stops| format!(", {stops} stopped"));
    let (role, freedom) = (&agent.role, agent.freedom);
    let marked = agent.record.as_ref().map(marks).unwrap_or_default();
    format!("{id} ({role}, {freedom}{marked}{}{})", assisted.unwrap_or_default(), stopped.unwrap_or_default())
}

/// What is not as usual about an agent's record.
fn marks(record: &AgentRecord) -> String {
    let trust = (&*record.trust != AgentTrust::Normal.as_str()).then(|| format!(", {} trust", record.trust));
    let level = (&*record.level != WatchLevel::Normal.as_str()).then(|| format!(", {}", record.level));
    trust.into_iter().chain(level).collect()
}
