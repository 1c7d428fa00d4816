//! What an event of a decision changes about a mind. Trusts the event.

use super::command::{AddGoal, Command, Feel, Observed, Think};
use super::emotion::{Frustration, MOST_SOURCES, Satisfaction, drop_first};
use super::epistemic::{Contradiction, GoldenFact, Unknown, Working};
use super::event::{Event, TriggerFired};
use super::gate::Standing;
use super::goal::{GoalKind, GoalStatus, Instrumental, Primary, Subgoal};
use super::load::Loaded;
use super::metacognition::{Correction, MOST_CORRECTIONS};
use super::mind::{Mind, MindRule};
use super::snapshot::MindPart;
use annals_kernel::decision::Cause;
use annals_kernel::json::{Json, Members};
use annals_kernel::share::Share;

type Why<'c> = Cause<'c, Command, Observed>;

/// How much something matters, where nobody says it.
pub(super) const USUAL_STRENGTH: u8 = 5;

impl Event {
    /// The part whose state it tells.
    pub(super) fn snapshot(&self) -> Option<MindPart> {
        let told = |part: MindPart| self.name().split('.').nth(1) == Some(part.as_str());
        MindPart::ALL.iter().copied().find(|part| self.part().is_none() && told(*part))
    }

    /// The part whose state it tells, and the state.
    pub fn state(&self) -> Option<(MindPart, Json)> {
        let part = self.snapshot()?;
        let members: Members = self.data().read().ok()?;
        Some((part, members.get("state")?.clone()))
    }

    /// The part that it changes.
    pub fn part(&self) -> Option<MindPart> {
        match self {
            Self::FeelingStated(_) => Some(MindPart::Emotions),
            Self::ThoughtStated(_) | Self::CorrectionNoted(_) => Some(MindPart::Metacognition),
            Self::GoalAdded(_)
            | Self::GoalAdvanced(_)
            | Self::GoalFocused(_)
            | Self::ConflictFound(_)
            | Self::ConflictResolved(_) => Some(MindPart::Goals),
            Self::FactAdded(_)
            | Self::FactVerified(_)
            | Self::FactDropped(_)
            | Self::ContradictionFound(_)
            | Self::ContradictionResolved(_)
            | Self::UnknownAdded(_)
            | Self::UnknownResolved(_) => Some(MindPart::Epistemic),
            Self::StateLoaded(loaded) => Some(loaded.part),
            Self::EmotionsUpdated(_)
            | Self::MetacognitionUpdated(_)
            | Self::GoalsUpdated(_)
            | Self::EpistemicUpdated(_)
            | Self::SpinDetected(_)
            | Self::FlowEntered(_)
            | Self::FlowExited(_)
            | Self::TriggerFired(_)
            | Self::TriggerAccepted(_)
            | Self::TriggerDenied(_)
            | Self::ModeActivated(_)
            | Self::ModeConcluded(_)
            | Self::ModeJudged(_)
            | Self::ToneChanged(_) => None,
        }
    }

    /// Whether somebody stated something.
    pub(super) fn is_stated(&self) -> bool {
        self.part().is_some()
    }
}

