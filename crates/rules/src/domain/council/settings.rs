//! What can be configured of councils (AFS 13.2), and what of it is fixed in a session when it opens.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::id::AgentId;
use annals_kernel::settings::{Settings, in_force, outside, settings};
use annals_kernel::share::Share;

/// More members a council never has.
pub(crate) const MOST_MEMBERS: usize = 15;
/// Longer a council never waits for votes: thirty days.
pub(crate) const MOST_HOURS: u32 = 720;
/// So long it waits where nothing else was configured, or nobody knew of it yet.
pub(crate) const DEFAULT_HOURS: u32 = 24;
/// More rounds a debate never has.
pub const MOST_ROUNDS: u32 = 10;

settings! {
    /// AFS 7.1.
    SIZE: usize = 3, "hivemind.council.council_size",
        "how many members a council has, 15 at most", unless |size| outside(size, &1, &MOST_MEMBERS), weakens WhenLower;
    /// AFS 7.1.
    QUORUM: u32 = 2, "hivemind.council.quorum",
        "so many members must approve or reject, all of them where it has fewer; who abstains does not count (decision 20)",
        unless |quorum| outside(&usize::try_from(*quorum).unwrap_or(usize::MAX), &1, &MOST_MEMBERS), weakens WhenLower;
    /// AFS 7.1, decision 20.
    THRESHOLD: Share = Share::thousandths(670), "hivemind.council.threshold",
        "what is approved with this share of the weight, or more, is decided; what lies between it and its contrary is a tie",
        unless |threshold| outside(threshold, &Share::thousandths(500), &Share::WHOLE), weakens WhenLower;
    /// AFS 7.1.
    DEBATE_ON_TIE: bool = true, "hivemind.council.debate_on_tie", "whether a tie leads to a debate", weakens WhenOff;
    /// AFS 7.1.
    AGENTS: Vec<Box<str>> = vec!["explore".into(), "critic".into(), "general".into()],
        "hivemind.council.council_agents",
        "who votes: active agents of the roster, or roles, each for one agent; the first ones, as many as a council has members",
        weakens Always;
    /// A vote that never comes holds nothing up; the number is ours.
    VOTING_HOURS: u32 = DEFAULT_HOURS, "hivemind.council.voting_hours",
        "so long votes are awaited, and a debate as long again; then those that are in are counted",
        unless |hours| outside(hours, &1, &MOST_HOURS), weakens WhenLower;
    /// AFS 13.2; the number is ours.
    MAX_ROUNDS: u32 = 3, "hivemind.council.max_debate_rounds",
        "so many rounds a debate has at most", unless |rounds| outside(rounds, &0, &MOST_ROUNDS), weakens WhenLower;
    /// AFS 7.1; the name is ours.
    ARBITRATOR: Box<str> = "user".into(), "hivemind.council.arbitrator",
        "who ends a debate, beside the user and the team lead", weakens Always;
    /// AFS 7.4, decision 5.
    RETENTION_DAYS: u32 = 90, "council.audit_retention_days",
        "the files of councils that ended so long before the last entry are not written any more; their lines stay",
        weakens Never;
}

in_force! {
    /// The rules of one session, as they were when it opened (AFS 7.1).
    #[sparse]
    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    pub struct Rules of settings {
        /// The seats: agents or roles, each once.
        #[always]
        pub council_agents: Vec<Box<str>> = seats(settings),
        /// How many seats there are.
        pub council_size: usize = council_agents.len(),
        /// So many must approve or reject.
        pub quorum: u32 = settings.get(&QUORUM).min(u32::try_from(council_size).unwrap_or(u32::MAX)).max(1),
        /// What decides.
        pub threshold: Share = settings.get(&THRESHOLD),
        /// Whether a tie leads to a debate.
        pub debate_on_tie: bool = settings.get(&DEBATE_ON_TIE),
        /// So many rounds it has at most.
        pub max_debate_rounds: u32 = settings.get(&MAX_ROUNDS).min(MOST_ROUNDS),
        /// Who ends it.
        pub arbitrator: AgentId = AgentId::from(settings.get(&ARBITRATOR)),
        /// So long votes are awaited.
        pub voting_hours: Option<u32> = Some(settings.get(&VOTING_HOURS).min(MOST_HOURS)),
    }
}

/// The seats that a council has: agents or roles, each once.
pub fn seats(settings: &Settings) -> Vec<Box<str>> {
    let size = settings.get(&SIZE).min(MOST_MEMBERS);
    let mut seats: Vec<Box<str>> = Vec::new();
    for agent in settings.get(&AGENTS) {
        if seats.len() < size && !agent.is_empty() && !seats.contains(&agent) {
            seats.push(agent);
        }
    }
    seats
}
