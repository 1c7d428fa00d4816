//! A round that takes another approach begins from what was there at first: what failed is out of its way. So does one after
//! what the person forbade was changed.
//!
//! Where the place is the person's own folder nothing is undone, for nobody knows who changed what in it meanwhile.

use serde::{Deserialize, Serialize};

use super::effect::{EffectKey, RunEffect};
use super::proposing::Standing;
use super::{RunStage, TaskRun, Waiting};
use crate::ggs::Directive;

/// What a round finds that takes another approach.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewApproach {
    /// What the rounds before left.
    #[default]
    GoesOn,
    /// What was there at first.
    BeginsAnew,
}

/// The workspace is to be as it was at first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UndoJob {
    /// What it is for.
    pub key: EffectKey,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Undone {
    /// All is as it was; these files had changed.
    All {
        /// Below the workspace.
        files: Vec<String>,
    },
    /// It is not, or not all of it.
    Not {
        /// Why.
        why: String,
    },
}

impl Undone {
    /// Whether all is as it was.
    pub(super) fn is_all(&self) -> bool {
        matches!(self, Self::All { .. })
    }
}

impl TaskRun {
    /// After a directive.
    pub(super) fn next_round(&mut self, directive: Directive) {
        self.is_anew = false;
        let is_new = match directive {
            Directive::Refine | Directive::ChangePath => std::mem::take(&mut self.is_broken),
            Directive::ChangeApproach | Directive::BreakSymmetry => true,
        };
        if !is_new || self.setting.new_approach == NewApproach::GoesOn {
            return self.ask_memory();
        }
        self.stage = RunStage::Undoing;
        self.undo(&format!("r{}", self.round));
    }

    pub(super) fn undo(&mut self, what_for: &str) {
        let key = EffectKey::from(format!("undo.{what_for}"));
        self.waiting.insert(key.clone(), Waiting::Undo);
        self.out.push_back(RunEffect::Undo(UndoJob { key }));
    }

    pub(super) fn undone(&mut self, undone: &Undone) {
        if let RunStage::Proposing(proposing) = &self.stage {
            let proposing = (**proposing).clone();
            return self.undone_for_proposal(proposing, undone);
        }
        self.is_anew = undone.is_all();
        if undone.is_all() {
            self.standing = Standing::Nothing;
        }
        self.ask_memory();
    }
}
