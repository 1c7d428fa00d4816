//! Given / when / then for the context of a model.

mod cases;
mod estimate;
mod strategy;
mod summaries;
mod together;

use super::{Compressed, Compressor, ContextMessage, ContextRole, FourCharacters, SlidingWindow, ZonedCompressor};

/// Messages of so many characters, by turns of the person and the model.
fn of_lengths(lengths: &[usize]) -> Vec<ContextMessage> {
    let role = |at: usize| if at.is_multiple_of(2) { ContextRole::User } else { ContextRole::Assistant };
    lengths.iter().enumerate().map(|(at, length)| ContextMessage::new(role(at), "x".repeat(*length))).collect()
}

fn calling(content: &str, ids: &[&str]) -> ContextMessage {
    let calls = ids.iter().map(|id| (*id).to_owned()).collect();
    ContextMessage { calls, ..ContextMessage::new(ContextRole::Assistant, content) }
}

fn answering(content: &str, id: &str) -> ContextMessage {
    ContextMessage { answers: Some(id.to_owned()), ..ContextMessage::new(ContextRole::Tool, content) }
}

fn four() -> FourCharacters {
    FourCharacters::default()
}

fn window(messages: &[ContextMessage], budget: u64) -> Compressed {
    SlidingWindow.compress(messages, budget, &four())
}

fn zoned(messages: &[ContextMessage], budget: u64) -> Compressed {
    ZonedCompressor::default().compress(messages, budget, &four())
}
