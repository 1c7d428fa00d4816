//! Makes every decision again on the state that it was made on: its causal past (DESIGN 1).
//!
//! The past of a decision is what its writer had written before, what its writer had seen of others (`s`), and lines
//! without a chain that come before it. Folded in the order of ids. Most pasts are just "everything with a lower id":
//! those are replayed in one pass; the others afterwards, writer by writer. Does not print.

mod about;
mod causal;
mod clock;
mod otherwise;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use self::about::About;
use self::causal::{KnownPlaces, Line};
use self::clock::{FoldProgress, VectorClock};
pub use self::otherwise::{Counterfactual, Stopped, Undecidable};
use super::amend::{amendments, mends};
use super::{Engine, EngineError};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{EntryId, SessionId};
use annals_log::amend::Amendments;
use annals_log::mending::Mending;
use annals_log::order::{Ordered, UnreadPart};
use annals_log::read::Flow;
use annals_log::segment::Segment;
use annals_rules::domain::SETTINGS;
use annals_rules::world::World;
use annals_rules::world::replay::{Difference, NEWER_RULES, NO_RULES, ReplayVerdict, replay};

/// Which decisions to replay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// Those of one session.
    Session(SessionId),
}

/// What came of a replay.
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Report {
    /// Lines read.
    pub lines: u64,
    /// Decisions found.
    pub decisions: u64,
    /// Decisions that gave what was recorded.
    pub matched: u64,
    /// Decisions that gave something else, in the order of ids.
    pub differed: Vec<Differed>,
    /// Decisions that were not made again, by reason.
    pub passed_over: BTreeMap<&'static str, u64>,
    /// The entries of those.
    #[serde(skip)]
    passed_over_entries: BTreeSet<EntryId>,
}

/// A decision that gave something else than was recorded.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Differed {
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
    /// Recorded and replayed outcome.
    pub difference: Difference,
}

impl Report {
    /// Whether decisions claim rules that this program does not know: whoever forges one can claim any.
    pub fn claims_unknown_rules(&self) -> bool {
        [NEWER_RULES, NO_RULES].iter().any(|reason| self.passed_over.contains_key(reason))
    }

    fn take(&mut self, line: &Line, verdict: ReplayVerdict) {
        match verdict {
            ReplayVerdict::Matched => self.matched += 1,
            ReplayVerdict::PassedOver(reason) => {
                *self.passed_over.entry(reason.as_str()).or_default() += 1;
                self.passed_over_entries.insert(line.id);
            }
            ReplayVerdict::Differed(difference) => self.differed.push(line.differed(*difference)),
        }
    }

    /// The decisions that did not come out as recorded, or were not made again.
    fn not_matched(self) -> BTreeSet<EntryId> {
        let differed = self.differed.iter().map(|differed| differed.entry);
        differed.chain(self.passed_over_entries).collect()
    }

    /// Takes the verdict of a replay with lines in another order on each decision that came out otherwise in this one.
    fn take_from(&mut self, again: Self) {
        let mut others: BTreeMap<_, _> = again.differed.into_iter().map(|other| (other.entry, other)).collect();
        for differed in std::mem::take(&mut self.differed) {
            if let Some(other) = others.remove(&differed.entry) {
                self.differed.push(other);
            } else {
                self.matched += 1;
            }
        }
    }
}

/// Whether a decision is to be replayed.
type Wanted<'w> = dyn Fn(&Envelope<'_>) -> bool + 'w;

impl Engine {
    /// Replays decisions, each on what was known when it was made.
    ///
    /// A decision was made on lines in the order that they had then: before a clock was mended, or since.
    pub fn replay(&self, which: &Which) -> Result<Report, EngineError> {
        let orders = self.orders()?;
        let mut report = self.replay_in_order(&|entry| is_wanted(entry, which), &orders[0])?;
        for order in &orders[1..] {
            let others: BTreeSet<EntryId> = report.differed.iter().map(|differed| differed.entry).collect();
            if !others.is_empty() {
                let again = self.replay_in_order(&|entry| others.contains(&entry.id()), order)?;
                report.take_from(again);
            }
        }
        Ok(report)
    }

