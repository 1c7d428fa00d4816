//! Goes through the history as it would have been under another configuration.
//!
//! Where a decision comes out otherwise, the line that it would have left takes the place of its own in every past that
//! follows, also in those that are not just "everything before". A decision that does not come out as recorded under the
//! configuration that was in force, or that is passed over, stays as it is: its line is all that is known of it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::causal::{KnownPlaces, Line};
use super::clock::{FoldProgress, VectorClock};
use super::{Differed, Which, is_wanted};
use crate::{Engine, EngineError};
use annals_kernel::decision::Refusal;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{EntryId, SessionId};
use annals_log::LogError;
use annals_log::amend::Amendments;
use annals_log::batch::{Batch, Placed};
use annals_log::order::{Ordered, UnreadPart};
use annals_log::read::Flow;
use annals_log::segment::Segment;
use annals_rules::world::World;
use annals_rules::world::decision::Outcome;
use annals_rules::world::otherwise::{Course, Gone, Missing, Overlay, StandIn, course};
use annals_rules::world::replay::passed_over;

/// What would have been decided.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Counterfactual {
    /// Decisions that were looked at.
    pub decisions: u64,
    /// Decisions that come out as recorded.
    pub as_recorded: u64,
    /// Decisions that were taken as they stand, because they do not come out as recorded under the rules of then.
    pub taken_as_they_stand: u64,
    /// Decisions that come out otherwise, in the order of the fold.
    pub otherwise: Vec<Differed>,
    /// Decisions that can no longer be made, in the order of the fold.
    pub undecidable: Vec<Undecidable>,
    /// How many decisions each rule stopped.
    pub rules: BTreeMap<Box<str>, Stopped>,
}

/// How many decisions a rule stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Stopped {
    /// As it was recorded.
    pub then: u64,
    /// As it would have been.
    pub now: u64,
}

/// A decision that can no longer be made.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Undecidable {
    /// The entry.
    pub entry: EntryId,
    /// Its session.
    pub session: SessionId,
    /// What was asked.
    pub command: String,
    /// Where it stands.
    pub segment: String,
    /// On which line.
    pub line: u64,
    /// What is not there.
    pub missing: Missing,
}

impl Counterfactual {
    fn take(&mut self, line: &Line, entry: &Envelope<'_>, course: Course) {
        self.decisions += 1;
        let recorded = entry.output::<Outcome>().and_then(|outcome| outcome.refusal);
        self.stopped(recorded.as_ref(), |stopped| &mut stopped.then);
        match course {
            Course::AsRecorded => {
                self.as_recorded += 1;
                self.stopped(recorded.as_ref(), |stopped| &mut stopped.now);
            }
            Course::Otherwise(difference) => {
                let refusal = difference.replayed.as_ref().and_then(|outcome| outcome.refusal.as_ref());
                self.stopped(refusal, |stopped| &mut stopped.now);
                self.otherwise.push(line.differed(*difference));
            }
            Course::Undecidable(missing) => self.undecidable.push(line.undecidable(missing)),
        }
    }

    fn take_as_it_stands(&mut self, line: &Line, entry: &Envelope<'_>) {
        self.take(line, entry, Course::AsRecorded);
        self.as_recorded -= 1;
        self.taken_as_they_stand += 1;
    }

    fn stopped(&mut self, refusal: Option<&Refusal>, count: fn(&mut Stopped) -> &mut u64) {
        if let Some(refusal) = refusal {
            *count(self.rules.entry(refusal.rule.clone()).or_default()) += 1;
        }
    }
}

impl Line {
    fn undecidable(&self, missing: Missing) -> Undecidable {
        Undecidable {
            entry: self.id,
            session: self.session.clone(),
            command: self.command.clone(),
            segment: self.segment.clone(),
            line: self.number,
            missing,
        }
    }
}

