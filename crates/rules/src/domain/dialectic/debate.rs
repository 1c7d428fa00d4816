//! The life of a debate: request, advocate, critic, synthesis (Dialectic, "Debate Flow"; decision 26b).

use super::command::{Argue, DebateKind, DebateSide, Observed, Position, Request, Resolve, TextFinding};
use super::csp::{self, Resolved, Stakes};
use super::decide::{short, task_of};
use super::event::{Argued, Escalated, EscalationReason, Event, Requested, ResolvedDebate};
use super::gate::plan_id;
use super::judge;
use super::limits::{
    ADVOCATE_TOKENS, ATTEMPTS_AFTER_FAILURE, ATTEMPTS_AFTER_MODIFY, CHARS_PER_TOKEN, CONFIDENT, CRITIC_TOKENS,
    DEBATE_AFTER, SYNTHESIS_TOKENS,
};
use super::named::Named;
use super::refusal::Refusal;
use super::row::{Debate, DebateRound};
use super::stakes::{AtStake, DebateCategory, DebateRequest, RequestVoice, at_stake};
use super::state::State;
use super::synthesis::{self, SynthesisRule};
use super::task::DebatedTask;
use annals_kernel::actor::{Standing, USER};
use annals_kernel::decision::Moment;
use annals_kernel::settings::Settings;

/// Dialectic, "CSP/1 Protocol Extensions": 1 to 3.
const MOST_ROUNDS: u8 = 3;
/// The longest list of attempts or errors.
const MOST_LISTED: usize = 16;

type Decided = Result<Vec<Event>, Refusal>;

/// How many tokens a text is taken for.
pub(super) fn tokens(text: &str, settings: &Settings) -> u32 {
    let chars = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    chars.div_ceil(settings.get(&CHARS_PER_TOKEN).max(1))
}

fn within(tokens: u32, most: u32) -> Result<(), Refusal> {
    if tokens > most { Err(Refusal::TooManyTokens { tokens, most }) } else { Ok(()) }
}

pub(super) fn request(state: &State, asked: &Request, moment: &Moment<'_>) -> Decided {
    let task = task_of(state, &asked.task)?;
    let named = state.named(&asked.task).ok_or(Refusal::NoTask)?;
    let texts = asked.plan.iter().chain(&asked.attempts).chain(&asked.errors);
    texts.take(2 * MOST_LISTED + 1).try_for_each(|text| short(text))?;
    let rounds = asked.rounds.unwrap_or(1);
    if !(1..=MOST_ROUNDS).contains(&rounds) {
        return Err(Refusal::BadRounds { rounds, most: MOST_ROUNDS });
    }
    if state.is_off(&moment.session) {
        return Err(Refusal::Disabled { session: moment.session.clone() });
    }
    let known = state.task(&task);
    if let Some(debate) = known.and_then(|known| known.open.clone()) {
        return Err(Refusal::GoesOn { debate });
    }
    let plan = plan_id(&named, asked.plan.as_deref());
    let failures = known.map_or(0, DebatedTask::failures);
    match asked.kind {
        DebateKind::Planning => not_debated(known, &plan)?,
        DebateKind::Failure => enough_failures(known, asked, moment.settings)?,
    }
    let AtStake { stakes, category } = stakes_of(&named, asked, moment);
    let debate = moment.id.to_string().into();
    Ok(vec![Requested { debate, task, kind: asked.kind, plan, stakes, category, rounds, failures }.into()])
}

/// The higher of what the rule finds and what is claimed; the user may say that it is less (decision 57).
fn stakes_of(named: &Named, asked: &Request, moment: &Moment<'_>) -> AtStake {
    let texts: Vec<&str> = std::iter::once(&*named.text).chain(asked.plan.as_deref()).collect();
    let voice = if moment.standing == Standing::User { RequestVoice::User } else { RequestVoice::Agent };
    let found = at_stake(DebateRequest { texts: &texts, facts: &asked.facts, voice }, moment.settings);
    let found = match asked.kind {
        DebateKind::Planning => found,
        // What failed twice is worth arguing about, whatever is at stake.
        DebateKind::Failure => AtStake { stakes: found.stakes.max(Stakes::Medium), category: DebateCategory::Failure },
    };
    let claimed = asked.stakes.unwrap_or(found.stakes);
    let stakes = if moment.standing == Standing::User { claimed } else { claimed.max(found.stakes) };
    AtStake { stakes, ..found }
}

