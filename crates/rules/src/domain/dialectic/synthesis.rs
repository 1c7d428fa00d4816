//! What a debate comes to: one table for plans, one for failures (decision 26b). Every row has a name.
//!
//! Pure. What was found in the texts is given; `judge` finds it.

use super::csp::{Resolved, Severity, Stakes};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// A row of the tables.
    pub enum Rule {
        /// A severe objection that can be acted on.
        HighActionable = "high-actionable",
        /// A severe objection, and nothing to do about it.
        HighBlocked = "high-blocked",
        /// An objection that can be acted on.
        MediumActionable = "medium-actionable",
        /// An objection, nothing to do about it, and high stakes.
        MediumAtHighStakes = "medium-at-high-stakes",
        /// An objection, and nothing to do about it.
        MediumVague = "medium-vague",
        /// A slight objection to a sure advocate.
        LowConfident = "low-confident",
        /// A slight objection that can be acted on, to an advocate who is not sure.
        LowActionable = "low-actionable",
        /// A slight objection to an advocate who is not sure, at high stakes.
        LowAtHighStakes = "low-at-high-stakes",
        /// A slight objection to an advocate who is not sure.
        LowVague = "low-vague",
        /// The critic wants a person.
        CriticEscalates = "critic-escalates",
        /// The critic sees what was seen before.
        PatternSeen = "pattern-seen",
        /// Something new, and nothing overlooked.
        SubstantialClear = "substantial-clear",
        /// Something new, and something overlooked.
        SubstantialBlind = "substantial-blind",
        /// Nothing new, but an alternative.
        Alternative = "alternative",
        /// Nothing new at all.
        NothingNew = "nothing-new",
    }
}

impl Rule {
    /// The resolution of this row.
    pub fn resolution(self) -> Resolved {
        match self {
            Self::HighActionable | Self::MediumActionable | Self::LowActionable => Resolved::Modify,
            Self::MediumVague | Self::LowConfident | Self::LowVague => Resolved::Proceed,
            Self::SubstantialClear => Resolved::Retry,
            Self::SubstantialBlind | Self::Alternative => Resolved::Pivot,
            Self::HighBlocked
            | Self::MediumAtHighStakes
            | Self::LowAtHighStakes
            | Self::CriticEscalates
            | Self::PatternSeen
            | Self::NothingNew => Resolved::Escalate,
        }
    }
}

/// What was said about a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// How bad the objection is.
    pub severity: Severity,
    /// Whether the counter can be acted on.
    pub actionable: bool,
    /// Whether the advocate is sure.
    pub confident: bool,
    /// What is at stake.
    pub stakes: Stakes,
}

impl Plan {
    /// Whether an advocate is sure: at the threshold it is.
    pub(crate) fn is_confident(confidence: Share, threshold: Share) -> bool {
        confidence >= threshold
    }
}

/// The table for plans.
pub fn plan(plan: Plan) -> Rule {
    let is_high = plan.stakes == Stakes::High;
    match (plan.severity, plan.actionable) {
        (Severity::High, true) => Rule::HighActionable,
        (Severity::High, false) => Rule::HighBlocked,
        (Severity::Medium, true) => Rule::MediumActionable,
        (Severity::Medium, false) if is_high => Rule::MediumAtHighStakes,
        (Severity::Medium, false) => Rule::MediumVague,
        (Severity::Low, _) if plan.confident => Rule::LowConfident,
        (Severity::Low, true) => Rule::LowActionable,
        (Severity::Low, false) if is_high => Rule::LowAtHighStakes,
        (Severity::Low, false) => Rule::LowVague,
    }
}

/// What was said about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the columns of the table")]
pub struct Failure {
    /// The critic wants a person.
    pub should_escalate: bool,
    /// The critic's pattern was seen before.
    pub pattern_seen: bool,
    /// The fix differs from earlier attempts.
    pub substantial: bool,
    /// The critic sees what the advocate does not.
    pub blind_spot: bool,
    /// There is another approach.
    pub alternative: bool,
}

