//! `annals session list`: sessions, the latest first.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::cli::output::OutputTarget;
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::cli::wanted::Wanted;
use crate::domain::session::SessionStatus;
use crate::engine::Engine;
use crate::engine::query::filter::matches;
use crate::kernel::id::SessionId;
use crate::view::gist::{count, duration, short_id};
use crate::view::info::{Looker, SessionInfo};

/// Arguments of `annals session list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How many
    #[arg(short = 'n', long, default_value_t = 20)]
    lines: usize,
    /// All of them
    #[arg(long, conflicts_with = "lines")]
    all: bool,
    /// Only those that are active, suspended, completed or aborted
    #[arg(long)]
    status: Option<String>,
    /// Only those of this tool; * stands for anything
    #[arg(long)]
    tool: Option<String>,
    #[command(flatten)]
    wanted: Wanted,
}

pub(super) fn looker(shell: &Shell, engine: &Engine) -> anyhow::Result<Looker> {
    Ok(Looker::at(shell.now(engine)?, engine.settings()))
}

/// The answer in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Sessions {
    sessions: Vec<SessionInfo>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let looker = looker(shell, &engine)?;
    let sessions = find(shell, &engine, &looker, arguments)?;
    shell.say_noticed(&engine.noticed()?)?;
    if shell.wants_json() {
        shell.out.answer(&Sessions { sessions })?;
        return Ok(CommandOutcome::Done);
    }
    let columns = [
        Key("session"),
        Goes(4, "tool"),
        Key("status"),
        Key("started"),
        Goes(5, "lasted"),
        Goes(1, "entries"),
        Goes(2, "calls"),
        Goes(6, "failed"),
        Goes(3, "tokens"),
        Text("title"),
    ];
    let rows: Vec<_> = sessions.iter().map(|info| row(shell, &engine, info)).collect();
    shell.out.table(&columns, &rows)?;
    Ok(CommandOutcome::Done)
}

/// The latest sessions are looked at first; all of them only where those do not suffice.
fn find(shell: &Shell, engine: &Engine, looker: &Looker, arguments: &Arguments) -> anyhow::Result<Vec<SessionInfo>> {
    let wanted = if arguments.all { usize::MAX } else { arguments.lines };
    let holding = arguments.holding(shell, engine)?;
    let fits = |info: &SessionInfo| arguments.fits(info) && holding.as_ref().is_none_or(|ids| ids.contains(&info.id));
    let is_filtered = arguments.status.is_some() || arguments.tool.is_some() || arguments.wanted.is_any();
    let looked_at = if is_filtered { wanted.saturating_mul(4) } else { wanted };
    if !arguments.all {
        let (total, mut found) = shell.ask(engine, |world| {
            let sessions = world.rooms.session.sessions.first_by_rank(looked_at);
            let infos = sessions.iter().map(|(id, session)| looker.look(world, id, session));
            (sessions.len(), infos.filter(&fits).collect::<Vec<_>>())
        })?;
        found.truncate(wanted);
        if found.len() == wanted || total < looked_at {
            return Ok(found);
        }
    }
    let mut found = shell.ask(engine, |world| {
        let infos = world.rooms.session.sessions.iter().map(|(id, session)| looker.look(world, id, session));
        infos.filter(&fits).collect::<Vec<_>>()
    })?;
    found.sort_by(|left, right| (right.updated_at, &right.id).cmp(&(left.updated_at, &left.id)));
    found.truncate(wanted);
    Ok(found)
}

impl Arguments {
    fn fits(&self, info: &SessionInfo) -> bool {
        let is_status = |status: SessionStatus, text: &str| status.as_str() == text;
        let agents = &info.extensions.annals.agents;
        let acted = |name: &String| agents.iter().any(|agent| matches(name, agent.as_str()));
        self.status.as_deref().is_none_or(|text| is_status(info.status, text))
            && self.tool.as_deref().is_none_or(|tool| matches(tool, info.tool()))
            && (self.wanted.agents.is_empty() || self.wanted.agents.iter().any(acted))
    }

    /// The sessions that hold an entry which is asked for; `None` where what is known of a session decides.
    fn holding(&self, shell: &Shell, engine: &Engine) -> anyhow::Result<Option<BTreeSet<SessionId>>> {
        if !self.wanted.needs_entries() {
            return Ok(None);
        }
        Ok(Some(engine.reader()?.sessions(&self.wanted.filter(shell)?)?))
    }
}

/// For eyes short ids and round figures; for programs whole ones.
fn row(shell: &Shell, engine: &Engine, info: &SessionInfo) -> Vec<String> {
    let more = &info.extensions.annals;
    let title = clean(engine, &named(shell, info));
    let started = info.created_at.to_string();
    let (started, lasted, tokens) = match shell.out.target {
        OutputTarget::Terminal => (started, duration(info.stats.duration_ms), count(info.tokens())),
        OutputTarget::Pipe => (started, info.stats.duration_ms.to_string(), info.tokens().to_string()),
    };
    vec![
        info.id.to_string(),
        info.tool().to_owned(),
        info.status.to_string(),
        started,
        lasted,
        info.stats.operation_count.to_string(),
        more.calls.to_string(),
        more.failed_calls.to_string(),
        tokens,
        title,
    ]
}

/// Its title; a sub-agent was asked nothing, and is named by the session that called it.
fn named(shell: &Shell, info: &SessionInfo) -> String {
    let parent = info.parent_session_id.as_ref().map(|parent| match shell.out.target {
        OutputTarget::Terminal => format!("sub-agent of {}", short_id(parent.as_str())),
        OutputTarget::Pipe => format!("sub-agent of {parent}"),
    });
    info.extensions.annals.title.clone().map(Into::into).or(parent).unwrap_or_default()
}
