//! `AutoDream`: letters of eight agents, collected out of their inboxes. A line a letter; an inbox is a thread.
//!
//! The letters' own dates are missing in a fifth of them and written by the agents; the time that counts is the one at
//! which git first saw the letter, and the file is in that order.

use serde::Deserialize;

use super::{Conversation, Shape, SwarmMessage, SwarmPassedOver, SwarmRecord, SwarmThread, Times};
use annals_kernel::grounding::Evidence;
use annals_kernel::id::AgentId;
use annals_kernel::time::Timestamp;

#[derive(Deserialize)]
struct Letter {
    body: Box<str>,
    #[serde(default)]
    path: String,
    added: Option<String>,
    from_: Option<String>,
    /// The agent whose inbox it lay in.
    #[serde(default)]
    owner: Box<str>,
    praise_words: Option<u64>,
}

pub(super) fn read(records: &[SwarmRecord]) -> Conversation {
    let (mut times, mut messages, mut passed_over) = (Times::new(), Vec::new(), Vec::new());
    let mut inboxes: Vec<Box<str>> = Vec::new();
    for (line, text) in records {
        let letter = text.as_deref().and_then(|text| serde_json::from_str::<Letter>(text).ok());
        let Some(letter) = letter else {
            passed_over.push(SwarmPassedOver { line: *line, reason: "no letter" });
            continue;
        };
        let known = inboxes.iter().position(|owner| *owner == letter.owner);
        let thread = known.unwrap_or_else(|| {
            inboxes.push(letter.owner.clone());
            inboxes.len() - 1
        });
        messages.push(SwarmMessage {
            thread,
            speaker: sender(&letter),
            at: times.next(letter.added.and_then(|time| time.parse::<Timestamp>().ok())),
            text: letter.body,
            stance: None,
            impact: None,
            evidence: Evidence::default(),
            praise_words: letter.praise_words,
        });
    }
    let inbox =
        |owner: Box<str>| SwarmThread { title: format!("The inbox of {owner}").into(), ..SwarmThread::default() };
    let threads = inboxes.into_iter().map(inbox).collect();
    Conversation { shape: Shape::AutoDream, topic: None, threads, messages, passed_over }
}

/// Titles change from letter to letter; the number stays. Where the letter does not say, the name of its file does:
/// `msg_agent6_…` by agent 6, `C2A_…` by the captain.
fn sender(letter: &Letter) -> AgentId {
    let file = letter.path.rsplit('/').next().unwrap_or_default();
    let said = letter.from_.as_deref();
    let by_title = said.and_then(numbered).or_else(|| said.filter(|said| is_captain(said)).map(|_| CAPTAIN));
    let is_captains = file.starts_with("C2A_") || file.starts_with("CAPTAIN");
    let by_file = || if is_captains { Some(CAPTAIN) } else { numbered(file) };
    match (by_title, said) {
        (Some(number), _) => named(number),
        (None, Some(other)) => super::speaker(other).unwrap_or_else(|| AgentId::from("unknown")),
        (None, None) => by_file().map_or_else(|| AgentId::from("unknown"), named),
    }
}

/// Agent 4 signs as the captain.
const CAPTAIN: u8 = 4;

fn is_captain(text: &str) -> bool {
    text.to_lowercase().contains("captain")
}

fn named(number: u8) -> AgentId {
    AgentId::from(format!("Agent-{number}"))
}

/// The first of `Agent-6`, `AGENT_6`, `agent6` in a text.
fn numbered(text: &str) -> Option<u8> {
    let lower = text.to_lowercase();
    let rests = lower.split("agent").skip(1);
    let numbers = rests.filter_map(|rest| rest.trim_start_matches(['-', '_', ' ']).bytes().next());
    numbers.into_iter().find(u8::is_ascii_digit).map(|digit| digit - b'0')
}
