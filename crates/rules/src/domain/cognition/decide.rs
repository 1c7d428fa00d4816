//! What becomes of a command.

mod due;

use super::command::{
    AddFact, AddGoal, Advance, Command, Contradict, Correct, Feel, Focus, Load, Observed, Reconcile, Settle, Think,
    VerifyFact, Wonder,
};
use super::event::{
    ConflictFound, ConflictResolved, ContradictionFound, ContradictionResolved, CorrectionNoted, EmotionsUpdated,
    EpistemicUpdated, Event, FactAdded, FactDropped, FactVerified, FeelingStated, GoalAdded, GoalAdvanced, GoalFocused,
    GoalsUpdated, MetacognitionUpdated, StateLoaded, ThoughtStated, UnknownAdded, UnknownResolved,
};
use super::goal::{CONFLICTS, GoalKind, GoalStatus, MOST_GOALS};
use super::limits::CognitionLimits;
use super::load::Loaded;
use super::metacognition::MOST_FOCUS;
use super::mind::Mind;
use super::refusal::{Refusal, Thing};
use super::snapshot::{MindPart, is_due};
use super::state::State;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::SessionId;
use annals_kernel::share::Share;

/// A text is not longer than this, in characters.
const MOST_CHARS: usize = 2000;

type Decided = Result<Vec<Event>, Refusal>;

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    let nobody = Mind::default();
    let mind = state.mind(command.session().as_str()).unwrap_or(&nobody);
    let case = DecideCase { mind, moment, observed, session: command.session() };
    let decided = case.decide(command).map(|mut events| {
        events.extend(case.snapshots(&events, command));
        Outcome { events, refusal: None }
    });
    decided.into()
}

/// What a command is decided on.
struct DecideCase<'c> {
    mind: &'c Mind,
    moment: &'c Moment<'c>,
    observed: &'c Observed,
    session: &'c SessionId,
}

