//! Tokens, counted once: one API reply stands on several lines, each with the counts of the whole (FORMATS 1.4).
//!
//! Of the lines of one message the one with the most output tokens is right. A line therefore adds what it has more
//! than the best one before it, so that at any length of the file the sum is right for that length.
//! Remembers the latest 65,536 messages; the lines of one message stand close together.

use std::collections::{BTreeMap, VecDeque};

use serde::Deserialize;

use annals_kernel::annals::Usage;

use super::raw::Raw;
use crate::seen::key;

// The memory of an import must not grow with its file, which may have any number of replies.
const MESSAGES_KEPT: usize = 1 << 16;

/// Counts by message.
#[derive(Debug, Default)]
pub(super) struct Meter {
    best: BTreeMap<u64, Usage>,
    order: VecDeque<u64>,
}

impl Meter {
    /// What a line adds to its session; `None` where it adds nothing.
    pub(super) fn add(&mut self, message: &str, counts: Raw<'_>) -> Option<Usage> {
        let counts = read(counts)?;
        let message = key(&["message", message]);
        let added = match self.best.get(&message) {
            // Each line repeats the input of the whole reply: adding them up counted it once for each block of the
            // answer.
            Some(best) if counts.output <= best.output => return None,
            Some(best) => counts - *best,
            None => {
                self.remember(message);
                counts
            }
        };
        self.best.insert(message, counts);
        Some(added).filter(|added| !added.is_zero())
    }

    fn remember(&mut self, message: u64) {
        self.order.push_back(message);
        if self.order.len() > MESSAGES_KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.best.remove(&oldest);
        }
    }
}

/// The counts of one line, as one request.
fn read(counts: Raw<'_>) -> Option<Usage> {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Counts<'a> {
        #[serde(borrow, rename = "input_tokens")]
        input: Raw<'a>,
        #[serde(rename = "cache_creation_input_tokens")]
        cache_write: Raw<'a>,
        #[serde(rename = "cache_read_input_tokens")]
        cache_read: Raw<'a>,
        #[serde(rename = "output_tokens")]
        output: Raw<'a>,
    }

    let counts: Counts<'_> = Some(counts).filter(|counts| counts.is_object())?.read()?;
    let count = |raw: Raw<'_>| raw.number().and_then(|count| i64::try_from(count).ok()).unwrap_or(0);
    Some(Usage {
        requests: 1,
        input: count(counts.input),
        cache_write: count(counts.cache_write),
        cache_read: count(counts.cache_read),
        output: count(counts.output),
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(meter: &mut Meter, message: &str, counts: [u64; 4]) -> Option<(i64, [i64; 4])> {
        let [input, write, read, output] = counts;
        let text = format!(
            r#"{{"input_tokens":{input},"cache_creation_input_tokens":{write},"cache_read_input_tokens":{read},"output_tokens":{output},"service_tier":"standard"}}"#
        );
        let usage = meter.add(message, serde_json::from_str(&text).expect("JSON"))?;
        Some((usage.requests, [usage.input, usage.cache_write, usage.cache_read, usage.output]))
    }

    #[test]
    fn lines_of_one_message_add_up_to_the_one_with_the_most_output() {
        let mut meter = Meter::default();
        assert_eq!(add(&mut meter, "msg_a", [9, 100, 0, 3]), Some((1, [9, 100, 0, 3])));
        assert_eq!(add(&mut meter, "msg_a", [9, 100, 0, 3]), None);
        assert_eq!(add(&mut meter, "msg_b", [1, 2, 3, 4]), Some((1, [1, 2, 3, 4])));
        assert_eq!(add(&mut meter, "msg_a", [7, 100, 5, 90]), Some((0, [-2, 0, 5, 87])));
        assert_eq!(add(&mut meter, "msg_a", [9, 100, 0, 8]), None);
    }

    #[test]
    fn what_is_no_count_is_not_counted() {
        let raw = |text: &'static str| serde_json::from_str(text).expect("JSON");
        assert_eq!(Meter::default().add("msg", raw("null")), None);
        assert_eq!(Meter::default().add("msg", raw(r#"{"input_tokens":"many"}"#)).map(|usage| usage.input), Some(0));
    }

    #[test]
    fn memory_is_bounded() {
        let mut meter = Meter::default();
        for message in 0..MESSAGES_KEPT + 10 {
            add(&mut meter, &message.to_string(), [1, 1, 1, 1]);
        }
        assert_eq!((meter.best.len(), meter.order.len()), (MESSAGES_KEPT, MESSAGES_KEPT));
    }
}
