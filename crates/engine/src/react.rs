//! Decides what records have set off: asks `policy::due` and decides each command as `system`.
//!
//! Whoever records calls it where it may take time: never the fold, never an import.

use std::collections::BTreeSet;

use super::{Answer, By, Engine, EngineError, intercept};
use annals_kernel::actor::SYSTEM;
use annals_kernel::annals::SNAPSHOT_TAG;
use annals_kernel::entry::OperationType;
use annals_kernel::id::{AgentId, SessionId};
use annals_kernel::json::Json;
use annals_rules::domain::{Command, Event};
use annals_rules::policy;

/// What one decision sets off may set off another; not for ever.
const MOST_ROUNDS: usize = 4;

impl Engine {
    /// Decides what is due in a session, until nothing is. Says what was decided; what a rule refused is not in it.
    pub fn react(&self, session: &SessionId) -> Result<Vec<Answer>, EngineError> {
        let mut decided = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let mut due = self.due(session)?;
            due.extend(self.conclusions(session)?);
            let mut happened = Vec::new();
            for command in due {
                let answer = self.decide_due(command, session)?;
                self.record_states(&answer, &AgentId::from(SYSTEM))?;
                happened.extend(Some(answer).filter(|answer| answer.entry.is_some()));
            }
            if happened.is_empty() {
                break;
            }
            decided.append(&mut happened);
        }
        Ok(decided)
    }

    /// Decides what the rules want in a session, as `system`.
    pub fn decide_due(&self, command: impl Into<Command>, session: &SessionId) -> Result<Answer, EngineError> {
        self.decide(command, &due(), &by_the_rules(session))
    }

    /// What is due in a session. Decides nothing.
    pub fn due(&self, session: &SessionId) -> Result<Vec<Command>, EngineError> {
        let turn = policy::DueTurn { session, at: self.clock().now(), settings: self.settings() };
        self.ask(|world| policy::due(&world.rooms, &turn))
    }

    /// Records the states that a decision told, as other programs read them (AFS 2.2, 4.5).
    pub fn record_states(&self, answer: &Answer, actor: &AgentId) -> Result<(), EngineError> {
        let states = answer.events.iter().filter_map(|event| {
            let Event::Cognition(event) = event else { return None };
            let (part, state) = event.state()?;
            let mut entry = intercept::call(part.as_str(), &state, event.session(), self.clock().now());
            (entry.operation.kind, entry.operation.success) = (OperationType::CognitiveState, true);
            entry.operation.error = None;
            entry.provenance.agent_id = Some(actor.clone());
            entry.provenance.parent_entry_id = answer.entry;
            entry.metadata.tags = Some(vec![SNAPSHOT_TAG.into()]);
            Some(entry)
        });
        self.note(states.collect()).map(drop)
    }

    /// The same for several sessions.
    pub fn react_all(&self, sessions: &BTreeSet<SessionId>) -> Result<Vec<Answer>, EngineError> {
        let mut decided = Vec::new();
        for session in sessions {
            decided.extend(self.react(session)?);
        }
        Ok(decided)
    }
}

/// As whom the rules decide.
pub(super) fn by_the_rules(session: &SessionId) -> By {
    By::new(AgentId::from(SYSTEM), session.clone())
}

/// No command line can say this: where tokens are required, it stands for the one that the rules do not have.
pub(super) fn due() -> Json {
    Json::of(&serde_json::json!({ "due": true }))
}
