//! `annals credit …`: give credits, see who earned what (control-room 11, 12, 15).

mod award;
mod board;
pub(super) mod profile;
mod slice;

use super::output::Output;
use super::registry::{CommandRow, rows};
use crate::domain::credit::CreditReason;
use crate::domain::{Event, credit, team};
use crate::engine::Answer;
use crate::kernel::actor::SYSTEM;
use crate::kernel::credits::Credits;
use crate::view::credit::words::achieved;

/// Commands about credits.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Give an agent credits, or take some, as far as they are yours to give
    "award" => decides(
        "credits.credit.award",
        "agent --reason --amount --issue:about.issue --comment<ENTRY>:about.comment --file<PATH>:about.file note",
        award::decide,
    ),
    /// List the agents with credits, tier and rates
    "list" => Runs(&Bare(profile::list)),
    /// Show what an agent earned, why, and with which models
    "profile" => Runs(&With(profile::run)),
    /// Show who leads, what the team achieved, and its goals
    "board" => Runs(&With(board::run)),
    /// Cut a task into parts that earn their share, or check the next part off
    "slice" => Runs(&With(slice::run)),
};

/// `+2`, `-1`, `0`.
pub(super) fn signed(credits: Credits) -> String {
    if credits > Credits::ZERO { format!("+{credits}") } else { credits.to_string() }
}

/// Says what credits the rules gave and took after a decision, and whose standing changed.
pub(super) fn say_follows(out: &mut Output, answer: &Answer) -> std::io::Result<()> {
    answer.events.iter().filter_map(follow).try_for_each(|line| out.say(line))
}

fn follow(event: &Event) -> Option<String> {
    if let Event::Credit(credit::Event::Awarded(awarded)) = event {
        // What somebody gave by hand is what was asked, and said already.
        let is_by_rule = awarded.by.as_str() == SYSTEM || awarded.reason == CreditReason::CleanUnfreeze;
        is_by_rule.then(|| format!("{} for {}: {}", signed(awarded.amount), awarded.agent, awarded.reason))
    } else if let Event::Credit(credit::Event::GoalAchieved(goal)) = event {
        Some(format!("the goal {} is reached", goal.goal))
    } else if let Event::Credit(credit::Event::GoalMissed(goal)) = event {
        Some(format!("the goal {} was not reached in its time", goal.goal))
    } else if let Event::Team(team::Event::Awarded(awarded)) = event {
        Some(format!("{} for the team: {}", signed(awarded.amount), achieved(awarded.reason)))
    } else if let Event::Reliability(crate::domain::reliability::Event::LevelChanged(changed)) = event {
        Some(format!("{} is at the level {} now", changed.agent, changed.to))
    } else {
        None
    }
}
