//! What a citation is worth, and how a whole is divided (control-room 11.4, 11.4.1; decision 15a).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reason::Reason;
use annals_kernel::credits::Credits;
use annals_kernel::grounding::{Outcome, Trigger};
use annals_kernel::settings::{Settings, settings};

settings! {
    /// Control-room 11.4, gate 2.
    TRIGGERS: BTreeMap<Trigger, i64> =
        Trigger::ALL.iter().map(|trigger| (*trigger, trigger_weight(*trigger))).collect(),
        "credits.triggers", "what each trigger of a citation is worth, in thousandths", weakens Always;
    /// Control-room 11.4, gate 3.
    OUTCOMES: BTreeMap<Outcome, i64> =
        Outcome::ALL.iter().map(|outcome| (*outcome, outcome_weight(*outcome))).collect(),
        "credits.outcomes", "what each outcome of a citation is worth, in thousandths", weakens Always;
    /// A list of files is no argument.
    MOST_PER_COMMENT: usize = 5, "credits.max_citations_per_comment",
        "how many citations of one comment can earn credits; a false one costs credits wherever it stands",
        weakens WhenHigher;
    /// A few letters stand in every file.
    LEAST_QUOTE: usize = 12, "credits.min_precise_quote",
        "how many characters a quote must have before it can be precise", weakens WhenLower;
}

fn trigger_weight(trigger: Trigger) -> i64 {
    match trigger {
        Trigger::AnswerToQuestion | Trigger::SupportProposal | Trigger::VerifyContinuity | Trigger::CanonGapSearch => {
            1000
        }
        Trigger::ResolveConflict | Trigger::ChallengeConsensus => 1500,
        Trigger::Unprompted => 0,
    }
}

fn outcome_weight(outcome: Outcome) -> i64 {
    match outcome {
        Outcome::InformedDecision => 1000,
        Outcome::LedToFileChange | Outcome::ResolvedIssue | Outcome::IdentifiedCanonGap => 1500,
        Outcome::PreventedError | Outcome::EstablishedNewCanon => 2000,
        Outcome::PreventedUserConflict => 2500,
        Outcome::NoActionYet => 500,
        Outcome::NoAction => 0,
    }
}

/// What code found out about a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// It is not so.
    Failed,
    /// It is so.
    Verified,
    /// It is so, to the letter.
    Precise,
}

impl Finding {
    /// Why its credits are given or taken.
    pub fn reason(self) -> Reason {
        match self {
            Self::Failed => Reason::EvidenceFailedVerification,
            Self::Verified => Reason::EvidenceVerified,
            Self::Precise => Reason::EvidenceVerifiedPrecise,
        }
    }
}

/// What a citation is worth: whole credits, a half rounded up (decision 15a).
pub(crate) fn citation_credits(finding: Finding, trigger: Trigger, outcome: Outcome, settings: &Settings) -> Credits {
    const UNIT: i64 = 1_000_000_000;
    let base = match finding {
        Finding::Failed => return Reason::EvidenceFailedVerification.fixed(settings),
        Finding::Verified => 1000,
        Finding::Precise => 1500,
    };
    let trigger = settings.get(&TRIGGERS).get(&trigger).copied().unwrap_or_else(|| trigger_weight(trigger));
    let outcome = settings.get(&OUTCOMES).get(&outcome).copied().unwrap_or_else(|| outcome_weight(outcome));
    // Rounded once, at the end: rounding each factor would give other credits than the table of control-room 11.11
    // (decision 15a).
    let product = trigger.saturating_mul(outcome).saturating_mul(base);
    Credits::whole(product.saturating_add(UNIT / 2).div_euclid(UNIT))
}

/// Nothing is divided among none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a task cannot be cut into no slices")]
pub struct NoSlices;

/// The credits of each slice of a task: equal, and what is left over to the first ones, so that the sum is the whole.
pub fn slices(total: Credits, count: u32) -> Result<Vec<Credits>, NoSlices> {
    let parts = i64::from(count);
    if parts == 0 {
        return Err(NoSlices);
    }
    let (each, over) = (total.in_thousandths().div_euclid(parts), total.in_thousandths().rem_euclid(parts));
    Ok((0..parts).map(|part| Credits::thousandths(each + i64::from(part < over))).collect())
}