fn not_debated(known: Option<&DebatedTask>, plan: &str) -> Result<(), Refusal> {
    let debated = known.and_then(|known| known.planned.iter().find(|planned| *planned.plan == *plan));
    debated.map_or(Ok(()), |planned| Err(Refusal::DebatedAlready { debate: planned.debate.clone() }))
}

fn enough_failures(known: Option<&DebatedTask>, asked: &Request, settings: &Settings) -> Result<(), Refusal> {
    if let Some(used) = known.and_then(|known| known.used.as_ref()) {
        return Err(Refusal::DebateUsed { debate: used.debate.clone() });
    }
    let given = u32::try_from(asked.errors.len().min(MOST_LISTED)).unwrap_or(u32::MAX);
    let (count, least) = (known.map_or(0, DebatedTask::failures).max(given), settings.get(&DEBATE_AFTER));
    if count < least { Err(Refusal::TooFewFailures { count, least }) } else { Ok(()) }
}

/// A debate in which somebody may still speak.
fn open<'s>(state: &'s State, debate: &str) -> Result<&'s Debate, Refusal> {
    let found = state.debate(debate).ok_or_else(|| Refusal::UnknownDebate { debate: debate.into() })?;
    if found.is_open() { Ok(found) } else { Err(Refusal::Over { debate: debate.into() }) }
}

pub(super) fn argue(state: &State, asked: &Argue, moment: &Moment<'_>) -> Decided {
    let debate = open(state, &asked.debate)?;
    let (side, position) = (asked.position.side(), asked.position.kind());
    if position != debate.kind {
        return Err(Refusal::OtherKind { debate: debate.kind, position });
    }
    let round = match debate.next() {
        Some((next, round)) if next == side => round,
        Some(_) | None => return Err(Refusal::NotYourTurn { side }),
    };
    one_side(debate, side, moment)?;
    let limit = match side {
        DebateSide::Advocate => &ADVOCATE_TOKENS,
        DebateSide::Critic => &CRITIC_TOKENS,
    };
    let tokens = tokens(&csp::write(&asked.position.message()), moment.settings);
    within(tokens, moment.settings.get(limit))?;
    Ok(vec![Argued { debate: asked.debate.clone(), side, round, tokens }.into()])
}

/// The person may speak for both; an agent does not argue with itself.
fn one_side(debate: &Debate, side: DebateSide, moment: &Moment<'_>) -> Result<(), Refusal> {
    let actor = &moment.actor;
    let spoke = |round: &DebateRound| match side {
        DebateSide::Advocate => round.critic.as_ref().is_some_and(|critic| critic.by == *actor),
        DebateSide::Critic => round.advocate.by == *actor,
    };
    if actor.as_str() == USER || !debate.spoken.iter().any(spoke) {
        return Ok(());
    }
    let other = match side {
        DebateSide::Advocate => DebateSide::Critic,
        DebateSide::Critic => DebateSide::Advocate,
    };
    Err(Refusal::BothSides { actor: actor.clone(), side: other })
}

/// The row of the table that a debate comes to.
fn rule(
    state: &State,
    debate: &Debate,
    asked: &Resolve,
    observed: &Observed,
    settings: &Settings,
) -> Option<SynthesisRule> {
    let accepted = |given: Option<TextFinding>, found: TextFinding| given.unwrap_or(found).is_accepted();
    match debate.last_round()? {
        (Position::Claim(claim), Position::Objection(objection)) => Some(synthesis::plan(synthesis::Plan {
            severity: objection.severity,
            actionable: objection.counter.is_some() && accepted(observed.actionable, judge::actionable(objection)),
            confident: synthesis::Plan::is_confident(claim.confidence, settings.get(&CONFIDENT)),
            stakes: debate.stakes,
        })),
        (Position::Diagnosis(diagnosis), Position::Doubt(doubt)) => {
            let earlier = state.task(&debate.task).map_or(&[][..], |task| &task.patterns);
            let is_seen = |pattern: &str| judge::is_seen(pattern, earlier, &debate.errors);
            Some(synthesis::failure(synthesis::DebatedFailure {
                should_escalate: doubt.should_escalate,
                pattern_seen: doubt.pattern.as_deref().is_some_and(is_seen),
                substantial: accepted(observed.substantial, judge::substantial(diagnosis, &debate.attempts)),
                blind_spot: doubt.blind_spot.is_some(),
                alternative: asked.next_approach.is_some(),
            }))
        }
        // A debate has positions of its own kind only.
        (Position::Claim(_) | Position::Objection(_) | Position::Diagnosis(_) | Position::Doubt(_), _) => None,
    }
}

