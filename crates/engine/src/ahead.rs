//! Decisions in a log that holds ids above their own: such entries are no past of theirs (decision 45).
//!
//! An id is ahead because a clock was wrong, or because a line was made to be. Does not judge which.

use serde::Serialize;

use super::amend::amendments;
use super::decide::is_first_of_all;
use super::live::{Live, Said};
use super::{Engine, EngineError};
use annals_kernel::decision::Refusal;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_rules::domain::{Ask, RoomsDecided};
use annals_rules::world::Asked;

impl Engine {
    /// Decides on the state as it was before the id of the decision.
    ///
    /// What is possible only because of an entry above that id is refused: the decision would stand in the log before
    /// what it rests on.
    pub(super) fn decide_on_past(
        &self,
        live: &mut Live,
        ask: &Ask,
        asked: &Asked,
    ) -> Result<RoomsDecided, EngineError> {
        let ahead = live.world().last;
        // What must be the first of all entries is asked of all that there are, whatever time this process was given.
        if ahead < asked.id || is_first_of_all(&ask.command) {
            return live.attempt(|world| world.decide(ask, asked));
        }
        let before = asked.id.previous().unwrap_or(EntryId::MIN);
        // What the user said of lines holds at every time, so that the past is folded with the settlements and mends of
        // now.
        let said = Said::Later(amendments(&live.world().rooms));
        let decided = self.open_live(before, said)?.attempt(|world| world.decide(ask, asked))?;
        // A refusal that the later entries would not lift stands by its own rule, and names no entry that is ahead.
        let rests_on_it =
            decided.refusal.is_some() && live.attempt(|world| world.decide(ask, asked))?.refusal.is_none();
        Ok(if rests_on_it { cause_ahead(asked.id, ahead) } else { decided })
    }
}

fn cause_ahead(id: EntryId, ahead: EntryId) -> RoomsDecided {
    /// Both ids, and the times that they name.
    #[derive(Serialize, schemars::JsonSchema)]
    struct Facts {
        id: EntryId,
        at: Timestamp,
        ahead: EntryId,
        until: Timestamp,
    }
    let facts = Facts { id, at: id.time(), ahead, until: ahead.time() };
    RoomsDecided { events: Vec::new(), refusal: Some(Refusal::of("log.cause_ahead", &facts)) }
}
