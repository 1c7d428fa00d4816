//! What R2 must not use again: tools of wrong approaches, and inputs that failed (artoo R7, "Dynamic MUST NOT Injection").
//!
//! Accumulates over the rounds of a task. What memory says against is added by R2.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::round::{CallResult, RoundOutcome, SubTaskOutcome, ToolUse};
use super::state::Directive;

/// What was tried in vain in a task so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tried {
    tools: Vec<String>,
    targets: Vec<String>,
}

impl Tried {
    /// What a directive blocks.
    pub fn add(&mut self, tools: &[String], targets: &[String]) {
        self.tools = joined(&self.tools, tools);
        self.targets = joined(&self.targets, targets);
    }

    /// All inputs that failed in this task, in the order in which they did.
    pub fn blocked_targets(&self, fresh: &[&ToolUse]) -> Vec<String> {
        let fresh: Vec<_> = fresh.iter().map(|used| used.target.clone()).collect();
        joined(&self.targets, &fresh)
    }

    /// Tools of the failing subtasks; breaking symmetry adds those that were to blame in earlier rounds, for what was
    /// tried then is no new class of tools. Where the environment is to blame, no tool is blocked.
    pub fn blocked_tools(&self, directive: Directive, round: &RoundOutcome) -> Vec<String> {
        let used = round.failing().flat_map(|outcome| &outcome.tool_uses).map(|used| used.tool.clone());
        let used: Vec<_> = used.collect();
        match directive {
            Directive::Refine | Directive::ChangePath => Vec::new(),
            Directive::ChangeApproach => joined(&[], &used),
            Directive::BreakSymmetry => joined(&self.tools, &used),
        }
    }

    /// What failed in this round and in none before; each target once.
    pub fn fresh_failures<'r>(&self, round: &'r RoundOutcome) -> Vec<&'r ToolUse> {
        let mut fresh: Vec<&ToolUse> = Vec::new();
        for used in round.failing().flat_map(failed_uses) {
            let is_known = fresh.iter().any(|known| known.target == used.target);
            if !is_known && !self.targets.contains(&used.target) {
                fresh.push(used);
            }
        }
        fresh
    }
}

fn failed_uses(outcome: &SubTaskOutcome) -> impl Iterator<Item = &ToolUse> {
    outcome.tool_uses.iter().filter(|used| used.result == CallResult::Failed)
}

/// The known ones, then those that are new; each once.
fn joined(known: &[String], more: &[String]) -> Vec<String> {
    let mut all = known.to_vec();
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
    all
}
