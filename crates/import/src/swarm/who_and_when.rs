//! Who&When: one JSON document with the history of a team that failed at a task. Without times.
//!
//! Does not read who was to blame: that is the benchmark's question, not ours.

use serde::Deserialize;

use super::{Conversation, Shape, SwarmMessage, SwarmPassedOver, SwarmThread, Times, speaker};
use annals_kernel::actor::SYSTEM;
use annals_kernel::grounding::Evidence;
use annals_kernel::id::AgentId;

/// A program that runs what agents wrote and answers with its output: it is nobody's opinion.
const TERMINAL: &str = "Computer_terminal";

#[derive(Deserialize)]
struct WhoAndWhen {
    history: Vec<Turn>,
    question: Option<Box<str>>,
}

#[derive(Deserialize)]
struct Turn {
    #[serde(default)]
    content: Box<str>,
    #[serde(default)]
    role: String,
    name: Option<String>,
}

/// The conversation of a document; none where it has another shape.
pub(super) fn read(bytes: &[u8]) -> Option<Conversation> {
    let document: WhoAndWhen = serde_json::from_slice(bytes).ok()?;
    let is_named = document.history.iter().any(|turn| turn.name.is_some());
    let shape = if is_named { Shape::AlgorithmGenerated } else { Shape::HandCrafted };
    let (mut times, mut messages, mut passed_over) = (Times::new(), Vec::new(), Vec::new());
    for (turn, line) in document.history.into_iter().zip(1..) {
        let Some(speaker) = who(&turn) else {
            passed_over.push(SwarmPassedOver { line, reason: "nobody speaks" });
            continue;
        };
        messages.push(SwarmMessage {
            thread: 0,
            speaker,
            text: turn.content,
            at: times.next(None),
            stance: None,
            impact: None,
            evidence: Evidence::default(),
            praise_words: None,
        });
    }
    Some(Conversation { shape, topic: document.question, threads: SwarmThread::only(), messages, passed_over })
}

fn who(turn: &Turn) -> Option<AgentId> {
    match turn.name.as_deref() {
        Some(TERMINAL) => Some(AgentId::from(SYSTEM)),
        Some(name) => speaker(name),
        None => speaker(&turn.role),
    }
}
