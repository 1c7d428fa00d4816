//! A room with one session, and what is asked of it.

use super::super::command::{AddGoal, Advance, Command, Observed};
use super::super::event::Event;
use super::super::goal::{GoalKind, Goals};
use super::super::mind::Mind;
use super::super::refusal::Refusal;
use super::super::state::State;
use super::super::{Amount, decide};
use annals_kernel::actor::Standing;
use annals_kernel::decision::{Cause, Moment};
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// A room with one session, decided on as it goes.
pub(super) struct TestRoom {
    pub(super) state: State,
    pub(super) settings: Settings,
    count: u128,
}

impl TestRoom {
    pub(super) fn new() -> Self {
        Self { state: State::default(), settings: Settings::default(), count: 0 }
    }

    pub(super) fn ask(
        &mut self,
        actor: &str,
        standing: Standing,
        command: impl Into<Command>,
    ) -> Result<Vec<Event>, Refusal> {
        self.ask_observed(actor, standing, command, &Observed::default())
    }

    pub(super) fn ask_observed(
        &mut self,
        actor: &str,
        standing: Standing,
        command: impl Into<Command>,
        observed: &Observed,
    ) -> Result<Vec<Event>, Refusal> {
        self.count += 1;
        let at = Timestamp::from_millis(i64::try_from(self.count).expect("few") * 1000);
        let (id, command) = (EntryId::new(at, self.count), command.into());
        let actor = AgentId::from(actor);
        let session = SessionId::from("s");
        let moment = Moment { id, at, actor: actor.clone(), standing, session, settings: &self.settings };
        let outcome = decide(&self.state, &command, observed, &moment);
        let cause = Cause { asked: Some((&command, observed)), id, at, actor: &actor };
        for event in &outcome.events {
            self.state.evolve(event, &cause);
            self.state.settle(event, &cause, &self.settings);
        }
        outcome.refusal.map_or(Ok(outcome.events), Err)
    }

    pub(super) fn agent(&mut self, command: impl Into<Command>) -> Result<Vec<&'static str>, Refusal> {
        let events = self.ask("coder", Standing::Stranger, command)?;
        Ok(events.iter().map(Event::name).collect())
    }

    pub(super) fn mind(&self) -> &Mind {
        self.state.mind("s").expect("a mind")
    }

    pub(super) fn goals(&self) -> &Goals {
        self.mind().goals.as_ref().expect("goals")
    }
}

pub(super) fn goal(kind: GoalKind, description: &str, goals: &[&str]) -> AddGoal {
    AddGoal {
        session: "s".into(),
        kind,
        description: description.into(),
        user_stated: "".into(),
        success_criteria: Vec::new(),
        constraints: Vec::new(),
        parent: None,
        goals: goals.iter().map(|id| Box::from(*id)).collect(),
    }
}

pub(super) fn progress(goal: &str, thousandths: i32) -> Advance {
    Advance { session: "s".into(), goal: goal.into(), progress: Some(Amount::thousandths(thousandths)), status: None }
}

pub(super) fn room() -> impl FnMut(&str, Standing, Command) -> Result<Vec<Event>, Refusal> {
    let mut room = TestRoom::new();
    move |actor, standing, command| room.ask(actor, standing, command)
}
