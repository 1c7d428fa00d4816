//! Whether decisions in the log have recorded what lines claim that scrubs made of them: a mere claim takes nothing away.
//!
//! Reads all lines, and only where a line claims it. Does not know who decided; `verify` tells.

use std::collections::BTreeSet;

use memchr::memmem;
use serde::Deserialize;

use super::content::{Step, claims, holds_all};
use crate::LogError;
use crate::batch::Batch;
use crate::segment::{Packing, Segment};
use crate::taken::Known;
use crate::unpack::{Allowance, each_batch};
use crate::writer::Log;
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;

/// The command that scrubs.
const SCRUB: &str = "history.entry.scrub";

/// The output of such a decision, as far as it is asked for here.
#[derive(Deserialize)]
struct Output {
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    data: ScrubbedHashes,
}

#[derive(Deserialize)]
struct ScrubbedHashes {
    entry: EntryId,
    before: LineHash,
    after: LineHash,
}

impl Log {
    /// Whether one content of a file holds all that another one does: as it was, or as scrubs left it that were decided.
    pub(super) fn holds_all_of(&self, path: &str, content: &[u8], other: &[u8]) -> Result<bool, LogError> {
        Ok(holds_all(path, content, other) && self.are_recorded(&claims(path, content, other))?)
    }

    /// Whether decisions have recorded each of some scrubs.
    pub(super) fn are_recorded(&self, claimed: &BTreeSet<Step>) -> Result<bool, LogError> {
        Ok(self.unrecorded(claimed)?.is_empty())
    }

    /// The same, here or on any branch: what a branch holds may have been scrubbed there.
    pub(super) fn are_recorded_somewhere(&self, git: &Known, claimed: &BTreeSet<Step>) -> Result<bool, LogError> {
        let mut left = self.unrecorded(claimed)?;
        if left.is_empty() {
            return Ok(true);
        }
        let asked = |error| self.unasked(&error);
        let held = git.repository.held_below("history").map_err(asked)?.blobs;
        let mut allowance = Allowance::of_many();
        for (path, ids) in held.into_iter().filter(|(path, _)| path.contains(".jsonl")) {
            for bytes in git.repository.contents(&ids).map_err(asked)?.into_values() {
                take_recorded(&mut left, &path, bytes, &mut allowance);
            }
        }
        Ok(left.is_empty())
    }

    fn unrecorded(&self, claimed: &BTreeSet<Step>) -> Result<BTreeSet<Step>, LogError> {
        let mut left = claimed.clone();
        if left.is_empty() {
            return Ok(left);
        }
        let history = self.place.history();
        for segment in Segment::list(&*self.disk, history).map_err(LogError::at("list", history))? {
            let bytes = self.bytes(&history.join(&segment.name))?;
            take_recorded(&mut left, &segment.name, bytes, &mut Allowance::of_one());
        }
        Ok(left)
    }
}

/// Takes those that the lines of a file have recorded.
fn take_recorded(left: &mut BTreeSet<Step>, path: &str, bytes: Vec<u8>, allowance: &mut Allowance) {
    each_batch(Packing::of(path), bytes, allowance, &mut |batch| {
        if memmem::find(batch.bytes(), SCRUB.as_bytes()).is_some() {
            let recorded = steps(&batch);
            left.retain(|step| !recorded.contains(step));
        }
    });
}

/// The scrubs that lines have recorded.
fn steps(batch: &Batch) -> BTreeSet<Step> {
    let decisions = batch.entries().filter(|entry| entry.envelope.rules().is_some() && entry.envelope.name() == SCRUB);
    let events = decisions.filter_map(|entry| entry.envelope.output::<Output>()).flat_map(|output| output.events);
    events.map(|Event { data }| (data.entry, data.before, data.after)).collect()
}
