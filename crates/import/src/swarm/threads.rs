//! Threads of a tracker. A line an issue, with its comments at their times.

use serde::Deserialize;

use super::{Conversation, Shape, SwarmMessage, SwarmPassedOver, SwarmRecord, SwarmThread, Times, speaker};
use annals_kernel::grounding::Evidence;
use annals_kernel::id::AgentId;
use annals_kernel::time::Timestamp;

#[derive(Deserialize)]
struct ThreadLine {
    issue: Box<str>,
    #[serde(default)]
    title: Box<str>,
    #[serde(default)]
    description: Option<Box<str>>,
    created_by: Option<String>,
    created_at: Option<String>,
    comments: Vec<ThreadComment>,
}

#[derive(Deserialize)]
struct ThreadComment {
    author: Option<String>,
    text: Box<str>,
    created_at: Option<String>,
}

/// The comments of all threads, in the order of their times.
pub(super) fn read(records: &[SwarmRecord]) -> Conversation {
    let (mut threads, mut messages, mut passed_over) = (Vec::new(), Vec::new(), Vec::new());
    for (line, text) in records {
        match text.as_deref().and_then(|text| serde_json::from_str::<ThreadLine>(text).ok()) {
            Some(read) => {
                messages.extend(comments(&read, threads.len()));
                threads.push(thread(read));
            }
            None => passed_over.push(SwarmPassedOver { line: *line, reason: "no thread" }),
        }
    }
    messages.sort_by_key(|message| message.at);
    Conversation { shape: Shape::Threads, topic: None, threads, messages, passed_over }
}

fn thread(line: ThreadLine) -> SwarmThread {
    let title = if line.title.is_empty() { line.issue } else { line.title };
    SwarmThread {
        title,
        body: line.description.unwrap_or_default(),
        author: line.created_by.as_deref().and_then(speaker),
        at: line.created_at.and_then(|time| time.parse().ok()),
    }
}

fn comments(line: &ThreadLine, thread: usize) -> impl Iterator<Item = SwarmMessage> {
    let mut times = Times::new();
    line.comments.iter().map(move |comment| SwarmMessage {
        thread,
        speaker: comment.author.as_deref().and_then(speaker).unwrap_or_else(|| AgentId::from("unknown")),
        text: comment.text.clone(),
        at: times.next(comment.created_at.as_deref().and_then(|time| time.parse::<Timestamp>().ok())),
        stance: None,
        impact: None,
        evidence: Evidence::default(),
        praise_words: None,
    })
}
