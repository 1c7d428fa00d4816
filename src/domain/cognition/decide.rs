//! What becomes of a command.

use super::command::{
    AddFact, AddGoal, Advance, Announce, Answer, Command, Contradict, Correct, Feel, Fire, Focus, Load, Observed,
    Reconcile, SetTone, Settle, Think, Verdict, VerifyFact, Wonder,
};
use super::critic::Reason;
use super::event::{
    ConflictFound, ConflictResolved, ContradictionFound, ContradictionResolved, CorrectionNoted, EmotionsUpdated,
    EpistemicUpdated, Event, FactAdded, FactDropped, FactVerified, FeelingStated, FlowEntered, FlowExited, GoalAdded,
    GoalAdvanced, GoalFocused, GoalsUpdated, MetacognitionUpdated, ModeActivated, SpinDetected, StateLoaded,
    ThoughtStated, ToneChanged, TriggerAccepted, TriggerDenied, TriggerFired, UnknownAdded, UnknownResolved,
};
use super::gate::Standing;
use super::goal::{CONFLICTS, Kind, MOST_GOALS, Status};
use super::limits::{GATE, Limits, PER_TRIGGER, TONE_BY_USER, TONE_UP_BY_USER};
use super::load::Loaded;
use super::metacognition::MOST_FOCUS;
use super::mind::{Firing, Mind, Rule, What};
use super::refusal::{Refusal, Thing};
use super::snapshot::{Part, is_due};
use super::state::State;
use crate::kernel::actor;
use crate::kernel::decision::{Cause, Moment, Outcome};
use crate::kernel::id::{EntryId, SessionId};

/// A text is not longer than this, in characters.
const MOST_CHARS: usize = 2000;

type Decided = Result<Vec<Event>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let nobody = Mind::default();
    let mind = state.mind(command.session().as_str()).unwrap_or(&nobody);
    let case = Case { mind, moment, session: command.session() };
    let decided = case.decide(command).map(|mut events| {
        events.extend(case.snapshots(&events, command, observed));
        Outcome { events, refusal: None }
    });
    decided.into()
}

/// What a command is decided on.
struct Case<'c> {
    mind: &'c Mind,
    moment: &'c Moment<'c>,
    session: &'c SessionId,
}

