//! The sessions in one file: the main one, and one for each sub-agent (FORMATS 1.6).
//!
//! Says which session a line belongs to. Keeps a small record a sub-agent, and of sub-agents without an id the last
//! 65,536 lines by hash, to follow their chain.

use std::collections::{BTreeMap, VecDeque};

use annals_kernel::id::AgentId;

use super::line::SessionLine;
use super::step::TOOL;
use crate::seen::key;

/// The main session of a file.
pub(super) const MAIN: usize = 0;

const LINKS_KEPT: usize = 1 << 16;

/// One session.
#[derive(Debug, Default)]
pub(super) struct AgentThread {
    /// Its id in the tool.
    pub(super) native: Box<str>,
    /// Who acts in it.
    pub(super) agent: AgentId,
    /// Where its agent began to work; known once it has begun.
    pub(super) cwd: Option<Box<str>>,
    /// Whether it has its `session_start`.
    pub(super) has_begun: bool,
    /// Whether its agent is the tool's own.
    pub(super) is_internal: bool,
}

/// Agents that the tool starts for itself, by what their ids begin with.
const INTERNAL: [&str; 9] = [
    "aagent_summary-", "aaway_summary-", "aauto_dream-", "acompact-", "aextract_memories-", "aprompt_suggestion-",
    "asession_memory-", "aside_question-", "aspeculation-",
];

/// The call that started a sub-agent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ParentCall {
    /// Its id.
    pub(super) call: Option<Box<str>>,
    /// What kind of agent it asked for.
    pub(super) agent_type: Option<Box<str>>,
}

#[derive(Debug)]
pub(super) struct Threads {
    list: Vec<AgentThread>,
    by_agent: BTreeMap<Box<str>, usize>,
    links: BTreeMap<u64, usize>,
    order: VecDeque<u64>,
}

impl Threads {
    /// The sessions of a file whose main one has this id.
    pub(super) fn new(native: &str) -> Self {
        let main = AgentThread { native: native.into(), agent: TOOL.into(), ..AgentThread::default() };
        Self { list: vec![main], by_agent: BTreeMap::new(), links: BTreeMap::new(), order: VecDeque::new() }
    }

    pub(super) fn get(&self, thread: usize) -> &AgentThread {
        &self.list[thread]
    }

    pub(super) fn get_mut(&mut self, thread: usize) -> &mut AgentThread {
        &mut self.list[thread]
    }

    /// The session of a line. A line of a sub-agent without an id belongs to the agent of the line before it in its
    /// chain; the first line of a chain names an agent.
    pub(super) fn of(&mut self, line: &SessionLine<'_>) -> usize {
        if !line.is_sidechain.is_true() {
            return MAIN;
        }
        if let Some(agent) = line.agent_id.name() {
            return self.of_agent(agent);
        }
        let hash = |uuid: &str| key(&["link", uuid]);
        let uuid = line.uuid.name().unwrap_or_else(|| "unnamed".into());
        let before = line.parent_uuid.name().and_then(|parent| self.links.get(&hash(&parent)).copied());
        let thread = before.unwrap_or_else(|| self.of_agent(uuid.clone()));
        self.remember(hash(&uuid), thread);
        thread
    }

    fn of_agent(&mut self, agent: Box<str>) -> usize {
        if let Some(thread) = self.by_agent.get(&agent) {
            return *thread;
        }
        let native = format!("{}/{agent}", self.list[MAIN].native).into();
        let is_internal = INTERNAL.iter().any(|start| agent.starts_with(start));
        self.list.push(AgentThread {
            native,
            agent: format!("{TOOL}/{agent}").into(),
            is_internal,
            ..AgentThread::default()
        });
        self.by_agent.insert(agent, self.list.len() - 1);
        self.list.len() - 1
    }

    fn remember(&mut self, link: u64, thread: usize) {
        if self.links.insert(link, thread).is_none() {
            self.order.push_back(link);
        }
        if self.order.len() > LINKS_KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.links.remove(&oldest);
        }
    }
}
