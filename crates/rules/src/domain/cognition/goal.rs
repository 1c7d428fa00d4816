//! What an agent aims at (AFS 4.3): a goal, what it is made of, what serves it, and what contradicts.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::amount::Amount;
use annals_kernel::grounding::words;
use annals_kernel::settings::settings;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many subgoals, so many instrumental goals, so many conflicts are kept.
pub const MOST_GOALS: usize = 100;

settings! {
    /// Words that contradict each other where two goals use them (AFS 4.3).
    CONFLICTS: BTreeMap<String, [Vec<String>; 2]> = {
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let speed = words("fast faster quick quickly urgent asap hurry rush rapidly immediately soon");
        let quality =
            words("comprehensive thorough thoroughly careful carefully robust polished perfect exhaustive quality");
        let stability = words("compatible unchanged preserve stable");
        let change = words("rewrite redesign replace overhaul");
        let minimal = words("minimize minimise minimal minimally smallest surgical");
        let refactoring = words("refactor refactoring refactored restructure reorganize reorganise rework modernize");
        BTreeMap::from([
            ("speed_vs_quality".to_owned(), [speed, quality]),
            ("stability_vs_change".to_owned(), [stability, change]),
            ("minimize_vs_refactor".to_owned(), [minimal, refactoring]),
        ])
    }, "cognition.goal_conflicts", "conflicts by name: words of the one goal, and words of the other", weakens Never;
}

words! {
    /// Where a goal is.
    pub enum GoalStatus {
        /// Nobody works on it.
        Pending = "pending",
        /// Somebody does.
        InProgress = "in_progress",
        /// It is reached.
        Completed = "completed",
        /// It cannot go on.
        Blocked = "blocked",
        /// Nobody will work on it.
        Abandoned = "abandoned",
    }
}

impl GoalStatus {
    /// Whether nothing more comes.
    pub fn is_ended(self) -> bool {
        matches!(self, Self::Completed | Self::Abandoned)
    }
}

words! {
    /// What a goal is for.
    pub enum GoalKind {
        /// What the person wants.
        Primary = "primary",
        /// A part of another.
        Subgoal = "subgoal",
        /// It makes others possible.
        Instrumental = "instrumental",
    }
}

/// All goals of a session.
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Goals {
    /// What the person wants.
    #[serde(alias = "primaryGoal")]
    #[sparse]
    pub primary_goal: Option<Primary>,
    /// Its parts.
    pub subgoals: Vec<Subgoal>,
    /// What makes them possible.
    #[serde(alias = "instrumentalGoals")]
    pub instrumental_goals: Vec<Instrumental>,
    /// What is worked on, the current one last.
    #[serde(alias = "goalStack")]
    pub goal_stack: Vec<Box<str>>,
    /// What contradicts.
    pub conflicts: Vec<GoalConflict>,
    /// The last change.
    #[serde(alias = "lastUpdated")]
    pub last_updated: Timestamp,
}

/// What the person wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Primary {
    /// Its name.
    pub id: Box<str>,
    /// What it is.
    #[serde(default)]
    pub description: Box<str>,
    /// As the person said it.
    #[serde(default, alias = "userStated")]
    pub user_stated: Box<str>,
    /// Where it is.
    #[serde(default = "pending", deserialize_with = "status")]
    pub status: GoalStatus,
    /// How far.
    #[serde(default, deserialize_with = "clamped")]
    pub progress: Share,
    /// When it is reached.
    #[serde(default, alias = "successCriteria")]
    pub success_criteria: Vec<Box<str>>,
    /// What must be kept.
    #[serde(default)]
    pub constraints: Vec<Box<str>>,
}

/// A part of another goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Subgoal {
    /// Its name.
    pub id: Box<str>,
    /// Of which it is a part.
    #[serde(default, alias = "parentId")]
    pub parent_id: Box<str>,
    /// What it is.
    #[serde(default)]
    pub description: Box<str>,
    /// Where it is.
    #[serde(default = "pending", deserialize_with = "status")]
    pub status: GoalStatus,
    /// How far.
    #[serde(default, deserialize_with = "clamped")]
    pub progress: Share,
    /// What must be reached before.
    #[serde(default)]
    pub dependencies: Vec<Box<str>>,
}

