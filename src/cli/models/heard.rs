//! What of an answer was heard so far: one that has no end is cut off, before it has used up all it may.
//!
//! Looks now and then, and twice: an answer may well hold a table of zeros.

use annals_llm::{Cancel, Delta};

use crate::role::reply::is_endless;

/// Between two looks so much more is heard, in bytes.
const BETWEEN_LOOKS: usize = 1_000;

/// An answer as far as it was heard.
pub(super) struct HeardAnswer {
    text: String,
    looked_at: usize,
    was_endless: bool,
    cancel: Cancel,
}

impl HeardAnswer {
    /// Nothing yet; `cancel` ends the call.
    pub(super) fn new(cancel: &Cancel) -> Self {
        Self { text: String::new(), looked_at: 0, was_endless: false, cancel: cancel.clone() }
    }

    /// Takes in more of it.
    pub(super) fn take(&mut self, delta: Delta<'_>) {
        match delta {
            Delta::Begun | Delta::Again => *self = Self::new(&self.cancel),
            // Thoughts end with the tokens that are allowed for them.
            Delta::Thinking(_) => {}
            Delta::Text(more) => {
                self.text.push_str(more);
                self.look();
            }
        }
    }

    /// What was heard of an answer that was cut off because it had no end.
    pub(super) fn cut_off(self) -> Option<String> {
        self.cancel.is_cancelled().then_some(self.text)
    }

    fn look(&mut self) {
        if self.text.len() < self.looked_at + BETWEEN_LOOKS {
            return;
        }
        self.looked_at = self.text.len();
        let is_endless = is_endless(&self.text);
        if is_endless && self.was_endless {
            self.cancel.cancel();
        }
        self.was_endless = is_endless;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of these pieces are heard before it is enough.
    fn heard(pieces: impl Iterator<Item = String>) -> Option<usize> {
        let cancel = Cancel::new();
        let mut heard = HeardAnswer::new(&cancel);
        for (count, piece) in (1..).zip(pieces) {
            heard.take(Delta::Text(&piece));
            if cancel.is_cancelled() {
                return Some(count);
            }
        }
        None
    }

    #[test]
    fn an_answer_without_end_is_cut_off_soon_and_one_with_an_end_never() {
        let said = std::iter::once("{\"calls\": [".to_owned());
        let looping = said.clone().chain(std::iter::repeat_n("{\"tool\": \"read\"}, ".to_owned(), 10_000));
        assert!(heard(looping).is_some_and(|count| count < 150));
        let empty = said.clone().chain(std::iter::repeat_n("\n  ".to_owned(), 10_000));
        assert!(heard(empty).is_some_and(|count| count < 1_100));
        let long = said.chain((0..10_000).map(|number| format!("\"line {number} of a file\", ")));
        assert_eq!(heard(long), None);
        let table = std::iter::repeat_n("0, ".to_owned(), 500).chain((0..1_000).map(|number| format!("{number}, ")));
        assert_eq!(heard(table), None);
    }
}
