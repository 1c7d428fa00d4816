//! Commands that are hard to undo, held until a debate covers them or a person approves them.
//!
//! A debate covers what its task does, for a while; an approval one command, word for word. Whether a command is held, and how, is
//! the caller's: this says what covers it, and remembers what was asked for and approved.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::command::{ApprovalSpan, Approve, DebateKind, Hold, Pass};
use super::csp::Resolved;
use super::event::{Approved, Event, Held, Passed};
use super::identity::{canonical, id_of};
use super::limits::COVER_HOURS;
use super::refusal::Refusal;
use super::row::{Debate, summary};
use super::state::State;
use annals_kernel::actor::Standing;
use annals_kernel::call::effect::Effect;
use annals_kernel::decision::{Cause, Moment};
use annals_kernel::id::SessionId;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// So many commands that wait or were approved are remembered; of more those that wait longest are forgotten, and asked about
/// anew.
const MOST_HELD: usize = 64;

/// A command that was held.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct HeldCommand {
    /// The entry that holds it.
    pub held: Box<str>,
    /// Where.
    pub session: SessionId,
    /// The command, by the hash of its text.
    pub command: Box<str>,
    /// Its beginning.
    pub text: Box<str>,
    /// What it does.
    pub effects: Vec<Effect>,
    /// When.
    pub at: Timestamp,
    /// Whether a person approved it, and how far.
    pub approved: Option<ApprovalSpan>,
}

/// What covers a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cover {
    /// A debate that came to "go on".
    Debate(Box<str>),
    /// A person, for the rest of the session.
    Session,
    /// A person, this once: the entry that held it.
    Once(Box<str>),
}

/// A command by its text, exactly.
pub fn command_id(text: &str) -> Box<str> {
    id_of(text.trim())
}

impl State {
    /// What covers a command of a session.
    pub fn cover(&self, session: &SessionId, text: &str, at: Timestamp, settings: &Settings) -> Option<Cover> {
        self.approval(session, &command_id(text)).or_else(|| self.debated(session, text, at, settings))
    }

    fn approval(&self, session: &SessionId, command: &str) -> Option<Cover> {
        let alike = self.totals.held.iter().filter(|held| held.session == *session && *held.command == *command);
        alike.filter_map(|held| Some((held, held.approved?))).map(|(held, span)| cover(held, span)).next()
    }

    /// A debate of the session's task, or about this very command, that came to "go on" not long ago.
    fn debated(&self, session: &SessionId, text: &str, at: Timestamp, settings: &Settings) -> Option<Cover> {
        const RECENT: usize = 50;
        let plan = id_of(&canonical(text));
        let task = self.asked_in(session).map(|named| self.root(&named.id));
        let of_task = task
            .and_then(|id| self.task(&id))
            .into_iter()
            .flat_map(|task| &task.planned)
            .map(|planned| planned.debate.clone());
        let named = self
            .debates
            .first_by_rank(RECENT)
            .into_iter()
            .filter(|(_, debate)| debate.plan_id == plan)
            .map(|(id, _)| id.clone());
        let covers = |id: &str| self.debate(id).is_some_and(|debate| goes_on(debate, at, settings));
        of_task.chain(named).find(|id| covers(id)).map(Cover::Debate)
    }

    pub(super) fn held(&mut self, held: &Held, cause: &Cause<'_, super::Command, super::Observed>) {
        let Held { session, command, text, effects, .. } = held.clone();
        let row = HeldCommand {
            held: cause.id.to_string().into(),
            session,
            command,
            text,
            effects,
            at: cause.at,
            approved: None,
        };
        let all = &mut self.totals.held;
        all.push(row);
        if all.len() > MOST_HELD {
            let oldest = all.iter().position(|held| held.approved.is_none()).unwrap_or(0);
            all.remove(oldest);
        }
    }

    pub(super) fn approved(&mut self, approved: &Approved) {
        let named = |held: &&mut HeldCommand| held.held == approved.held;
        self.totals.held.iter_mut().filter(named).for_each(|held| held.approved = Some(approved.span));
    }

    pub(super) fn passed(&mut self, passed: &Passed) {
        self.totals.held.retain(|held| held.held != passed.held);
    }

    /// A held command by its id, or the end of it.
    fn held_by(&self, text: &str) -> Option<&HeldCommand> {
        let named = |held: &&HeldCommand| !text.is_empty() && held.held.to_lowercase().ends_with(&text.to_lowercase());
        self.totals.held.iter().rev().find(named)
    }
}

fn cover(held: &HeldCommand, span: ApprovalSpan) -> Cover {
    match span {
        ApprovalSpan::Once => Cover::Once(held.held.clone()),
        ApprovalSpan::Session => Cover::Session,
    }
}

fn goes_on(debate: &Debate, at: Timestamp, settings: &Settings) -> bool {
    const HOUR_MS: u64 = 3_600_000;
    let Some(resolved) = &debate.resolved else { return false };
    let is_go = matches!(resolved.resolution.resolution, Resolved::Proceed | Resolved::Modify);
    let is_fresh = at.since(resolved.at) <= u64::from(settings.get(&COVER_HOURS)) * HOUR_MS;
    debate.kind == DebateKind::Planning && is_go && is_fresh
}

type Decided = Result<Vec<Event>, Refusal>;

/// The hook holds a command.
pub(super) fn hold(asked: &Hold, moment: &Moment<'_>) -> Decided {
    require_system(moment)?;
    let Hold { session, text, effects, answer } = asked.clone();
    let command = command_id(&text);
    Ok(vec![Held { session, command, text: summary(&text), effects, answer }.into()])
}

/// Only the user approves (decision 57).
pub(super) fn approve(state: &State, asked: &Approve, moment: &Moment<'_>) -> Decided {
    if moment.standing != Standing::User {
        return Err(Refusal::ApprovedByUser { actor: moment.actor.clone() });
    }
    let found = state.held_by(&asked.command).ok_or_else(|| Refusal::NothingHeld { command: asked.command.clone() })?;
    let span = asked.span.unwrap_or(ApprovalSpan::Once);
    Ok(vec![
        Approved { held: found.held.clone(), session: found.session.clone(), text: found.text.clone(), span }.into(),
    ])
}

/// A command that was approved once runs: the approval is used up.
pub(super) fn pass(state: &State, asked: &Pass, moment: &Moment<'_>) -> Decided {
    require_system(moment)?;
    let found = state.held_by(&asked.held).filter(|held| held.approved == Some(ApprovalSpan::Once));
    let found = found.ok_or_else(|| Refusal::NothingHeld { command: asked.held.clone() })?;
    Ok(vec![Passed { held: found.held.clone(), session: found.session.clone() }.into()])
}

fn require_system(moment: &Moment<'_>) -> Result<(), Refusal> {
    if moment.standing == Standing::System { Ok(()) } else { Err(Refusal::NotAllowed { actor: moment.actor.clone() }) }
}
