//! Why credits are given and taken, by whom, and how many (control-room 11.5, 11.6, 14.4; decision 16).

use std::collections::BTreeMap;

use annals_kernel::credits::Credits;
use annals_kernel::grounding::words;
use annals_kernel::settings::{Settings, settings};

words! {
    /// Why credits are given or taken (control-room 11.5).
    pub enum CreditReason {
        /// A citation is as the file has it.
        EvidenceVerified = "evidence-verified",
        /// A quote is exact.
        EvidenceVerifiedPrecise = "evidence-verified-precise",
        /// A citation that waited led to something.
        EvidenceOutcomeUpgrade = "evidence-outcome-upgrade",
        /// A devil's advocate was asked.
        ConsultedDevilsAdvocate = "consulted-devils-advocate",
        /// What an issue decided stands in the work.
        IssueAppliedInWork = "issue-applied-in-work",
        /// One comment was enough where more were allowed.
        CommentUnderBudget = "comment-under-budget",
        /// The user was kept from contradicting canon (control-room 14.4).
        PreventedUserConflict = "prevented-user-conflict",
        /// A part of a task that the assistant cut up is done (control-room 11.4.1).
        AssistedSlice = "assisted-slice",
        /// The user took a proposal.
        ProposalAcceptedByUser = "proposal-accepted-by-user",
        /// The user found it helpful.
        UserMarkedHelpful = "user-marked-helpful",
        /// An issue went well after it was unfrozen.
        CleanUnfreeze = "clean-unfreeze",
        /// The moderator praises.
        ModeratorCommendation = "moderator-commendation",
        /// Another agent found it helpful (decision 16).
        PeerMarkedHelpful = "peer-marked-helpful",
        /// A citation is not as the file has it.
        EvidenceFailedVerification = "evidence-failed-verification",
        /// A circuit breaker stopped a comment.
        CircuitBreakerTriggered = "circuit-breaker-triggered",
        /// An issue went nowhere.
        IssueMarkedLeech = "issue-marked-leech",
        /// Something was claimed that is false.
        HallucinationDetected = "hallucination-detected",
        /// The moderator rebukes.
        ModeratorPenalty = "moderator-penalty",
    }
}

words! {
    /// Under which heading of control-room 11.5 a reason stands: who alone may award it.
    pub enum Heading {
        /// The rules, and nobody by command.
        System = "system",
        /// The user.
        User = "user",
        /// The moderator.
        Moderator = "moderator",
        /// The assistant, as parts of a task are done.
        Assistant = "assistant",
        /// Any agent.
        Agents = "agents",
    }
}

/// How many credits a reason is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worth {
    /// Always so many.
    Fixed(Credits),
    /// As many as the giver says, from 1 to 3; taken away where `-1`.
    Discretionary(i64),
    /// As a formula says.
    Computed,
}

settings! {
    /// Control-room 11.5; in whole credits.
    AMOUNTS: BTreeMap<CreditReason, i64> =
        CreditReason::ALL.iter().filter_map(|reason| Some((*reason, reason.default_amount()?))).collect(),
        "credits.amounts", "whole credits for each reason that has a fixed amount", weakens Always;
}

impl CreditReason {
    /// Who alone may award it (control-room 11.6, decision 16).
    pub fn heading(self) -> Heading {
        match self {
            Self::EvidenceVerified
            | Self::EvidenceVerifiedPrecise
            | Self::EvidenceOutcomeUpgrade
            | Self::ConsultedDevilsAdvocate
            | Self::IssueAppliedInWork
            | Self::CommentUnderBudget
            | Self::PreventedUserConflict
            | Self::EvidenceFailedVerification
            | Self::CircuitBreakerTriggered
            | Self::IssueMarkedLeech
            | Self::HallucinationDetected => Heading::System,
            Self::ProposalAcceptedByUser | Self::UserMarkedHelpful => Heading::User,
            Self::CleanUnfreeze | Self::ModeratorCommendation | Self::ModeratorPenalty => Heading::Moderator,
            Self::AssistedSlice => Heading::Assistant,
            Self::PeerMarkedHelpful => Heading::Agents,
        }
    }

    fn default_amount(self) -> Option<i64> {
        match self {
            Self::ConsultedDevilsAdvocate
            | Self::CommentUnderBudget
            | Self::CleanUnfreeze
            | Self::PeerMarkedHelpful => Some(1),
            Self::IssueAppliedInWork | Self::UserMarkedHelpful => Some(2),
            Self::PreventedUserConflict | Self::ProposalAcceptedByUser => Some(3),
            Self::CircuitBreakerTriggered | Self::IssueMarkedLeech => Some(-1),
            Self::EvidenceFailedVerification => Some(-2),
            Self::HallucinationDetected => Some(-3),
            Self::EvidenceVerified
            | Self::EvidenceVerifiedPrecise
            | Self::EvidenceOutcomeUpgrade
            | Self::AssistedSlice
            | Self::ModeratorCommendation
            | Self::ModeratorPenalty => None,
        }
    }

    /// How many credits it is worth.
    pub fn worth(self, settings: &Settings) -> Worth {
        match (self, self.default_amount()) {
            (Self::ModeratorCommendation, _) => Worth::Discretionary(1),
            (Self::ModeratorPenalty, _) => Worth::Discretionary(-1),
            (_, None) => Worth::Computed,
            (_, Some(amount)) => {
                Worth::Fixed(Credits::whole(settings.get(&AMOUNTS).get(&self).copied().unwrap_or(amount)))
            }
        }
    }

    /// The fixed amount; none where a formula or the giver says how many.
    pub fn fixed(self, settings: &Settings) -> Credits {
        match self.worth(settings) {
            Worth::Fixed(amount) => amount,
            Worth::Discretionary(_) | Worth::Computed => Credits::ZERO,
        }
    }

    /// Whether it says how a citation was judged.
    pub fn is_of_citations(self) -> bool {
        matches!(
            self,
            Self::EvidenceVerified
                | Self::EvidenceVerifiedPrecise
                | Self::EvidenceOutcomeUpgrade
                | Self::EvidenceFailedVerification
        )
    }

    /// Whether it is given only where somebody else did something: nobody earns it alone.
    pub(crate) fn needs_another(self) -> bool {
        match self {
            Self::EvidenceOutcomeUpgrade
            | Self::ConsultedDevilsAdvocate
            | Self::IssueAppliedInWork
            | Self::CommentUnderBudget
            | Self::PreventedUserConflict
            | Self::AssistedSlice
            | Self::ProposalAcceptedByUser
            | Self::UserMarkedHelpful
            | Self::CleanUnfreeze
            | Self::ModeratorCommendation
            | Self::PeerMarkedHelpful => true,
            Self::EvidenceVerified
            | Self::EvidenceVerifiedPrecise
            | Self::EvidenceFailedVerification
            | Self::CircuitBreakerTriggered
            | Self::IssueMarkedLeech
            | Self::HallucinationDetected
            | Self::ModeratorPenalty => false,
        }
    }

    /// Whether the rules give it once for an issue.
    pub(crate) fn pays_once(self) -> bool {
        matches!(
            self,
            Self::ConsultedDevilsAdvocate | Self::IssueAppliedInWork | Self::IssueMarkedLeech | Self::CleanUnfreeze
        )
    }
}
