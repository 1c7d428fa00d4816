//! Decides what records have set off: asks `policy::due` and decides each command as `system`.
//!
//! Whoever records calls it where it may take time: never the fold, never an import.

use std::collections::BTreeSet;

use super::{Answer, By, Engine, EngineError};
use crate::kernel::actor::SYSTEM;
use crate::kernel::id::{AgentId, SessionId};
use crate::kernel::json::Json;
use crate::policy;

/// What one decision sets off may set off another; not for ever.
const MOST_ROUNDS: usize = 4;

impl Engine {
    /// Decides what is due in a session, until nothing is. Says what was decided; what a rule refused is not in it.
    pub fn react(&self, session: &SessionId) -> Result<Vec<Answer>, EngineError> {
        let by = By::new(AgentId::from(SYSTEM), session.clone());
        // No command line can say this: where tokens are required, it stands for the one that the rules do not have.
        let observed = Json::of(&serde_json::json!({ "due": true }));
        let mut decided = Vec::new();
        for _ in 0..MOST_ROUNDS {
            let turn = policy::Turn { session, at: self.clock().now(), settings: self.settings() };
            let due = self.ask(|world| policy::due(&world.rooms, &turn))?;
            let mut happened = Vec::new();
            for command in due {
                let answer = self.decide(command, &observed, &by)?;
                happened.extend(Some(answer).filter(|answer| answer.entry.is_some()));
            }
            if happened.is_empty() {
                break;
            }
            decided.append(&mut happened);
        }
        Ok(decided)
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