/// A goal that makes others possible.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Instrumental {
    /// Its name.
    pub id: Box<str>,
    /// What it is.
    #[serde(default)]
    pub description: Box<str>,
    /// Which.
    #[serde(default)]
    pub supports: Vec<Box<str>>,
    /// Where it is.
    #[serde(default = "pending", deserialize_with = "status")]
    pub status: GoalStatus,
}

/// Two goals that do not go together.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GoalConflict {
    /// `speed_vs_quality`.
    #[serde(rename = "type")]
    pub kind: Box<str>,
    /// The one.
    #[serde(alias = "goalA")]
    pub goal_a: Box<str>,
    /// The other.
    #[serde(alias = "goalB")]
    pub goal_b: Box<str>,
    /// What was decided.
    pub resolution: Option<Box<str>>,
}

fn pending() -> GoalStatus {
    GoalStatus::Pending
}

/// What other programs write: a word that we do not know is a goal that nobody works on.
fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GoalStatus, D::Error> {
    let word = Box::<str>::deserialize(deserializer)?;
    Ok(word.parse().unwrap_or(GoalStatus::Pending))
}

/// Progress below 0 is 0, above 1 is 1 (AFS 4.3).
fn clamped<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Share, D::Error> {
    Amount::deserialize(deserializer).map(Amount::clamped)
}

/// A goal of any kind, as far as all have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnyGoal<'g> {
    /// Its name.
    pub id: &'g str,
    /// What it is.
    pub description: &'g str,
    /// Where it is.
    pub status: GoalStatus,
    /// How far.
    pub progress: Share,
    /// What it is for.
    pub kind: GoalKind,
}

