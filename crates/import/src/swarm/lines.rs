//! Our own shape: a line a message. What is wrong in it is said, not passed over: somebody wrote it for us.

use serde::Deserialize;

use super::{BadConversation, BadMessage, Conversation, Shape, SwarmMessage, SwarmRecord, SwarmThread, Times, speaker};
use annals_kernel::grounding::Evidence;
use annals_kernel::time::Timestamp;

#[derive(Deserialize)]
struct SwarmLine {
    speaker: String,
    text: Box<str>,
    time: Option<String>,
    stance: Option<String>,
    impact: Option<String>,
    #[serde(default)]
    evidence: Evidence,
}

pub(super) fn read(records: &[SwarmRecord]) -> Result<Conversation, BadConversation> {
    let mut times = Times::new();
    let message = |(line, text): &SwarmRecord| {
        let text = text.as_deref().ok_or(BadMessage::NoObject);
        let message = text.and_then(|text| message(text, &mut times));
        message.map_err(|problem| BadConversation::BadLine { line: *line, problem })
    };
    let messages = records.iter().map(message).collect::<Result<_, _>>()?;
    Ok(Conversation {
        shape: Shape::Lines,
        topic: None,
        threads: SwarmThread::only(),
        messages,
        passed_over: Vec::new(),
    })
}

fn message(text: &str, times: &mut Times) -> Result<SwarmMessage, BadMessage> {
    let line: SwarmLine = serde_json::from_str(text)?;
    let time = line.time.map(|time| time.parse::<Timestamp>()).transpose()?;
    Ok(SwarmMessage {
        thread: 0,
        speaker: speaker(&line.speaker).ok_or(BadMessage::Nameless)?,
        text: line.text,
        at: times.next(time),
        stance: line.stance.map(|word| word.parse()).transpose()?,
        impact: line.impact.map(|word| word.parse()).transpose()?,
        evidence: line.evidence,
        praise_words: None,
    })
}
