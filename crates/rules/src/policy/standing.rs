//! What somebody tried who may not: recorded once a day by rule and actor, and told to the user once a day by rule.
//!
//! It is about who asks, not about what was asked: a comment that is too short is no attempt at anything.

use super::Setting;
use super::entry::shell_of;
use super::notices::post;
use crate::domain::notice::{Matter, NoticeLevel};
use crate::domain::roster::event::Barred;
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided, issue};
use annals_kernel::actor::{Standing, USER};
use annals_kernel::decision::Moment;
use annals_kernel::id::AgentId;

/// The rules that say who may.
pub const RULES: &[&str] = &[
    "access.forbidden", "access.not_the_user", "advocate.not_privileged", "blind.not_privileged", "canon.not_a_lead",
    "cognition.only_system", "cognition.only_user", "config.not_a_lead", "config.not_the_user",
    "council.not_the_arbitrator", "credits.not_a_goal_setter", "credits.not_entitled", "credits.not_the_assistant",
    "credits.system_only", "history.not_the_user", "hivemind.not_a_lead", "hivemind.not_the_user",
    "issues.not_privileged", "knowledge.not_a_reviewer", "memory.not_the_dreamer", "memory.not_the_solver",
    "milestones.not_allowed", "moderation.not_privileged", "moderation.own_freedom", "moderation.restricted",
    "notices.not_for_you", NOT_PROVED, NOT_THE_USER_HERE, "roster.not_a_lead", "roster.not_a_member",
];

/// A name was used without its token.
pub(super) const NOT_PROVED: &str = "roster.not_proved";
/// Somebody in the environment of an agent said to be the user.
pub(super) const NOT_THE_USER_HERE: &str = "roster.not_the_user_here";

/// Adds to a "no" that an actor tried what it may not, where that is news today.
pub fn note(rooms: &Rooms, ask: &Ask, mut decided: RoomsDecided, moment: &Moment<'_>) -> RoomsDecided {
    let Some(refusal) = &decided.refusal else { return decided };
    let actor = who(ask, moment);
    let is_news = rooms.roster.is_barred_anew(&refusal.rule, &actor, moment.at);
    if !is_attempt(ask, &refusal.rule, moment) || !is_news {
        return decided;
    }
    let command = ask.command.name().into();
    let barred = Barred { actor, rule: refusal.rule.clone(), command, shell: shell_of(ask) };
    decided.events.push(Event::Roster(barred.into()));
    decided
}

/// Who it is: a program that says to be the user is itself.
pub(super) fn who(ask: &Ask, moment: &Moment<'_>) -> AgentId {
    let shell = shell_of(ask).filter(|_| moment.standing == Standing::User);
    shell.map_or_else(|| moment.actor.clone(), AgentId::from)
}

/// The user may do what others may not; without a proof nobody knows that it is the user. Reading is no attempt.
fn is_attempt(ask: &Ask, rule: &str, moment: &Moment<'_>) -> bool {
    let is_reading = matches!(ask.command, Command::Issue(issue::Command::Read(_)));
    let may_be_another = moment.standing.is_agent() || [NOT_PROVED, NOT_THE_USER_HERE].contains(&rule);
    RULES.contains(&rule) && may_be_another && !is_reading
}

/// The user hears of the first attempt against a rule on a day.
pub(super) fn tell(rooms: &Rooms, barred: &Barred, _: &Setting<'_>) -> Vec<Event> {
    if rooms.roster.barred.get(&barred.rule).is_none_or(|tried| tried.actors.len() != 1) {
        return Vec::new();
    }
    let Barred { actor, rule, command, .. } = barred.clone();
    vec![post(&AgentId::from(USER), NoticeLevel::Warning, Matter::Barred { actor, rule, command }, None)]
}
