//! Which opinions are asked for, and which are in.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{Command, Observed};
use super::event::{Event, Opened, Submitted};
use annals_kernel::decision::Cause;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;

words! {
    /// What became of a sealed opinion.
    pub enum OpinionFate {
        /// Nobody may read it yet, or nobody has brought its text.
        Sealed = "sealed",
        /// Its text is recorded.
        Revealed = "revealed",
        /// Its text is not where it was kept.
        Missing = "missing",
        /// What was kept is not what was sealed.
        Changed = "changed",
        /// It is what was sealed, and the rules of words stop it.
        Rejected = "rejected",
    }
}

impl OpinionFate {
    /// Whether nothing more can become of it: its text is recorded, in the thread or not.
    pub fn is_final(self) -> bool {
        match self {
            Self::Revealed | Self::Rejected => true,
            Self::Sealed | Self::Missing | Self::Changed => false,
        }
    }
}

/// A sealed opinion.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sealed {
    /// Its salted SHA-256.
    pub seal: Box<str>,
    /// What became of it.
    pub fate: OpinionFate,
    /// The model that gave it, where one did.
    pub model: Option<Box<str>>,
}

/// The last blind pass on an issue.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pass {
    /// Since when.
    pub opened_at: Timestamp,
    /// By whom.
    pub opened_by: AgentId,
    /// Who is asked.
    #[always]
    pub participants: BTreeSet<AgentId>,
    /// What is in.
    pub opinions: BTreeMap<AgentId, Sealed>,
    /// When it was closed; none: it goes on.
    pub closed_at: Option<Timestamp>,
    /// Whether an earlier one was closed.
    #[serde(default)]
    pub earlier: u32,
}

impl Pass {
    /// Whether opinions are still asked for.
    pub fn is_open(&self) -> bool {
        self.closed_at.is_none()
    }

    /// Whose opinion is not in.
    pub fn awaited(&self) -> impl Iterator<Item = &AgentId> {
        self.participants.iter().filter(|agent| !self.opinions.contains_key(*agent))
    }

    /// Whether one pass at least is over.
    pub fn is_finished(&self) -> bool {
        !self.is_open() || self.earlier > 0
    }
}

impl Ranked for Pass {
    /// Those that go on first, the latest first.
    fn rank(&self) -> i64 {
        const MILLIS_BITS: u32 = 48;
        i64::from(self.is_open()) << MILLIS_BITS | self.opened_at.millis().clamp(0, (1 << MILLIS_BITS) - 1)
    }
}

/// What is asked of one agent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AskedOpinions(pub BTreeSet<IssueId>);

impl Ranked for AskedOpinions {
    fn rank(&self) -> i64 {
        0
    }
}

/// All blind passes.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// By issue.
    pub passes: Rows<IssueId, Pass>,
    /// On which issues an agent is asked, and has not answered.
    pub asked: Rows<AgentId, AskedOpinions>,
}

impl State {
    /// The last pass on an issue.
    pub fn pass(&self, issue: &IssueId) -> Option<&Pass> {
        self.passes.get(issue.as_str())
    }

    /// Where an agent's opinion is asked for.
    pub fn asked_of(&self, agent: &AgentId) -> impl Iterator<Item = &IssueId> {
        self.asked.get(agent.as_str()).into_iter().flat_map(|asked| &asked.0)
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Opened(opened) => self.opened(opened, cause),
            Event::Submitted(submitted) => self.submitted(submitted, cause),
            Event::Closed(closed) => self.closed(&closed.issue, cause.at),
            Event::Revealed(revealed) => self.becomes(&revealed.issue, &revealed.agent, OpinionFate::Revealed),
            Event::Lost(lost) => self.becomes(&lost.issue, &lost.agent, lost.fate),
        }
    }

    fn opened(&mut self, opened: &Opened, cause: &Cause<'_, Command, Observed>) {
        let new = || Pass {
            opened_at: cause.at,
            opened_by: cause.actor.clone(),
            participants: opened.participants.clone(),
            opinions: BTreeMap::new(),
            closed_at: None,
            earlier: 0,
        };
        let pass = self.passes.entry(opened.issue.as_str(), new);
        let earlier = pass.earlier + u32::from(!pass.is_open());
        *pass = Pass { earlier, ..new() };
        for agent in &opened.participants {
            self.asked.entry(agent.as_str(), AskedOpinions::default).0.insert(opened.issue.clone());
        }
    }

    fn submitted(&mut self, submitted: &Submitted, cause: &Cause<'_, Command, Observed>) {
        let Some(pass) = self.passes.get_mut(submitted.issue.as_str()) else { return };
        let word = cause.observed().and_then(|observed| observed.model.as_ref());
        let model = word.map(|word| word.model.clone());
        let sealed = Sealed { seal: submitted.seal.clone(), fate: OpinionFate::Sealed, model };
        pass.opinions.insert(submitted.agent.clone(), sealed);
        self.asked.entry(submitted.agent.as_str(), AskedOpinions::default).0.remove(&submitted.issue);
    }

    fn closed(&mut self, issue: &IssueId, at: Timestamp) {
        let Some(pass) = self.passes.get_mut(issue.as_str()) else { return };
        pass.closed_at = Some(at);
        let awaited: Vec<_> = pass.awaited().cloned().collect();
        for agent in awaited {
            self.asked.entry(agent.as_str(), AskedOpinions::default).0.remove(issue);
        }
    }

    fn becomes(&mut self, issue: &IssueId, agent: &AgentId, fate: OpinionFate) {
        let pass = self.passes.get_mut(issue.as_str());
        if let Some(opinion) = pass.and_then(|pass| pass.opinions.get_mut(agent)) {
            opinion.fate = fate;
        }
    }
}
