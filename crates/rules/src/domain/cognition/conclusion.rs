//! What an analysis found that a trigger called for: kinds, targets and entries, and no sentence, so that other rooms can
//! learn from it and every edge words it for itself.
//!
//! Bounded, for it becomes part of a line. Does not analyse.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::Conclude;
use super::event::ModeConcluded;
use super::mind::Firing;
use annals_kernel::id::EntryId;

/// So many findings of one look are recorded; the rest is counted.
pub const MOST_FOUND: usize = 20;
/// So many entries are named for one finding.
pub const MOST_SOURCES: usize = 8;
/// So many figures of one look are recorded: more than any mode has.
const MOST_FIGURES: usize = 32;
/// A kind or a target is cut here, in characters.
const NAME_CHARS: usize = 200;

/// Something that a mode of analysis found.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModeFinding {
    /// Of what kind: `false claim of success`, `context_omission`, `frustration`.
    pub kind: Box<str>,
    /// How grave, where the mode tells.
    pub grade: Option<Box<str>>,
    /// What it is about, where that has a name: a file.
    pub target: Option<Box<str>>,
    /// The entries that it stands on.
    #[always]
    pub sources: Vec<EntryId>,
}

/// Another arrangement of agents than the one that worked, by the formula of the document (AFS 5.2.3, 7.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recommended {
    /// The one that the session has.
    pub current: Box<str>,
    /// The one that the formula chooses.
    pub proposed: Box<str>,
    /// The line of the formula that chooses it.
    pub because: Box<str>,
}

fn cut(text: &str) -> Box<str> {
    text.chars().take(NAME_CHARS).collect::<String>().into()
}

impl ModeFinding {
    fn bounded(&self) -> Self {
        Self {
            kind: cut(&self.kind),
            grade: self.grade.as_deref().map(cut),
            target: self.target.as_deref().map(cut),
            sources: self.sources.iter().take(MOST_SOURCES).copied().collect(),
        }
    }
}

impl Conclude {
    /// What happens where it is taken.
    pub(super) fn event(&self, firing: &Firing) -> ModeConcluded {
        ModeConcluded {
            session: self.session.clone(),
            firing: firing.id,
            trigger: firing.trigger.clone(),
            mode: firing.mode,
            found: self.found.iter().take(MOST_FOUND).map(ModeFinding::bounded).collect(),
            total: self.total.max(u32::try_from(self.found.len()).unwrap_or(u32::MAX)),
            figures: self.figures.iter().take(MOST_FIGURES).map(|(name, value)| (cut(name), cut(value))).collect(),
            recommended: self.recommended.clone(),
        }
    }
}
