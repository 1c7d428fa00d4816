//! What a debate comes to: one table for plans, one for failures (decision 26b). Every row has a name.
//!
//! Pure. What was found in the texts is given; `judge` finds it.

use super::csp::{ObjectionSeverity, Resolved, Stakes};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// A row of the tables.
    pub enum SynthesisRule {
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

impl SynthesisRule {
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
    pub severity: ObjectionSeverity,
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
pub fn plan(plan: Plan) -> SynthesisRule {
    let is_high = plan.stakes == Stakes::High;
    match (plan.severity, plan.actionable) {
        (ObjectionSeverity::High, true) => SynthesisRule::HighActionable,
        (ObjectionSeverity::High, false) => SynthesisRule::HighBlocked,
        (ObjectionSeverity::Medium, true) => SynthesisRule::MediumActionable,
        (ObjectionSeverity::Medium, false) if is_high => SynthesisRule::MediumAtHighStakes,
        (ObjectionSeverity::Medium, false) => SynthesisRule::MediumVague,
        (ObjectionSeverity::Low, _) if plan.confident => SynthesisRule::LowConfident,
        (ObjectionSeverity::Low, true) => SynthesisRule::LowActionable,
        (ObjectionSeverity::Low, false) if is_high => SynthesisRule::LowAtHighStakes,
        (ObjectionSeverity::Low, false) => SynthesisRule::LowVague,
    }
}

/// What was said about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the columns of the table")]
pub struct DebatedFailure {
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
pub fn failure(failure: DebatedFailure) -> SynthesisRule {
    if failure.should_escalate {
        SynthesisRule::CriticEscalates
    } else if failure.pattern_seen {
        SynthesisRule::PatternSeen
    } else if failure.substantial && !failure.blind_spot {
        SynthesisRule::SubstantialClear
    } else if failure.substantial {
        SynthesisRule::SubstantialBlind
    } else if failure.alternative {
        SynthesisRule::Alternative
    } else {
        SynthesisRule::NothingNew
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
            (ObjectionSeverity::High, true, None, [Modify, Modify, Modify]),
            (ObjectionSeverity::High, false, None, [Escalate, Escalate, Escalate]),
            (ObjectionSeverity::Medium, true, None, [Modify, Modify, Modify]),
            (ObjectionSeverity::Medium, false, None, [Proceed, Proceed, Escalate]),
            (ObjectionSeverity::Low, true, Some(true), [Proceed, Proceed, Proceed]),
            (ObjectionSeverity::Low, false, Some(true), [Proceed, Proceed, Proceed]),
            (ObjectionSeverity::Low, true, Some(false), [Modify, Modify, Modify]),
            (ObjectionSeverity::Low, false, Some(false), [Proceed, Proceed, Escalate]),
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
        use ObjectionSeverity::{High, Low, Medium};
        for (severity, actionable, confident, stakes, rule) in [
            (High, true, true, Stakes::Low, SynthesisRule::HighActionable),
            (High, false, true, Stakes::Low, SynthesisRule::HighBlocked),
            (Medium, true, true, Stakes::High, SynthesisRule::MediumActionable),
            (Medium, false, true, Stakes::High, SynthesisRule::MediumAtHighStakes),
            (Medium, false, false, Stakes::Medium, SynthesisRule::MediumVague),
            (Low, false, true, Stakes::High, SynthesisRule::LowConfident),
            (Low, true, false, Stakes::High, SynthesisRule::LowActionable),
            (Low, false, false, Stakes::High, SynthesisRule::LowAtHighStakes),
            (Low, false, false, Stakes::Low, SynthesisRule::LowVague),
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
            let columns = DebatedFailure { should_escalate, pattern_seen, substantial, blind_spot, alternative };
            let expected = match (should_escalate, pattern_seen, substantial, blind_spot, alternative) {
                (true, ..) => SynthesisRule::CriticEscalates,
                (false, true, ..) => SynthesisRule::PatternSeen,
                (false, false, true, false, _) => SynthesisRule::SubstantialClear,
                (false, false, true, true, _) => SynthesisRule::SubstantialBlind,
                (false, false, false, _, true) => SynthesisRule::Alternative,
                (false, false, false, _, false) => SynthesisRule::NothingNew,
            };
            assert_eq!(failure(columns), expected, "{columns:?}");
        }
        let words = [
            (SynthesisRule::CriticEscalates, Resolved::Escalate),
            (SynthesisRule::PatternSeen, Resolved::Escalate),
            (SynthesisRule::SubstantialClear, Resolved::Retry),
            (SynthesisRule::SubstantialBlind, Resolved::Pivot),
            (SynthesisRule::Alternative, Resolved::Pivot),
            (SynthesisRule::NothingNew, Resolved::Escalate),
        ];
        assert!(words.iter().all(|(rule, word)| rule.resolution() == *word));
    }
}
