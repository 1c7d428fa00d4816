//! What a plan must not use: what memory advises against, what R7 blocks, what the person forbids (artoo R2, "MUST NOT Set").
//!
//! The set alone, in the order of its sources; `enforce` holds plans against it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::forbidden::Forbidden;
use crate::ggs::PlanDirective;
use crate::message::{MemoryAction, MemoryAnswer, Remembered};
use crate::tool::ToolName;
use annals_kernel::grounding::words;

words! {
    /// Who says so.
    pub enum BanSource {
        /// Memory: it was tried, and it was no good.
        Memory = "memory",
        /// R7: the tool was the wrong approach.
        BlockedTool = "blocked_tool",
        /// R7: the input failed.
        BlockedTarget = "blocked_target",
        /// The person, in the words of the request.
        Person = "person",
    }
}

/// What is not to be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Banned {
    /// A tool.
    Tool {
        /// Its name.
        tool: String,
    },
    /// An input, whatever the tool.
    Target {
        /// As it was given.
        target: String,
    },
    /// A tool on an input.
    ToolOnTarget {
        /// Its name.
        tool: String,
        /// As it was given.
        target: String,
    },
    /// A way of doing it, in words: only a reader can hold a plan against it.
    Approach {
        /// What it was a way of.
        space: String,
    },
}

/// One thing that is not to be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Ban {
    /// What.
    pub what: Banned,
    /// Who says so.
    pub source: BanSource,
    /// What memory has to say of it.
    #[serde(default)]
    pub says: Vec<String>,
}

/// Everything that a plan must not use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MustNot {
    /// Memory's first, then tools, then targets; each once.
    pub bans: Vec<Ban>,
}

/// Memory's advice against, the blocked tools and the blocked targets.
pub fn must_not(memory: &MemoryAnswer, directive: Option<&PlanDirective>) -> MustNot {
    let mut set = MustNot::default();
    let avoided = memory.remembered.iter().filter(|known| known.action == MemoryAction::Avoid);
    avoided.for_each(|known| set.add(Ban::of_memory(known)));
    if let Some(directive) = directive {
        let tool = |tool: &String| Ban::new(Banned::Tool { tool: tool.clone() }, BanSource::BlockedTool);
        let target = |target: &String| Ban::new(Banned::Target { target: target.clone() }, BanSource::BlockedTarget);
        directive.blocked_tools.iter().map(tool).for_each(|ban| set.add(ban));
        directive.blocked_targets.iter().map(target).for_each(|ban| set.add(ban));
    }
    set
}

impl MustNot {
    /// With what the person's words forbid.
    #[must_use]
    pub fn and(mut self, forbidden: &Forbidden) -> Self {
        let Forbidden { files, tools } = forbidden.clone();
        let file = |target: String| Ban::new(Banned::Target { target }, BanSource::Person);
        let tool = |tool: ToolName| Ban::new(Banned::Tool { tool: tool.to_string() }, BanSource::Person);
        tools.into_iter().map(tool).chain(files.into_iter().map(file)).for_each(|ban| self.add(ban));
        self
    }

    /// What is blank bans nothing: everything would contain it.
    fn add(&mut self, ban: Ban) {
        if !ban.what.is_blank() && !self.bans.iter().any(|known| known.what == ban.what) {
            self.bans.push(ban);
        }
    }
}

impl Ban {
    fn new(what: Banned, source: BanSource) -> Self {
        Self { what, source, says: Vec::new() }
    }

    /// By the tags of memory (artoo R5, "Tag conventions").
    fn of_memory(known: &Remembered) -> Self {
        let Remembered { space, entity, content, .. } = known;
        let what = match (space.strip_prefix("tool:"), entity.strip_prefix("path:")) {
            (Some(tool), Some(target)) => Banned::ToolOnTarget { tool: tool.to_owned(), target: target.to_owned() },
            (Some(tool), None) => Banned::Tool { tool: tool.to_owned() },
            (None, Some(target)) => Banned::Target { target: target.to_owned() },
            (None, None) => Banned::Approach { space: space.clone() },
        };
        Self { what, source: BanSource::Memory, says: content.clone() }
    }
}

impl Banned {
    fn is_blank(&self) -> bool {
        match self {
            Self::Tool { tool } => tool.trim().is_empty(),
            Self::Target { target } => target.trim().is_empty(),
            Self::ToolOnTarget { tool, target } => tool.trim().is_empty() || target.trim().is_empty(),
            Self::Approach { space } => space.trim().is_empty(),
        }
    }
}
