//! `annals cognition goal`: what is aimed at (AFS 4.3).

use super::decide;
use crate::cli::registry::{CommandRow, rows};

const ADD: &str = "^session@here description --kind=subgoal --stated<TEXT>:user_stated \
                   --criterion<TEXT>:success_criteria --constraint<TEXT>:constraints --parent<GOAL>@thing \
                   --goal<GOAL>@thing:goals";

/// Commands about goals.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Add a goal
    "add" => decides("cognitive.goal.add", ADD, decide),
    /// Say how far a goal is: 1 is reached
    "progress" => decides("cognitive.goal.advance", "^session@here goal@thing progress!", decide),
    /// Say where a goal is: pending, in work, completed, blocked, abandoned
    "status" => decides("cognitive.goal.advance", "^session@here goal@thing status!", decide),
    /// Turn to a goal
    "focus" => decides("cognitive.goal.focus", "^session@here goal@thing!", decide),
    /// Turn back to the goal before
    "back" => decides("cognitive.goal.focus", "^session@here", decide),
    /// Say what was decided where two goals contradict
    "reconcile" => decides("cognitive.conflict.resolve", "^session@here goal-a@thing goal-b@thing resolution", decide),
};
