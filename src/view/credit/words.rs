//! Reasons for credits in words, for leaderboards and reports.

use crate::domain::credit::Reason;
use crate::domain::team;

/// What so many of a reason are called.
pub fn counted(reason: Reason, times: u64) -> String {
    let (one, many) = match reason {
        Reason::EvidenceVerified => ("verified citation", "verified citations"),
        Reason::EvidenceVerifiedPrecise => ("precise citation", "precise citations"),
        Reason::EvidenceOutcomeUpgrade => ("citation that led to something", "citations that led to something"),
        Reason::ConsultedDevilsAdvocate => ("devil's advocate consulted", "devil's advocates consulted"),
        Reason::IssueAppliedInWork => ("issue applied in the work", "issues applied in the work"),
        Reason::CommentUnderBudget => ("issue with a single comment", "issues with a single comment"),
        Reason::PreventedUserConflict => ("conflict of the user prevented", "conflicts of the user prevented"),
        Reason::AssistedSlice => ("part of a task done", "parts of tasks done"),
        Reason::ProposalAcceptedByUser => ("proposal accepted", "proposals accepted"),
        Reason::UserMarkedHelpful => ("time helpful to the user", "times helpful to the user"),
        Reason::CleanUnfreeze => ("clean unfreezing", "clean unfreezings"),
        Reason::ModeratorCommendation => ("commendation", "commendations"),
        Reason::PeerMarkedHelpful => ("time helpful to a peer", "times helpful to peers"),
        Reason::EvidenceFailedVerification => ("false citation", "false citations"),
        Reason::CircuitBreakerTriggered => ("comment stopped", "comments stopped"),
        Reason::IssueMarkedLeech => ("issue that went nowhere", "issues that went nowhere"),
        Reason::HallucinationDetected => ("false claim", "false claims"),
        Reason::ModeratorPenalty => ("rebuke", "rebukes"),
    };
    format!("{times} {}", if times == 1 { one } else { many })
}

/// What the team achieved.
pub fn achieved(reason: team::Reason) -> &'static str {
    match reason {
        team::Reason::CanonIntegrity => "a conflict with canon was caught before it spread",
        team::Reason::CleanChapter => "a chapter ended without a frozen issue",
        team::Reason::AllGold => "every active agent is gold",
        team::Reason::GoalAchieved => "a goal of the team was reached",
        team::Reason::ZeroPenalties => "a session without a penalty",
        team::Reason::DissentHeeded => "a devil's advocate found a problem, and it was put right",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_not_many() {
        assert_eq!(counted(Reason::UserMarkedHelpful, 1), "1 time helpful to the user");
        assert_eq!(counted(Reason::EvidenceVerified, 5), "5 verified citations");
    }
}
