//! What aider says behind `> `: tokens, edits, commits, interrupts, errors; most of it is for the eye only.

use crate::object::rounded;
use annals_kernel::annals::Usage;

/// A notice that makes an entry.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Notice<'n> {
    /// Tokens and cost of a message.
    Tokens(Usage),
    /// An edit was made.
    Edited(&'n str),
    /// An edit could not be made: the file, and why.
    NotEdited(&'n str, &'n str),
    /// A commit was made: its hash and its message.
    Committed(&'n str, &'n str),
    /// A person stopped it.
    Interrupted(&'n str),
    /// The model's service failed and is asked again.
    Retrying,
    /// Which model it is.
    Model(&'n str),
    /// Anything else.
    Other,
}

/// Sorts a notice.
pub(super) fn sort(text: &str) -> Notice<'_> {
    const FAILED: &str = ": This SEARCH block failed to exactly match lines in ";
    if let Some(counts) = text.strip_prefix("Tokens: ") {
        return usage(counts).map_or(Notice::Other, Notice::Tokens);
    }
    if let Some(file) = text.strip_prefix("Applied edit to ") {
        return Notice::Edited(file);
    }
    if let Some((why, file)) = text.strip_prefix("## ").and_then(|rest| rest.split_once(FAILED)) {
        return Notice::NotEdited(file, why);
    }
    if let Some((hash, message)) = text.strip_prefix("Commit ").and_then(|rest| rest.split_once(' ')) {
        // Git abbreviates to seven digits at least; `Commit message: …` would otherwise be taken for a commit.
        let is_hash = hash.len() >= 7 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        return if is_hash { Notice::Committed(hash, message) } else { Notice::Other };
    }
    if ["^C KeyboardInterrupt", "^C again to exit"].iter().any(|end| text.ends_with(end)) {
        return Notice::Interrupted(text);
    }
    if text.starts_with("Retrying in ") {
        return Notice::Retrying;
    }
    let model = ["Models: ", "Model: ", "Main model: "].iter().find_map(|mark| text.strip_prefix(mark));
    model.and_then(|rest| rest.split_once(" with ")).map_or(Notice::Other, |(model, _)| Notice::Model(model))
}

/// The second line of a longer report: `Cost: $0.03 message, $0.10 session.`
pub(super) fn cost(text: &str) -> Option<Usage> {
    let dollars: f64 = text.strip_prefix("Cost: $")?.split(' ').next()?.replace(',', "").parse().ok()?;
    Some(Usage { cost_micro_usd: rounded(dollars * 1e6)?, ..Usage::default() })
}

/// `12k sent, 3k cache write, 1,278 cache hit, 1.2k received. Cost: $0.04 message, $0.10 session.`
fn usage(text: &str) -> Option<Usage> {
    let (counts, cost) = text.split_once(". Cost: $").unwrap_or((text.trim_end_matches('.'), "0"));
    let (mut sent, mut usage) = (0, Usage { requests: 1, ..Usage::default() });
    for (number, what) in counts.split(", ").filter_map(|count| count.split_once(' ')) {
        let number = number_of(number)?;
        match what {
            "sent" => sent = number,
            "received" => usage.output = number,
            "cache write" => usage.cache_write = number,
            "cache hit" | "cached" => usage.cache_read = number,
            _ => {}
        }
    }
    // Aider counts what goes into the cache as sent, and rounds both: the difference may fall below zero.
    usage.input = sent.saturating_sub(usage.cache_write).max(0);
    let dollars: f64 = cost.split(' ').next()?.replace(',', "").parse().ok()?;
    usage.cost_micro_usd = rounded(dollars * 1e6)?;
    Some(usage)
}

/// `5,244`, `12k`, `1.2M`.
fn number_of(text: &str) -> Option<i64> {
    let (digits, factor) = match text.as_bytes().last()? {
        b'k' => (&text[..text.len() - 1], 1e3),
        b'M' => (&text[..text.len() - 1], 1e6),
        _ => (text, 1.0),
    };
    rounded(digits.replace(',', "").parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_read_in_every_form() {
        let usage = |input, cache_write, cache_read, output, cost_micro_usd| {
            let usage =
                Usage { requests: 1, input, cache_write, cache_read, output, cost_micro_usd, ..Usage::default() };
            Notice::Tokens(usage)
        };
        let plain = "Tokens: 5,244 sent, 604 received. Cost: $0.02 request, $0.02 session.";
        assert_eq!(sort(plain), usage(5244, 0, 0, 604, 20_000));
        assert_eq!(sort("Tokens: 12k sent, 1.2k received."), usage(12_000, 0, 0, 1200, 0));
        let cached =
            "Tokens: 15k sent, 8.0k cache write, 2k cache hit, 1k received. Cost: $0.0026 message, $1,000.50 session.";
        assert_eq!(sort(cached), usage(7000, 8000, 2000, 1000, 2600));
        assert_eq!(cost("Cost: $0.03 message, $0.10 session.").map(|usage| usage.cost_micro_usd), Some(30_000));
        assert_eq!(cost("Cost: nothing"), None);
        assert_eq!(sort("Tokens: many"), usage(0, 0, 0, 0, 0));
    }

    #[test]
    fn notices_are_sorted_by_how_they_begin() {
        assert_eq!(sort("Applied edit to src/a.rs"), Notice::Edited("src/a.rs"));
        assert_eq!(sort("Commit d0ffbf1 fix: it"), Notice::Committed("d0ffbf1", "fix: it"));
        assert_eq!(sort("Commit your changes first"), Notice::Other);
        let failed = "## NoExactMatch: This SEARCH block failed to exactly match lines in src/a.rs";
        assert_eq!(sort(failed), Notice::NotEdited("src/a.rs", "NoExactMatch"));
        assert_eq!(sort("^C KeyboardInterrupt"), Notice::Interrupted("^C KeyboardInterrupt"));
        assert_eq!(sort("Main model: m-1 with diff edit format"), Notice::Model("m-1"));
        assert_eq!(sort("Added a.rs to the chat."), Notice::Other);
    }
}
