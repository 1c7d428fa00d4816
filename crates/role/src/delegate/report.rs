//! What an agent's outcome says: how it came out, its last words, and its calls as evidence lines.
//!
//! Reads; believes nothing. A line of its stream that is not known says nothing.

use super::outcome::{AgentEnd, AgentOutcome, AgentProgram, AgentUsage};
use super::stream::Heard;
use super::{claude, codex};
use crate::evidence::head_tail;
use crate::message::ExecutionStatus;
use crate::tool::ToolCall;

/// Characters of its last words that are kept.
const CLAIM_CHARS: usize = 4000;
/// So many of its calls are kept, the last ones.
const MOST_CALLS: usize = 100;

/// What an agent's outcome says.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentReport {
    /// How it came out.
    pub status: ExecutionStatus,
    /// Its last words, or why there are none; a claim.
    pub claim: String,
    /// What it did, in order, as far as our tools have a word for it.
    pub calls: Vec<ToolCall>,
    /// What it says it used up.
    pub usage: AgentUsage,
}

/// Reads an outcome.
pub fn read(program: AgentProgram, outcome: &AgentOutcome) -> AgentReport {
    let heard = match program {
        AgentProgram::Claude => claude::read(&outcome.output, &outcome.folder),
        AgentProgram::Codex => codex::read(&outcome.output, &outcome.folder),
    };
    let (status, claim) = ended(&outcome.end, &heard, &outcome.output);
    let mut calls = heard.calls;
    calls.drain(..calls.len().saturating_sub(MOST_CALLS));
    for call in &mut calls {
        call.entry.clone_from(&outcome.entry);
    }
    AgentReport { status, claim: head_tail(claim.trim(), CLAIM_CHARS), calls, usage: heard.usage }
}

/// By a signal it ended in the middle of something: what it did is not known. Its words count only where its stream came to
/// its end.
fn ended(end: &AgentEnd, heard: &Heard, output: &str) -> (ExecutionStatus, String) {
    match end {
        AgentEnd::Exited { code: 0 } => match (&heard.failure, &heard.result) {
            (Some(failure), _) => (ExecutionStatus::Failed, failure.clone()),
            (None, Some(result)) => (ExecutionStatus::Completed, result.clone()),
            (None, None) => (ExecutionStatus::Uncertain, "the agent ended without a last word".to_owned()),
        },
        AgentEnd::Exited { code } if *code > 128 => {
            (ExecutionStatus::Uncertain, format!("the agent was ended by signal {}", code - 128))
        }
        AgentEnd::Exited { code } => {
            let said = heard.failure.clone().or_else(|| heard.result.clone());
            let said = said.filter(|said| !said.trim().is_empty()).unwrap_or_else(|| last_line(output));
            (ExecutionStatus::Failed, format!("the agent failed with code {code}: {said}"))
        }
        AgentEnd::OutOfTime => (ExecutionStatus::Failed, "timeout: the agent used up the time of the task".to_owned()),
        AgentEnd::NotStarted { why } => (ExecutionStatus::Failed, format!("the agent was not started: {why}")),
        AgentEnd::Unknown { why } => (ExecutionStatus::Uncertain, format!("interrupted: {why}")),
    }
}

fn last_line(output: &str) -> String {
    output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing").to_owned()
}
