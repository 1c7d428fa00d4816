//! What triggers found in a session: its entries, played once more to the machine that the fold has (AFS 5.3).
//!
//! Under the configuration as it is now, whatever it was then. Decides nothing and records nothing.

use annals_sparse::sparse;
use serde::Serialize;

use crate::domain::cognition::gate::Standing;
use crate::domain::cognition::mind::{ConditionFate, Edge, Firing};
use crate::domain::cognition::trigger::{Condition, SessionMetric, Trigger};
use crate::domain::cognition::{self, Mind, Observed, limits};
use crate::domain::{Command, Event};
use crate::engine::query::filter::Filter;
use crate::engine::{Engine, EngineError};
use crate::kernel::call::Finished;
use crate::kernel::decision::Cause;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::envelope::{Envelope, Span};
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::settings::Settings;
use crate::world::decision::Decision;

/// What triggers found in a session.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Listing {
    /// Every condition that began to hold, in order.
    pub firings: Vec<NewCondition>,
    /// Triggers that nothing in the session lets anybody judge.
    pub not_computable: Vec<Missing>,
}

/// A condition that began to hold.
#[sparse]
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NewCondition {
    /// When, by what, and whether the trigger fires.
    #[serde(flatten)]
    pub edge: Edge,
    /// The decision that says so; none where nobody looked yet, or it does not fire.
    pub fired: Option<EntryId>,
    /// What became of it.
    pub standing: Option<Standing>,
    /// The decision that holds what a model found.
    pub judged: Option<EntryId>,
}

/// A trigger that cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Missing {
    /// Which.
    pub trigger: Box<str>,
    /// The metrics that nobody knows.
    pub metrics: Vec<SessionMetric>,
}

/// Plays entries to the machine.
pub struct Play<'s> {
    state: cognition::State,
    settings: &'s Settings,
    edges: Vec<Edge>,
}

impl<'s> Play<'s> {
    /// Nothing was played yet.
    pub fn new(settings: &'s Settings) -> Self {
        Self { state: cognition::State::listening(), settings, edges: Vec::new() }
    }

    /// Plays an entry.
    pub fn entry(&mut self, entry: &HistoryEntry) {
        let line = entry.to_line();
        let Some(span) = Span::scan(line.as_bytes()) else { return };
        self.envelope(&Envelope::new(line.as_bytes(), &span));
    }

    /// Plays an entry as the fold sees it.
    pub fn envelope(&mut self, entry: &Envelope<'_>) {
        self.state.observe(entry, Finished::in_envelope(entry).as_ref(), self.settings);
        if entry.rules().is_some()
            && let Ok(decision) = Decision::of(entry)
        {
            self.decision(&decision, entry);
        }
        self.edges.extend(self.state.take_heard());
    }

    fn decision(&mut self, decision: &Decision, entry: &Envelope<'_>) {
        let actor = AgentId::from(entry.agent().unwrap_or_default().as_ref());
        let observed = Observed::default();
        let command = decision.ask.as_ref().map(|ask| &ask.command);
        let command = command.and_then(|ask| if let Command::Cognition(ask) = ask { Some(ask) } else { None });
        let asked = command.map(|command| (command, &observed));
        let cause = Cause { asked, id: entry.id(), at: entry.at(), actor: &actor };
        for event in &decision.events {
            if let Event::Cognition(event) = event {
                self.state.evolve(event, &cause);
                self.state.settle(event, &cause, self.settings);
            }
        }
    }

    /// What was found in a session.
    pub fn listing(mut self, session: &str) -> Listing {
        self.state.ended(session, self.settings);
        self.edges.extend(self.state.take_heard());
        let nobody = Mind::default();
        let mind = self.state.mind(session).unwrap_or(&nobody);
        let limits = limits::CognitionLimits::of(self.settings);
        let missing = limits.triggers.iter().filter_map(|trigger| missing(trigger, mind, &limits));
        let not_computable = missing.collect();
        let found = |edge: Edge| {
            let firing = mind.firing_of(&edge.trigger, edge.cause);
            let (fired, standing) = (firing.map(|firing: &Firing| firing.id), firing.map(|firing| firing.standing));
            NewCondition { edge, fired, standing, judged: firing.and_then(|firing| firing.judged) }
        };
        Listing { firings: self.edges.into_iter().map(found).collect(), not_computable }
    }
}

fn missing(trigger: &Trigger, mind: &Mind, limits: &limits::CognitionLimits) -> Option<Missing> {
    let Condition::Threshold { all } = &trigger.condition else { return None };
    let unknown = all.iter().map(|bound| bound.metric).filter(|metric| mind.metric(*metric, limits).is_none());
    let metrics: Vec<_> = unknown.collect();
    (!metrics.is_empty()).then(|| Missing { trigger: trigger.id.clone(), metrics })
}

impl Listing {
    /// What triggers found in a session, up to an entry.
    pub fn of(engine: &Engine, session: &SessionId, until: EntryId) -> Result<Self, EngineError> {
        let mut play = Play::new(engine.settings());
        let filter = Filter { session: Some(session.clone()), until: Some(until), ..Filter::default() };
        engine.reader()?.joined(&filter)?.iter().for_each(|entry| play.entry(entry));
        Ok(play.listing(session.as_str()))
    }

    /// How many fire.
    pub fn fires(&self) -> usize {
        self.firings.iter().filter(|found| found.edge.fate == ConditionFate::Fires).count()
    }
}

#[cfg(test)]
mod real;
