//! `annals council list|show`.

use serde::Serialize;

use super::one;
use super::write::{side, thousandths};
use crate::cli::line::{Line, Style};
use crate::cli::named::COUNCIL;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::council::command::CouncilPurpose;
use crate::domain::council::state::Totals;
use crate::engine::Engine;
use crate::view::council::{CouncilInfo, lapsed_because};
use crate::view::gist::fold;

/// Arguments of `annals council list`.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
    /// Those that are over, too
    #[arg(long)]
    all: bool,
}

/// Arguments of `annals council show`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Which: its id, the end of it, or the key that it is about
    council: String,
}

/// The answer of `list` in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Councils {
    totals: Totals,
    councils: Vec<CouncilInfo>,
}

pub(super) fn list(shell: &mut Shell, arguments: &ListArguments) -> Done {
    let engine = shell.engine()?;
    let answer = shell.ask(&engine, |world| {
        let council = &world.rooms.council;
        let first = council.sessions.first_by_rank(arguments.lines).into_iter();
        let listed = first.filter(|(_, session)| arguments.all || session.status.is_open());
        let councils = listed.map(|(id, session)| CouncilInfo::of(id, session)).collect();
        Councils { totals: council.totals.clone(), councils }
    })?;
    if shell.wants_json() {
        shell.out.answer(&answer)?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<Vec<String>> = answer.councils.iter().map(cells).collect();
    shell.out.table(
        &[
            Key("council"),
            Key("status"),
            Goes(2, "purpose"),
            Goes(3, "votes"),
            Goes(1, "awaited"),
            Key("called"),
            Text("key"),
        ],
        &rows,
    )?;
    if rows.is_empty() && !arguments.all {
        shell.out.say("no council is open; --all lists those that are over")?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(info: &CouncilInfo) -> Vec<String> {
    let session = &info.session;
    let awaited = if info.awaited.is_empty() { "-".to_owned() } else { info.awaited.join(",") };
    vec![
        info.id.to_string(),
        session.status.to_string(),
        session.purpose.to_string(),
        format!("{}/{}", session.votes.len(), session.members().len()),
        awaited,
        session.audit.initiated_at.to_string(),
        session.entry_key.to_string(),
    ]
}

pub(super) fn show(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let id = one(shell, &engine, &arguments.council)?;
    let info = shell.ask(&engine, |world| {
        let session = world.rooms.council.session(&id)?;
        Some(CouncilInfo::of(&id, session))
    })?;
    let info = info.ok_or_else(|| COUNCIL.noun.unknown(&arguments.council))?;
    if shell.wants_json() {
        shell.out.answer(&info)?;
        return Ok(CommandOutcome::Done);
    }
    head(shell, &engine, &info)?;
    body(shell, &engine, &info)?;
    Ok(CommandOutcome::Done)
}

/// Which model said it, where one did.
fn by_model(model: Option<&str>) -> String {
    model.map(|model| format!(" (the model {model})")).unwrap_or_default()
}

fn text(engine: &Engine, text: &str) -> String {
    fold(&clean(engine, text))
}

fn head(shell: &mut Shell, engine: &Engine, info: &CouncilInfo) -> std::io::Result<()> {
    let session = &info.session;
    let title = Line::of(Style::Bold, text(engine, &session.entry_key));
    shell.out.styled(&title.then(format_args!(": {}, {}", session.purpose, session.status)))?;
    let audit = &session.audit;
    shell.out.line(format_args!("council {}, called by {} {}", info.id, audit.initiated_by, audit.initiated_at))?;
    for (name, value) in
        [("why", &session.contest_reason), ("now", &session.current_value), ("proposed", &session.proposed_value)]
    {
        if !value.is_empty() {
            shell.out.line(format_args!("{name}: {}", text(engine, value)))?;
        }
    }
    let rules = &session.config;
    shell.out.line(format_args!(
        "rules: {} of {} must approve or reject, {} of the weight decides",
        rules.quorum,
        session.members().join(", "),
        rules.threshold
    ))
}

fn body(shell: &mut Shell, engine: &Engine, info: &CouncilInfo) -> std::io::Result<()> {
    let session = &info.session;
    if !session.votes.is_empty() {
        let (approve, reject) = (thousandths(info.count.approve), thousandths(info.count.reject));
        shell.out.line("")?;
        shell.out.line(format_args!("votes: {approve} for it, {reject} against it"))?;
    }
    for vote in &session.votes {
        let why = text(engine, &vote.rationale);
        let by = by_model(vote.model.as_deref());
        shell.out.line(format_args!("- {}: {} with {}{by}: {why}", vote.agent_role, vote.vote, vote.confidence))?;
    }
    if !info.awaited.is_empty() {
        let until = if session.purpose == CouncilPurpose::Architecture {
            String::new()
        } else {
            format!(", until {}", session.votes_until())
        };
        shell.out.line(format_args!("awaited: {}{until}", info.awaited.join(", ")))?;
    }
    for round in session.rounds() {
        shell.out.line("")?;
        shell.out.line(format_args!("round {}", round.round))?;
        let (pro, con) = (by_model(round.pro_model.as_deref()), by_model(round.con_model.as_deref()));
        shell.out.line(format_args!("- for it, {}{pro}: {}", round.pro_agent, text(engine, &round.pro_argument)))?;
        shell.out.line(format_args!(
            "- against it, {}{con}: {}",
            round.con_agent,
            text(engine, &round.con_argument)
        ))?;
    }
    if let Some(plea) = session.unanswered() {
        let said = text(engine, &plea.argument);
        shell.out.line("")?;
        shell.out.line(format_args!("unanswered, {}, {}: {said}", side(plea.side), plea.agent))?;
    }
    for remark in &session.remarks {
        shell.out.line(format_args!("{} {}: {}", remark.at, remark.by, text(engine, &remark.text)))?;
    }
    if let Some(result) = &session.result {
        let by = session.audit.decided_by.map(|by| format!(", by {by}")).unwrap_or_default();
        let by = by + &by_model(result.model.as_deref());
        let why = text(engine, &result.rationale);
        shell.out.line("")?;
        shell.out.line(format_args!("decided: {} with {}{by}: {why}", result.final_decision, result.confidence))?;
    }
    if let Some(reason) = &session.audit.lapsed_because {
        shell.out.line("")?;
        shell.out.line(format_args!("not needed any more: {}", lapsed_because(reason)))?;
    }
    Ok(())
}
