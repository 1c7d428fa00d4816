//! What can be configured of the voice: whether, how much, and which pieces.

use super::command::{Occasion, PieceTopic};
use annals_kernel::grounding::words;
use annals_kernel::settings::{Setting, outside, settings};

words! {
    /// What becomes of a claim at the end of a turn that the record contradicts.
    pub enum AtStop {
        /// Nothing.
        Off = "off",
        /// The person is told.
        Tell = "tell",
        /// The agent is asked, once, to go on.
        Block = "block",
    }
}

/// Agents cut what hooks say at some 10,000 characters.
const MOST_TOKENS: u32 = 3000;

settings! {
    /// Off for good.
    ENABLED: bool = true, "voice.enabled", "whether agents are told what is known", weakens WhenOff;
    /// Sub-agents are many and short; what binds them their caller tells.
    SUB_AGENTS: bool = false, "voice.sub_agents", "whether sub-agents are told, too", weakens Never;
    /// Pieces that are never told.
    LEAVE_OUT: Vec<PieceTopic> = Vec::new(), "voice.leave_out", "what agents are not told of", weakens Always;
    /// At the beginning.
    START: u32 = 1200, "voice.start_tokens", "how many tokens a session is told when it begins; 0: nothing",
        unless |most| outside(most, &0, &MOST_TOKENS), weakens WhenLower;
    /// For a prompt.
    PROMPT: u32 = 400, "voice.prompt_tokens", "how many tokens an agent is told beside a prompt; 0: nothing",
        unless |most| outside(most, &0, &MOST_TOKENS), weakens WhenLower;
    /// After a failure.
    FAILURE: u32 = 300, "voice.failure_tokens", "how many tokens an agent is told after a failed call; 0: nothing",
        unless |most| outside(most, &0, &MOST_TOKENS), weakens WhenLower;
    /// At the end of a turn.
    STOP: AtStop = AtStop::Tell, "voice.stop",
        "what becomes of a claim at the end of a turn that the record contradicts: off, tell (the person) or block", weakens Always;
}

/// How many tokens an occasion has; none where something else decides.
pub fn budget(occasion: Occasion) -> Option<&'static Setting<u32>> {
    match occasion {
        Occasion::Start => Some(&START),
        Occasion::Prompt => Some(&PROMPT),
        Occasion::Failure => Some(&FAILURE),
        Occasion::Stop | Occasion::Call => None,
    }
}
