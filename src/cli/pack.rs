//! As much as fits a budget of tokens: what an agent is handed is paid for by its context.
//!
//! Counts as a model of no known family would, so that a little less is handed on rather than more.

use crate::role::resident::context::{TokenCounter as _, TokenEstimate, TokenFamily};

/// The lines that fit, in their order, and how many do not.
pub(super) struct Packed<T> {
    /// Those that fit.
    pub(super) lines: Vec<T>,
    /// How many are left out.
    pub(super) left_out: usize,
    /// The tokens of those that fit.
    pub(super) tokens: u64,
}

/// Takes lines from the first on while they fit; one that does not is left out, and a shorter one behind it may be taken.
pub(super) fn packed<T>(lines: Vec<T>, budget: u64, text: impl Fn(&T) -> String) -> Packed<T> {
    let (mut packed, all) = (Packed { lines: Vec::new(), left_out: 0, tokens: 0 }, lines.len());
    for line in lines {
        let tokens = tokens_of(&text(&line));
        if packed.tokens.saturating_add(tokens) <= budget {
            packed.tokens += tokens;
            packed.lines.push(line);
        }
    }
    packed.left_out = all - packed.lines.len();
    packed
}

/// The tokens of a line, with its end.
pub(super) fn tokens_of(line: &str) -> u64 {
    TokenEstimate { family: TokenFamily::Unknown }.text(line).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_taken_in_their_order_while_they_fit() {
        let lines = vec!["one two three", "four five six seven eight nine ten eleven twelve thirteen", "fourteen"];
        let of = |budget| {
            let Packed { lines, left_out, tokens } = packed(lines.clone(), budget, |line| (*line).to_owned());
            assert!(tokens <= budget);
            (lines, left_out)
        };
        assert_eq!(of(0), (vec![], 3));
        assert_eq!(of(10), (vec!["one two three", "fourteen"], 1));
        assert_eq!(of(1_000), (lines.clone(), 0));
    }
}
