//! What the team achieves.

use annals_kernel::credits::Credits;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to the credits of the team.
    pub enum Event {
        /// The team got credits.
        Awarded = "team.credit.awarded" derive(Eq) {
            /// How many, in thousandths.
            amount: Credits,
            /// Why.
            reason: TeamReason,
            /// What they are for: the id of a milestone, goal, issue or entry. Each cause counts once for a reason.
            cause: Box<str>,
            /// What that is called.
            #[sparse]
            about: Box<str>,
            /// Whose deed set it off.
            agent: Option<AgentId>,
        },
    }
}

words! {
    /// Why the team gets credits (control-room 15.1).
    pub enum TeamReason {
        /// A conflict with canon was caught.
        CanonIntegrity = "team-canon-integrity",
        /// A chapter ended without a frozen issue.
        CleanChapter = "clean-chapter-completion",
        /// Every active agent is gold.
        AllGold = "all-agents-gold-tier",
        /// A goal of the team was reached.
        GoalAchieved = "collective-goal-achieved",
        /// A session without any penalty.
        ZeroPenalties = "zero-penalties-session",
        /// A devil's advocate found a real problem, and it was put right.
        DissentHeeded = "successful-da-challenge",
    }
}

impl TeamReason {
    /// Whole credits (control-room 14.4, 15.2); where the document gives none, as many as for a session without penalty.
    pub fn default_amount(self) -> i64 {
        match self {
            Self::CanonIntegrity => 2,
            Self::GoalAchieved | Self::ZeroPenalties | Self::DissentHeeded => 5,
            Self::CleanChapter | Self::AllGold => 10,
        }
    }
}
