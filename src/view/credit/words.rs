//! Reasons for credits in words, for leaderboards and reports.

use crate::domain::credit::CreditReason;
use crate::domain::team;

/// What so many of a reason are called.
pub fn counted(reason: CreditReason, times: u64) -> String {
    let (one, many) = match reason {
        CreditReason::EvidenceVerified => ("verified citation", "verified citations"),
        CreditReason::EvidenceVerifiedPrecise => ("precise citation", "precise citations"),
        CreditReason::EvidenceOutcomeUpgrade => ("citation that led to something", "citations that led to something"),
        CreditReason::ConsultedDevilsAdvocate => ("devil's advocate consulted", "devil's advocates consulted"),
        CreditReason::IssueAppliedInWork => ("issue applied in the work", "issues applied in the work"),
        CreditReason::CommentUnderBudget => ("issue with a single comment", "issues with a single comment"),
        CreditReason::PreventedUserConflict => ("conflict of the user prevented", "conflicts of the user prevented"),
        CreditReason::AssistedSlice => ("part of a task done", "parts of tasks done"),
        CreditReason::ProposalAcceptedByUser => ("proposal accepted", "proposals accepted"),
        CreditReason::UserMarkedHelpful => ("time helpful to the user", "times helpful to the user"),
        CreditReason::CleanUnfreeze => ("clean unfreezing", "clean unfreezings"),
        CreditReason::ModeratorCommendation => ("commendation", "commendations"),
        CreditReason::PeerMarkedHelpful => ("time helpful to a peer", "times helpful to peers"),
        CreditReason::EvidenceFailedVerification => ("false citation", "false citations"),
        CreditReason::CircuitBreakerTriggered => ("comment stopped", "comments stopped"),
        CreditReason::IssueMarkedLeech => ("issue that went nowhere", "issues that went nowhere"),
        CreditReason::HallucinationDetected => ("false claim", "false claims"),
        CreditReason::ModeratorPenalty => ("rebuke", "rebukes"),
    };
    format!("{times} {}", if times == 1 { one } else { many })
}

/// What the team achieved.
pub fn achieved(reason: team::TeamReason) -> &'static str {
    match reason {
        team::TeamReason::CanonIntegrity => "a conflict with canon was caught before it spread",
        team::TeamReason::CleanChapter => "a chapter ended without a frozen issue",
        team::TeamReason::AllGold => "every active agent is gold",
        team::TeamReason::GoalAchieved => "a goal of the team was reached",
        team::TeamReason::ZeroPenalties => "a session without a penalty",
        team::TeamReason::DissentHeeded => "a devil's advocate found a problem, and it was put right",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(CreditReason::UserMarkedHelpful, 1), "1 time helpful to the user");
        assert_eq!(counted(CreditReason::EvidenceVerified, 5), "5 verified citations");
    }
}
