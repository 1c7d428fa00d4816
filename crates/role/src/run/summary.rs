//! What a task says of itself in the end, and what memory is told (Laws 0 and 3).
//!
//! Made by code of outcomes: no model's sentence stands here that evidence does not bear.

use crate::ggs::{CallResult, FinalResult, MegramDraft, MegramSubject, RoundOutcome, SubTaskOutcome, Terminal};
use crate::message::{MegramNote, OutcomeReport, TaskDraft};
use crate::meta_validator::{Gathering, cited};
use crate::planner;
use annals_rules::domain::memory::quantum::MacroState;
use annals_rules::domain::memory::tag;

/// The longest text of a megram, in characters.
const CONTENT_CHARS: usize = 600;
/// Of an intent, so that there is room for what was tried.
const INTENT_CHARS: usize = 200;
/// The longest target in a tag, in characters: `path:` stands before it.
const TARGET_CHARS: usize = 290;

/// Said of what the files hold in the end, where it was tried once more for the person to look at.
const PROPOSED: &str =
    "proposed: the files hold one more attempt, at the words as they stand; nothing has checked it (unverified)";

/// The summary of a final result: what was found, and each claim with the entries that bear it, or marked as unverified.
pub(super) fn summary_of(result: &FinalResult, outcomes: &[OutcomeReport], draft: Option<&TaskDraft>) -> String {
    let mut lines = Vec::new();
    match result.directive {
        Terminal::Accept => lines.push("done: every criterion is met".to_owned()),
        Terminal::Success => lines.push(format!("done, within tolerance: D {}", result.loss.measures.d)),
        Terminal::Abandon => lines.push(format!("given up: {}", result.rationale)),
    }
    lines.extend(result.proposal.iter().map(|_| PROPOSED.to_owned()));
    lines.extend(result.summary.lines().map(str::to_owned));
    let matched = outcomes.iter().filter(|report| !report.outcome.is_failing());
    lines.extend(matched.map(|report| cited(claim(report), outcomes).text).filter(|text| !text.is_empty()));
    if let Some(draft) = draft {
        lines.extend(draft.failed.iter().map(|failed| format!("failed: {failed}")));
        lines.extend(draft.next.iter().map(|next| format!("next: {next}")));
    }
    lines.join("\n")
}

/// What the executor says: what a tool gave stands behind it, in a paragraph of its own, and is no claim of anybody's.
fn claim(report: &OutcomeReport) -> &str {
    report.output.split("\n\n").next().unwrap_or_default()
}

/// A megram as memory is told: the pair, the state, and what happened.
pub(super) fn megram_of(draft: &MegramDraft, intent: &str, round: &RoundOutcome, tried: &str) -> MegramNote {
    let state = draft.state;
    let tried = if state == MacroState::Abandon { tried } else { "" };
    match &draft.subject {
        MegramSubject::Task => MegramNote {
            space: tag::intent(intent),
            entity: tag::LOCAL.to_owned(),
            content: one_line(
                &format!("{}: {state}. {tried}{}", one_line(intent, INTENT_CHARS), round.summary),
                CONTENT_CHARS,
            ),
            state,
        },
        MegramSubject::Target { tool, target } => MegramNote {
            space: tag::tool(tool),
            entity: tag::path(&one_line(target, TARGET_CHARS)),
            content: one_line(
                &format!("{tool} on {target} failed: {} (task: {intent})", why(tool, target, round)),
                CONTENT_CHARS,
            ),
            state,
        },
    }
}

/// What a round tried, for a task that is given up: its parts that failed, or all where none did by itself.
pub(super) fn tried(gathering: &Gathering, round: &RoundOutcome) -> String {
    let intent = |outcome: &SubTaskOutcome| {
        let mut subtasks = gathering.manifest().subtasks.iter();
        subtasks.find(|subtask| subtask.subtask_id == outcome.subtask_id).map(|subtask| subtask.intent.as_str())
    };
    let has_failed = |outcome: &&SubTaskOutcome| outcome.is_failing() && !outcome.gap_trajectory.is_empty();
    let any_failed = round.outcomes.iter().any(|outcome| has_failed(&outcome));
    let parts = round.outcomes.iter().filter(|outcome| !any_failed || has_failed(outcome));
    planner::tried_line(parts.filter_map(|outcome| Some((intent(outcome)?, outcome))))
}

fn why<'r>(tool: &str, target: &str, round: &'r RoundOutcome) -> &'r str {
    let is_of = |outcome: &&SubTaskOutcome| {
        let mut uses = outcome.tool_uses.iter();
        uses.any(|used| used.tool == tool && used.target == target && used.result == CallResult::Failed)
    };
    let reason = round.outcomes.iter().find(is_of).and_then(|outcome| outcome.failure_reason.as_deref());
    reason.unwrap_or("no reason was given")
}

/// Without line ends and control characters, and not longer than that.
fn one_line(text: &str, most: usize) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    text.trim().chars().map(plain).take(most).collect()
}
