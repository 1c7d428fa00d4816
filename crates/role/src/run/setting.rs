//! What a task begins with beside the request, and keeps: what it is given, and which rules it is held to.
//!
//! Each rule has a value for the tasks that began before it was there. Holds no state of a run.

use serde::{Deserialize, Serialize};

use super::limits::RunLimits;
use super::proposing::GivenUp;
use super::undoing::NewApproach;
use crate::delegate::AgentProgram;
use crate::executor::ExecutorForm;
use crate::tool::ToolName;

/// What a task is given beside the request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunSetting {
    /// Its id, minted by the engine.
    pub task_id: String,
    /// Weights, thresholds and how much may be used.
    pub limits: RunLimits,
    /// The tools there are.
    pub tools: Vec<ToolName>,
    /// What the workspace holds, in short.
    pub place: String,
    /// The agent that stands in for the executor; none: the executor of the loop, with its tools.
    #[serde(default)]
    pub executor: Option<AgentProgram>,
    /// How the executor is asked.
    #[serde(default)]
    pub form: ExecutorForm,
    /// What a round finds that takes another approach.
    #[serde(default)]
    pub new_approach: NewApproach,
    /// What is looked at before the whole is accepted.
    #[serde(default)]
    pub gate_looks: GateLooks,
    /// How far what failed and what memory advises against is followed.
    #[serde(default)]
    pub bans: BanReach,
    /// What of the person's words the work is held to.
    #[serde(default)]
    pub words: WordsReach,
    /// What is left for the person, where it is given up.
    #[serde(default)]
    pub given_up: GivenUp,
}

impl RunSetting {
    /// What a task begins with today, by the executor of the loop; its id comes with its beginning.
    pub fn today(limits: RunLimits, tools: Vec<ToolName>, place: String) -> Self {
        let (task_id, executor, form) = (String::new(), None, ExecutorForm::Whole);
        let (new_approach, gate_looks, bans) = (NewApproach::BeginsAnew, GateLooks::AtAll, BanReach::AsMeant);
        let (words, given_up) = (WordsReach::Quoted, GivenUp::Proposes);
        Self { task_id, limits, tools, place, executor, form, new_approach, gate_looks, bans, words, given_up }
    }
}

/// What of the person's words the work is held to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WordsReach {
    /// What they forbid: tasks that began before the other was there.
    #[default]
    Forbidden,
    /// What they ask for, too: where they only add nothing is lost, and a figure is found out by a tool.
    Wanted,
    /// What they do not ask for, too: what they take nothing away from stays, and no check looks for their sentences.
    Meant,
    /// While it is done, too: where they take nothing away, no file that was read is written over with less than half.
    Careful,
    /// In what checks look at, too: a sentence is no file's name.
    Named,
    /// In what checks look for, too: a text that nobody said, in a file that is there, proves nothing.
    Said,
    /// In what they quote, too: a text beside that proves nothing there.
    Quoted,
}

/// How far what failed and what memory advises against is followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BanReach {
    /// To the letter of what failed: tasks that began before the other was there.
    #[default]
    AsSpelled,
    /// Other spellings of it; and memory is asked for each target of a plan before it is sent out.
    AsMeant,
}

/// What is looked at before the whole is accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateLooks {
    /// The task criteria: tasks that began before the other was there.
    #[default]
    AtTheTask,
    /// What the subtasks were checked by, and what the person forbade to change, too.
    AtAll,
}