/// The table for failures.
pub fn failure(failure: Failure) -> Rule {
    if failure.should_escalate {
        Rule::CriticEscalates
    } else if failure.pattern_seen {
        Rule::PatternSeen
    } else if failure.substantial && !failure.blind_spot {
        Rule::SubstantialClear
    } else if failure.substantial {
        Rule::SubstantialBlind
    } else if failure.alternative {
        Rule::Alternative
    } else {
        Rule::NothingNew
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dialectic, "Synthesis Rules", Planning Debate; decision 26b: every row, at all stakes and confidences.
    #[test]
    fn the_table_for_plans_is_complete() {
        use Resolved::{Escalate, Modify, Proceed};
        // severity, actionable, confident; then what low, medium and high stakes come to
        let table = [
            (Severity::High, true, None, [Modify, Modify, Modify]),
            (Severity::High, false, None, [Escalate, Escalate, Escalate]),
            (Severity::Medium, true, None, [Modify, Modify, Modify]),
            (Severity::Medium, false, None, [Proceed, Proceed, Escalate]),
            (Severity::Low, true, Some(true), [Proceed, Proceed, Proceed]),
            (Severity::Low, false, Some(true), [Proceed, Proceed, Proceed]),
            (Severity::Low, true, Some(false), [Modify, Modify, Modify]),
            (Severity::Low, false, Some(false), [Proceed, Proceed, Escalate]),
        ];
        let mut seen = 0;
        for (severity, actionable, confident, expected) in table {
            for confident in confident.map_or(vec![true, false], |one| vec![one]) {
                for (stakes, expected) in Stakes::ALL.iter().zip(expected) {
                    let rule = plan(Plan { severity, actionable, confident, stakes: *stakes });
                    assert_eq!(rule.resolution(), expected, "{severity} {actionable} {confident} {stakes}: {rule}");
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 3 * 2 * 2 * 3);
    }

    /// Dialectic, "Synthesis Rules", Planning Debate: each row by its name.
    #[test]
    fn each_row_for_plans_is_reached() {
        use Severity::{High, Low, Medium};
        for (severity, actionable, confident, stakes, rule) in [
            (High, true, true, Stakes::Low, Rule::HighActionable),
            (High, false, true, Stakes::Low, Rule::HighBlocked),
            (Medium, true, true, Stakes::High, Rule::MediumActionable),
            (Medium, false, true, Stakes::High, Rule::MediumAtHighStakes),
            (Medium, false, false, Stakes::Medium, Rule::MediumVague),
            (Low, false, true, Stakes::High, Rule::LowConfident),
            (Low, true, false, Stakes::High, Rule::LowActionable),
            (Low, false, false, Stakes::High, Rule::LowAtHighStakes),
            (Low, false, false, Stakes::Low, Rule::LowVague),
        ] {
            assert_eq!(plan(Plan { severity, actionable, confident, stakes }), rule);
        }
    }

    /// Dialectic, "Synthesis Rules": at 0.8 the advocate is sure.
    #[test]
    fn the_threshold_itself_is_sure() {
        let sure = |thousandths| Plan::is_confident(Share::thousandths(thousandths), Share::thousandths(800));
        assert_eq!([799, 800, 801].map(sure), [false, true, true]);
    }

    /// Dialectic, "Synthesis Rules", Failure Debate; decision 26b: every row, whatever the columns behind it say.
    #[test]
    fn the_table_for_failures_is_complete() {
        let yes_or_no = [true, false];
        for bits in 0..32_u8 {
            let [should_escalate, pattern_seen, substantial, blind_spot, alternative] =
                [0, 1, 2, 3, 4].map(|bit| yes_or_no[usize::from(bits >> bit & 1)]);
            let columns = Failure { should_escalate, pattern_seen, substantial, blind_spot, alternative };
            let expected = match (should_escalate, pattern_seen, substantial, blind_spot, alternative) {
                (true, ..) => Rule::CriticEscalates,
                (false, true, ..) => Rule::PatternSeen,
                (false, false, true, false, _) => Rule::SubstantialClear,
                (false, false, true, true, _) => Rule::SubstantialBlind,
                (false, false, false, _, true) => Rule::Alternative,
                (false, false, false, _, false) => Rule::NothingNew,
            };
            assert_eq!(failure(columns), expected, "{columns:?}");
        }
        let words = [
            (Rule::CriticEscalates, Resolved::Escalate),
            (Rule::PatternSeen, Resolved::Escalate),
            (Rule::SubstantialClear, Resolved::Retry),
            (Rule::SubstantialBlind, Resolved::Pivot),
            (Rule::Alternative, Resolved::Pivot),
            (Rule::NothingNew, Resolved::Escalate),
        ];
        assert!(words.iter().all(|(rule, word)| rule.resolution() == *word));
    }
}
