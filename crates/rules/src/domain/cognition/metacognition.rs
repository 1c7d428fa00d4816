//! How an agent goes about its work (AFS 4.2): strategy, progress, repetition, load, when to ask, autonomous work.
//!
//! Strategy, uncertainty and a block are stated; the rest is computed from calls, and stated where somebody knows better.

use std::fmt;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::CognitionLimits;
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// So many corrections are remembered.
pub const MOST_CORRECTIONS: usize = 20;
/// So many things can be in focus.
pub const MOST_FOCUS: usize = 20;

words! {
    /// A way to go about it.
    pub enum Strategy {
        /// A little at a time.
        Incremental = "incremental",
        /// In parts.
        DivideAndConquer = "divide_and_conquer",
        /// To the ground first.
        DepthFirst = "depth_first",
        /// All over first.
        BreadthFirst = "breadth_first",
        /// Reading first.
        ResearchFirst = "research_first",
        /// Something that works first.
        Prototype = "prototype",
    }
}

words! {
    /// How it goes.
    pub enum Progress {
        /// Well.
        MakingProgress = "making_progress",
        /// Round and round.
        Spinning = "spinning",
        /// Not at all.
        Blocked = "blocked",
    }
}

/// What an agent corrected by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Correction {
    /// What.
    pub what: Box<str>,
    /// When.
    pub when: Timestamp,
    /// Why.
    #[serde(default)]
    pub why: Box<str>,
    /// What came of it.
    #[serde(default)]
    pub outcome: Box<str>,
}

/// What was stated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stated {
    /// How it is gone about.
    pub strategy: Option<Strategy>,
    /// How well that works.
    pub effectiveness: Option<Share>,
    /// How unsure the agent is.
    pub uncertainty: Option<Share>,
    /// Why it cannot go on.
    pub blocked: Option<Box<str>>,
    /// What is in focus; where nothing was stated, the files of the last calls are.
    pub focus: Vec<Box<str>>,
    /// How many things are in focus, where another program told no more than that.
    pub items: Option<u32>,
    /// What it corrected by itself.
    pub corrections: Vec<Correction>,
}

/// The metacognitive state of an agent.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Metacognition {
    /// How it is gone about.
    pub current_strategy: Strategy,
    /// How well that works; nothing where nobody knows.
    pub strategy_effectiveness: Option<Share>,
    /// How it goes.
    pub progress_status: Progress,
    /// Repetition.
    pub spin_detection: Spin,
    /// How much there is to think of.
    pub cognitive_load: Load,
    /// Whether to ask.
    pub help_seeking: Help,
    /// Whether it works by itself, and well.
    pub flow_state: bool,
    /// What it corrected by itself.
    #[always]
    pub self_corrections: Vec<Correction>,
}

/// Repetition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spin {
    /// Hashes of the last actions.
    pub recent_actions: Vec<Box<str>>,
    /// How often the last one was repeated after its first time.
    pub similar_action_count: u32,
    /// So often is too often.
    pub spinning_threshold: u32,
}

/// How much there is to think of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// As a share of what can be in focus.
    pub current: Share,
    /// How many things are.
    pub items_in_focus: u32,
}

/// Whether to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Help {
    /// How unsure the agent is.
    pub current_uncertainty: Share,
    /// So many calls in a row failed.
    pub consecutive_failures: u32,
    /// Whether a person should be asked.
    pub should_ask_user: bool,
}

impl Load {
    /// So many of so many things; more than all of them is all.
    pub fn of(items: usize, most: u32) -> Self {
        let all = u64::from(most.max(1));
        let current = Share::of_count(items as u64, all).unwrap_or(Share::WHOLE);
        Self { current, items_in_focus: u32::try_from(items).unwrap_or(u32::MAX) }
    }

    /// Whether nothing more fits.
    pub fn is_overloaded(self) -> bool {
        self.current == Share::WHOLE
    }
}

impl Help {
    /// More than the limit of uncertainty, or that many failures, call for a person.
    pub fn of(uncertainty: Share, failures: u32, limits: &CognitionLimits) -> Self {
        let should_ask_user = uncertainty > limits.help_uncertainty || failures >= limits.help_failures;
        Self { current_uncertainty: uncertainty, consecutive_failures: failures, should_ask_user }
    }
}

/// How it goes just now, without anything that costs room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brief {
    /// How it goes.
    pub progress: Progress,
    /// How much there is to think of.
    pub load: Load,
    /// Whether to ask.
    pub help: Help,
    /// How well the strategy works; nothing where nobody knows.
    pub effectiveness: Option<Share>,
    /// How strong the strongest open frustration is.
    pub frustration: Share,
    /// So many calls in a row did what they were asked.
    pub successes: usize,
}

/// What is in the way of flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It does not go on.
    Progress(Progress),
    /// A person should be asked.
    Help,
    /// The last call failed, or few were made.
    Calls,
    /// There is too much to think of.
    Load(Share),
    /// The strategy does not work well enough, or nobody knows.
    Strategy,
    /// Something frustrates.
    Frustration(Share),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Progress(progress) => write!(f, "progress: {progress}"),
            Self::Help => f.write_str("a person should be asked"),
            Self::Calls => f.write_str("too few calls in a row succeeded"),
            Self::Load(load) => write!(f, "load {}", percent(*load)),
            Self::Strategy => f.write_str("the strategy does not work well enough"),
            Self::Frustration(share) => write!(f, "frustration {share}"),
        }
    }
}

impl Brief {
    /// What is in the way of flow, if anything is (AFS 4.2; the conditions are those of the protocol's state files).
    pub fn obstacle(&self, limits: &CognitionLimits) -> Option<Obstacle> {
        let load = self.load.current;
        let works = self.effectiveness.is_some_and(|works| works >= limits.flow_effectiveness);
        if self.progress != Progress::MakingProgress {
            Some(Obstacle::Progress(self.progress))
        } else if self.help.should_ask_user {
            Some(Obstacle::Help)
        } else if self.successes < limits.flow_calls {
            Some(Obstacle::Calls)
        } else if load > limits.flow_load {
            Some(Obstacle::Load(load))
        } else if !works {
            Some(Obstacle::Strategy)
        } else if self.frustration > limits.flow_frustration {
            Some(Obstacle::Frustration(self.frustration))
        } else {
            None
        }
    }

    /// What holds where nothing is in the way.
    pub fn conditions(&self) -> Vec<Box<str>> {
        let calls = format!("{} calls in a row succeeded", self.successes);
        Vec::from([calls, format!("load {}", percent(self.load.current)), "no help needed".to_owned()].map(Into::into))
    }
}

/// Whole percents, rounded down (4 of 7 are 57 %).
pub fn percent(share: Share) -> String {
    format!("{} %", share.in_thousandths() / 10)
}
