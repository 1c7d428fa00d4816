//! The calls so far, as they stand in a prompt: newest outputs whole, oldest left out first, and what is missing is said.
//!
//! Shows; does not judge.

use super::call::{input_line, is_good};
use super::cut::head_tail;
use super::fence::fenced;
use crate::tool::ToolCall;

/// Characters of one output (artoo R3, `headTail(result, 4000)`).
pub const OUTPUT_CHARS: usize = 4000;
/// Characters of all outputs together: four whole ones.
pub const TRANSCRIPT_CHARS: usize = 16_000;
/// Less than this is not worth showing.
const LEAST_CHARS: usize = 200;

/// All calls, numbered from 1.
pub fn transcript(calls: &[ToolCall], budget: usize) -> String {
    let mut left = budget;
    let mut shown: Vec<String> =
        calls.iter().enumerate().rev().map(|(at, call)| shown(at + 1, call, &mut left)).collect();
    shown.reverse();
    if shown.is_empty() { "None.".to_owned() } else { shown.join("\n") }
}

fn shown(number: usize, call: &ToolCall, left: &mut usize) -> String {
    let header = format!("{number}. {} {} -> {}", call.request.tool, input_line(&call.request), ending(call));
    if call.output.trim().is_empty() {
        return format!("{header}, no output");
    }
    let output = head_tail(&call.output, OUTPUT_CHARS);
    let count = output.chars().count();
    if count <= *left {
        *left -= count;
        return format!("{header}\n{}", fenced(&output));
    }
    // Nothing older is shown behind a gap: a model would take what it sees for all there was.
    let room = std::mem::take(left);
    if room < LEAST_CHARS {
        format!("{header}, output left out ({count} characters)")
    } else {
        format!("{header}\n{}", fenced(&head_tail(&output, room)))
    }
}

fn ending(call: &ToolCall) -> String {
    let how = match (call.is_uncertain, is_good(call)) {
        (true, _) => "uncertain: it was in flight when the run stopped",
        (false, true) => "worked",
        (false, false) => "failed",
    };
    call.exit.map_or_else(|| how.to_owned(), |exit| format!("{how}, exit code {exit}"))
}