pub(super) fn resolve(state: &State, asked: &Resolve, observed: &Observed, moment: &Moment<'_>) -> Decided {
    let debate = open(state, &asked.debate)?;
    if let Some((DebateSide::Critic, _)) = debate.next() {
        return Err(Refusal::NotHeard { side: DebateSide::Critic });
    }
    let settings = moment.settings;
    let rule =
        rule(state, debate, asked, observed, settings).ok_or(Refusal::NotHeard { side: DebateSide::Advocate })?;
    let expected = rule.resolution();
    if let Some(given) = asked.resolution.filter(|given| *given != expected) {
        return Err(Refusal::NotByRule { rule: rule.as_str(), expected, given });
    }
    let resolution = resolution(debate, asked, rule, settings)?;
    let said = csp::write(&csp::Message::Resolution(resolution.message()));
    within(tokens(&said, settings), settings.get(&SYNTHESIS_TOKENS))?;
    let task = resolution.task.clone();
    let mut events = vec![Event::from(resolution)];
    if expected == Resolved::Escalate {
        events.push(Escalated { task, why: EscalationReason::Resolution, failures: debate.failures }.into());
    }
    Ok(events)
}

/// What follows, in the words that were given, or in those of the two sides.
fn resolution(
    debate: &Debate,
    asked: &Resolve,
    rule: SynthesisRule,
    settings: &Settings,
) -> Result<ResolvedDebate, Refusal> {
    let word = rule.resolution();
    let most = match word {
        Resolved::Modify => settings.get(&ATTEMPTS_AFTER_MODIFY),
        Resolved::Retry | Resolved::Pivot => settings.get(&ATTEMPTS_AFTER_FAILURE),
        Resolved::Proceed | Resolved::Escalate => 0,
    };
    if let Some(given) = asked.next_attempt_limit.filter(|given| *given > most) {
        return Err(Refusal::TooManyAttempts { resolution: word, most, given });
    }
    let (advocate, critic) = debate.last_round().expect("BUG: a rule needs both sides");
    let goes_on = matches!(word, Resolved::Retry | Resolved::Pivot);
    let next = || asked.next_approach.clone().unwrap_or_else(|| next_approach(advocate, critic));
    let changes = if asked.modifications.is_empty() { counter(critic) } else { asked.modifications.clone() };
    let who = || asked.escalate_to.clone().unwrap_or_else(|| USER.into());
    Ok(ResolvedDebate {
        debate: asked.debate.clone(),
        task: debate.task.clone(),
        resolution: word,
        rule,
        rationale: asked.rationale.clone().unwrap_or_default(),
        modifications: if word == Resolved::Modify { changes } else { Vec::new() },
        next_approach: goes_on.then(next),
        escalate_to: (word == Resolved::Escalate).then(who),
        next_attempt_limit: (most > 0).then(|| asked.next_attempt_limit.unwrap_or(most)),
    })
}

/// The critic's suggestion.
fn counter(critic: &Position) -> Vec<Box<str>> {
    match critic {
        Position::Objection(objection) => objection.counter.iter().cloned().collect(),
        Position::Claim(_) | Position::Diagnosis(_) | Position::Doubt(_) => Vec::new(),
    }
}

/// The fix, and what was overlooked.
fn next_approach(advocate: &Position, critic: &Position) -> Box<str> {
    let Position::Diagnosis(diagnosis) = advocate else { return Box::default() };
    match critic {
        Position::Doubt(csp::Doubt { blind_spot: Some(blind), .. }) => {
            format!("{}; mind: {blind}", diagnosis.fix).into()
        }
        Position::Claim(_) | Position::Objection(_) | Position::Diagnosis(_) | Position::Doubt(_) => {
            diagnosis.fix.clone()
        }
    }
}

impl ResolvedDebate {
    /// As a message of CSP/1.
    pub fn message(&self) -> csp::Resolution {
        csp::Resolution {
            resolution: self.resolution,
            rationale: self.rationale.clone(),
            modifications: self.modifications.clone(),
            next_approach: self.next_approach.clone(),
            escalate_to: self.escalate_to.clone(),
            next_attempt_limit: self.next_attempt_limit,
        }
    }
}
