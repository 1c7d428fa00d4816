//! Who may ask for a challenge, and take it back (control-room 2.2, 9.3).

use super::command::{Assign, Command, Observed, Release};
use super::event::{Called, DissentEnding, Event, Expired};
use super::state::State;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;
use annals_kernel::settings::settings;

settings! {
    /// Control-room 13.1.
    COMMENTS: u32 = 2, "dissent.expires_after_comments",
        "after how many comments on the issue a devil's advocate has done its task", weakens WhenLower;
}

refusal! {
    /// Why nobody is asked to dissent, or why it goes on.
    pub enum Refusal {
        /// It is for those who watch over the swarm.
        NotPrivileged = "advocate.not_privileged" { actor: AgentId },
        /// One at a time.
        Live = "advocate.live" { agent: AgentId },
        /// There is nothing to take back.
        NotLive = "advocate.not_live",
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    if !moment.standing.is_privileged() {
        return Outcome::refused(Refusal::NotPrivileged { actor: moment.actor.clone() });
    }
    match command {
        Command::Assign(Assign { issue, agent }) => match state.live(issue) {
            Some(live) => Outcome::refused(Refusal::Live { agent: live.agent.clone() }),
            None => Outcome::of(Called { issue: issue.clone(), agent: agent.clone() }),
        },
        Command::Release(Release { issue }) => match state.live(issue) {
            None => Outcome::refused(Refusal::NotLive),
            Some(live) => Outcome::of(Expired {
                issue: issue.clone(),
                agent: live.agent.clone(),
                used: live.used,
                ending: DissentEnding::Released,
            }),
        },
    }
}
