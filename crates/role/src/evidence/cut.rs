//! Texts made shorter, with a note where a part is missing (artoo R3, `headTail`).
//!
//! Counts characters, and parts none.

use super::fence::plain;

/// Both ends of a text, and between them a note that counts what was left out; with the note not longer than `max_chars`.
/// What was cut once is not cut again at the same size.
pub fn head_tail(text: &str, max_chars: usize) -> String {
    let count = text.chars().count();
    if count <= max_chars {
        return text.to_owned();
    }
    let room = max_chars.saturating_sub(note(count).chars().count());
    if room == 0 {
        return first_chars(text, max_chars).to_owned();
    }
    let tail = room / 2;
    let (head, tail) = (first_chars(text, room - tail), last_chars(text, tail));
    format!("{head}{}{tail}", note(count - room))
}

fn note(left_out: usize) -> String {
    format!("\n[... {left_out} characters left out ...]\n")
}

/// The beginning of a text.
pub fn first_chars(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

fn last_chars(text: &str, count: usize) -> &str {
    let mut ends = text.char_indices().rev();
    match count.checked_sub(1) {
        None => "",
        Some(before) => ends.nth(before).map_or(text, |(start, _)| &text[start..]),
    }
}

/// Blanks shrink to one: of a longer text no more than this many times what is kept is looked at.
const LOOKED_AT: usize = 8;

/// A text on one line, not longer than `max_chars`; `…` stands where it was cut.
pub fn one_line(text: &str, max_chars: usize) -> String {
    let head = first_chars(text, max_chars.saturating_mul(LOOKED_AT));
    let line = plain(head).split_whitespace().collect::<Vec<_>>().join(" ");
    let is_whole = head.len() == text.len() && first_chars(&line, max_chars).len() == line.len();
    if is_whole { line } else { format!("{}…", first_chars(&line, max_chars.saturating_sub(1))) }
}