impl Mind {
    /// Takes in an event of a decision.
    pub(super) fn take(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::FeelingStated(_)
            | Event::ThoughtStated(_)
            | Event::CorrectionNoted(_)
            | Event::ConflictResolved(_)
            | Event::StateLoaded(_) => self.stated(cause),
            Event::GoalAdded(added) => self.goal_added(&added.goal, cause),
            Event::GoalAdvanced(at) => {
                let progress = Some(at.progress);
                self.goals.get_or_insert_default().set(&at.goal, progress, Some(at.status));
            }
            Event::GoalFocused(focused) => self.focused(focused.goal.as_deref()),
            Event::ConflictFound(found) => self.goals.get_or_insert_default().conflicts.push(found.conflict.clone()),
            Event::FactAdded(added) => self.fact_added(&added.fact, cause),
            Event::FactVerified(verified) => self.fact_verified(&verified.fact, cause),
            Event::FactDropped(dropped) => {
                let known = self.epistemic.get_or_insert_default();
                known.working_facts.retain(|fact| fact.id != dropped.fact);
                known.golden_facts.retain(|fact| fact.id != dropped.fact);
            }
            Event::ContradictionFound(found) => self.contradicted(&found.contradiction, cause),
            Event::ContradictionResolved(resolved) => self.settled(&resolved.contradiction, cause),
            Event::UnknownAdded(added) => self.wondered(&added.unknown, cause),
            Event::UnknownResolved(resolved) => self.learnt(&resolved.unknown, cause),
            Event::SpinDetected(told) => self.announced(MindRule::Spin, told.cause),
            Event::FlowEntered(told) => self.announced(MindRule::FlowEntered, told.cause),
            Event::FlowExited(told) => self.announced(MindRule::FlowExited, told.cause),
            Event::EmotionsUpdated(_)
            | Event::MetacognitionUpdated(_)
            | Event::GoalsUpdated(_)
            | Event::EpistemicUpdated(_) => self.told(cause),
            Event::TriggerFired(TriggerFired { firing, .. }) => self.fired(firing.clone()),
            Event::TriggerAccepted(answered) => self.answered(answered.firing, Standing::Accepted, cause),
            Event::TriggerDenied(answered) => self.answered(answered.firing, Standing::Denied, cause),
            Event::ModeActivated(_) => {}
            Event::ModeConcluded(concluded) => {
                let firing = self.firings.iter_mut().find(|firing| firing.id == concluded.firing);
                // Two clones may have looked at the same firing: the first counts.
                if let Some(firing) = firing.filter(|firing| firing.concluded.is_none()) {
                    (firing.concluded, firing.found) = (Some(cause.id), Some(concluded.total));
                }
            }
            Event::ModeJudged(judged) => {
                let firing = self.firings.iter_mut().find(|firing| firing.id == judged.firing);
                if let Some(firing) = firing.filter(|firing| firing.judged.is_none()) {
                    firing.judged = Some(cause.id);
                }
            }
            Event::ToneChanged(changed) => {
                self.critic.tone = Some(changed.to);
                // The turns before are used up.
                self.watch.stable = 0;
                if let Some(cause) = changed.cause {
                    self.announced(MindRule::Tone, cause);
                }
            }
        }
        if let Some(goals) = self.goals.as_mut().filter(|_| event.part() == Some(MindPart::Goals)) {
            goals.last_updated = cause.at;
            goals.bound();
        }
        if let Some(known) = self.epistemic.as_mut().filter(|_| event.part() == Some(MindPart::Epistemic)) {
            known.bound();
        }
    }

    /// What is in the command alone.
    fn stated(&mut self, cause: &Why<'_>) {
        match cause.command() {
            Some(Command::Feel(feel)) => self.felt(feel, cause),
            Some(Command::Think(think)) => self.thought(think),
            Some(Command::Correct(correct)) => {
                let (what, why, outcome) = (correct.what.clone(), correct.why.clone(), correct.outcome.clone());
                self.stated.corrections.push(Correction { what, when: cause.at, why, outcome });
                // A row is read and written with each event of its session: without a bound a long session would cost
                // more and more.
                drop_first(&mut self.stated.corrections, MOST_CORRECTIONS);
            }
            Some(Command::Reconcile(resolve)) => {
                let goals = self.goals.get_or_insert_default();
                let is_it = |a: &str, b: &str| a == &*resolve.goal_a && b == &*resolve.goal_b;
                for conflict in &mut goals.conflicts {
                    if is_it(&conflict.goal_a, &conflict.goal_b) || is_it(&conflict.goal_b, &conflict.goal_a) {
                        conflict.resolution.get_or_insert_with(|| resolve.resolution.clone());
                    }
                }
            }
            Some(Command::Load(load)) => {
                if let Ok(loaded) = Loaded::read(load.part, &load.state) {
                    self.load(loaded);
                }
            }
            Some(_) | None => {}
        }
    }

    fn felt(&mut self, feel: &Feel, cause: &Why<'_>) {
        let emotions = self.emotions.get_or_insert_default();
        if let Some(mood) = &feel.mood {
            emotions.turn(mood, cause.at, feel.trigger.as_deref());
        }
        emotions.mood.intensity = feel.intensity.unwrap_or(emotions.mood.intensity);
        emotions.mood.valence = feel.valence.unwrap_or(emotions.mood.valence);
        if let Some(level) = feel.anxiety {
            emotions.anxiety.level = level;
            emotions.anxiety.sources = feel.sources.iter().take(MOST_SOURCES).cloned().collect();
        }
        let intensity = feel.strength.unwrap_or(USUAL_STRENGTH);
        let (id, timestamp) = (Box::<str>::from(cause.id.to_string()), cause.at);
        if let Some(description) = feel.satisfied.clone() {
            emotions.satisfactions.push(Satisfaction { id: id.clone(), description, intensity, timestamp });
        }
        if let Some(description) = feel.frustrated.clone() {
            emotions.frustrations.push(Frustration { id, description, intensity, resolved: false, timestamp });
        }
        for frustration in emotions.frustrations.iter_mut().filter(|one| feel.resolved.contains(&one.id)) {
            frustration.resolved = true;
        }
        emotions.bound();
    }

    fn thought(&mut self, think: &Think) {
        let stated = &mut self.stated;
        stated.strategy = think.strategy.or(stated.strategy);
        stated.effectiveness = think.effectiveness.or(stated.effectiveness);
        stated.uncertainty = think.uncertainty.or(stated.uncertainty);
        if let Some(reason) = &think.blocked {
            stated.blocked = Some(reason.clone()).filter(|reason| !reason.is_empty());
        }
        if let Some(focus) = &think.focus {
            (stated.focus, stated.items) = (focus.clone(), None);
        }
        self.metrics.extend(think.metrics.iter().map(|(metric, value)| (*metric, *value)));
    }

    fn goal_added(&mut self, id: &str, cause: &Why<'_>) {
        let Some(Command::AddGoal(add)) = cause.command() else { return };
        let AddGoal { kind, description, user_stated, success_criteria, constraints, parent, goals: others, .. } =
            add.clone();
        let goals = self.goals.get_or_insert_default();
        let (id, status, progress) = (Box::from(id), GoalStatus::Pending, Share::NONE);
        match kind {
            GoalKind::Primary => {
                goals.primary_goal =
                    Some(Primary { id, description, user_stated, status, progress, success_criteria, constraints });
            }
            GoalKind::Subgoal => {
                let whole = goals.primary_goal.as_ref().map(|goal| goal.id.clone());
                let parent_id = parent.or(whole).unwrap_or_default();
                goals.subgoals.push(Subgoal { id, parent_id, description, status, progress, dependencies: others });
            }
            GoalKind::Instrumental => {
                goals.instrumental_goals.push(Instrumental { id, description, supports: others, status });
            }
        }
    }

    fn focused(&mut self, goal: Option<&str>) {
        let goals = self.goals.get_or_insert_default();
        match goal {
            // Back: the event names the one that is current then.
            Some(goal) if goals.goal_stack.iter().rev().nth(1).is_some_and(|before| **before == *goal) => {
                goals.goal_stack.pop();
            }
            Some(goal) => goals.goal_stack.push(goal.into()),
            None => drop(goals.goal_stack.pop()),
        }
    }

    fn fact_added(&mut self, id: &str, cause: &Why<'_>) {
        let Some(Command::AddFact(add)) = cause.command() else { return };
        let (fact, confidence, source) = (add.fact.clone(), add.confidence, add.source.clone());
        self.epistemic.get_or_insert_default().working_facts.push(Working { id: id.into(), fact, confidence, source });
    }

    fn fact_verified(&mut self, id: &str, cause: &Why<'_>) {
        let source = match cause.command() {
            Some(Command::VerifyFact(verify)) => verify.source.clone(),
            Some(_) | None => Box::default(),
        };
        let known = self.epistemic.get_or_insert_default();
        let Some(place) = known.working_facts.iter().position(|fact| *fact.id == *id) else { return };
        let Working { id, fact, .. } = known.working_facts.remove(place);
        known.golden_facts.push(GoldenFact { id, fact, confidence: Share::WHOLE, source, verified_at: cause.at });
    }

    fn contradicted(&mut self, id: &str, cause: &Why<'_>) {
        let Some(Command::Contradict(stated)) = cause.command() else { return };
        let (fact_a, fact_b) = (stated.fact_a.clone(), stated.fact_b.clone());
        let found = Contradiction { id: id.into(), fact_a, fact_b, detected_at: cause.at, resolution: None };
        self.epistemic.get_or_insert_default().contradictions.push(found);
    }

    fn settled(&mut self, id: &str, cause: &Why<'_>) {
        let Some(Command::Settle(settle)) = cause.command() else { return };
        let known = self.epistemic.get_or_insert_default();
        for one in known.contradictions.iter_mut().filter(|one| *one.id == *id) {
            one.resolution.get_or_insert_with(|| settle.resolution.clone());
        }
    }

    fn wondered(&mut self, id: &str, cause: &Why<'_>) {
        let Some(Command::Wonder(wonder)) = cause.command() else { return };
        let (question, critical) = (wonder.question.clone(), wonder.critical);
        let unknown = Unknown { id: id.into(), question, critical, answer: None };
        self.epistemic.get_or_insert_default().unknowns.push(unknown);
    }

    fn learnt(&mut self, id: &str, cause: &Why<'_>) {
        let Some(Command::Learn(learn)) = cause.command() else { return };
        for one in self.epistemic.get_or_insert_default().unknowns.iter_mut().filter(|one| *one.id == *id) {
            one.answer.get_or_insert_with(|| learn.answer.clone());
        }
    }

    /// A snapshot that the engine asked for is told of its cause.
    fn told(&mut self, cause: &Why<'_>) {
        if let Some(Command::Announce(announce)) = cause.command() {
            self.announced(MindRule::Snapshot, announce.cause);
        }
    }

    fn answered(&mut self, id: annals_kernel::id::EntryId, standing: Standing, cause: &Why<'_>) {
        for firing in self.firings.iter_mut().filter(|firing| firing.id == id && firing.standing == Standing::Pending) {
            (firing.standing, firing.by) = (standing, Some(cause.actor.clone()));
        }
    }
}
