//! A session as the protocol has it: `SessionInfo` (AFS 3.1). What Annals knows beyond that is an extension.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::Serialize;

use crate::domain::session::{Session, SessionStatus};
use crate::domain::usage::{SessionUsage, Tally};
use crate::engine::settings::IDLE_MINUTES;
use crate::kernel::id::{AgentId, ModelId, SessionId};
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::world::World;

/// AFS 3.1.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SessionInfo {
    /// A ULID of ours, or whatever another program wrote.
    pub id: SessionId,
    /// The project it belongs to.
    pub project_id: Option<Box<str>>,
    /// Time of its first entry.
    pub created_at: Timestamp,
    /// Time of its last entry.
    pub updated_at: Timestamp,
    /// Where it is in its life.
    pub status: SessionStatus,
    /// The session that delegated to it.
    pub parent_session_id: Option<SessionId>,
    /// Counts.
    pub stats: StatsInfo,
    /// What was done: as recorded when it was completed; where one session is shown, else made of its entries.
    pub summary: Option<SummaryInfo>,
    /// What the protocol has no place for.
    pub extensions: Extensions,
}

/// AFS 3.1, `stats`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StatsInfo {
    /// Entries.
    pub operation_count: u64,
    /// Time in which something happened.
    pub duration_ms: u64,
    /// Files that a call wrote.
    pub files_modified: BTreeSet<Box<str>>,
    /// Names of tools.
    pub tools_used: Vec<Box<str>>,
}

/// AFS 3.1, `summary`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SummaryInfo {
    /// A line.
    pub title: Box<str>,
    /// Markdown.
    pub body: Box<str>,
}

/// What the protocol has no place for.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Extensions {
    /// Ours.
    pub annals: More,
}

/// What Annals knows of a session beyond the protocol.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct More {
    /// What it is called.
    pub title: Option<Box<str>>,
    /// It counts as completed after this, unless something comes: its tool has not said that it ended.
    pub completed_after: Option<Timestamp>,
    /// The tool that it ran in.
    pub tool: Option<Box<str>>,
    /// Its id there.
    pub native_id: Option<Box<str>>,
    /// Who acted in it.
    #[always]
    pub agents: BTreeSet<AgentId>,
    /// Why it was aborted.
    pub reason: Option<Box<str>>,
    /// Calls.
    pub calls: u64,
    /// Calls by tool.
    #[always]
    pub calls_by_tool: BTreeMap<Box<str>, u64>,
    /// Calls that failed.
    pub failed_calls: u64,
    /// Prompts of people.
    pub prompts: u64,
    /// Messages of agents.
    pub messages: u64,
    /// Calls that were refused.
    pub rejections: u64,
    /// Times a person stopped the agent.
    pub interrupts: u64,
    /// Times the context was compacted.
    pub compactions: u64,
    /// Tokens and cost, by model.
    pub usage: BTreeMap<ModelId, Tally>,
}

/// Looks at sessions: at a time, as commands do, or as views do, which know none.
#[derive(Debug, Clone, Copy)]
pub struct Looker {
    at: Option<Timestamp>,
    silent_ms: u64,
}

impl Looker {
    /// At a time.
    pub fn at(now: Timestamp, settings: &Settings) -> Self {
        Self { at: Some(now), ..Self::of_views(settings) }
    }

    /// For a view, which stands at the last entry of its session and says until when that holds.
    pub(crate) fn of_views(settings: &Settings) -> Self {
        Self { at: None, silent_ms: settings.get(&IDLE_MINUTES).saturating_mul(60_000) }
    }

    /// A session as it is seen, with its tokens.
    pub fn look(&self, world: &World, id: &SessionId, session: &Session) -> SessionInfo {
        let usage = world.rooms.usage.sessions.get(id.as_str());
        let status = session.status_at(self.at.unwrap_or(session.updated_at), self.silent_ms);
        SessionInfo::of(id, session, usage, status, session.completed_after(self.silent_ms))
    }
}

impl SessionInfo {
    fn of(
        id: &SessionId,
        session: &Session,
        usage: Option<&SessionUsage>,
        status: SessionStatus,
        completed_after: Option<Timestamp>,
    ) -> Self {
        let stats = &session.stats;
        Self {
            id: id.clone(),
            project_id: session.project_id.clone(),
            created_at: session.created_at,
            updated_at: session.updated_at,
            status,
            parent_session_id: session.parent_session_id.clone(),
            stats: StatsInfo {
                operation_count: stats.operation_count,
                duration_ms: stats.duration_ms,
                files_modified: stats.files_modified.clone(),
                tools_used: stats.tools_used.keys().cloned().collect(),
            },
            summary: session
                .summary
                .as_ref()
                .map(|summary| SummaryInfo { title: summary.title.clone(), body: summary.body.clone() }),
            extensions: Extensions { annals: More { completed_after, ..More::of(session, usage) } },
        }
    }

    /// The name of its tool; of its first agent where no tool is known.
    pub fn tool(&self) -> &str {
        let more = &self.extensions.annals;
        let agent = || more.agents.iter().map(AgentId::as_str).find(|agent| *agent != "user");
        more.tool.as_deref().or_else(agent).unwrap_or_default()
    }

    /// All its tokens.
    pub fn tokens(&self) -> i64 {
        self.extensions.annals.usage.values().map(super::price::tokens).sum()
    }
}

impl More {
    fn of(session: &Session, usage: Option<&SessionUsage>) -> Self {
        let stats = &session.stats;
        let (tool, native_id) = session.native.clone().unzip();
        Self {
            title: session.title.as_ref().map(|title| title.as_str().into()),
            completed_after: None,
            tool,
            native_id,
            agents: session.agents.clone(),
            reason: session.reason.clone(),
            calls: stats.tools_used.values().sum(),
            calls_by_tool: stats.tools_used.clone(),
            failed_calls: stats.failed_calls,
            prompts: stats.prompts,
            messages: stats.messages,
            rejections: stats.rejections,
            interrupts: stats.interrupts,
            compactions: stats.compactions,
            usage: usage.map(|usage| usage.by_model.clone()).unwrap_or_default(),
        }
    }
}
