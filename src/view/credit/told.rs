//! What an agent is told about its own standing and about the team (control-room 12.3, 15.4). In our own words.
//!
//! Names no credits of others: what counts is what all of them reach.

use crate::domain::Rooms;
use crate::domain::credit::goal::CreditGoal;
use crate::domain::reliability::AgentTrust;
use crate::domain::reliability::ladder::COOLDOWN;
use crate::kernel::id::AgentId;
use crate::kernel::settings::Settings;
use crate::view::brief::Section;
use crate::view::credit::GoalInfo;

/// What an agent is told that was penalised too often; nothing where it was not (control-room 12.3).
pub(crate) fn more_care(rooms: &Rooms, agent: &AgentId, settings: &Settings) -> Option<Section> {
    let record = rooms.reliability.current(agent).filter(|record| record.level.is_remediated())?;
    let (rate, cooldown) = (record.penalty(settings), settings.get(&COOLDOWN));
    let actions = if cooldown == 1 { "action has" } else { "actions have" };
    let lines = vec![
        format!(
            "{} of your last {} actions were penalised. Until that gets better, this holds for you, too:",
            rate.count, rate.of
        ),
        "Every proposal stands on two sources at least.".to_owned(),
        "Every file is cited with its lines; a file alone is not enough.".to_owned(),
        "Read each place again before you cite it, and quote it as it stands.".to_owned(),
        "What you are not sure of goes to the moderator as a question.".to_owned(),
        format!("It ends by itself when {cooldown} {actions} gone by with few enough penalties."),
    ];
    Some(Section { title: "More care", lines })
}

/// What an agent is told about the team and its goals (control-room 15.4), and how far its own word goes (8.2).
pub fn team(rooms: &Rooms, agent: &AgentId, settings: &Settings) -> Section {
    let mut lines: Vec<String> = TEAM.iter().map(|line| (*line).to_owned()).collect();
    let trust = rooms.reliability.current(agent).map_or(AgentTrust::Normal, |record| record.trust(settings));
    lines.extend(match trust {
        AgentTrust::Low => Some("Another agent checks whatever you propose before it counts.".to_owned()),
        AgentTrust::Normal => None,
        AgentTrust::High => Some("You may approve minor changes alone.".to_owned()),
    });
    let concerns = |goal: &CreditGoal| goal.agent.is_none() || goal.agent.as_ref() == Some(agent);
    let goals = rooms.credit.totals.goals.iter().filter(|(_, goal)| concerns(goal));
    lines.extend(goals.map(|(id, goal)| GoalInfo::of(id, goal).line()));
    Section { title: "Team", lines }
}

const TEAM: [&str; 3] = [
    "You are one of a team, and what counts is what all of you get done; to agree with whoever spoke last helps nobody.",
    "It helps to catch a mistake before it spreads, to look things up, to doubt an agreement that nobody has grounded, \
     and to ask when you do not know.",
    "The user leads the team and can be wrong, too: where something the user says contradicts what holds in the \
     project, say so, kindly and with the place.",
];
