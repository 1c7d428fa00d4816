//! Debates that are due: which commands a session has called that are hard to undo, and of what the person was told.
//!
//! A debate is called for once for each cause: an error that came again, much at stake in what was asked, an effect of a command.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{CallForDebate, DebateKind};
use super::csp::Stakes;
use super::event::{Called, Event};
use super::refusal::Refusal;
use super::row::{MOST_RUNS, Trail, keep};
use super::stakes::{AtStake, DebateCategory, of_effect};
use super::state::State;
use super::task::DebatedTask;
use annals_kernel::actor::Standing;
use annals_kernel::call::effect::{CommandEffect, Effect};
use annals_kernel::decision::Moment;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;

/// A command that a session has called, and that is hard to undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct StakedCommand {
    /// For which task.
    pub task: Box<str>,
    /// What it does.
    pub effect: Effect,
    /// The command.
    pub command: Box<str>,
    /// The entry of the call.
    pub entry: EntryId,
}

/// A cause for which a debate was called for.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct CalledDebate {
    /// For which task.
    pub task: Box<str>,
    /// Before or after.
    pub kind: DebateKind,
    /// The effect of a command, where that is the cause.
    pub effect: Option<Effect>,
    /// The error that came again, where that is.
    pub fingerprint: Option<Box<str>>,
}

impl Trail {
    /// Whether the person was told.
    pub fn was_called(&self, called: &CalledDebate) -> bool {
        self.called.contains(called)
    }
}

impl State {
    /// A call of a session that is hard to undo; of one task and effect the first.
    pub(super) fn acted(&mut self, entry: &Envelope<'_>, effects: &[CommandEffect]) {
        let session = entry.session();
        let Some(trail) = self.trails.get(session.as_ref()).filter(|trail| !trail.task.is_empty()) else { return };
        let task = self.root(&trail.task);
        let is_new = |found: &&CommandEffect| {
            found.effect != Effect::Unreadable
                && !trail.staked.iter().any(|known| known.task == task && known.effect == found.effect)
        };
        let new: Vec<_> = effects.iter().filter(is_new).cloned().collect();
        if new.is_empty() {
            return;
        }
        let trail = self.trails.entry(session.as_ref(), Trail::default);
        for CommandEffect { effect, command } in new {
            keep(
                &mut trail.staked,
                StakedCommand { task: task.clone(), effect, command, entry: entry.id() },
                MOST_RUNS,
            );
        }
    }

    pub(super) fn called(&mut self, called: &Called) {
        let Called { task, session, kind, effect, fingerprint, .. } = called.clone();
        let trail = self.trails.entry(session.as_str(), Trail::default);
        keep(&mut trail.called, CalledDebate { task, kind, effect, fingerprint }, MOST_RUNS);
    }
}

/// The engine says that a debate is due, once for each cause.
pub(super) fn call(state: &State, asked: &CallForDebate, moment: &Moment<'_>) -> Result<Vec<Event>, Refusal> {
    if moment.standing != Standing::System {
        return Err(Refusal::NotAllowed { actor: moment.actor.clone() });
    }
    let CallForDebate { task, session, kind, effect, fingerprint, command, category, cause } = asked.clone();
    let trail = state.trails.get(session.as_str());
    let called = CalledDebate { task: task.clone(), kind, effect, fingerprint: fingerprint.clone() };
    if trail.is_none_or(|trail| trail.was_called(&called)) {
        return Err(Refusal::Announced { session });
    }
    let known = state.task(&task);
    let summary = known.map(|known| known.summary.clone()).filter(|summary| !summary.is_empty());
    let summary =
        summary.or_else(|| trail.filter(|trail| state.root(&trail.task) == task).map(|trail| trail.summary.clone()));
    let failures = known.map_or(0, DebatedTask::failures);
    let AtStake { stakes, category } = match (kind, effect) {
        (DebateKind::Failure, _) => AtStake { stakes: Stakes::Medium, category: DebateCategory::Failure },
        (DebateKind::Planning, Some(effect)) => of_effect(effect),
        (DebateKind::Planning, None) => AtStake { stakes: Stakes::High, category },
    };
    let summary = summary.unwrap_or_default();
    Ok(vec![
        Called { task, summary, session, kind, stakes, category, effect, fingerprint, command, failures, cause }.into(),
    ])
}
