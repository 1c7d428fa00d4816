//! What an agent is told beside a prompt: what is known of the task, how much memory has of it, and what the gate of debates says.

use super::PieceText;
use super::start::{Listener, known};
use crate::domain::Rooms;
use crate::domain::dialectic::command::{DebateKind, Facts};
use crate::domain::dialectic::csp::Stakes;
use crate::domain::dialectic::gate::{GateAnswer, GateVerdict, Question};
use crate::domain::dialectic::stakes::RequestVoice;
use crate::domain::knowledge::command::Retrieve;
use crate::domain::knowledge::retrieve::retrieve;
use crate::domain::memory::{Action, Potentials, tag};
use crate::domain::voice::command::PieceTopic;
use crate::kernel::counted::counted;
use crate::kernel::id::SessionId;

/// So many entries of knowledge are told with a prompt.
const MOST_KNOWN: usize = 5;

/// What there is to tell of a prompt.
pub fn prompt(rooms: &Rooms, session: &SessionId, text: &str, listener: Listener<'_>) -> Vec<PieceText> {
    let gate = gate(rooms, session, listener).into_iter();
    gate.chain(remembered(rooms, text, listener)).chain(of_task(rooms, text, listener)).collect()
}

/// How much memory has of tasks that begin as this one does, where it has enough to advise by. Whose experience it is nobody
/// vouches for, so that it is a number, and what to ask for it.
fn remembered(rooms: &Rooms, text: &str, listener: Listener<'_>) -> Option<PieceText> {
    let intent = tag::intent(text);
    let head = rooms.memory.pair(&intent, tag::LOCAL)?;
    let traces: Vec<_> = rooms.memory.traces(head).collect();
    let count = traces.len();
    if Potentials::of(traces, listener.at).action(listener.settings) == Action::Ignore {
        return None;
    }
    let experiences = counted(count as u64, "experience");
    let text = format!(
        "Memory has {experiences} of tasks that begin with these words: `annals recall` with the task tells them."
    );
    Some(PieceText::own(PieceTopic::Memory, format!("{intent}/{count}"), text))
}

fn of_task(rooms: &Rooms, text: &str, listener: Listener<'_>) -> Vec<PieceText> {
    let ask = Retrieve { query: text.into(), entities: Vec::new(), kind: None, limit: Some(MOST_KNOWN) };
    let found = retrieve(&rooms.knowledge, &ask, listener.settings, listener.at).results;
    found.iter().filter_map(|id| Some(known(*id, rooms.knowledge.entry(*id)?))).collect()
}

fn gate(rooms: &Rooms, session: &SessionId, listener: Listener<'_>) -> Option<PieceText> {
    let task = rooms.dialectic.asked_in(session)?;
    let gate = rooms.dialectic.gate(&Question {
        task: &task,
        plan: None,
        facts: &Facts::default(),
        voice: RequestVoice::Prompt,
        is_off: rooms.dialectic.is_off(session),
        at: listener.at,
        settings: listener.settings,
    });
    let text = words(&gate)?;
    Some(PieceText::own(PieceTopic::Gate, format!("gate/{}/{}", gate.task, gate.verdict), text))
}

/// In our own words: what is at stake is one of a few kinds.
fn words(gate: &GateAnswer) -> Option<String> {
    match (gate.verdict, gate.debate) {
        (GateVerdict::Go | GateVerdict::Ask, _) => None,
        (GateVerdict::Debate, Some(DebateKind::Failure)) => Some(format!(
            "This task has failed {} times in a row: argue first what to change (`annals debate request`).",
            gate.failures
        )),
        // A word at each prompt that is not clear would be heard by nobody.
        (GateVerdict::Debate, Some(DebateKind::Planning) | None) if gate.stakes < Stakes::High => None,
        (GateVerdict::Debate, Some(DebateKind::Planning) | None) => Some(format!(
            "Much is at stake here ({}): before you act, say what could go wrong and how it is undone; `annals debate \
             request` has the plan argued.",
            gate.category
        )),
        (GateVerdict::Escalate, _) => Some(format!(
            "This task has failed {} times: a person decides how it goes on. Say what you tried and ask.",
            gate.failures
        )),
    }
}
