//! Gives subtasks their ids, and tells R4b what to expect (decision 32).
//!
//! The id says task, round and number, so that the same plan in the same round has the same ids in every replay.

use crate::message::DispatchManifest;
use crate::plan::{PlannedSubTask, SubTask, TaskPlan};

/// A plan, as it is handed out. Rounds are counted from 1.
pub fn dispatch(plan: &TaskPlan, task_id: &str, round: u32) -> DispatchManifest {
    let minted = |(number, planned): (usize, &PlannedSubTask)| SubTask {
        subtask_id: format!("{task_id}-r{round}-s{number}"),
        parent_task_id: task_id.to_owned(),
        intent: planned.intent.clone(),
        context: planned.context.clone(),
        success_criteria: planned.success_criteria.clone(),
        sequence: planned.sequence,
    };
    DispatchManifest {
        task_id: task_id.to_owned(),
        round,
        task_criteria: plan.task_criteria.clone(),
        subtasks: (1..).zip(&plan.subtasks).map(minted).collect(),
    }
}
