//! What can be done where a task could not be settled. Wording only.

use annals_workspace::workspace::{Settled, WorkspaceError};

/// The error, and what can be done now.
pub(super) fn with_way_out(error: WorkspaceError, task: &str) -> anyhow::Error {
    let [apply, keep, drop] = ["apply", "keep", "drop"].map(|word| format!("`annals task {word} {task}`"));
    let words = if matches!(error, WorkspaceError::NotItsAlone { .. }) {
        format!(
            "nothing was dropped: {apply} leaves all as it is, `annals task drop {task} --copy-to FOLDER` copies these files into \
             FOLDER and then undoes them, too"
        )
    } else if matches!(error, WorkspaceError::ChangedMeanwhile { .. }) {
        format!(
            "nothing was applied: `annals task diff {task}` shows what the task changed, {keep} makes a branch of it that git can \
             merge"
        )
    } else if matches!(error, WorkspaceError::LinksOut { .. }) {
        format!(
            "nothing was applied or kept: `annals task diff {task} > FILE` has all of it, for `git apply FILE` of what you want; \
             {drop} ends it"
        )
    } else if matches!(error, WorkspaceError::Begun { settled: Settled::Dropped }) {
        format!("{drop} ends that")
    } else if matches!(error, WorkspaceError::Begun { .. }) {
        format!(
            "{apply} ends that; {keep} makes a branch of what the task changed, and of what was in no commit when it began"
        )
    } else if matches!(error, WorkspaceError::NoBranches { .. }) {
        format!("{apply} leaves what the task changed, {drop} undoes it")
    } else if let WorkspaceError::BranchTaken { branch } = &error {
        format!("nothing was kept: give that one another name (`git branch -m {branch} OTHER`), or take {apply}")
    } else if matches!(error, WorkspaceError::BaseGone { .. }) {
        format!("a branch cannot stand on it: {apply} brings the changes into the files")
    } else {
        return error.into();
    };
    anyhow::anyhow!("{error}; {words}")
}
