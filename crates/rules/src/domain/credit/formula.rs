//! What a citation is worth, and how a whole is divided (control-room 11.4, 11.4.1; decision 15a).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reason::CreditReason;
use annals_kernel::credits::Credits;
use annals_kernel::grounding::{CitationOutcome, Trigger};
use annals_kernel::settings::{Settings, settings};

settings! {
    /// Control-room 11.4, gate 2.
    TRIGGERS: BTreeMap<Trigger, i64> =
        Trigger::ALL.iter().map(|trigger| (*trigger, trigger_weight(*trigger))).collect(),
        "credits.triggers", "what each trigger of a citation is worth, in thousandths", weakens Always;
    /// Control-room 11.4, gate 3.
    OUTCOMES: BTreeMap<CitationOutcome, i64> =
        CitationOutcome::ALL.iter().map(|outcome| (*outcome, outcome_weight(*outcome))).collect(),
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

fn outcome_weight(outcome: CitationOutcome) -> i64 {
    match outcome {
        CitationOutcome::InformedDecision => 1000,
        CitationOutcome::LedToFileChange | CitationOutcome::ResolvedIssue | CitationOutcome::IdentifiedCanonGap => 1500,
        CitationOutcome::PreventedError | CitationOutcome::EstablishedNewCanon => 2000,
        CitationOutcome::PreventedUserConflict => 2500,
        CitationOutcome::NoActionYet => 500,
        CitationOutcome::NoAction => 0,
    }
}

/// What code found out about a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuoteFinding {
    /// It is not so.
    Failed,
    /// It is so.
    Verified,
    /// It is so, to the letter.
    Precise,
}

impl QuoteFinding {
    /// Why its credits are given or taken.
    pub fn reason(self) -> CreditReason {
        match self {
            Self::Failed => CreditReason::EvidenceFailedVerification,
            Self::Verified => CreditReason::EvidenceVerified,
            Self::Precise => CreditReason::EvidenceVerifiedPrecise,
        }
    }
}

/// What a citation is worth: whole credits, a half rounded up (decision 15a).
pub(crate) fn citation_credits(
    finding: QuoteFinding,
    trigger: Trigger,
    outcome: CitationOutcome,
    settings: &Settings,
) -> Credits {
    const UNIT: i64 = 1_000_000_000;
    let base = match finding {
        QuoteFinding::Failed => return CreditReason::EvidenceFailedVerification.fixed(settings),
        QuoteFinding::Verified => 1000,
        QuoteFinding::Precise => 1500,
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