impl Engine {
    /// What would have been decided had other values been in force: in the whole history, or in one session. What follows
    /// from it outside of that session is decided under its own configuration, and not told.
    pub fn replay_otherwise(&self, which: &Which, overlay: &Overlay) -> Result<Counterfactual, EngineError> {
        // The last order is the one that holds now.
        let order = self.orders()?.pop().expect("BUG: lines have no order");
        let kept = self.replay_in_order(&|_| true, &order)?.not_matched();
        let (history, disk) = (self.place().history(), &**self.disk());
        let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
        let state = RefCell::new(OtherwisePass::new(self, which, overlay, &order, &kept));
        let mut begin_again = || *state.borrow_mut() = OtherwisePass::new(self, which, overlay, &order, &kept);
        let mut trouble = None;
        let parts = segments.into_iter().map(UnreadPart::whole).collect();
        Ordered::new(disk, history, &order).each(parts, &mut begin_again, &mut |placed, segment| {
            trouble = state.borrow_mut().line(placed, segment).err();
            if trouble.is_some() { Flow::Enough } else { Flow::More }
        })?;
        trouble.map_or_else(|| Ok(state.into_inner().found), Err)
    }
}

struct OtherwisePass<'p> {
    engine: &'p Engine,
    which: &'p Which,
    overlay: &'p Overlay,
    order: &'p Amendments,
    kept: &'p BTreeSet<EntryId>,
    world: World,
    folded: FoldProgress,
    known: KnownPlaces,
    gone: Gone,
    found: Counterfactual,
}

impl<'p> OtherwisePass<'p> {
    fn new(
        engine: &'p Engine,
        which: &'p Which,
        overlay: &'p Overlay,
        order: &'p Amendments,
        kept: &'p BTreeSet<EntryId>,
    ) -> Self {
        Self {
            engine,
            which,
            overlay,
            order,
            kept,
            world: World::default(),
            folded: FoldProgress::default(),
            known: KnownPlaces::new(order.mending.clone()),
            gone: Gone::default(),
            found: Counterfactual::default(),
        }
    }

    fn line(&mut self, placed: &Placed<'_>, segment: &str) -> Result<(), EngineError> {
        let entry = &placed.envelope;
        // Its own link says what it had seen.
        self.known.add(placed, segment);
        let stand_in = match entry.rules() {
            Some(_) => self.decision(&Line::of(placed, segment), entry)?,
            None => StandIn::Itself,
        };
        self.folded.fold(placed);
        match &stand_in {
            StandIn::Itself => fold(&mut self.world, entry, self.which, self.overlay),
            StandIn::Line(line) => self.fold_line(line),
            StandIn::Nothing => {}
        }
        self.known.replace_last(stand_in);
        Ok(())
    }

    fn fold_line(&mut self, line: &str) {
        let batch = Batch::decode([line.as_bytes(), b"\n"].concat(), 0).mended(&self.order.mending);
        for placed in batch.entries() {
            fold(&mut self.world, &placed.envelope, self.which, self.overlay);
        }
    }

    fn decision(&mut self, line: &Line, entry: &Envelope<'_>) -> Result<StandIn, EngineError> {
        let is_wanted = is_wanted(entry, self.which);
        if self.kept.contains(&line.id) || passed_over(entry).is_some() {
            if is_wanted {
                self.found.take_as_it_stands(line, entry);
            }
            return Ok(StandIn::Itself);
        }
        let course = self.course(line, entry)?;
        self.gone.learn(entry, &course);
        let stand_in = StandIn::of(entry, &course);
        if is_wanted {
            self.found.take(line, entry, course);
        }
        Ok(stand_in)
    }

    fn course(&mut self, line: &Line, entry: &Envelope<'_>) -> Result<Course, EngineError> {
        let (which, overlay) = (self.which, self.overlay);
        let nothing = Overlay::default();
        let laid = if is_wanted(entry, which) { overlay } else { &nothing };
        let is_late = entry.link().is_some_and(|link| !self.folded.is_just(&VectorClock::before(&link, &self.folded)));
        if !is_late {
            return Ok(course(&mut self.world, entry, laid, &self.gone));
        }
        let taken_in = |world: &mut World, entry: &Envelope<'_>| fold(world, entry, which, overlay);
        let gone = &self.gone;
        self.known.with_folded(self.engine, line, &taken_in, |past| course(past, entry, laid, gone))
    }
}

fn fold(world: &mut World, entry: &Envelope<'_>, which: &Which, overlay: &Overlay) {
    if is_wanted(entry, which) { world.apply_under(entry, overlay) } else { world.apply(entry) }
}
