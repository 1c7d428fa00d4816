//! Who may give what to whom (control-room 11.6, 11.4.1, 11.9; decision 16).

use super::command::{Award, Command, Complete, DropGoal, Observed, SetGoal, Slice};
use super::event::{Awarded, Completed, Event, GoalDropped, GoalSet, Refused, Sliced};
use super::formula::slices;
use super::goal::{Deadline, GoalMetric, MOST_OPEN};
use super::profile::WEIGHTS;
use super::reason::{CreditReason, Heading, Worth};
use super::refusal::Refusal;
use super::state::State;
use annals_kernel::actor::{Role, Standing, USER};
use annals_kernel::credits::Credits;
use annals_kernel::decision::{Moment, Outcome};
use annals_kernel::id::{AgentId, ModelId};
use annals_kernel::settings::settings;

settings! {
    /// What the assistant may hand out.
    MOST_PER_TASK: u32 = 20, "credits.max_per_task",
        "how many credits a task may be worth that is cut into slices, and how many slices it may have",
        weakens WhenHigher;
}

type Decided = Result<Outcome<Event, Refusal>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    match command {
        Command::Award(award) => {
            let answer = awarded(state, award, moment);
            return answer.map_or_else(|refusal| refused(award, &moment.actor, refusal), Outcome::of);
        }
        Command::Slice(slice) => sliced(state, slice, moment),
        Command::Complete(complete) => return completed(state, complete, moment),
        Command::SetGoal(goal) => goal_set(state, goal, moment),
        Command::DropGoal(goal) => goal_dropped(state, goal, moment),
    }
    .into()
}

/// Every refused award is recorded (decision 16).
pub fn refused(award: &Award, by: &AgentId, refusal: Refusal) -> Outcome<Event, Refusal> {
    let rule = refusal.rule().into();
    let event = Refused { agent: award.agent.clone(), by: by.clone(), reason: award.reason, rule };
    Outcome::refused_with(event, refusal)
}

fn awarded(state: &State, award: &Award, moment: &Moment<'_>) -> Result<Awarded, Refusal> {
    let agent = award.agent.clone();
    if agent == moment.actor {
        return Err(Refusal::SelfAward { agent });
    }
    may_award(award.reason, moment)?;
    let model = recipient(state, &agent)?;
    let (amount, weight) = weighed(state, award, moment)?;
    is_due(state, award, moment)?;
    let (reason, by, about) = (award.reason, moment.actor.clone(), award.about.clone());
    Ok(Awarded { agent, model, amount, reason, by, weight, about, citations: Vec::new() })
}

/// Who may award stands above the reason in control-room 11.5.
fn may_award(reason: CreditReason, moment: &Moment<'_>) -> Result<(), Refusal> {
    let by = moment.actor.clone();
    let heading = reason.heading();
    if moment.standing == Standing::Stranger {
        return Err(Refusal::Stranger { by });
    }
    let may = match heading {
        Heading::System => return Err(Refusal::SystemOnly { reason }),
        Heading::User => moment.standing == Standing::User,
        Heading::Moderator => moment.standing.is_moderator(),
        Heading::Agents => moment.standing.is_agent(),
        // Only as a part of a task is done.
        Heading::Assistant => false,
    };
    if may { Ok(()) } else { Err(Refusal::NotEntitled { by, reason, heading }) }
}

fn recipient(state: &State, agent: &AgentId) -> Result<ModelId, Refusal> {
    if agent.as_str() == USER {
        return Err(Refusal::UserEarnsNothing);
    }
    let model = state.totals.members.get(agent).cloned();
    model.ok_or_else(|| Refusal::UnknownAgent { agent: agent.clone() })
}

/// Amounts are fixed, but for what the moderator may say, which is held between 1 and 3; the word of another agent weighs
/// as much as its own reliability (decision 16).
fn weighed(state: &State, award: &Award, moment: &Moment<'_>) -> Result<(Credits, Option<u32>), Refusal> {
    const BOUNDS: (i64, i64) = (1, 3);
    let amount = match (award.reason.worth(moment.settings), award.amount) {
        (Worth::Discretionary(sign), said) => {
            let size = said.unwrap_or(1).saturating_abs().clamp(BOUNDS.0, BOUNDS.1);
            Credits::whole(sign * size)
        }
        (Worth::Fixed(_) | Worth::Computed, Some(_)) => {
            return Err(Refusal::FixedAmount { reason: award.reason });
        }
        (Worth::Fixed(amount), None) => amount,
        (Worth::Computed, None) => Credits::ZERO,
    };
    if award.reason.heading() != Heading::Agents {
        return Ok((amount, None));
    }
    let tier = state.totals.tier(&moment.actor, moment.settings);
    let weight = moment.settings.get(&WEIGHTS).get(&tier).copied().unwrap_or_default();
    Ok((amount.weighted(i64::from(weight)), Some(weight)))
}

