//! Who is to dissent where, and who did so of late.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{Command, Observed};
use super::event::{DissentEnding, Event, Expired, Made};
use annals_kernel::decision::Cause;
use annals_kernel::grounding::DissentReason;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::settings::{Settings, settings};
use annals_kernel::time::Timestamp;

settings! {
    /// Control-room 13.3.
    ROTATION_DAYS: u32 = 7, "dissent.rotation_days",
        "whoever dissented least often in so many days is the next devil's advocate", weakens Never;
}

/// More tasks of one agent are not counted: nobody has so many in a week.
const MOST_REMEMBERED: usize = 64;

/// A task to dissent (control-room 13.1).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Assignment {
    /// The entry that made it.
    pub entry: EntryId,
    /// Since when.
    pub at: Timestamp,
    /// Whose task it is.
    pub agent: AgentId,
    /// Why.
    pub reason: DissentReason,
    /// Who asked for it.
    pub by: AgentId,
    /// For how many comments.
    pub comments: u32,
    /// How many of them were made.
    #[serde(default)]
    pub used: u32,
    /// The issue that says so.
    pub task: Option<IssueId>,
    /// Why it is over; none: it is not.
    pub ending: Option<DissentEnding>,
}

/// All that is known of the challenges of one issue.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Challenges {
    /// Tasks, the latest last.
    pub assignments: Vec<Assignment>,
    /// The last time that a challenge was called for: what was said before does not call for another one.
    pub last: EntryId,
}

impl Challenges {
    /// The task that is not over.
    pub fn live(&self) -> Option<&Assignment> {
        self.assignments.last().filter(|assignment| assignment.ending.is_none())
    }
}

impl Ranked for Challenges {
    /// Those with a task that is not over first, the latest first.
    fn rank(&self) -> i64 {
        // As many bits as the time of an id has.
        const MILLIS_BITS: u32 = 48;
        let is_live = i64::from(self.live().is_some());
        is_live << MILLIS_BITS | self.last.time().millis().clamp(0, (1 << MILLIS_BITS) - 1)
    }
}

/// What one agent had to dissent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct Duties {
    /// When it got its last tasks, the latest last.
    pub times: Vec<Timestamp>,
    /// Where it is to dissent now.
    pub live: BTreeSet<IssueId>,
}

impl Ranked for Duties {
    fn rank(&self) -> i64 {
        0
    }
}

/// Who is to dissent where.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// By the issue that is challenged.
    pub challenges: Rows<IssueId, Challenges>,
    /// By agent.
    pub duties: Rows<AgentId, Duties>,
}

impl State {
    /// The task on an issue that is not over.
    pub fn live(&self, issue: &IssueId) -> Option<&Assignment> {
        self.challenges.get(issue.as_str())?.live()
    }

    /// The last time that a challenge of an issue was called for.
    pub fn last_call(&self, issue: &IssueId) -> EntryId {
        self.challenges.get(issue.as_str()).map(|challenges| challenges.last).unwrap_or_default()
    }

    /// How often an agent was devil's advocate of late (control-room 13.3).
    pub fn recent(&self, agent: &AgentId, now: Timestamp, settings: &Settings) -> usize {
        const DAY_MS: u64 = 86_400_000;
        let window = u64::from(settings.get(&ROTATION_DAYS)) * DAY_MS;
        let times = self.duties.get(agent.as_str()).map(|duties| duties.times.as_slice()).unwrap_or_default();
        times.iter().filter(|at| now.since(**at) < window).count()
    }

    /// The tasks of an agent that are not over.
    pub fn live_of(&self, agent: &AgentId) -> Vec<(&IssueId, &Assignment)> {
        let Some(duties) = self.duties.get(agent.as_str()) else { return Vec::new() };
        duties.live.iter().filter_map(|issue| Some((issue, self.live(issue)?))).collect()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Called(_) | Event::Fulfilled(_) => {}
            Event::Made(made) => self.made(made, cause),
            Event::Failed(failed) => {
                self.challenges.entry(failed.issue.as_str(), Challenges::default).last = cause.id;
            }
            Event::Expired(expired) => self.expired(expired),
        }
    }

    fn made(&mut self, made: &Made, cause: &Cause<'_, Command, Observed>) {
        let challenges = self.challenges.entry(made.issue.as_str(), Challenges::default);
        challenges.last = cause.id;
        challenges.assignments.push(Assignment {
            entry: cause.id,
            at: cause.at,
            agent: made.agent.clone(),
            reason: made.reason,
            by: made.by.clone(),
            comments: made.comments,
            used: 0,
            task: None,
            ending: None,
        });
        let duties = self.duties.entry(made.agent.as_str(), Duties::default);
        duties.live.insert(made.issue.clone());
        duties.times.push(cause.at);
        if duties.times.len() > MOST_REMEMBERED {
            duties.times.remove(0);
        }
    }

    fn expired(&mut self, expired: &Expired) {
        if let Some(assignment) = self.live_mut(&expired.issue) {
            assignment.ending = Some(expired.ending);
        }
        if let Some(duties) = self.duties.get_mut(expired.agent.as_str()) {
            duties.live.remove(&expired.issue);
        }
    }

    fn live_mut(&mut self, issue: &IssueId) -> Option<&mut Assignment> {
        self.live(issue)?;
        self.challenges.get_mut(issue.as_str())?.assignments.last_mut()
    }

    /// Learns which issue tells the agent of its task.
    pub fn told(&mut self, issue: &IssueId, task: &IssueId) {
        if let Some(assignment) = self.live_mut(issue) {
            assignment.task.get_or_insert_with(|| task.clone());
        }
    }

    /// Learns that somebody commented on an issue.
    pub fn heard(&mut self, issue: &IssueId, agent: &AgentId) {
        if let Some(assignment) = self.live_mut(issue).filter(|assignment| assignment.agent == *agent) {
            assignment.used += 1;
        }
    }
}
