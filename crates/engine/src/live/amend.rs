//! What the user said about lines changes what is folded of them: it is known from the fold, and then the fold begins anew.
//!
//! Does not say which line counts; `log::versions` does.

use std::sync::Arc;

use super::Live;
use crate::EngineError;
use crate::amend::amendments;
use crate::checkpoint::Shelf;
use annals_kernel::id::EntryId;
use annals_log::amend::Amendments;
use annals_log::order::Notices;
use annals_log::watermarks::Watermarks;
use annals_rules::world::World;

/// Where it is known from what the user said about lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// From the entries that are folded.
    InTheFold,
    /// From entries of a later time: what holds of lines holds of them in every state, as it does after a scrub.
    Later(Amendments),
}

impl Said {
    /// The newest stored state in which lines count as they do now, and what was said of them when it was folded, or later.
    pub(super) fn newest_state(&self, shelf: &Arc<Shelf>) -> (World, Watermarks, Amendments) {
        loop {
            let (world, marks) = shelf.newest_state();
            let known = amendments_of(&world);
            let Self::Later(later) = self else { return (world, marks, known) };
            let is_folded = |first: &EntryId| world.last != EntryId::MIN && *first <= world.last;
            match known.first_difference(later).filter(is_folded) {
                Some(first) => shelf.go_before(first),
                None => return (world, marks, later.clone()),
            }
        }
    }
}

impl Live {
    /// What was noticed while reading: that lines say different things under one id is known to the world.
    pub(super) fn hear(&mut self, notices: Notices) {
        let until = self.until;
        let conflicts = notices.conflicts.iter().map(|(id, versions)| (id, notices.turn_of(*id), versions));
        for (id, turn, versions) in conflicts.filter(|(_, turn, _)| *turn <= until) {
            self.world.rooms.history.conflicts.entry(*id).or_default().extend(versions);
            // One more line with this id is late, although none of them was folded.
            self.world.last = self.world.last.max(turn);
        }
        self.notices.add(notices);
    }

    /// What was not known of lines when the fold began may name some that were folded although they do not count, or the
    /// other way round.
    ///
    /// Decisions about lines that decide about each other could go on for ever, in a log that somebody made so: then
    /// everything is folded once more from nothing, and what that comes to after so many rounds is what holds.
    pub(super) fn amend(&mut self) -> Result<(), EngineError> {
        const MOST_ROUNDS: usize = 8;
        if self.said != Said::InTheFold {
            return Ok(());
        }
        let now = amendments_of(&self.world);
        let first = self.amendments.first_difference(&now);
        let Some(first) = first.filter(|_| self.rounds < 2 * MOST_ROUNDS) else {
            self.rounds = 0;
            return Ok(());
        };
        self.rounds += 1;
        if self.rounds == MOST_ROUNDS {
            self.amendments = Amendments::default();
            return self.rebuild(EntryId::MIN);
        }
        self.amendments = now;
        self.rebuild(first)
    }

    /// Lines that say different things under an id that is folded already are late, although none of them was handed over.
    pub(super) fn earlier(&self, late: Option<EntryId>, notices: &Notices, start: EntryId) -> Option<EntryId> {
        if start == EntryId::MIN {
            return late;
        }
        let is_mended = !self.amendments.mending.is_empty();
        let turns = notices.conflicts.keys().map(|id| if is_mended { EntryId::MIN } else { *id });
        late.into_iter().chain(turns.filter(|turn| *turn <= start)).min()
    }
}

pub(super) fn amendments_of(world: &World) -> Amendments {
    amendments(&world.rooms)
}
