//! Which milestones go on, and which there were.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{Command, Observed};
use super::event::Event;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::period::Period;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;

/// A session, chapter or act.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Milestone {
    /// Which of them.
    pub kind: Period,
    /// What it is called.
    pub name: Box<str>,
    /// Who began it.
    pub by: AgentId,
    /// When it began.
    pub begun_at: Timestamp,
    /// The entry in which it began.
    pub begun_in: EntryId,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// The entry in which it ended.
    pub ended_in: Option<EntryId>,
}

impl Ranked for Milestone {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.begun_at.millis()
    }
}

/// The ids of the milestones that go on, one of each kind.
pub type OpenMilestones = BTreeMap<Period, Box<str>>;

/// All milestones.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// The ids of those that go on, one of each kind.
    pub open: OpenMilestones,
    /// All of them, by id.
    pub milestones: Rows<Box<str>, Milestone>,
}

impl State {
    /// The one of a kind that goes on.
    pub(crate) fn going_on(&self, kind: Period) -> Option<(&str, &Milestone)> {
        let id = self.open.get(&kind)?;
        Some((id, self.milestones.get(id)?))
    }

    /// The last one of a kind among the latest, whether it goes on or not.
    pub fn last(&self, kind: Period) -> Option<&Milestone> {
        self.last_with_id(kind).map(|(_, milestone)| milestone)
    }

    /// The same, and its id.
    pub(crate) fn last_with_id(&self, kind: Period) -> Option<(&str, &Milestone)> {
        const LATEST: usize = 50;
        let latest = || {
            let latest = self.milestones.first_by_rank(LATEST).into_iter();
            latest.map(|(id, milestone)| (&**id, milestone)).find(|(_, milestone)| milestone.kind == kind)
        };
        self.going_on(kind).or_else(latest)
    }

    /// The last one of a kind with that name.
    pub fn named(&self, kind: Period, name: &str) -> Option<&Milestone> {
        let all = self.milestones.first_by_rank(usize::MAX).into_iter().map(|(_, milestone)| milestone);
        all.into_iter().find(|milestone| milestone.kind == kind && *milestone.name == *name)
    }

    /// Takes in an event of a decision. Of two branches that began one each, the later goes on.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Begun(begun) => {
                self.open.insert(begun.kind, begun.milestone.clone());
                let (kind, name, by) = (begun.kind, begun.name.clone(), cause.actor.clone());
                let (begun_at, begun_in) = (cause.at, cause.id);
                let new = || Milestone { kind, name, by, begun_at, begun_in, ended_at: None, ended_in: None };
                self.milestones.entry(&begun.milestone, new);
            }
            Event::Ended(ended) => {
                if self.open.get(&ended.kind) == Some(&ended.milestone) {
                    self.open.remove(&ended.kind);
                }
                if let Some(milestone) = self.milestones.get_mut(&ended.milestone) {
                    milestone.ended_at.get_or_insert(cause.at);
                    milestone.ended_in.get_or_insert(cause.id);
                }
            }
        }
    }
}