impl Goals {
    /// Every goal: the primary one, its parts, what serves them.
    pub fn all(&self) -> impl Iterator<Item = AnyGoal<'_>> {
        let primary = self.primary_goal.iter().map(|goal| AnyGoal {
            id: &goal.id,
            description: &goal.description,
            status: goal.status,
            progress: goal.progress,
            kind: GoalKind::Primary,
        });
        let parts = self.subgoals.iter().map(|goal| AnyGoal {
            id: &goal.id,
            description: &goal.description,
            status: goal.status,
            progress: goal.progress,
            kind: GoalKind::Subgoal,
        });
        let means = self.instrumental_goals.iter().map(|goal| AnyGoal {
            id: &goal.id,
            description: &goal.description,
            status: goal.status,
            progress: if goal.status == GoalStatus::Completed { Share::WHOLE } else { Share::NONE },
            kind: GoalKind::Instrumental,
        });
        primary.chain(parts).chain(means)
    }

    /// A goal by its name.
    pub fn goal(&self, id: &str) -> Option<AnyGoal<'_>> {
        self.all().find(|goal| goal.id == id)
    }

    /// What can be worked on next: the first part that is not ended, blocked or waiting for another; else the whole.
    pub fn next_actionable(&self) -> Option<AnyGoal<'_>> {
        let reached = |id: &str| self.goal(id).is_some_and(|goal| goal.status == GoalStatus::Completed);
        let is_open = |status: GoalStatus| !status.is_ended() && status != GoalStatus::Blocked;
        let is_ready = |goal: &&Subgoal| is_open(goal.status) && goal.dependencies.iter().all(|id| reached(id));
        let part = self.subgoals.iter().find(is_ready).and_then(|goal| self.goal(&goal.id));
        let has_parts = self.subgoals.iter().any(|goal| !goal.status.is_ended());
        let whole = self.primary_goal.as_ref().filter(|goal| is_open(goal.status) && !has_parts);
        part.or_else(|| whole.and_then(|goal| self.goal(&goal.id)))
    }

    /// Status and progress of a goal, set; progress alone leaves the status, but what is whole is reached (AFS 4.3).
    pub(super) fn set(&mut self, id: &str, progress: Option<Share>, to: Option<GoalStatus>) {
        let to = to.or_else(|| (progress == Some(Share::WHOLE)).then_some(GoalStatus::Completed));
        let progress = progress.or_else(|| (to == Some(GoalStatus::Completed)).then_some(Share::WHOLE));
        if let Some(goal) = self.primary_goal.as_mut().filter(|goal| *goal.id == *id) {
            (goal.status, goal.progress) = (to.unwrap_or(goal.status), progress.unwrap_or(goal.progress));
        }
        for goal in self.subgoals.iter_mut().filter(|goal| *goal.id == *id) {
            (goal.status, goal.progress) = (to.unwrap_or(goal.status), progress.unwrap_or(goal.progress));
        }
        for goal in self.instrumental_goals.iter_mut().filter(|goal| *goal.id == *id) {
            goal.status = to.unwrap_or(goal.status);
        }
        if to.is_some_and(GoalStatus::is_ended) {
            self.goal_stack.retain(|goal| **goal != *id);
        }
    }

    /// The goals that are reached when a part is: the one of which all parts are ended then, and at least this one is
    /// reached; and the one of which that is the last part (AFS 4.3).
    pub(super) fn reached_with(&self, part: &str) -> Vec<Box<str>> {
        let mut after = self.clone();
        after.set(part, None, Some(GoalStatus::Completed));
        let (mut reached, mut part): (Vec<Box<str>>, Box<str>) = (Vec::new(), part.into());
        while let Some(whole) = after.whole_of(&part) {
            after.set(&whole, None, Some(GoalStatus::Completed));
            reached.push(whole.clone());
            part = whole;
        }
        reached
    }

    /// The goal that a part belongs to, where it goes on and all its parts are ended.
    fn whole_of(&self, part: &str) -> Option<Box<str>> {
        let id = &self.subgoals.iter().find(|goal| *goal.id == *part)?.parent_id;
        self.goal(id).filter(|goal| !goal.status.is_ended())?;
        let mut parts = self.subgoals.iter().filter(|goal| goal.parent_id == *id);
        parts.all(|goal| goal.status.is_ended()).then(|| id.clone())
    }

    /// Conflicts of a new goal with those that are there and not ended.
    pub fn conflicts_of(&self, id: &str, text: &str, rules: &BTreeMap<String, [Vec<String>; 2]>) -> Vec<GoalConflict> {
        let own = lower_words(text);
        let mut found = Vec::new();
        for goal in self.all().filter(|goal| !goal.status.is_ended() && goal.id != id) {
            let said = self.primary_goal.as_ref().filter(|primary| *primary.id == *goal.id);
            let said = said.map_or("", |primary| &primary.user_stated);
            let other = lower_words(&[goal.description, said].join(" "));
            let has = |words: &BTreeSet<String>, list: &Vec<String>| list.iter().any(|word| words.contains(word));
            for (kind, [one, two]) in rules {
                let is_crossed = has(&own, one) && has(&other, two) || has(&own, two) && has(&other, one);
                if is_crossed {
                    let (goal_a, goal_b) = (goal.id.into(), id.into());
                    found.push(GoalConflict { kind: kind.as_str().into(), goal_a, goal_b, resolution: None });
                }
            }
        }
        found
    }

    /// Keeps every list within its limit: the oldest that is ended goes first.
    pub(super) fn bound(&mut self) {
        while self.subgoals.len() > MOST_GOALS {
            let over = self.subgoals.iter().position(|goal| goal.status.is_ended()).unwrap_or(0);
            self.subgoals.remove(over);
        }
        super::emotion::drop_first(&mut self.instrumental_goals, MOST_GOALS);
        super::emotion::drop_first(&mut self.goal_stack, MOST_GOALS);
        super::emotion::drop_first(&mut self.conflicts, MOST_GOALS);
    }
}

fn lower_words(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
