//! Codex counts tokens from the start of a session; an entry carries what was added since the last count.
//!
//! `input_tokens` includes the cached ones, `output_tokens` the reasoning.

use crate::object::Object;
use annals_kernel::annals::Usage;

/// What was counted so far.
#[derive(Debug, Default)]
pub(super) struct CodexTokens {
    total: Option<Usage>,
    /// What the last reply used, until its count comes.
    replied: Option<Usage>,
}

impl CodexTokens {
    /// Takes what one reply used, and the total with it; `None` where that total was counted already. In a fork the total
    /// goes on from that of the session above.
    pub(super) fn replied(&mut self, usage: &Object<'_>, total: &Object<'_>) -> Option<Usage> {
        let Some(added) = counted(usage) else { return self.added(total, &Object::default()) };
        let total = counted(total)?;
        // Codex tells one count several times (for the reply, for the turn): added up, a session would have used
        // twice what it did.
        if self.total.replace(total) == Some(total) {
            return None;
        }
        self.replied = Some(added);
        (!added.is_zero()).then_some(Usage { requests: 1, ..added })
    }

    /// Takes a total, and the last request; `None` where it adds nothing.
    ///
    /// Where the total is lower than before, Codex began to count anew: then the last request is what is added.
    pub(super) fn added(&mut self, total: &Object<'_>, last: &Object<'_>) -> Option<Usage> {
        let total = counted(total)?;
        // A process that was killed has told of a reply and not counted it: the next one's total is lower by that.
        if self.replied.take().is_some_and(|replied| counted(last) == Some(replied)) {
            return None;
        }
        let before = self.total.replace(total).unwrap_or_default();
        let added = total - before;
        let fell = added.input < 0 || added.cache_read < 0 || added.output < 0;
        let added = if fell { counted(last).unwrap_or(total) } else { added };
        (!added.is_zero()).then_some(Usage { requests: 1, ..added })
    }
}

fn counted(usage: &Object<'_>) -> Option<Usage> {
    let count = |key| usage.integer(key).unwrap_or(0);
    let (cached, written) = (count("cached_input_tokens"), count("cache_write_input_tokens"));
    Some(Usage {
        input: usage.integer("input_tokens")?.saturating_sub(cached).saturating_sub(written),
        cache_read: cached,
        cache_write: written,
        output: count("output_tokens"),
        reasoning: count("reasoning_output_tokens"),
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(total: [i64; 4], last: [i64; 4]) -> String {
        let usage = |[input, cached, output, reasoning]: [i64; 4]| {
            format!(
                r#"{{"input_tokens":{input},"cached_input_tokens":{cached},"output_tokens":{output},"reasoning_output_tokens":{reasoning}}}"#
            )
        };
        format!(r#"{{"total_token_usage":{},"last_token_usage":{}}}"#, usage(total), usage(last))
    }

    #[test]
    fn counts_that_grow_give_their_difference() {
        let mut tokens = CodexTokens::default();
        let mut added = |total, last| {
            let info = info(total, last);
            let info = Object::of(&info);
            tokens.added(&info.object("total_token_usage"), &info.object("last_token_usage"))
        };
        let usage = |input, cache_read, output, reasoning| {
            Some(Usage { requests: 1, input, cache_read, output, reasoning, ..Usage::default() })
        };
        assert_eq!(added([100, 60, 10, 4], [100, 60, 10, 4]), usage(40, 60, 10, 4));
        assert_eq!(added([100, 60, 10, 4], [100, 60, 10, 4]), None, "the same event again");
        assert_eq!(added([350, 260, 30, 6], [250, 200, 20, 2]), usage(50, 200, 20, 2));
        assert_eq!(added([90, 80, 5, 1], [90, 80, 5, 1]), usage(10, 80, 5, 1), "counted anew");
    }

    #[test]
    fn a_reply_whose_count_never_came_does_not_make_the_next_one_count_twice() {
        let mut tokens = CodexTokens::default();
        let reply = info([100, 60, 10, 4], [100, 60, 10, 4]);
        let next = info([210, 120, 20, 8], [110, 60, 10, 4]);
        let anew = info([110, 60, 10, 4], [110, 60, 10, 4]);
        let mut replied = |info: &str| {
            let info = Object::of(info);
            tokens.replied(&info.object("last_token_usage"), &info.object("total_token_usage")).is_some()
        };
        assert!(replied(&reply) && replied(&next));
        let anew = Object::of(&anew);
        assert_eq!(tokens.added(&anew.object("total_token_usage"), &anew.object("last_token_usage")), None);
    }

    #[test]
    fn an_event_without_counts_adds_nothing() {
        assert_eq!(CodexTokens::default().added(&Object::of("null"), &Object::default()), None);
    }
}