    /// The orders that lines had: before any clock was mended that a line was written by, after the first few, and now.
    fn orders(&self) -> Result<Vec<Amendments>, EngineError> {
        // Each order costs another pass over the history: beyond four the first three are tried, and the one that holds
        // now.
        const MOST: usize = 4;
        let heads = self.marks()?.heads();
        let (now, mut mends) = self.ask(|world| (amendments(&world.rooms), mends(&world.rooms)))?;
        mends.retain(|mend| heads.get(&mend.writer).is_some_and(|head| mend.from <= head.count));
        let mut orders: Vec<_> = (0..=mends.len()).map(|known| Mending::of(mends[..known].iter().cloned())).collect();
        orders.dedup();
        orders.drain((MOST - 1).min(orders.len() - 1)..orders.len() - 1);
        Ok(orders.into_iter().map(|mending| Amendments { mending, ..now.clone() }).collect())
    }

    fn replay_in_order(&self, which: &Wanted<'_>, order: &Amendments) -> Result<Report, EngineError> {
        let mut report = Report::default();
        let (mut known, mut about) = (KnownPlaces::default(), About::default());
        let late = self.replay_in_one_pass(which, order, &mut report, &mut known, &mut about)?;
        for line in causal::by_writer(late) {
            let verdict = known.with_past(self, &line, |past, entry| about.judge(entry, replay(past, entry)))?;
            report.take(&line, verdict);
        }
        report.differed.sort_by_key(|differed| differed.entry);
        Ok(report)
    }

    /// Replays the decisions whose past is everything before them; returns the others.
    fn replay_in_one_pass(
        &self,
        which: &Wanted<'_>,
        order: &Amendments,
        report: &mut Report,
        known: &mut KnownPlaces,
        about: &mut About,
    ) -> Result<Vec<Line>, EngineError> {
        let (history, disk) = (self.place().history(), &**self.disk());
        let segments = Segment::list(disk, history).map_err(annals_log::LogError::at("list", history))?;
        let mut ordered = Ordered::new(disk, history, order);
        let start = || ReplayPass { known: KnownPlaces::new(order.mending.clone()), ..ReplayPass::default() };
        let state = std::cell::RefCell::new(start());
        let mut begin_again = || *state.borrow_mut() = start();
        ordered.each(
            segments.into_iter().map(UnreadPart::whole).collect(),
            &mut begin_again,
            &mut |placed, segment| {
                let mut pass = state.borrow_mut();
                let entry = &placed.envelope;
                if entry.rules().is_some() && which(entry) {
                    pass.decision(Line::of(placed, segment), entry);
                }
                pass.folded.fold(placed);
                pass.known.add(placed, segment);
                pass.about.learn(entry);
                pass.world.apply(entry);
                Flow::More
            },
        )?;
        let pass = state.into_inner();
        *report = Report { lines: ordered.notices.lines, ..pass.report };
        (*known, *about) = (pass.known, pass.about);
        Ok(pass.late)
    }
}

#[derive(Default)]
struct ReplayPass {
    world: World,
    folded: FoldProgress,
    known: KnownPlaces,
    about: About,
    report: Report,
    late: Vec<Line>,
}

impl ReplayPass {
    fn decision(&mut self, line: Line, entry: &Envelope<'_>) {
        self.report.decisions += 1;
        let Some(link) = entry.link() else {
            // Without a chain nothing is known of its past but its place among the ids.
            let verdict = self.about.judge(entry, replay(&mut self.world, entry));
            return self.report.take(&line, verdict);
        };
        if self.folded.is_just(&VectorClock::before(&link, &self.folded)) {
            let verdict = self.about.judge(entry, replay(&mut self.world, entry));
            self.report.take(&line, verdict);
        } else {
            self.late.push(line);
        }
    }
}

fn is_wanted(entry: &Envelope<'_>, which: &Which) -> bool {
    match which {
        Which::All => true,
        Which::Session(session) => entry.session() == session.as_str(),
    }
}

/// Whether a key can change what is decided: only those that a room reads can.
pub fn decides(key: &str) -> bool {
    SETTINGS.iter().any(|setting| setting.key() == key)
}