impl DecideCase<'_> {
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
            Command::Conclude(conclude) => self.conclude(conclude),
            Command::Judge(judge) => self.judge(judge),
            Command::SetTone(set) => self.set_tone(set),
        }
    }

    /// An id for what a decision makes.
    fn id(&self) -> Box<str> {
        self.moment.id.to_string().into()
    }

    /// States that have changed enough to be told (AFS 4.5).
    fn snapshots(&self, events: &[Event], command: &Command) -> Vec<Event> {
        let Some(part) = events.iter().find_map(Event::part) else { return Vec::new() };
        let (mut after, moment) = (self.mind.clone(), self.moment);
        let cause = Cause { asked: Some((command, self.observed)), id: moment.id, at: moment.at, actor: &moment.actor };
        for event in events {
            after.take(event, &cause);
        }
        let limits = CognitionLimits::of(moment.settings);
        let told = is_due(part, &after, &limits, moment.at).then(|| self.told(part, &after, &limits)).flatten();
        told.into_iter().collect()
    }

    fn told(&self, part: MindPart, mind: &Mind, limits: &CognitionLimits) -> Option<Event> {
        let session = self.session.clone();
        Some(match part {
            MindPart::Emotions => EmotionsUpdated { session, state: mind.emotions.clone()? }.into(),
            MindPart::Metacognition => MetacognitionUpdated { session, state: mind.metacognition(limits) }.into(),
            MindPart::Goals => GoalsUpdated { session, state: mind.goals.clone()? }.into(),
            MindPart::Epistemic => EpistemicUpdated { session, state: mind.epistemic.clone()? }.into(),
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
        texts.into_iter().flatten().chain(&feel.sources).try_for_each(|text| fits("a_text", text))?;
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
        focus.chain(&think.blocked).try_for_each(|text| fits("a_text", text))?;
        Ok(vec![ThoughtStated { session }.into()])
    }

    fn add_goal(&self, add: &AddGoal) -> Decided {
        let session = self.session.clone();
        let nothing = super::goal::Goals::default();
        let goals = self.mind.goals.as_ref().unwrap_or(&nothing);
        says("a_goal", &add.description)?;
        let texts = [&add.user_stated].into_iter().chain(&add.success_criteria).chain(&add.constraints);
        texts.into_iter().try_for_each(|text| fits("a_text", text))?;
        add.goals.iter().chain(&add.parent).try_for_each(|id| self.goal(id).map(drop))?;
        let primary = goals.primary_goal.as_ref().filter(|goal| !goal.status.is_ended());
        if let (GoalKind::Primary, Some(goal)) = (add.kind, primary) {
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

    fn goal(&self, id: &str) -> Result<super::goal::AnyGoal<'_>, Refusal> {
        let found = self.mind.goals.as_ref().and_then(|goals| goals.goal(id));
        found.ok_or_else(|| Refusal::NotThere { thing: Thing::Goal, id: id.into() })
    }

    fn open_goal(&self, id: &str) -> Result<super::goal::AnyGoal<'_>, Refusal> {
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
        let reached = progress == Some(Share::WHOLE);
        let status = advance.status.unwrap_or(if reached { GoalStatus::Completed } else { goal.status });
        let whole = if status == GoalStatus::Completed { Share::WHOLE } else { goal.progress };
        let (session, goal, progress) = (self.session.clone(), advance.goal.clone(), progress.unwrap_or(whole));
        let wholes = match (&self.mind.goals, status) {
            (Some(goals), GoalStatus::Completed) => goals.reached_with(&goal),
            (Some(_) | None, _) => Vec::new(),
        };
        let whole =
            |goal: Box<str>| GoalAdvanced { session: session.clone(), goal, status, progress: Share::WHOLE }.into();
        let wholes: Vec<Event> = wholes.into_iter().map(whole).collect();
        let own = GoalAdvanced { session, goal, status, progress }.into();
        Ok(std::iter::once(own).chain(wholes).collect())
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
        says("a_resolution", &resolve.resolution)?;
        let pair = [&resolve.goal_a, &resolve.goal_b];
        let mut found = self.mind.goals.iter().flat_map(|goals| &goals.conflicts);
        let is_it = |one: &&super::goal::GoalConflict| pair.contains(&&one.goal_a) && pair.contains(&&one.goal_b);
        let id = format!("{} and {}", resolve.goal_a, resolve.goal_b);
        match found.find(is_it).map(|one| one.resolution.is_some()) {
            None => Err(Refusal::NotThere { thing: Thing::Conflict, id: id.into() }),
            Some(true) => over(Thing::Conflict, &id, "resolved"),
            Some(false) => Ok(vec![ConflictResolved { session }.into()]),
        }
    }

    /// Where there is no room, the least sure fact goes (AFS 4.4).
    fn add_fact(&self, add: &AddFact) -> Decided {
        says("a_fact", &add.fact)?;
        fits("a_text", &add.source)?;
        let session = || self.session.clone();
        let most = CognitionLimits::of(self.moment.settings).working;
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
        says("a_source", &verify.source)?;
        if self.fact(&verify.fact)? {
            return over(Thing::Fact, &verify.fact, "verified");
        }
        let most = CognitionLimits::of(self.moment.settings).golden;
        if self.mind.epistemic.as_ref().is_some_and(|known| known.golden_facts.len() >= most) {
            return Err(Refusal::GoldenFull { most });
        }
        Ok(vec![FactVerified { session: self.session.clone(), fact: verify.fact.clone() }.into()])
    }

    fn contradict(&self, stated: &Contradict) -> Decided {
        says("a_fact", &stated.fact_a)?;
        says("a_fact", &stated.fact_b)?;
        Ok(vec![ContradictionFound { session: self.session.clone(), contradiction: self.id() }.into()])
    }

    fn settle(&self, settle: &Settle) -> Decided {
        says("a_resolution", &settle.resolution)?;
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
        says("a_question", &wonder.question)?;
        Ok(vec![UnknownAdded { session: self.session.clone(), unknown: self.id() }.into()])
    }

    fn learn(&self, id: &str, answer: &str) -> Decided {
        says("an_answer", answer)?;
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
    says("a_correction", &correct.what)?;
    [&correct.why, &correct.outcome].into_iter().try_for_each(|text| fits("a_text", text))
}