/// One thanks another once for an issue, so that two cannot thank each other rich; and an issue that was unfrozen pays
/// once.
fn is_due(state: &State, award: &Award, moment: &Moment<'_>) -> Result<(), Refusal> {
    let reason = award.reason;
    if ![CreditReason::PeerMarkedHelpful, CreditReason::CleanUnfreeze].contains(&reason) {
        return Ok(());
    }
    let ledger = state.ledger(award.about.issue.as_ref().ok_or(Refusal::NoIssue { reason })?);
    let thanks = (moment.actor.clone(), award.agent.clone());
    if ledger.is_some_and(|ledger| ledger.thanked.contains(&thanks)) && reason == CreditReason::PeerMarkedHelpful {
        return Err(Refusal::ThankedAlready { by: thanks.0, agent: thanks.1 });
    }
    let is_unfrozen = ledger.is_some_and(|ledger| ledger.unfrozen_by.is_some() && !ledger.paid.contains(&reason));
    if reason == CreditReason::CleanUnfreeze && !is_unfrozen { Err(Refusal::NotDue { reason }) } else { Ok(()) }
}

/// Cuts a task and checks its parts off: the assistant, or the user.
fn hands_out(moment: &Moment<'_>) -> Result<(), Refusal> {
    let may = matches!(&moment.standing, Standing::User | Standing::Agent(Role::Assistant));
    if may { Ok(()) } else { Err(Refusal::NotTheAssistant { actor: moment.actor.clone() }) }
}

fn sliced(state: &State, slice: &Slice, moment: &Moment<'_>) -> Decided {
    hands_out(moment)?;
    let (doer, most) = (slice.doer.clone(), moment.settings.get(&MOST_PER_TASK));
    if doer == moment.actor {
        return Err(Refusal::SelfAward { agent: doer });
    }
    recipient(state, &doer)?;
    if slices(Credits::whole(slice.total.into()), slice.slices).is_err() || slice.total == 0 {
        return Err(Refusal::BadSlices { total: slice.total, slices: slice.slices });
    }
    if slice.total > most || slice.slices > most {
        return Err(Refusal::TooLarge { most });
    }
    if state.ledger(&slice.issue).is_some_and(|ledger| ledger.tasks.contains_key(&doer)) {
        return Err(Refusal::CutAlready { doer });
    }
    Ok(Outcome::of(Sliced { issue: slice.issue.clone() }))
}

/// What is done earns its share; whoever checks a part off for itself tries to award itself.
fn completed(state: &State, complete: &Complete, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let award = || Award {
        agent: complete.doer.clone(),
        reason: CreditReason::AssistedSlice,
        amount: None,
        about: super::command::AwardSubject::issue(&complete.issue),
        note: None,
    };
    if complete.doer == moment.actor {
        return refused(&award(), &moment.actor, Refusal::SelfAward { agent: complete.doer.clone() });
    }
    if let Err(refusal) = hands_out(moment) {
        return refused(&award(), &moment.actor, refusal);
    }
    part_done(state, complete, moment).into()
}

fn part_done(state: &State, complete: &Complete, moment: &Moment<'_>) -> Decided {
    let (issue, doer) = (complete.issue.clone(), complete.doer.clone());
    let no_part = || Refusal::NoPart { doer: doer.clone() };
    let task = state.ledger(&issue).and_then(|ledger| ledger.tasks.get(&doer)).ok_or_else(no_part)?;
    let shares = slices(Credits::whole(task.total.into()), task.slices).map_err(|_| no_part())?;
    let amount = *shares.get(task.done as usize).ok_or_else(no_part)?;
    let awarded = Awarded {
        agent: doer.clone(),
        model: recipient(state, &doer)?,
        amount,
        reason: CreditReason::AssistedSlice,
        by: moment.actor.clone(),
        weight: None,
        about: super::command::AwardSubject::issue(&issue),
        citations: Vec::new(),
    };
    let number = task.done + 1;
    let events = vec![Completed { issue, doer, number }.into(), awarded.into()];
    Ok(Outcome { events, refusal: None })
}

fn sets_goals(moment: &Moment<'_>) -> Result<(), Refusal> {
    let may = moment.standing == Standing::User || moment.standing.is_moderator();
    if may { Ok(()) } else { Err(Refusal::NotAGoalSetter { actor: moment.actor.clone() }) }
}

fn goal_set(state: &State, goal: &SetGoal, moment: &Moment<'_>) -> Decided {
    sets_goals(moment)?;
    if goal.target == 0 {
        return Err(Refusal::NoTarget);
    }
    if goal.metric == GoalMetric::ZeroPenalties && goal.deadline.is_none() {
        return Err(Refusal::NoDeadline);
    }
    if matches!(goal.deadline, Some(Deadline::Time(end)) if end <= moment.at) {
        return Err(Refusal::PastDeadline);
    }
    if let Some(agent) = &goal.agent {
        recipient(state, agent)?;
    }
    let most = moment.settings.get(&MOST_OPEN);
    if state.totals.goals.len() >= most {
        return Err(Refusal::TooManyGoals { most });
    }
    Ok(Outcome::of(GoalSet { goal: moment.id.to_string().into() }))
}

fn goal_dropped(state: &State, goal: &DropGoal, moment: &Moment<'_>) -> Decided {
    sets_goals(moment)?;
    let goal = goal.goal.clone();
    if !state.totals.goals.contains_key(&goal) {
        return Err(Refusal::UnknownGoal { goal });
    }
    Ok(Outcome::of(GoalDropped { goal }))
}