impl Case<'_> {
    fn decide(&self, command: &Command) -> Decided {
        let session = self.session.clone();
        match command {
            Command::Feel(feel) => self.feel(feel),
            Command::Think(think) => self.think(think),
            Command::Correct(correct) => correct_fits(correct).map(|()| vec![CorrectionNoted { session }.into()]),
            Command::AddGoal(add) => self.add_goal(add),
            Command::Advance(advance) => self.advance(advance),
            Command::Focus(focus) => self.focus(focus),
            Command::Reconcile(resolve) => self.reconcile(resolve),
            Command::AddFact(add) => self.add_fact(add),
            Command::VerifyFact(verify) => self.verify(verify),
            Command::DropFact(dropped) => {
                self.fact(&dropped.fact)?;
                Ok(vec![FactDropped { session, fact: dropped.fact.clone() }.into()])
            }
            Command::Contradict(stated) => self.contradict(stated),
            Command::Settle(settle) => self.settle(settle),
            Command::Wonder(wonder) => self.wonder(wonder),
            Command::Learn(learn) => self.learn(&learn.unknown, &learn.answer),
            Command::Load(load) => self.load(load),
            Command::Announce(announce) => self.announce(announce),
            Command::Fire(fire) => self.fire(fire),
            Command::Answer(answer) => self.answer(answer),
            Command::SetTone(set) => self.set_tone(set),
        }
    }

    /// An id for what a decision makes.
    fn id(&self) -> Box<str> {
        self.moment.id.to_string().into()
    }

    /// States that have changed enough to be told (AFS 4.5).
    fn snapshots(&self, events: &[Event], command: &Command, observed: &Observed) -> Vec<Event> {
        let Some(part) = events.iter().find_map(Event::part) else { return Vec::new() };
        let (mut after, moment) = (self.mind.clone(), self.moment);
        let cause = Cause { asked: Some((command, observed)), id: moment.id, at: moment.at, actor: &moment.actor };
        events.iter().for_each(|event| after.take(event, &cause));
        let limits = Limits::of(moment.settings);
        let told = is_due(part, &after, &limits, moment.at).then(|| self.told(part, &after, &limits)).flatten();
        told.into_iter().collect()
    }

    fn told(&self, part: Part, mind: &Mind, limits: &Limits) -> Option<Event> {
        let session = self.session.clone();
        Some(match part {
            Part::Emotions => EmotionsUpdated { session, state: mind.emotions.clone()? }.into(),
            Part::Metacognition => MetacognitionUpdated { session, state: mind.metacognition(limits) }.into(),
            Part::Goals => GoalsUpdated { session, state: mind.goals.clone()? }.into(),
            Part::Epistemic => EpistemicUpdated { session, state: mind.epistemic.clone()? }.into(),
        })
    }

    fn feel(&self, feel: &Feel) -> Decided {
        let session = self.session.clone();
        if *feel == (Feel { session: session.clone(), ..Feel::default() }) {
            return Err(Refusal::NothingSaid);
        }
        if feel.valence.is_some_and(|valence| valence.in_thousandths().abs() > 1000) {
            return Err(Refusal::OutOfRange { what: "a valence", low: -1, high: 1 });
        }
        if feel.strength.is_some_and(|strength| !(1..=10).contains(&strength)) {
            return Err(Refusal::OutOfRange { what: "a strength", low: 1, high: 10 });
        }
        let texts = [&feel.mood, &feel.trigger, &feel.satisfied, &feel.frustrated];
        texts.into_iter().flatten().chain(&feel.sources).try_for_each(|text| fits("a text", text))?;
        feel.resolved.iter().try_for_each(|id| self.resolvable(id))?;
        Ok(vec![FeelingStated { session }.into()])
    }

    fn resolvable(&self, id: &str) -> Result<(), Refusal> {
        let emotions = self.mind.emotions.as_ref();
        let found = emotions.and_then(|felt| felt.frustrations.iter().find(|one| *one.id == *id));
        match found {
            None => Err(Refusal::NotThere { thing: Thing::Frustration, id: id.into() }),
            Some(one) if one.resolved => over(Thing::Frustration, id, "resolved"),
            Some(_) => Ok(()),
        }
    }

    fn think(&self, think: &Think) -> Decided {
        let session = self.session.clone();
        if *think == (Think { session: session.clone(), ..Think::default() }) {
            return Err(Refusal::NothingSaid);
        }
        let focus = think.focus.iter().flatten();
        if focus.clone().count() > MOST_FOCUS {
            return Err(Refusal::TooMany { what: "things in focus", most: MOST_FOCUS });
        }
        focus.chain(&think.blocked).try_for_each(|text| fits("a text", text))?;
        Ok(vec![ThoughtStated { session }.into()])
    }

    fn add_goal(&self, add: &AddGoal) -> Decided {
        let session = self.session.clone();
        let nothing = super::goal::Goals::default();
        let goals = self.mind.goals.as_ref().unwrap_or(&nothing);
        says("a goal", &add.description)?;
        let texts = [&add.user_stated].into_iter().chain(&add.success_criteria).chain(&add.constraints);
        texts.into_iter().try_for_each(|text| fits("a text", text))?;
        add.goals.iter().chain(&add.parent).try_for_each(|id| self.goal(id).map(drop))?;
        let primary = goals.primary_goal.as_ref().filter(|goal| !goal.status.is_ended());
        if let (Kind::Primary, Some(goal)) = (add.kind, primary) {
            return Err(Refusal::SecondPrimary { goal: goal.id.clone() });
        }
        if goals.subgoals.len().max(goals.instrumental_goals.len()).max(add.goals.len()) >= MOST_GOALS {
            return Err(Refusal::TooMany { what: "goals", most: MOST_GOALS });
        }
        let goal = self.id();
        let text = [&*add.description, &*add.user_stated].join(" ");
        let found = goals.conflicts_of(&goal, &text, &self.moment.settings.get(&CONFLICTS));
        let found = found.into_iter().map(|conflict| ConflictFound { session: session.clone(), conflict }.into());
        Ok(std::iter::once(GoalAdded { session: session.clone(), goal }.into()).chain(found).collect())
    }

    fn goal(&self, id: &str) -> Result<super::goal::Goal<'_>, Refusal> {
        let found = self.mind.goals.as_ref().and_then(|goals| goals.goal(id));
        found.ok_or_else(|| Refusal::NotThere { thing: Thing::Goal, id: id.into() })
    }

    fn open_goal(&self, id: &str) -> Result<super::goal::Goal<'_>, Refusal> {
        let goal = self.goal(id)?;
        if goal.status.is_ended() { over(Thing::Goal, id, goal.status.as_str()) } else { Ok(goal) }
    }

    /// Progress is clamped; what is whole is reached (AFS 4.3).
    fn advance(&self, advance: &Advance) -> Decided {
        if advance.progress.is_none() && advance.status.is_none() {
            return Err(Refusal::NothingSaid);
        }
        let goal = self.open_goal(&advance.goal)?;
        let progress = advance.progress.map(super::amount::Amount::clamped);
        let reached = progress == Some(crate::kernel::share::Share::WHOLE);
        let status = advance.status.unwrap_or(if reached { Status::Completed } else { goal.status });
        let whole = if status == Status::Completed { crate::kernel::share::Share::WHOLE } else { goal.progress };
        let (session, goal, progress) = (self.session.clone(), advance.goal.clone(), progress.unwrap_or(whole));
        Ok(vec![GoalAdvanced { session, goal, status, progress }.into()])
    }

    fn focus(&self, focus: &Focus) -> Decided {
        let session = self.session.clone();
        let stack = self.mind.goals.as_ref().map(|goals| goals.goal_stack.as_slice()).unwrap_or_default();
        let goal = match &focus.goal {
            Some(id) => {
                self.open_goal(id)?;
                if stack.last() == Some(id) {
                    return over(Thing::Goal, id, "in focus");
                }
                Some(id.clone())
            }
            None if stack.is_empty() => return Err(Refusal::NoFocus),
            None => stack.iter().rev().nth(1).cloned(),
        };
        Ok(vec![GoalFocused { session, goal }.into()])
    }

    fn reconcile(&self, resolve: &Reconcile) -> Decided {
        let session = self.session.clone();
        says("a resolution", &resolve.resolution)?;
        let pair = [&resolve.goal_a, &resolve.goal_b];
        let mut found = self.mind.goals.iter().flat_map(|goals| &goals.conflicts);
        let is_it = |one: &&super::goal::Conflict| pair.contains(&&one.goal_a) && pair.contains(&&one.goal_b);
        let id = format!("{} and {}", resolve.goal_a, resolve.goal_b);
        match found.find(is_it).map(|one| one.resolution.is_some()) {
            None => Err(Refusal::NotThere { thing: Thing::Conflict, id: id.into() }),
            Some(true) => over(Thing::Conflict, &id, "resolved"),
            Some(false) => Ok(vec![ConflictResolved { session }.into()]),
        }
    }

    /// Where there is no room, the least sure fact goes (AFS 4.4).
    fn add_fact(&self, add: &AddFact) -> Decided {
        says("a fact", &add.fact)?;
        fits("a text", &add.source)?;
        let session = || self.session.clone();
        let most = Limits::of(self.moment.settings).working;
        let dropped = self.mind.epistemic.as_ref().and_then(|known| known.least_sure(most));
        let dropped = dropped.map(|fact| FactDropped { session: session(), fact: fact.id.clone() }.into());
        Ok(dropped.into_iter().chain([FactAdded { session: session(), fact: self.id() }.into()]).collect())
    }

    /// Whether a fact is golden.
    fn fact(&self, id: &str) -> Result<bool, Refusal> {
        let known = self.mind.epistemic.as_ref();
        let is_golden = known.is_some_and(|known| known.golden_facts.iter().any(|fact| *fact.id == *id));
        let is_working = known.is_some_and(|known| known.working_facts.iter().any(|fact| *fact.id == *id));
        let not_there = || Refusal::NotThere { thing: Thing::Fact, id: id.into() };
        (is_golden || is_working).then_some(is_golden).ok_or_else(not_there)
    }

    fn verify(&self, verify: &VerifyFact) -> Decided {
        says("a source", &verify.source)?;
        if self.fact(&verify.fact)? {
            return over(Thing::Fact, &verify.fact, "verified");
        }
        let most = Limits::of(self.moment.settings).golden;
        if self.mind.epistemic.as_ref().is_some_and(|known| known.golden_facts.len() >= most) {
            return Err(Refusal::GoldenFull { most });
        }
        Ok(vec![FactVerified { session: self.session.clone(), fact: verify.fact.clone() }.into()])
    }

    fn contradict(&self, stated: &Contradict) -> Decided {
        says("a fact", &stated.fact_a)?;
        says("a fact", &stated.fact_b)?;
        Ok(vec![ContradictionFound { session: self.session.clone(), contradiction: self.id() }.into()])
    }

    fn settle(&self, settle: &Settle) -> Decided {
        says("a resolution", &settle.resolution)?;
        let id = &settle.contradiction;
        let mut all = self.mind.epistemic.iter().flat_map(|known| &known.contradictions);
        match all.find(|one| one.id == *id).map(|one| one.resolution.is_some()) {
            None => Err(Refusal::NotThere { thing: Thing::Contradiction, id: id.clone() }),
            Some(true) => over(Thing::Contradiction, id, "resolved"),
            Some(false) => {
                Ok(vec![ContradictionResolved { session: self.session.clone(), contradiction: id.clone() }.into()])
            }
        }
    }

    fn wonder(&self, wonder: &Wonder) -> Decided {
        says("a question", &wonder.question)?;
        Ok(vec![UnknownAdded { session: self.session.clone(), unknown: self.id() }.into()])
    }

    fn learn(&self, id: &str, answer: &str) -> Decided {
        says("an answer", answer)?;
        let mut all = self.mind.epistemic.iter().flat_map(|known| &known.unknowns);
        match all.find(|one| *one.id == *id).map(|one| one.answer.is_some()) {
            None => Err(Refusal::NotThere { thing: Thing::Unknown, id: id.into() }),
            Some(true) => over(Thing::Unknown, id, "answered"),
            Some(false) => Ok(vec![UnknownResolved { session: self.session.clone(), unknown: id.into() }.into()]),
        }
    }

    fn load(&self, load: &Load) -> Decided {
        Loaded::read(load.part, &load.state).map_err(|problem| Refusal::BadState { problem })?;
        Ok(vec![StateLoaded { session: self.session.clone(), part: load.part }.into()])
    }

    fn only_system(&self) -> Result<(), Refusal> {
        let is_system = self.moment.standing == actor::Standing::System;
        if is_system { Ok(()) } else { Err(Refusal::OnlySystem) }
    }

    fn new(&self, rule: Rule, cause: EntryId) -> Result<(), Refusal> {
        if self.mind.has_done(rule, cause) { Err(Refusal::happened(rule, cause)) } else { Ok(()) }
    }

    fn announce(&self, announce: &Announce) -> Decided {
        self.only_system()?;
        let (session, cause) = (self.session.clone(), announce.cause);
        let event: Event = match &announce.what {
            Some(What::Spin(action_count)) => {
                self.new(Rule::Spin, cause)?;
                SpinDetected { session, action_count: *action_count, cause }.into()
            }
            Some(What::FlowEntered(conditions)) => {
                self.new(Rule::FlowEntered, cause)?;
                FlowEntered { session, conditions: conditions.clone(), cause }.into()
            }
            Some(What::FlowExited(reason)) => {
                self.new(Rule::FlowExited, cause)?;
                FlowExited { session, reason: reason.clone(), cause }.into()
            }
            Some(What::Trigger(..)) => return Err(Refusal::NothingSaid),
            None => {
                self.new(Rule::Snapshot, cause)?;
                let state = self.mind.metacognition(&Limits::of(self.moment.settings));
                MetacognitionUpdated { session, state }.into()
            }
        };
        Ok(vec![event])
    }

    /// A trigger fires once for a cause (DESIGN 1); who is asked is the gate's to say (AFS 5.4).
    fn fire(&self, fire: &Fire) -> Decided {
        self.only_system()?;
        let settings = self.moment.settings;
        let limits = Limits::of(settings);
        let found = limits.triggers.iter().find(|trigger| trigger.id == fire.trigger);
        let not_there = || Refusal::NotThere { thing: Thing::Trigger, id: fire.trigger.clone() };
        let trigger = found.ok_or_else(not_there)?;
        if self.mind.firing_of(&trigger.id, fire.cause).is_some() {
            return Err(Refusal::Happened { rule: trigger.id.clone(), cause: fire.cause });
        }
        let own = settings.get(&PER_TRIGGER).get(&trigger.id).and_then(|own| own.gate);
        let standing = settings.get(&GATE).judge(own, trigger.auto_accept);
        let firing = Firing {
            id: self.moment.id,
            trigger: trigger.id.clone(),
            cause: fire.cause,
            at: self.moment.at,
            measured: fire.measured.clone(),
            mode: trigger.mode,
            priority: trigger.priority,
            standing,
            by: None,
        };
        let (mode, id) = (firing.mode, firing.id);
        let fired = TriggerFired { session: self.session.clone(), firing }.into();
        let on = (standing == Standing::Accepted).then(|| self.activated(mode, id));
        Ok(std::iter::once(fired).chain(on).collect())
    }

    fn activated(&self, mode: super::trigger::Mode, firing: EntryId) -> Event {
        ModeActivated { session: self.session.clone(), mode, firing }.into()
    }

    fn only_user(&self) -> Result<(), Refusal> {
        let leads = self.moment.standing.is_lead() && self.moment.standing != actor::Standing::System;
        if leads { Ok(()) } else { Err(Refusal::OnlyUser) }
    }

    fn answer(&self, answer: &Answer) -> Decided {
        self.only_user()?;
        let (session, id) = (self.session.clone(), answer.firing);
        let text = id.to_string();
        let not_there = || Refusal::NotThere { thing: Thing::Firing, id: text.as_str().into() };
        let firing = self.mind.firing(id).ok_or_else(not_there)?;
        if firing.standing != Standing::Pending {
            return over(Thing::Firing, &text, firing.standing.as_str());
        }
        Ok(match answer.verdict {
            Verdict::Accept => {
                vec![TriggerAccepted { session, firing: id }.into(), self.activated(firing.mode, id)]
            }
            Verdict::Deny => vec![TriggerDenied { session, firing: id }.into()],
        })
    }

    /// The rules by a cause, once; the user where the configuration lets them.
    fn set_tone(&self, set: &SetTone) -> Decided {
        let settings = self.moment.settings;
        let limits = Limits::of(settings);
        let from = self.mind.tone(&limits);
        match (set.reason, set.cause) {
            (Reason::User, None) => {
                self.only_user()?;
                let is_harsher = set.tone > from;
                if !settings.get(&TONE_BY_USER) {
                    return Err(Refusal::Held { setting: "analysis.critic.allow_user_override" });
                }
                if is_harsher && !settings.get(&TONE_UP_BY_USER) {
                    return Err(Refusal::Held { setting: "analysis.critic.allow_user_escalation" });
                }
            }
            (Reason::Anxiety | Reason::Frustrations | Reason::Stable, Some(cause)) => {
                self.only_system()?;
                self.new(Rule::Tone, cause)?;
            }
            (Reason::User, Some(_)) | (Reason::Anxiety | Reason::Frustrations | Reason::Stable, None) => {
                return Err(Refusal::OnlySystem);
            }
        }
        if set.tone == from {
            return Err(Refusal::SameTone { tone: from });
        }
        let (session, to, reason, cause) = (self.session.clone(), set.tone, set.reason, set.cause);
        Ok(vec![ToneChanged { session, from, to, reason, cause }.into()])
    }
}

fn over<T>(thing: Thing, id: &str, how: &'static str) -> Result<T, Refusal> {
    Err(Refusal::Over { thing, id: id.into(), how })
}

fn fits(what: &'static str, text: &str) -> Result<(), Refusal> {
    if text.chars().nth(MOST_CHARS).is_some() { Err(Refusal::TooMany { what, most: MOST_CHARS }) } else { Ok(()) }
}

fn says(what: &'static str, text: &str) -> Result<(), Refusal> {
    if text.trim().is_empty() { Err(Refusal::NothingSaid) } else { fits(what, text) }
}

fn correct_fits(correct: &Correct) -> Result<(), Refusal> {
    says("a correction", &correct.what)?;
    [&correct.why, &correct.outcome].into_iter().try_for_each(|text| fits("a text", text))
}
